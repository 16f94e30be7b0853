# batches.sh - Table 1 with batches of 10, 100 and 1000 rows: the best training loss over 100 passes, and the passes to
# 99 % of the reduction. sums is the paper's Algorithm 3 (--tau balance --restart sums).
# shellcheck shell=bash disable=SC2034,SC2154
columns="best passes"
sizes="10 100 1000"
declare -A solver=([pegasos]="pegasos --limit-steps off" [adaptive]="adaptive --limit-steps off"
    [proximal]="proximal --metric none" [sums]="proximal --metric none --tau balance --restart sums")
methods="pegasos adaptive proximal sums"

rows() {
    local name k method
    for name in "${set_names[@]}"; do
        for k in $sizes; do
            for method in $methods; do
                printf '%s %s %s\t-s %s -k %s -l %s -p 100\n' "$name" $k $method "${solver[$method]}" $k \
                    "${of_set[$name lambda]}"
            done
        done
    done
}

row() { # NAME K METHOD
    data "$1"
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2 $3]} "$out/$1.train" && awk -f "$folder/best.awk" "$temporary/trace"
}

show() {
    local name k method
    echo "Best training loss over 100 passes / passes to 99 % of the reduction, by the size of a batch; sums is"
    echo "\`--tau balance --restart sums\`, the paper's Algorithm 3."
    echo
    echo "| data | batch |$(printf ' %s |' $methods)"
    echo "| --- | --- |$(printf ' --- |%.0s' $methods)"
    for name in "${set_names[@]}"; do
        for k in $sizes; do
            [ -n "${value[$name $k pegasos]:-}" ] || continue
            printf '| %s | %s |' "$name" $k
            for method in $methods; do
                cells "$name $k $method" 2
                printf ' %s/%s |' "${cell[@]}"
            done
            echo
        done
    done
}
