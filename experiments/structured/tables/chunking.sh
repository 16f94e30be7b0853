# chunking.sh - CoNLL-2000, chunks of sentences with the usual template: chunk F1 and labels right on the test part, J, the
# certified gap, passes and seconds of training, for crf and m3n; to a gap of 0.1 % within the passes of the row.
# shellcheck shell=bash disable=SC2034,SC2154
columns="F1 accuracy J gap passes seconds"

rows() {
    local loss solver
    for loss in crf m3n; do
        for solver in sdca:100 proximal:20 proximal-bundle:20 agm:20 bundle:20; do
            printf '%s %s\t-s %s -L %s -l 1e-4 -e 1e-3 -p %s\n' $loss $solver "${solver%:*}" $loss "${solver#*:}"
        done
    done
}

# OUT/chunks.PART, and OUT/chunks.names.
encoded() { # PART OPTION...
    [ ! -f "$out/chunks.$1" ] || return 0
    data_file "conll2000.$1.txt"
    case $file in *.gz) zcat "$file" ;; *) cat "$file" ;; esac >"$temporary/columns"
    "$bin/conll" encode -q --template "$root/data/chunking.template" --names "$out/chunks.names" "${@:2}" \
        "$temporary/columns" >"$out/chunks.part"
    mv "$out/chunks.part" "$out/chunks.$1"
}

row() { # LOSS SOLVER:PASSES
    encoded train
    encoded test --freeze
    # shellcheck disable=SC2086 # options are words
    train ${options[$*]} "$out/chunks.train" || return
    "$bin/predict" -j 1 --names="$out/chunks.names" "$out/chunks.test" "$temporary/model" /dev/null \
        >"$temporary/measures" 2>"$temporary/log" || return
    printf '%.4f %.2f %.4f %.2g %.4g %.1f\n' "$(sed -n 's/^chunk F1 = //p' "$temporary/measures")" \
        "$(sed -n 's/^Accuracy = \([^%]*\)%.*/\1/p' "$temporary/measures")" "$(reported objective)" "$(reported gap)" \
        "$(reported passes)" "$(cpu_seconds train_seconds)"
}

show() {
    local key
    echo "| loss | solver | passes, at most | F1 | labels right, % | J | gap | passes | seconds |"
    echo "| --- | --- |$(printf ' --- |%.0s' {1..7})"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086 # words
        [ -z "${value[$key]:-}" ] ||
            printf '| %s | `%s` | %s | %s | %s | %s | %s | %s | %s |\n' ${key/:/ } ${value[$key]}
    done
}
