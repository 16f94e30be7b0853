#!/bin/bash
# convergence.sh OUT - Figure 4.2: pdsg and mpd stand-alone and without Newton steps on 1000 examples of the Mexican hat
# function, c = 1: the largest violation and the certified gap by the seconds, from the trace, and beta after as many
# passes, from runs that end there (-p). Tables and OUT/convergence.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
"$here/hat.sh" "$out" 1000 1

for solver in pdsg mpd; do
    # shellcheck disable=SC2054 # a list of features
    options=(-s "$solver" --alone --newton off -L epsilon --tube 0.05 --kernel gaussian --gamma-kernel 0.25
        --basis-only 2,3 -c 1)
    RUNS=1 "$here/fit.sh" "$out" hat-1000-1 "convergence-$solver" "${options[@]}" \
        -T "$out/convergence-$solver.trace" >/dev/null
    echo "$solver"
    {
        printf '%-9s %6s %10s %10s %9s %9s\n' "#seconds" passes violation gap "beta 1" "beta 2"
        tail -n +2 "$out/convergence-$solver.trace" | while read -r seconds passes _ objective bound _ _ violation; do
            count=$(awk -v p="$passes" 'BEGIN { printf "%d", p + 0.5 }')
            run=$out/convergence-$solver-$count
            [ -f "$run.model" ] || "$here/../../train" -q -j 1 "${options[@]}" -p "$count" "$out/hat-1000-1.train" \
                "$run.model" 2>"$run.log"
            read -r first second < <("$here/beta.sh" "$run.model" 2)
            awk -v s="$seconds" -v p="$passes" -v v="$violation" -v j="$objective" -v b="$bound" -v f="$first" \
                -v g="$second" 'BEGIN { printf "%-9s %6.2f %10.3g %10.3g %9.4f %9.4f\n", s, p, v, 1 - b / j, f, g }'
        done
    } | tee "$out/convergence-$solver.table"
    echo
done
{
    echo "set terminal svg size 640,960 dynamic background 'white'"
    echo "set output '$out/convergence.svg'"
    echo "p = '$out/convergence-pdsg.table'; q = '$out/convergence-mpd.table'"
    echo "set multiplot layout 3,1; set xlabel 'seconds'; set logscale y"
    echo "set ylabel 'largest violation'"
    echo "plot p using 1:3 with linespoints title 'PDSG', q using 1:3 with linespoints title 'MPD'"
    echo "set ylabel 'certified gap'"
    echo "plot p using 1:4 with linespoints title 'PDSG', q using 1:4 with linespoints title 'MPD'"
    echo "unset logscale y; set ylabel 'first multiplier'; set key bottom right"
    echo "plot p using 1:5 with linespoints title 'PDSG', q using 1:5 with linespoints title 'MPD'"
} | gnuplot
echo "$out/convergence.svg"
