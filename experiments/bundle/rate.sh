#!/bin/bash
# rate.sh OUT - [SVL] Figure 2: the certified gap of bundle by iterations, for several lambda, as a table
# and as OUT/NAME.rate.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/bundle/lambdas.sh
. "$here/lambdas.sh"

echo "Hinge, bundle: iterations until the certified gap is at most ... (\"-\": not in 500 or LIMIT seconds)"
printf '%-10s %-7s %6s %6s %6s %6s %6s %6s\n' data lambda 1e-1 1e-2 1e-3 1e-4 1e-5 1e-6
while read -r name lambdas; do
    plots=()
    for lambda in $lambdas; do
        "$here/../run.sh" "$out" "$name" "bundle-$lambda" -s bundle -l "$lambda" -e 1e-6 -p 500 \
            -t "${LIMIT:-20}"
        trace=$out/$name.bundle-$lambda.trace
        read -ra cells < <(awk -f "$here/decades.awk" "$trace")
        printf '%-10s %-7s %6s %6s %6s %6s %6s %6s\n' "$name" "$lambda" "${cells[@]}"
        plots+=("'$trace' using 3:(\$4 - \$5) with lines lw 2 title 'lambda = $lambda'")
    done
    {
        echo "set terminal svg size 640,480 dynamic background 'white'"
        echo "set output '$out/$name.rate.svg'"
        echo "set title '$name'; set logscale y; set format y '%g'"
        echo "set xlabel 'iterations'; set ylabel 'certified gap'"
        (IFS=,; echo "plot ${plots[*]}")
    } | gnuplot
done < <(sets_with_lambdas "$out" rate)
ls "$out"/*.rate.svg
