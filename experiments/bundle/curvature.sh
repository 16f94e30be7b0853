#!/bin/bash
# curvature.sh OUT - the effect of [DLF] Figure 3, on the hinge: the best objective of bundle and
# proximal-bundle in the first 100 iterations, for lambda from large to small, as a table and as
# OUT/NAME.curvature.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/bundle/lambdas.sh
. "$here/lambdas.sh"

echo "Hinge: best objective after 1, 10, 30 and 100 iterations, and at how many of the first 100"
echo "proximal-bundle is below bundle"
printf '%-10s %-7s | %-39s | %-39s | %s\n' data lambda bundle proximal-bundle below
while read -r name lambdas; do
    read -ra panels <<<"$lambdas"
    {
        echo "set terminal svg size 720,$((260 * ${#panels[@]})) dynamic background 'white'"
        echo "set output '$out/$name.curvature.svg'"
        echo "set multiplot layout ${#panels[@]},1"
        echo "set xlabel 'iterations'; set ylabel 'best objective'; set yrange [*:1.02]; set key outside"
    } >"$out/$name.curvature.gnuplot"
    for lambda in $lambdas; do
        traces=()
        for solver in bundle proximal-bundle; do
            "$here/../run.sh" "$out" "$name" "first-$solver-$lambda" -s $solver -l "$lambda" \
                -e 1e-9 -p 100 -t "${LIMIT:-20}"
            traces+=("$out/$name.first-$solver-$lambda.trace")
        done
        read -ra cells < <(awk -f "$here/below.awk" "${traces[@]}")
        printf '%-10s %-7s | %-9s %-9s %-9s %-9s | %-9s %-9s %-9s %-9s | %s\n' "$name" "$lambda" \
            "${cells[@]}"
        {
            echo "set title '$name, lambda = $lambda'"
            echo "plot '${traces[0]}' using 3:4 with lines lw 2 title 'bundle', \\"
            echo "  '${traces[1]}' using 3:4 with lines lw 2 title 'proximal-bundle'"
        } >>"$out/$name.curvature.gnuplot"
    done
    gnuplot "$out/$name.curvature.gnuplot"
done < <(sets_with_lambdas "$out" curvature)
ls "$out"/*.curvature.svg
