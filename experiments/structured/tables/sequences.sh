# sequences.sh - handwritten words (Taskar, Guestrin & Koller 2003; ocr_letters): letters and words that are wrong on the
# test part, J, the certified gap, passes and seconds, for m3n and crf.
# shellcheck shell=bash disable=SC2034,SC2154
columns="letters words J gap passes seconds"
most=500

rows() {
    local loss lambda solver
    for loss in crf m3n; do
        for lambda in 1e-2 1e-3 1e-4 1e-5; do
            for solver in sdca proximal-bundle agm proximal; do
                printf '%s %s %s\t-s %s -L %s -l %s -B 1 -p %s\n' $loss "$lambda" "$solver" "$solver" $loss "$lambda" \
                    "$most"
            done
        done
    done
}

wrong() { # MEASURE
    sed -n "s/^$1 = \([^%]*\)%.*/\1/p" "$temporary/measures" | awk '{ printf "%.2f", 100 - $1 }'
}

row() { # LOSS LAMBDA SOLVER
    data_file ocr_letters.train
    # shellcheck disable=SC2086 # options are words
    train ${options[$*]} "$file" || return
    data_file ocr_letters.test
    "$bin/predict" -j 1 "$file" "$temporary/model" /dev/null >"$temporary/measures" 2>"$temporary/log" || return
    printf '%s %s %.4f %.2g %.4g %.1f\n' "$(wrong Accuracy)" "$(wrong "sequence accuracy")" "$(reported objective)" \
        "$(reported gap)" "$(reported passes)" "$(cpu_seconds train_seconds)"
}

show() {
    local key
    echo "Letters and words wrong on the test part (%), J, certified gap, passes (at most $most), seconds of training"
    echo
    echo "| loss | lambda | solver | letters | words | J | gap | passes | seconds |"
    echo "| --- | --- | --- |$(printf ' --- |%.0s' {1..6})"
    for key in "${keys[@]}"; do
        # shellcheck disable=SC2086 # words
        [ -z "${value[$key]:-}" ] ||
            printf '| %s | %s | `%s` | %s | %s | %s | %s | %s | %s |\n' $key ${value[$key]}
    done
}
