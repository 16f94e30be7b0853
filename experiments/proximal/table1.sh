#!/bin/bash
# table1.sh OUT - Table 1: pegasos, adaptive and proximal on each set, 100 passes, batch 1, beside the
# paper; then proximal's rules against each other.
set -euo pipefail
here=$(dirname "$0")
out=$1

summary() { # NAME RUN: best objective and passes
    awk -f "$here/best.awk" "$out/$1.$2.trace"
}

echo "Best training loss over 100 passes, and passes to 99 % of the reduction (paper in brackets)"
printf '%-10s %-7s | %-20s %-20s %-20s | %-13s %-13s %-13s\n' data lambda pegasos adaptive \
    proximal "pegasos" "adaptive" "proximal"
while read -r name; do
    IFS=$'\t' read -r _ _ _ _ _ lambda p a x pp pa px < <(grep -P "^$name\t" "$here/sets.tsv")
    for solver in "pegasos --limit-steps off" "adaptive --limit-steps off" "proximal --metric none"; do # as in the paper
        # shellcheck disable=SC2086 # the option's words
        "$here/../run.sh" "$out" "$name" "${solver%% *}" -s $solver -l "$lambda" -p 100
    done
    read -r best_p pass_p < <(summary "$name" pegasos)
    read -r best_a pass_a < <(summary "$name" adaptive)
    read -r best_x pass_x < <(summary "$name" proximal)
    printf '%-10s %-7s | %-20s %-20s %-20s | %-13s %-13s %-13s\n' "$name" "$lambda" \
        "$best_p ($p)" "$best_a ($a)" "$best_x ($x)" "$pass_p ($pp)" "$pass_a ($pa)" "$pass_x ($px)"
done <"$out/names"

echo
echo "Solver proximal by --tau and --restart: best training loss/passes to 99 %"
printf '%-10s' data
for tau in anneal observed balance; do
    for restart in none scale sums full; do printf ' %-16s' "$tau,$restart"; done
done
echo
while read -r name; do
    IFS=$'\t' read -r _ _ _ _ _ lambda _ < <(grep -P "^$name\t" "$here/sets.tsv")
    printf '%-10s' "$name"
    for tau in anneal observed balance; do
        for restart in none scale sums full; do
            "$here/../run.sh" "$out" "$name" "$tau-$restart" -s proximal -l "$lambda" -p 100 \
                --metric none --tau $tau --restart $restart
            printf ' %-16s' "$(summary "$name" "$tau-$restart" | tr ' ' '/')"
        done
    done
    echo
done <"$out/names"
