# identify.sh - Table 2.1: steps of dual averaging (rda) to the 2x superset and to the manifold of the optimum, and delta
# there, medians and deviations of 100 orders of each set (identify.c), at 0.9, 0.52 and 0.3 times lambda_max; gamma as
# train finds it ("auto"), 2 and 5. "-": the median is beyond 100,000 steps.
# shellcheck shell=bash disable=SC2034,SC2154
columns="lambda gamma nonzeros superset deviation manifold deviation delta"
sources="identify.c medians.awk standardize.awk"
fractions=(0.9 0.519615 0.3) # equally spaced in log
gammas="auto 2 5"

rows() {
    local name k gamma
    for name in "${set_names[@]}"; do
        [ "$name" != mnist ] || continue
        for k in 0 1 2; do
            for gamma in $gammas; do
                printf '%s %s %s\t-s rda -L logistic --gamma %s\n' "$name" "${fractions[k]}" $gamma "$gamma"
            done
        done
    done
}

row() { # NAME FRACTION GAMMA
    data "$1"
    linked identify
    [ -f "$out/$1.standard" ] || awk -f "$folder/standardize.awk" "$out/$1.train" "$out/$1.train" >"$out/$1.standard"
    "$out/identify" "$out/$1.standard" "$2" "${3/auto/0}" "${SEEDS:-100}" 100000 >"$temporary/runs" || return
    head -n 1 "$temporary/runs"
    awk -v from=2 -f "$folder/medians.awk" "$temporary/runs" | cut -d ' ' -f -5
}

show() {
    local gamma name k
    echo "Steps of \`rda\`, medians (deviations) of 100 orders; delta is that at the manifold. In brackets the thesis's."
    for gamma in $gammas; do
        echo
        echo "| gamma $gamma | lambda | gamma | nonzeros | to the 2x superset | thesis | to the manifold | thesis | delta |"
        echo "| --- |$(printf ' --- |%.0s' {1..8})"
        for name in "${set_names[@]}"; do
            [ "$name" != mnist ] || continue
            for k in 0 1 2; do
                [ -n "${value[$name ${fractions[k]} $gamma]:-}" ] || continue
                printf '%s\t%s\t%s\n' "$name" "${value[$name ${fractions[k]} $gamma]}" "${of_set[$name $((6 + k))]}"
            done
        done | awk -F '\t' '{
            split($2, c, " "); n = split($3, t, " ")
            printf "| %s | %.2f (%s) | %.3g | %d (%s) | %s (%d) | %s %s | %s (%d) | %s %s | %s (%s) |\n", $1,
                c[1], t[1], c[2], c[3], t[n], c[4], c[5], t[2], t[3], c[6], c[7], t[4], t[5],
                c[8] ~ /^[0-9]/ ? sprintf("%.3f", c[8]) : "-", t[6] }'
    done
}
