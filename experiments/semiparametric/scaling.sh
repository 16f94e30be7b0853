#!/bin/bash
# scaling.sh OUT - Figure 4.1: user seconds by the number of examples, decomposed (D:) and stand-alone (to 10,000
# examples), without Newton steps (the thesis's methods) and with them (+N, the default); for three values of C. Tables
# and OUT/scaling.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
sizes=${SIZES:-500 1000 2000 5000 10000 20000 50000 100000}
declare -A options=(
    [D:PDSG]="-s pdsg --newton off"
    [D:MPD]="-s mpd --newton off"
    [PDSG]="-s pdsg --newton off --alone"
    [MPD]="-s mpd --newton off --alone"
    [D:PDSG+N]="-s pdsg"
    [D:MPD+N]="-s mpd"
)
declare -A tired # a series ends where it first needs more than LIMIT

fit() { # M C SERIES
    local series=$3
    if [ -n "${tired[$2/$series]:-}" ] || { [ "${series#D:}" = "$series" ] && [ "$1" -gt 10000 ]; }; then
        echo "- - - - -"
        return
    fi
    # shellcheck disable=SC2086 # words
    "$here/fit.sh" "$out" "hat-$1-1" "$series-$2" ${options[$series]} -L epsilon --tube 0.05 \
        --kernel gaussian --gamma-kernel 0.25 --basis-only 2,3 -c "$2"
}

for m in $sizes; do "$here/hat.sh" "$out" "$m" 1; done
for cost in 1 0.1 10; do
    list="D:PDSG D:MPD PDSG MPD D:PDSG+N D:MPD+N"
    [ $cost = 1 ] || list="D:PDSG D:PDSG+N MPD"
    echo "c = $cost: user seconds"
    {
        printf '%-7s' "#m"
        for series in $list; do printf ' %9s' "$series"; done
        printf ' %8s %s\n' vectors "beta of D:PDSG+N"
        for m in $sizes; do
            printf '%-7s' "$m"
            beta=- vectors=-
            for series in $list; do
                read -r seconds _ _ _ count < <(fit "$m" $cost "$series")
                [ "$seconds" != - ] || tired[$cost/$series]=yes
                printf ' %9s' "$seconds"
                if [ "$series" = D:PDSG+N ] && [ "$seconds" != - ]; then
                    vectors=$count
                    beta=$("$here/beta.sh" "$out/hat-$m-1.$series-$cost.model" 2)
                fi
            done
            printf ' %8s %s\n' "$vectors" "$beta"
        done
    } | tee "$out/scaling-$cost.table"
    echo
done
echo "\"-\": not within ${LIMIT:-120} s, or a stand-alone solver beyond 10,000"
{
    echo "set terminal svg size 960,420 dynamic background 'white'"
    echo "set output '$out/scaling.svg'"
    echo "set datafile missing '-'"
    echo "set multiplot layout 1,2"
    echo "set logscale xy; set xlabel 'm'; set ylabel 'seconds'; set key top left"
    echo "set title 'c = 1'"
    echo "t = '$out/scaling-1.table'"
    echo "plot t using 1:2 with linespoints title 'D:PDSG', t using 1:3 with linespoints title 'D:MPD', \\"
    echo "  t using 1:4 with linespoints title 'PDSG', t using 1:5 with linespoints title 'MPD', \\"
    echo "  t using 1:6 with linespoints title 'D:PDSG, Newton steps'"
    echo "set title 'c = 0.1, 1, 10'"
    echo "plot '$out/scaling-0.1.table' using 1:2 with linespoints title 'D:PDSG, 0.1', \\"
    echo "  t using 1:2 with linespoints title 'D:PDSG, 1', \\"
    echo "  '$out/scaling-10.table' using 1:2 with linespoints title 'D:PDSG, 10', \\"
    echo "  '$out/scaling-0.1.table' using 1:4 with linespoints title 'MPD, 0.1', \\"
    echo "  t using 1:5 with linespoints title 'MPD, 1', \\"
    echo "  '$out/scaling-10.table' using 1:4 with linespoints title 'MPD, 10'"
} | gnuplot
echo "$out/scaling.svg"
