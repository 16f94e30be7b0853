# table.sh - Table 3.2: test error and seconds of asset, asset* and ocas at s = 512 and 1024.
# shellcheck shell=bash disable=SC2034,SC2154
columns="error seconds-map seconds-train"
. "$folder/split.sh"

rows() {
    local name s solver
    for name in "${set_names[@]}"; do
        for s in 512 1024; do
            for solver in asset "asset*"; do
                printf '%s %s %s\t-s %s --limit-steps off -p %s --map nystrom --landmarks %s %s\n' "$name" $s "$solver" \
                    "$solver" "${of_set[$name passes]}" $s "${machine_of[$name]}"
            done
            printf '%s %s ocas\t-s ocas --map nystrom --landmarks %s %s\n' "$name" $s $s "${machine_of[$name]}"
        done
    done
}

row() { # NAME S SOLVER
    split "$1"
    set -f # asset*
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2 $3]} "$out/$1.train" || return
    printf '%s %.1f %.1f\n' "$(test_error "$out/$1.test")" "$(cpu_seconds map_seconds)" "$(cpu_seconds train_seconds)"
}

show() {
    local name s solver column
    echo "Test error in percent (the thesis's), seconds of mapping + of training; beside \`ocas\` the thesis's SVM-Light"
    echo
    echo "| data | s | \`asset\` | \`asset*\` | \`ocas\` |"
    echo "| --- | --- | --- | --- | --- |"
    for name in "${set_names[@]}"; do
        for s in 512 1024; do
            [ -n "${value[$name $s asset]:-}" ] || continue
            printf '| %s | %s |' "$name" $s
            column=$((7 + s / 256)) # of the thesis's
            for solver in "$column:asset" "$((column + 1)):asset*" 13:ocas; do
                cells "$name $s ${solver#*:}" 3
                printf ' %s (%s), %s + %s s |' "${cell[0]}" "${of_set[$name ${solver%%:*}]}" "${cell[1]}" "${cell[2]}"
            done
            echo
        done
    done
}
