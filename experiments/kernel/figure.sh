#!/bin/bash
# figure.sh OUT - Figure 3.1: test error of asset on Nystrom features and on random Fourier features (those of asset-on)
# by the dimension, means of SEEDS seeds up to 128 and one seed from there on; as a table and OUT/figure.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
dimensions="2 4 8 16 32 64 128 256 512 1024"

# NAME S MAP: mean error
error() {
    local passes size seeds=1
    passes=$(grep -P "^$1\t" "$here/sets.tsv" | cut -f 8)
    size=--landmarks
    [ "$3" = nystrom ] || size=--dimension
    [ "$2" -gt 128 ] || [ "$1" = covtype ] || seeds=${SEEDS:-3}
    for seed in $(seq "$seeds"); do
        "$here/fit.sh" "$out" "$1" "figure-$3-$2-$seed" -s asset --limit-steps off -p "$passes" --map "$3" $size "$2" -S "$seed"
    done | awk '{ sum += $6 } END { printf "%.2f", sum / NR }'
}

while read -r name; do
    table=$out/$name.figure
    echo "$name: test error in percent"
    {
        printf '%-6s %8s %8s\n' "#s" nystrom fourier
        for s in $dimensions; do
            printf '%-6s %8s %8s\n' "$s" "$(error "$name" "$s" nystrom)" "$(error "$name" "$s" fourier)"
        done
    } | tee "$table"
    echo
done <"$out/names"

{
    echo "set terminal svg size 960,720 dynamic background 'white'"
    echo "set output '$out/figure.svg'"
    echo "set multiplot layout 2,2"
    echo "set logscale x 2; set xlabel 's'; set ylabel 'test error, %'; set key top right"
    while read -r name; do
        echo "set title '$name'"
        echo "plot '$out/$name.figure' using 1:2 with linespoints title 'asset, Nystrom', \\"
        echo "  '' using 1:3 with linespoints title 'asset, Fourier'"
    done <"$out/names"
} >"$out/figure.gnuplot"
if command -v gnuplot >/dev/null; then
    gnuplot "$out/figure.gnuplot"
    echo "$out/figure.svg"
fi
