#!/bin/bash
# patterns.sh OUT - Figure 2.5: the weights of the first runs of the table quality as images of 28 x 28 pixels, a row a solver,
# a column a lambda: OUT/67.patterns.png. 0 is gray, positive weights are bright, negative ones dark, each image to
# its own scale.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/sparse/lambdas.sh
. "$here/lambdas.sh"
[ -f "$out/67.train" ] || { echo "skipped: mnist is not there"; exit; }

# MODEL: 28 rows of 28 numbers, in [-1, 1] by the square root.
image() {
    awk '/^features/ { n = $2 } /^w dense/ { dense = 1; next } /^w sparse/ { dense = 2; next } /^end/ { dense = 0 }
        dense { i = ++k; x = $1 + 0; if (dense == 2) { split($1, p, ":"); i = p[1] + 0; x = p[2] + 0 } }
        dense && i <= n { w[i] = x; a = x < 0 ? -x : x; if (a > most) most = a }
        END {
            for (i = 1; i <= 784; i++) {
                a = most > 0 ? w[i] / most : 0
                printf "%.3f%s", a < 0 ? -sqrt(-a) : sqrt(a), i % 28 ? " " : "\n"
            }
        }' "$1"
}

rows="sgd-last tg-last rda-last rda+ lps sgd-average tg-average rda-average"
grid=$out/67.patterns.grid
line="1 1"
empty=$(printf "1 %.0s" {1..210})
labels=() y=14
for row in $rows; do
    images=()
    for lambda in $lambdas; do
        images+=("$out/67.patterns-$row-$lambda.image")
        image "$out/67.$row-$lambda.model" | sed "s/\$/ $line/" >"${images[-1]}"
    done
    paste -d ' ' "${images[@]}"
    printf '%s\n%s\n' "$empty" "$empty"
    labels+=("'$row' $y")
    y=$((y + 30))
done >"$grid"
columns=() x=14
for lambda in $lambdas; do
    columns+=("'$lambda' $x")
    x=$((x + 30))
done
{
    echo "set terminal pngcairo size 1000,1100"
    echo "set output '$out/67.patterns.png'"
    echo "set palette gray; set cbrange [-1:1]; unset colorbox; set size ratio -1; unset key; set border 0"
    echo "set xtics ($(IFS=,; echo "${columns[*]}")) scale 0; set ytics ($(IFS=,; echo "${labels[*]}")) scale 0"
    echo "set xlabel 'lambda'; set xrange [-1:208]; set yrange [238:-1]"
    echo "plot '$grid' matrix with image"
} >"$out/67.patterns.gnuplot"
gnuplot "$out/67.patterns.gnuplot"
echo "$out/67.patterns.png"
