#!/bin/bash
# milan.sh OUT - Table 4.2: respiratory deaths in Milan, 1980-89 (milan.mort.csv), everything scaled to [0,1], a fifth
# held out at random: parametric (ipm, linear in temperature, SO2, their squares and an offset), nonparametric and
# semiparametric models (pdsg), c by 10 folds of the training part; with the same c the day's total deaths among the
# features, too; then SPLITS random splits.
set -euo pipefail
here=$(dirname "$0")
out=$1
costs="0.0025 0.005 0.01 0.025 0.05 0.1"
csv=${RRM_DATASETS:?is not set: the folder with the data}/milan.mort.csv
if [ ! -f "$csv" ]; then
    echo "skipped: milan ($csv is not there)"
    exit 0
fi

# SPLIT: OUT/milan-SPLIT (without the total), OUT/milan-total-SPLIT and OUT/milan-linear-SPLIT, .train and .test.
# Temperature is feature 4 and SO2 feature 6; the linear model has these and their squares.
prepare() {
    [ -f "$out/milan-$1.test" ] || awk -F , -v seed="$1" -v out="$out/milan" '
        function uniform() {
            state = (state * 16807) % 2147483647
            return state / 2147483647
        }
        function row(k) { # feature k of this row, as svmlight has it
            return " " k ":" value[i, column[k]]
        }
        NR > 1 {
            for (j = 1; j <= NF; j++) {
                value[NR - 1, j] = $j
                if (NR == 2 || $j + 0 < low[j]) low[j] = $j + 0
                if (NR == 2 || $j + 0 > high[j]) high[j] = $j + 0
            }
        }
        END {
            state = 7919 * seed + 12345
            split("1 2 3 4 5 8 9 6", column, " ")
            for (i = 0; i < 10; i++)
                uniform()
            for (i = 1; i < NR; i++) {
                for (j = 1; j <= 9; j++)
                    value[i, j] = sprintf("%.9g", (value[i, j] - low[j]) / (high[j] - low[j]))
                part = seed (uniform() < 0.2 ? ".test" : ".train")
                line = value[i, 7] row(1) row(2) row(3) row(4) row(5) row(6) row(7)
                print line >(out "-" part)
                print line row(8) >(out "-total-" part)
                t = value[i, 4]
                s = value[i, 8]
                printf "%s 1:%s 2:%s 3:%.9g 4:%.9g\n", value[i, 7], t, s, t * t, s * s >(out "-linear-" part)
            }
        }' "$csv"
}
kernel=(-s pdsg -L epsilon --tube 0.01 --kernel gaussian --gamma-kernel 25)
mse() { # NAME MODEL: of the test part
    "$here/../../predict" -j 1 "$out/$1.test" "$2" "$out/milan.out" | sed -n 's/^MSE = //p'
}
basis() { # MODEL: what it is called, its functions
    if [ "$1" = nonparametric ]; then echo 1; else echo 1,4,6,4^2,6^2; fi
}
validate() { # NAME MODEL: the best c by 10 folds; OUT/NAME.MODEL.folds has all
    if [ ! -f "$out/$1.$2.folds" ]; then
        for cost in $costs; do
            error=$("$here/../../train" -j 1 "${kernel[@]}" --basis "$(basis "$2")" -c "$cost" -v 10 "$out/$1.train" |
                sed -n 's/.*MSE = //p')
            echo "$cost $error"
        done >"$out/$1.$2.folds.part"
        mv "$out/$1.$2.folds.part" "$out/$1.$2.folds"
    fi
    sort -g -k 2 "$out/$1.$2.folds" | head -n 1 | cut -d ' ' -f 1
}

parametric() { # SPLIT
    "$here/fit.sh" "$out" "milan-linear-$1" parametric -s ipm --intercept -L epsilon --tube 0.01 -l 1e-8
}

line() { # MODEL C THESIS'S-C SHARE THESIS'S SECONDS THESIS'S MSE THESIS'S
    printf '%-16s %-15s %-17s %-15s %s\n' "$1" "$2 ($3)" "$4 ($5)" "$6 ($7)" "$8 ($9)"
}
prepare 1
for name in milan milan-total; do
    if [ $name = milan ]; then echo "seven features"; else echo "eight, with the day's total deaths"; fi
    printf '%-16s %-15s %-17s %-15s %s\n' "(the thesis)" c "SVs of 2m" seconds "test MSE"
    read -r seconds _ < <(parametric 1)
    line parametric - - - - "$seconds" 0.22 "$(mse milan-linear-1 "$out/milan-linear-1.parametric.model")" 0.027911
    for model in nonparametric semiparametric; do
        cost=$(validate milan-1 $model)
        read -r seconds _ _ _ vectors < <("$here/fit.sh" "$out" $name-1 "$model-$cost" "${kernel[@]}" \
            --basis "$(basis $model)" -c "$cost")
        share=$(awk -v v="$vectors" -v m="$(wc -l <"$out/$name-1.train")" 'BEGIN { printf "%.1f %%", 50 * v / m }')
        error=$(mse $name-1 "$out/$name-1.$model-$cost.model")
        if [ $model = nonparametric ]; then
            line $model "$cost" 0.025 "$share" "46.7 %" "$seconds" 1.17 "$error" 0.019368
        else
            line $model "$cost" 0.01 "$share" "46.9 %" "$seconds" 5.35 "$error" 0.018828
        fi
    done
    echo "temperature, SO2, temperature^2, SO2^2, 1 (the thesis: -0.30 0.26 0.22 -0.07 0.22)"
    "$here/beta.sh" "$out/$name-1.semiparametric-$cost.model" 5 |
        awk '{ printf "%.2f %.2f %.2f %.2f %.2f\n", $2, $3, $4, $5, $1 }'
    echo
done
echo "10 folds: MSE by c"
for model in nonparametric semiparametric; do
    echo "$model $(awk '{ printf " %s: %.5f", $1, $2 }' "$out/milan-1.$model.folds")"
done
echo

echo "${SPLITS:-10} splits, seven features, c as above: test MSE, mean and deviation; ratio: semiparametric to" \
    "nonparametric"
for split in $(seq "${SPLITS:-10}"); do
    prepare "$split"
    parametric "$split" >/dev/null
    mse "milan-linear-$split" "$out/milan-linear-$split.parametric.model"
    for model in nonparametric semiparametric; do
        cost=$(validate milan-1 $model)
        RUNS=1 "$here/fit.sh" "$out" "milan-$split" "$model-$cost" "${kernel[@]}" --basis "$(basis $model)" \
            -c "$cost" >/dev/null
        mse "milan-$split" "$out/milan-$split.$model-$cost.model"
    done
done | paste - - - | awk '
    function line(name, s, q) { printf "%-14s %.5f +- %.5f\n", name, s / NR, sqrt(q / NR - s * s / NR / NR) }
    {
        p += $1; pp += $1 * $1; n += $2; nn += $2 * $2; s += $3; ss += $3 * $3
        r = $3 / $2; q += r; qq += r * r
        better += r < 1
    }
    END {
        line("parametric", p, pp)
        line("nonparametric", n, nn)
        line("semiparametric", s, ss)
        line("ratio", q, qq)
        print "below 1 in", better, "of", NR
    }'
