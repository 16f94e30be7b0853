# rules.sh - solver proximal by --tau and --restart: the best training loss over 100 passes, and the passes to 99 % of
# the reduction. balance with sums is the paper's Algorithm 3.
# shellcheck shell=bash disable=SC2034,SC2154
columns="best passes"
rules="anneal:none anneal:scale observed:none balance:none balance:scale balance:sums balance:full"

rows() {
    local name rule
    for name in "${set_names[@]}"; do
        for rule in $rules; do
            printf '%s %s\t-s proximal --metric none --tau %s --restart %s -l %s -p 100\n' "$name" "$rule" \
                "${rule%:*}" "${rule#*:}" "${of_set[$name lambda]}"
        done
    done
}

row() { # NAME RULE
    data "$1"
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2]} "$out/$1.train" && awk -f "$folder/best.awk" "$temporary/trace"
}

show() {
    local name rule
    echo "Best loss/passes of \`proximal\` by \`--tau\` and \`--restart\`."
    echo
    echo "| data |$(printf ' %s |' ${rules//:/, } | sed 's/, |/,/g') paper |"
    echo "| --- |$(printf ' --- |%.0s' $rules) --- |"
    for name in "${set_names[@]}"; do
        [ -n "${value[$name anneal:none]:-}" ] || continue
        printf '| %s |' "$name"
        for rule in $rules; do
            cells "$name $rule" 2
            printf ' %s/%s |' "${cell[@]}"
        done
        echo " ${of_set[$name X]}/${of_set[$name passX]} |"
    done
}
