# table1.sh - Table 1: the best training loss over 100 passes, and the passes to 99 % of the reduction, of pegasos,
# adaptive and proximal as the paper has them, batches of one row.
# shellcheck shell=bash disable=SC2034,SC2154
columns="best passes"
solvers=("pegasos --limit-steps off" "adaptive --limit-steps off" "proximal --metric none")

rows() {
    local name solver
    for name in "${set_names[@]}"; do
        for solver in "${solvers[@]}"; do
            printf '%s %s\t-s %s -l %s -p 100\n' "$name" "${solver%% *}" "$solver" "${of_set[$name lambda]}"
        done
    done
}

row() { # NAME SOLVER
    data "$1"
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2]} "$out/$1.train" && awk -f "$folder/best.awk" "$temporary/trace"
}

show() {
    local name solver letter first second
    echo "Best training loss over 100 passes, and passes to 99 % of the reduction from J(0) = 1 to it (the paper's)."
    echo
    echo "| data | lambda | pegasos | adaptive | proximal | passes: pegasos | adaptive | proximal |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name in "${set_names[@]}"; do
        first='' second=''
        for solver in pegasos:P adaptive:A proximal:X; do
            letter=${solver#*:}
            cells "$name ${solver%:*}" 2
            first+=" ${cell[0]} (${of_set[$name $letter]}) |"
            second+=" ${cell[1]} (${of_set[$name pass$letter]}) |"
        done
        [ -z "${value[$name pegasos]:-}" ] || echo "| $name | ${of_set[$name lambda]} |$first$second"
    done
}
