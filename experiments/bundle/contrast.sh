#!/bin/bash
# contrast.sh OUT - [SVL] Figure 3: the objective of bundle and bundle-ls by iterations and by seconds,
# beside pegasos, in batches of all rows as in the paper and of one, and proximal, with the line at the
# optimum + 0.001; as a table and as OUT/NAME.contrast.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/bundle/lambdas.sh
. "$here/lambdas.sh"
runs="bundle bundle-ls pegasos-batch pegasos proximal"

while read -r name lambda; do
    rows=$(wc -l <"$out/$name.train")
    declare -A options=(
        [bundle]="-s bundle -e 1e-6"
        [bundle-ls]="-s bundle-ls -e 1e-6"
        [pegasos-batch]="-s pegasos --limit-steps off -k $rows"
        [pegasos]="-s pegasos --limit-steps off"
        [proximal]="-s proximal"
    )
    "$here/../run.sh" "$out" "$name" ocas -s ocas -l "$lambda" -e 1e-6 -t "${LIMIT:-20}"
    traces=("$out/$name.ocas.trace")
    for run in $runs; do
        # shellcheck disable=SC2086 # words
        "$here/../run.sh" "$out" "$name" "$run" ${options[$run]} -j 1 -l "$lambda" -p 1000 \
            -t "${LIMIT:-20}"
        traces+=("$out/$name.$run.trace")
    done
    read -r optimum bound < <(awk -f "$here/best.awk" "${traces[@]}")
    printf '%s, lambda %s: the optimum is between %.9f and %.9f\n' "$name" "$lambda" "$bound" "$optimum"
    printf '%-14s %10s %10s %12s %8s %10s\n' solver "passes to" "seconds to" "above" passes seconds
    printf '%-14s %10s %10s %12s\n' "" "+ 0.001" "+ 0.001" "at the end"
    for run in $runs; do
        awk -v run="$run" -v optimum="$optimum" '
            NR == 1 || $4 == "nan" { next }
            best == "" || $4 < best { best = $4 }
            passes == "" && best <= optimum + 0.001 { passes = $2; seconds = sprintf("%.4f", $1) }
            { p = $2; s = $1 }
            END {
                if (passes == "") passes = seconds = "-"
                printf "%-14s %10s %10s %12.1e %8d %10.2f\n", run, passes, seconds, best - optimum, p, s
            }' "$out/$name.$run.trace"
    done
    echo
    {
        echo "set terminal svg size 960,440 dynamic background 'white'"
        echo "set output '$out/$name.contrast.svg'"
        echo "set multiplot layout 1,2 title '$name, lambda = $lambda'"
        echo "set logscale xy; set format y '%g'; set ylabel 'objective'; set key top right"
        for column in 1 2; do
            [ $column = 1 ] && echo "set xlabel 'seconds'" || echo "set xlabel 'passes'"
            echo "plot [:][0.9 * $optimum:1] $optimum + 0.001 lc 'black' title 'optimum + 0.001', \\"
            for run in $runs; do
                echo "  '$out/$name.$run.trace' using $column:4 with lines lw 2 title '$run', \\"
            done
            echo "  $optimum lc 'gray' title 'optimum'"
        done
    } | gnuplot
done < <(sets_with_lambdas "$out" contrast)
ls "$out"/*.contrast.svg
