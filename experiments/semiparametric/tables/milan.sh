# milan.sh - Table 4.2: respiratory deaths in Milan, 1980-89: test error of parametric (ipm, linear in temperature, SO2,
# their squares and an offset), nonparametric and semiparametric (pdsg) models and of a constant, the mean of the
# training part; c by 10 folds of the training part; ten random splits. "total": the day's total deaths are a feature.
# "printed": the polynomial that the thesis prints, the parametric part of its semiparametric model, on our test part.
# shellcheck shell=bash disable=SC2034,SC2154
columns="MSE vectors seconds"
costs="0.0025 0.005 0.01 0.025 0.05 0.1"
kernel="-s pdsg -L epsilon --tube 0.01 --kernel gaussian --gamma-kernel 25"
declare -A basis=([nonparametric]="--basis 1" [semiparametric]="--basis 1,4,6,4^2,6^2")
declare -A chosen=([nonparametric]=0.025 [semiparametric]=0.01) # by the folds, as in the thesis

rows() {
    local model cost split
    for split in $(seq 10); do
        printf 'split %s constant\t-s ipm\n' "$split"
        printf 'split %s parametric\t-s ipm --intercept -L epsilon --tube 0.01 -l 1e-8\n' "$split"
        for model in nonparametric semiparametric; do
            printf 'split %s %s\t%s %s -c %s\n' "$split" $model "$kernel" "${basis[$model]}" "${chosen[$model]}"
        done
    done
    printf 'split 1 printed\t-s ipm\n'
    printf 'split 1 no-offset\t-s ipm -L epsilon --tube 0.01 -l 1e-8\n'
    for model in nonparametric semiparametric; do
        printf 'total 1 %s\t%s %s -c %s\n' $model "$kernel" "${basis[$model]}" "${chosen[$model]}"
        for cost in $costs; do
            printf 'folds %s %s\t%s %s -c %s -v 10\n' $model $cost "$kernel" "${basis[$model]}" $cost
        done
    done
}

row() { # split|total SPLIT MODEL; folds MODEL C
    local split=$2 data
    [ "$1" != folds ] || split=1
    data_file milan.mort.csv
    [ -f "$out/milan-$split.test" ] || awk -F , -v seed="$split" -v out="$out/milan" -f "$folder/milan.awk" "$file"
    case "$*" in
    total*) data=$out/milan-total-$split ;;
    *" parametric" | *" printed" | *" no-offset") data=$out/milan-linear-$split ;;
    *) data=$out/milan-$split ;;
    esac
    if [ "${3:-}" = constant ]; then
        awk 'NR == FNR { s += $1; n++; next } { d = $1 - s / n; q += d * d } END { printf "%.5f - -\n", q / FNR }' \
            "$data.train" "$data.test"
        return
    fi
    if [ "${3:-}" = printed ]; then
        tr : ' ' <"$data.test" | awk '
            { d = $1 - (-0.30 * $3 + 0.26 * $5 + 0.22 * $7 - 0.07 * $9 + 0.22); q += d * d }
            END { printf "%.5f - -\n", q / NR }'
        return
    fi
    if [ "$1" = folds ]; then
        # shellcheck disable=SC2086 # options are words
        "$bin/train" -q -j 1 ${options[$*]} "$data.train" 2>"$temporary/log" | sed -n 's/.*MSE = \([0-9.]*\).*/\1 - -/p'
        return
    fi
    # shellcheck disable=SC2086
    train ${options[$*]} "$data.train" || return
    "$bin/predict" -j 1 "$data.test" "$temporary/model" /dev/null | awk -v s="$(cpu_seconds train_seconds)" \
        -v vectors="$(sed -n 's/^points //p' "$temporary/model")" -v m="$(wc -l <"$data.train")" '
        /^MSE = / { printf "%.5f %s %.2f\n", $3, vectors == "" ? "-" : sprintf("%.1f", 50 * vectors / m), s }'
}

show() {
    local model cost split first total printed
    declare -A thesis=([parametric]=0.0279 [nonparametric]=0.0194 [semiparametric]=0.0188)
    echo "| model | test MSE, split 1 | mean and deviation of 10 splits | with the total | thesis | support vectors, % of 2m |" \
        "seconds |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    for model in constant parametric nonparametric semiparametric; do
        cells "total 1 $model" 3
        total=${cell[0]}
        cells "split 1 $model" 3
        first=("${cell[@]}")
        for split in {1..10}; do
            cells "split $split $model" 3
            echo "${cell[0]}"
        done | awk -v head="| $model | ${first[0]} |" -v total="$total" -v thesis="${thesis[$model]:--}" \
            -v tail="${first[1]} | ${first[2]} |" '
                $1 ~ /[0-9]/ { s += $1; q += $1 * $1; n++ }
                END {
                    v = n ? q / n - s * s / n / n : 0
                    printf "%s %.4f, %.4f | %s | %s | %s\n", head, n ? s / n : 0, sqrt(v > 0 ? v : 0),
                        total == "." ? "" : total, thesis, tail
                }'
    done
    echo
    cells "split 1 printed" 3
    printed=${cell[0]}
    cells "split 1 no-offset" 3
    echo "On split 1 the polynomial of temperature and SO2 that the thesis prints has an MSE of" \
        "${printed}, and the parametric"
    echo "model without an offset ${cell[0]}."
    echo
    echo "MSE of 10 folds of the training part by c"
    echo
    echo "| model |$(printf ' %s |' $costs)"
    echo "| --- |$(printf ' --- |%.0s' $costs)"
    for model in nonparametric semiparametric; do
        printf '| %s |' $model
        for cost in $costs; do
            cells "folds $model $cost" 3
            printf ' %s |' "${cell[0]}"
        done
        echo
    done
}
