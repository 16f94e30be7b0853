#!/bin/bash
# quality.sh OUT - Figure 2.4: distance from optimality, nonzeros and test error of lps, of rda+ at delta 1e-4, and of
# the online solvers in as much time as rda+ takes in the median, MNIST 6 against 7, over REPEATS orders of the
# examples: tables of medians, and OUT/67.quality.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
repeats=${REPEATS:-10}
# shellcheck source=experiments/sparse/lambdas.sh
. "$here/lambdas.sh"
[ -f "$out/67.train" ] || { echo "skipped: mnist is not there"; exit; }

go() { # RUN LAMBDA SEED OPTION ...: the last report and the test error, OUT/67.quality-RUN-LAMBDA-SEED.result
    local run=quality-$1-$2-$3 lambda=$2 seed=$3
    shift 3
    "$here/../run.sh" "$out" 67 "$run" -j 1 -L logistic -r l1 --intercept -l "$lambda" -S "$seed" "$@"
    [ -f "$out/67.$run.result" ] && return
    "$here/../../predict" "$out/67.test" "$out/67.$run.model" "$out/67.$run.predicted" |
        awk -v report="$(tail -n 1 "$out/67.$run.trace")" \
            '/^Accuracy/ { split(report, r, "\t"); print r[8], r[6], 100 - $3, r[1], r[3] }' >"$out/67.$run.result"
    rm "$out/67.$run.predicted"
}
results() { # RUN LAMBDA: delta, nonzeros, test error, seconds, steps, each as median and deviation
    cat "$out/67.quality-$1-$2"-[0-9]*.result | awk -f "$here/medians.awk"
}

for lambda in $lambdas; do
    for seed in $(seq "$repeats"); do
        go lps "$lambda" "$seed" -s lps --optimality 1e-4
        go rda+ "$lambda" "$seed" -s rda+ --give-up 1 --gamma 10000 --optimality 1e-4
    done
done
for lambda in $lambdas; do
    read -r _ _ _ _ _ _ seconds _ < <(results rda+ "$lambda")
    for output in last average; do
        for solver in $online; do
            options=(-s "$solver" --gamma "$(gamma_of "$solver")" --output $output)
            [ "$solver" = rda ] || options+=(--step sqrt) # the thesis's steps
            # As many passes as go into that time, by what ten of them take.
            go "pace-$solver-$output" "$lambda" 1 "${options[@]}" -p 10
            passes=$(tail -n 1 "$out/67.quality-pace-$solver-$output-$lambda-1.trace" |
                awk -v s="$seconds" '{ printf "%.1f", s * 10 / $1 < 0.1 ? 0.1 : s * 10 / $1 }')
            for seed in $(seq "$repeats"); do
                go "$solver-$output" "$lambda" "$seed" "${options[@]}" -p "$passes"
            done
        done
    done
done

table() { # TITLE FORMAT FIELD
    printf '\n%-15s' "$1"
    for lambda in $lambdas; do printf ' %8s' "$lambda"; done
    echo
    for run in lps rda+ rda-last tg-last fobos-last sgd-last rda-average tg-average fobos-average sgd-average; do
        printf '%-15s' "$run"
        for lambda in $lambdas; do
            # shellcheck disable=SC2059 # the format is ours
            printf " $2" "$(results $run "$lambda" | cut -d ' ' -f "$3")"
        done
        echo
    done
}

echo "Medians of $repeats orders by lambda; the online solvers in the time of rda+"
table delta '%8.2g' 1
table nonzeros '%8.0f' 3
table "test error, %" '%8.2f' 5
printf '\n%-15s' "seconds"
for lambda in $lambdas; do printf ' %8.3f' "$(results rda+ "$lambda" | cut -d ' ' -f 7)"; done
printf ' (rda+)\n%-15s' ""
for lambda in $lambdas; do printf ' %8.3f' "$(results lps "$lambda" | cut -d ' ' -f 7)"; done
echo " (lps)"
echo
for solver in $online; do
    printf '%-15s' "passes of $solver"
    for lambda in $lambdas; do
        printf ' %8.1f' "$(results "$solver-last" "$lambda" | cut -d ' ' -f 9 |
            awk -v rows="$(wc -l <"$out/67.train")" '{ print $1 / rows }')"
    done
    echo
done

# ---- the picture

for run in lps rda+ {rda,tg,fobos,sgd}-{last,average}; do
    for lambda in $lambdas; do echo "$lambda $(results "$run" "$lambda")"; done >"$out/67.quality-$run.rows"
done
{
    echo "set terminal svg size 900,1000 dynamic background 'white'"
    echo "set output '$out/67.quality.svg'"
    echo "set multiplot layout 3,2"
    echo "set logscale x; set xlabel 'lambda'; set format '%g'; set key outside top horizontal"
    for quantity in "2 delta" "4 nonzeros" "6 test error, %"; do
        read -r field label <<<"$quantity"
        [ "$label" = nonzeros ] && echo "unset logscale y" || echo "set logscale y"
        for output in last average; do
            plots=()
            for run in lps rda+ {rda,tg,fobos,sgd}-$output; do
                plots+=("'$out/67.quality-$run.rows' using 1:$field with linespoints ps 0.5 title '$run'")
            done
            echo "set ylabel '$label'; plot $(IFS=,; echo "${plots[*]}")"
        done
    done
} >"$out/67.quality.gnuplot"
gnuplot "$out/67.quality.gnuplot"
echo
echo "$out/67.quality.svg"
