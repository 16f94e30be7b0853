#!/bin/bash
# figures.sh OUT - the certified gap by passes of the runs of the table linear, OUT/SET.linear.svg.
set -euo pipefail
out=$1
command -v gnuplot >/dev/null || { echo "skipped: figures (no gnuplot)"; exit; }

cut -f 1 "$out/linear.plan" | awk '!seen[$0]++' | while read -r set; do
    {
        echo "set terminal svg size 960,440 dynamic background 'white'"
        echo "set output '$out/$set.linear.svg'"
        echo "set multiplot layout 1,2"
        echo "set logscale y; set format y '%.0e'; set xlabel 'passes'; set ylabel '(J - bound)/J'; set key top right"
        for loss in log sq; do
            plots=()
            while IFS=$'\t' read -r _ lambda column _ name _; do
                title="${column#*: }, $lambda"
                plots+=("'$out/$set.$name.trace' using 2:((\$4 - \$5)/\$4) with lines lw 2 title '$title'")
            done < <(awk -F '\t' -v set="$set" -v loss="$loss:" '$1 == set && index($3, loss) == 1' "$out/linear.plan")
            [ $loss = log ] && echo "set title '$set, logistic'" || echo "set title '$set, squared hinge'"
            (IFS=,; echo "plot [][1e-8:1] ${plots[*]}")
        done
    } >"$out/$set.linear.gnuplot"
    gnuplot "$out/$set.linear.gnuplot"
done
ls "$out"/*.linear.svg
