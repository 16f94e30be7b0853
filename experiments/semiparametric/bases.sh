#!/bin/bash
# bases.sh OUT - Figure 4.3: user seconds by the number K of basis functions 1, sin pi x, cos 2 pi x, sin 3 pi x, ... on
# 1000 examples of the Mexican hat function, mean and deviation of REPEATS data sets: decomposed pdsg with Newton steps
# (+N, the default), pdsg and mpd without. A table and OUT/bases.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
export RUNS=1
# A series ends where a run first needs more than 10 seconds.
export LIMIT=10
declare -A tired

mean() { # K SERIES OPTION ...: mean and deviation of the seconds, mean passes
    local seed seconds k=$1 series=$2
    shift 2
    for seed in $(seq "${REPEATS:-10}"); do
        "$here/hat.sh" "$out" 1000 "$seed" "$k"
        read -r seconds rest < <("$here/fit.sh" "$out" "hat-1000-$seed-$k" "bases-$series" "$@" -L epsilon --tube 0.05 \
            --kernel gaussian --gamma-kernel 0.25 --basis-only "$(seq -s , 2 $((k + 1)))" -c 1)
        echo "$seconds $rest"
        [ "$seconds" != - ] || break
    done | awk '
        $1 == "-" { tired = 1 }
        { s += $1; q += $1 * $1; p += $4 }
        END {
            v = q / NR - s * s / NR / NR
            if (tired)
                print "- - -"
            else
                printf "%.4f %.4f %.2f\n", s / NR, sqrt(v * (v > 0)), p / NR
        }'
}

{
    printf '%-4s %9s %9s %7s %9s %9s %7s %9s %9s %7s\n' "#K" D:PDSG+N deviation passes D:PDSG deviation passes \
        D:MPD deviation passes
    for k in 1 2 5 10 20 50; do
        printf '%-4s' $k
        for series in on:pdsg off:pdsg off:mpd; do
            line="- - -"
            if [ -z "${tired[$series]:-}" ]; then
                line=$(mean $k "$series" -s "${series#*:}" --newton "${series%:*}")
            fi
            [ "$line" != "- - -" ] || tired[$series]=yes
            # shellcheck disable=SC2086 # words
            printf ' %9s %9s %7s' $line
        done
        echo
    done
} | tee "$out/bases.table"
echo "\"-\": a run needs more than $LIMIT s"
{
    echo "set terminal svg size 640,420 dynamic background 'white'"
    echo "set output '$out/bases.svg'"
    echo "set datafile missing '-'"
    echo "set xlabel 'K'; set ylabel 'seconds'; set key top left; set xrange [0:52]; set yrange [0:*]"
    echo "plot '$out/bases.table' using 1:2:3 with yerrorlines title 'D:PDSG, Newton steps', \\"
    echo "  '' using 1:8:9 with yerrorlines title 'D:MPD'"
} | gnuplot
echo "$out/bases.svg"
