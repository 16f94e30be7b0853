#!/bin/bash
# solvers.sh OUT - the linear solvers on Nystrom features, s = 512: CPU seconds of training, without mapping, to within
# 1 % of the optimum (of the best lower bound of any of them). asset and asset*, whose averages depend on -p, are run
# with 25, 100 and 400 passes; the least that is within 1 % counts. "-": not within SECONDS_MAX or their passes.
set -euo pipefail
here=$(dirname "$0")
out=$1
batch="ocas mcpa cpa ipm proximal-bundle bundle agm"

run() { # NAME RUN OPTION ...
    "$here/fit.sh" "$out" "$1" "solvers-$2" --map nystrom --landmarks 512 -t "${SECONDS_MAX:-300}" \
        -T "$out/$1.solvers-$2.trace" "${@:3}"
}

printf '%-8s' data
for solver in $batch proximal asset "asset*"; do printf ' %16s' "$solver"; done
echo
while read -r name; do
    [ "$name" != covtype ] || continue
    best=0
    for solver in $batch; do
        read -r _ _ _ _ bound _ < <(run "$name" "$solver" -s "$solver")
        best=$(awk -v a="$best" -v b="$bound" 'BEGIN { printf "%.10g", (a > b ? a : b) }')
    done
    printf '%-8s' "$name"
    for solver in $batch; do
        read -r _ _ train _ < <(run "$name" "$solver" -s "$solver")
        # elapsed seconds of the trace, in CPU seconds
        awk -F '\t' -v best="$best" -v train="$train" '
            $1 ~ /^[0-9]/ { last = $1; if (at == "" && $4 <= 1.01 * best) at = $1 }
            END { if (at == "") printf " %16s", "-"; else printf " %16.2f", at / last * train }' \
            "$out/$name.solvers-$solver.trace"
    done
    read -r _ _ train objective _ < <(run "$name" proximal -s proximal)
    awk -v j="$objective" -v best="$best" -v t="$train" 'BEGIN {
        if (j <= 1.01 * best) printf " %16.2f", t; else printf " %16s", sprintf("- (%+.0f %%)", 100 * (j / best - 1)) }'
    for solver in asset "asset*"; do
        for passes in 25 100 400; do
            read -r _ _ train objective _ < <(run "$name" "$solver-$passes" -s "$solver" -p $passes)
            awk -v j="$objective" -v best="$best" 'BEGIN { exit !(j <= 1.01 * best) }' && break
        done
        awk -v j="$objective" -v best="$best" -v t="$train" 'BEGIN {
            if (j <= 1.01 * best) printf " %16.2f", t
            else printf " %16s", sprintf("- (%+.0f %%)", 100 * (j / best - 1)) }'
    done
    echo
done <"$out/names"
echo "in brackets: how far above the optimum the run ended"
