#!/bin/bash
# smooth.sh OUT - linear convergence on the logistic loss: the certified gap and the distance from the
# optimum of bundle and proximal-bundle by iterations, as a table and as OUT/NAME.smooth.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/bundle/lambdas.sh
. "$here/lambdas.sh"

echo "Logistic: iterations until ... is at most 1e-1, ..., 1e-6 (\"-\": not in 500 or LIMIT seconds)"
printf '%-10s %-7s %-16s | %-36s | %s\n' data lambda solver "the certified gap" \
    "the distance from the optimum"
while read -r name lambdas; do
    plots=()
    for lambda in $lambdas; do
        traces=()
        for solver in bundle proximal-bundle; do
            "$here/../run.sh" "$out" "$name" "smooth-$solver-$lambda" -s $solver -L logistic \
                -l "$lambda" -e 1e-8 -p 500 -t "${LIMIT:-20}"
            traces+=("$out/$name.smooth-$solver-$lambda.trace")
        done
        read -r optimum _ < <(awk -f "$here/best.awk" "${traces[@]}")
        for solver in bundle proximal-bundle; do
            trace=$out/$name.smooth-$solver-$lambda.trace
            read -ra cells < <(paste <(awk -f "$here/decades.awk" "$trace") \
                <(awk -v optimum="$optimum" -f "$here/decades.awk" "$trace"))
            printf '%-10s %-7s %-16s | %5s %5s %5s %5s %5s %5s  | %5s %5s %5s %5s %5s %5s\n' \
                "$name" "$lambda" "$solver" "${cells[@]}"
            plots+=("'$trace' using 3:(\$4 - \$5) with lines lw 2 title '$solver, $lambda'")
        done
    done
    {
        echo "set terminal svg size 640,480 dynamic background 'white'"
        echo "set output '$out/$name.smooth.svg'"
        echo "set title '$name, logistic loss'; set logscale y; set format y '%g'"
        echo "set xlabel 'iterations'; set ylabel 'certified gap'"
        (IFS=,; echo "plot ${plots[*]}")
    } | gnuplot
done < <(sets_with_lambdas "$out" smooth)
ls "$out"/*.smooth.svg
