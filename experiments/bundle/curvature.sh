#!/bin/bash
# curvature.sh OUT - the effect of [DLF] Figure 3, on the hinge: the best objective of bundle and
# proximal-bundle in the first 100 iterations, for lambda from large to small, as a table and as
# OUT/NAME.curvature.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/bundle/lambdas.sh
. "$here/lambdas.sh"

echo "Hinge: best objective after 1, 10, 30 and 100 iterations, and at how many of the first 100 it is"
echo "below that of bundle"
printf '%-10s %-7s | %-31s | %-31s %5s | %-31s %5s\n' data lambda bundle proximal-bundle below \
    "proximal-bundle --tau balance" below
while read -r name lambdas; do
    read -ra panels <<<"$lambdas"
    {
        echo "set terminal svg size 760,$((260 * ${#panels[@]})) dynamic background 'white'"
        echo "set output '$out/$name.curvature.svg'"
        echo "set multiplot layout ${#panels[@]},1"
        echo "set xlabel 'iterations'; set ylabel 'best objective'; set yrange [*:1.02]; set key outside"
    } >"$out/$name.curvature.gnuplot"
    for lambda in $lambdas; do
        traces=() plots=()
        for method in $methods; do
            trace=$out/$name.first-$method-$lambda.trace
            # shellcheck disable=SC2086 # words
            "$here/../run.sh" "$out" "$name" "first-$method-$lambda" ${method_options[$method]} \
                -l "$lambda" -e 1e-9 -p 100 -t "${LIMIT:-20}"
            traces+=("$trace")
            plots+=("'$trace' using 3:4 with lines lw 2 title '${method_titles[$method]}'")
        done
        read -ra cells < <(awk -f "$here/below.awk" "${traces[@]}")
        printf '%-10s %-7s | %s %s %s %s | %s %s %s %s %5s | %s %s %s %s %5s\n' "$name" "$lambda" \
            "${cells[@]}"
        {
            echo "set title '$name, lambda = $lambda'"
            (IFS=,; echo "plot ${plots[*]}")
        } >>"$out/$name.curvature.gnuplot"
    done
    gnuplot "$out/$name.curvature.gnuplot"
done < <(sets_with_lambdas "$out" curvature)
ls "$out"/*.curvature.svg
