#!/bin/bash
# figures.sh OUT - Figures 5.1 and 5.2: iterations and seconds of mcpa by the number of partitions, with
# ocas beside it, as tables and as OUT/NAME.partitions.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1

# The variants of mcpa; the tiny cache makes every row of the Gram matrix anew at each use.
declare -A options=(
    [off]="--shrink off"
    [normal]="--shrink normal"
    [aggressive]="--shrink aggressive"
    [uncached]="--shrink off --gram-cache 1e-6"
)
variants="off normal aggressive uncached"

# NAME: a line a number of partitions, iterations and seconds of each variant and of ocas.
rows() {
    local ocas line iterations seconds
    ocas=$("$here/cuts.sh" "$out" "$1" ocas -s ocas --safeguard always --shrink off)
    for partitions in 1 2 5 10 20 50 100; do
        line=$(printf '%-4s' "$partitions")
        for variant in $variants; do
            # shellcheck disable=SC2086 # words
            read -r iterations seconds < <("$here/cuts.sh" "$out" "$1" "$variant-$partitions" \
                -s mcpa --partitions "$partitions" ${options[$variant]})
            line+=$(printf ' %5s %-9s' "$iterations" "$seconds")
        done
        read -r iterations seconds <<<"$ocas"
        printf '%s %5s %s\n' "$line" "$iterations" "$seconds"
    done
}

draw() { # NAME
    local table=$out/$1.partitions
    {
        echo "set terminal svg size 960,400 dynamic background 'white'"
        echo "set output '$table.svg'"
        echo "set datafile missing '-'"
        echo "set multiplot layout 1,2 title '$1'"
        echo "set logscale xy; set xtics (1, 2, 5, 10, 20, 50, 100); set xlabel 'partitions'"
        for column in 3 2; do
            if [ $column = 3 ]; then
                echo "set ylabel 'seconds'; set key top left"
            else
                echo "set ylabel 'iterations'; set yrange [1:*]; set key bottom left"
            fi
            echo "plot '$table' using 1:$column with linespoints title 'no shrinking', \\"
            echo "  '$table' using 1:$((column + 2)) with linespoints title 'shrinking', \\"
            echo "  '$table' using 1:$((column + 4)) with linespoints title 'aggressive', \\"
            echo "  '$table' using 1:$((column + 6)) with linespoints title 'no cache', \\"
            echo "  '$table' using 1:$((column + 8)) with lines title 'ocas'"
        done
    } | gnuplot
    echo "$table.svg"
}

echo "Iterations and seconds to a relative gap of 1e-2 by the number of partitions P"
while read -r name; do
    echo
    echo "$name"
    {
        printf '%-4s %-15s %-15s %-15s %-15s %s\n' "#P" "no shrinking" shrinking aggressive \
            "no cache" ocas
        rows "$name"
    } | tee "$out/$name.partitions"
done <"$out/names"
echo
echo "\"- -\": not within LIMIT seconds"
while read -r name; do
    draw "$name"
done <"$out/names"
