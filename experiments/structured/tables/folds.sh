# folds.sh - S-151: pairs of bases found, by 2-fold cross-validation; proximal-bundle, 50 passes.
# shellcheck shell=bash disable=SC2034,SC2154
columns="F Sensitivity PPV Mean-F"
. "$folder/structures.sh"

rows() {
    local lambda
    for lambda in 1 1e-1 1e-2 1e-3 1e-4; do
        printf '%s\t-s proximal-bundle -L rna -v 2 -e 1e-6 -p 50 -l %s\n' $lambda $lambda
    done
}

row() { # LAMBDA
    structures
    # shellcheck disable=SC2086 # options are words
    "$bin/train" -q -j 1 ${options[$1]} "$file" 2>"$temporary/log" | awk -F ' = ' '
        { sub(/^Cross Validation /, "", $1); value[$1] = $2 / (index($2, "%") ? 100 : 1) }
        END { printf "%.3f %.3f %.3f %.3f\n", value["F"], value["Sensitivity"], value["PPV"], value["Mean F"] }'
}

show() {
    local key
    echo "| lambda | F | sensitivity | PPV | mean F |"
    echo "| --- | --- | --- | --- | --- |"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086 # words
        [ -z "${value[$key]:-}" ] || printf '| %s | %s | %s | %s | %s |\n' $key ${value[$key]}
    done
}
