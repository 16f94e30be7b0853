# measures.sh - F1, the breakeven point of precision and recall, and the area under the ROC curve of models trained for
# the hinge and for each of them: of one trained on two thirds of the rows on the others, by which lambda is chosen, and
# of one trained on all on the test part.
# shellcheck shell=bash disable=SC2034,SC2154
columns="F1-held breakeven-held AUC-held F1 breakeven AUC"
lambdas="1e-3 1e-4 1e-5 1e-6 1e-7 1e-8"
declare -A files=([ijcnn1]="ijcnn1.tr ijcnn1.val" [w8a]="w8a w8a.t")

rows() {
    local name loss lambda constant
    for name in ijcnn1 w8a; do
        for loss in hinge f1 prbep rocarea; do
            constant=" -B 1"
            [ $loss != rocarea ] || constant=
            for lambda in $lambdas; do
                printf '%s %s %s\t-s proximal-bundle%s -L %s -l %s -e 1e-2 -p 1000\n' $name $loss "$lambda" "$constant" \
                    $loss "$lambda"
            done
        done
    done
}

contents() { # NAME
    data_file "$1"
    case $file in *.gz) zcat "$file" ;; *) cat "$file" ;; esac
}

# F1, breakeven and AUC of the last model, from its decision values.
score() { # DATA
    "$bin/predict" -q -j 1 -d "$1" "$temporary/model" "$temporary/scores"
    paste -d ' ' <(cut -d ' ' -f 1 "$1") <(tail -n +2 "$temporary/scores" | cut -d ' ' -f 2) |
        LC_ALL=C sort -k 2,2gr | awk '
            { y = $1 > 0; u = $2 > 0; p += y; a += y && u; n += u; rank[NR] = y; if (!y) pairs += p }
            END {
                for (k = 1; k <= p; k++) hit += rank[k]
                printf "%.4f %.4f %.4f ", p + n ? 2 * a / (p + n) : 0, hit / p, pairs / p / (NR - p)
            }'
}

row() { # NAME LOSS LAMBDA
    local names
    read -ra names <<<"${files[$1]}"
    contents "${names[0]}" | awk -v at="$temporary/" '{ print >(at (NR % 3 ? "part" : "held")); print >(at "all") }'
    contents "${names[1]}" >"$temporary/test"
    [ -s "$temporary/all" ] && [ -s "$temporary/test" ] || exit 77
    # shellcheck disable=SC2086 # options are words
    train ${options[$1 $2 $3]} "$temporary/part" && score "$temporary/held" || return
    # shellcheck disable=SC2086
    train ${options[$1 $2 $3]} "$temporary/all" && score "$temporary/test"
}

show() {
    local name loss
    echo "On the third held out, by which lambda is chosen / on the test part (lambda)"
    echo
    echo "| data | trained for | F1 | breakeven | AUC |"
    echo "| --- | --- | --- | --- | --- |"
    for name in ijcnn1 w8a; do
        for loss in hinge f1 prbep rocarea; do
            [ -n "${value[$name $loss 1e-3]:-}" ] || continue
            printf '| %s | `%s` |' $name $loss
            for lambda in $lambdas; do
                cells "$name $loss $lambda" 6
                echo "$lambda ${cell[*]}"
            done | awk '
                { for (c = 1; c <= 3; c++) if ($(1 + c) ~ /[0-9]/ && $(1 + c) > best[c]) { best[c] = $(1 + c); line[c] = $0 } }
                END {
                    for (c = 1; c <= 3; c++) {
                        split(line[c], w, " ")
                        printf " %s / %s (%s) |", w[1 + c], w[4 + c], w[1]
                    }
                    print ""
                }'
        done
    done
}
