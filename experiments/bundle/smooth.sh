#!/bin/bash
# smooth.sh OUT - linear convergence on the logistic loss: the certified gap and the distance from the
# optimum of bundle and proximal-bundle by iterations, as a table and as OUT/NAME.smooth.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
# shellcheck source=experiments/bundle/lambdas.sh
. "$here/lambdas.sh"

echo "Logistic: iterations until ... is at most 1e-1, ..., 1e-6 (\"-\": not in 500 or LIMIT seconds)"
printf '%-10s %-7s %-29s | %-36s | %s\n' data lambda solver "the certified gap" \
    "the distance from the optimum"
while read -r name lambdas; do
    read -ra panels <<<"$lambdas"
    {
        echo "set terminal svg size 760,$((260 * ${#panels[@]})) dynamic background 'white'"
        echo "set output '$out/$name.smooth.svg'"
        echo "set multiplot layout ${#panels[@]},1"
        echo "set xlabel 'iterations'; set ylabel 'certified gap'; set key outside"
        echo "set logscale y; set format y '%g'"
    } >"$out/$name.smooth.gnuplot"
    for lambda in $lambdas; do
        traces=() plots=()
        for method in $methods; do
            trace=$out/$name.smooth-$method-$lambda.trace
            # shellcheck disable=SC2086 # words
            "$here/../run.sh" "$out" "$name" "smooth-$method-$lambda" ${method_options[$method]} \
                -L logistic -l "$lambda" -e 1e-8 -p 500 -t "${LIMIT:-20}"
            traces+=("$trace")
            plots+=("'$trace' using 3:(\$4 - \$5) with lines lw 2 title '${method_titles[$method]}'")
        done
        read -r optimum _ < <(awk -f "$here/best.awk" "${traces[@]}")
        for method in $methods; do
            trace=$out/$name.smooth-$method-$lambda.trace
            read -ra cells < <(paste <(awk -f "$here/decades.awk" "$trace") \
                <(awk -v optimum="$optimum" -f "$here/decades.awk" "$trace"))
            printf '%-10s %-7s %-29s | %5s %5s %5s %5s %5s %5s  | %5s %5s %5s %5s %5s %5s\n' \
                "$name" "$lambda" "${method_titles[$method]}" "${cells[@]}"
        done
        {
            echo "set title '$name, logistic loss, lambda = $lambda'"
            (IFS=,; echo "plot ${plots[*]}")
        } >>"$out/$name.smooth.gnuplot"
    done
    gnuplot "$out/$name.smooth.gnuplot"
done < <(sets_with_lambdas "$out" smooth)
ls "$out"/*.smooth.svg
