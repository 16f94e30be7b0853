#!/bin/bash
# ranking.sh OUT - MQ2008 (LETOR 4.0, fold 1): NDCG of models trained for pairs and for NDCG@10, lambda chosen by
# NDCG@10 on the validation part; and how far bundle and proximal-bundle are from the optimum after some passes
# (Do, Le & Foo 2009, Figure 3), with OUT/ranking.LOSS.svg.
set -euo pipefail
here=$(dirname "$0")
out=$1
train=$here/../../train predict=$here/../../predict
set=mq2008.fold1
lambdas="1 1e-1 1e-2 1e-3 1e-4 1e-5 1e-6"
losses="pairwise ndcg"
solvers="bundle proximal-bundle"

[ -f "$RRM_DATASETS/$set.train.gz" ] || {
    echo "skipped: $set.train.gz is not in RRM_DATASETS"
    exit 0
}

# The measures of a model, "NAME = VALUE" a line.
measures() { # MODEL PART
    "$predict" "$RRM_DATASETS/$set.$2.gz" "$1" /dev/null
}

measure() { # NAME, from such lines
    awk -v name="$1" -F ' = ' '$1 == name { print $2 }'
}

fit() { # LOSS LAMBDA: OUT/ranking.LOSS.LAMBDA.model
    local model=$out/ranking.$1.$2.model
    [ -f "$model" ] || "$train" -q -j 1 -s proximal-bundle -e 1e-3 -p 2000 -t "$LIMIT" -L "$1" -l "$2" \
        "$RRM_DATASETS/$set.train.gz" "$model" 2>>"$out/ranking.log"
}

echo 'Test measures; lambda with the best NDCG@10 on the validation part, certified gap 1e-3'
printf '%-9s %7s %10s %8s %8s %8s %8s %8s %10s\n' loss lambda validation NDCG@1 NDCG@3 NDCG@5 NDCG@10 MAP 'pairs wrong'
for loss in $losses; do
    best=0
    for lambda in $lambdas; do
        fit "$loss" "$lambda"
        value=$(measures "$out/ranking.$loss.$lambda.model" vali | measure NDCG@10)
        if awk -v a="$value" -v b="$best" 'BEGIN { exit !(a > b) }'; then
            best=$value chosen=$lambda
        fi
    done
    lines=$(measures "$out/ranking.$loss.$chosen.model" test)
    printf '%-9s %7s %10.4f' "$loss" "$chosen" "$best"
    for name in NDCG@1 NDCG@3 NDCG@5 NDCG@10 MAP 'Pairwise error'; do
        printf ' %8.4f' "$(measure "$name" <<<"$lines")"
    done
    echo
done

printf '\nNDCG@10 on the test part by lambda\n%-9s' loss
for lambda in $lambdas; do printf ' %8s' "$lambda"; done
echo
for loss in $losses; do
    printf '%-9s' "$loss"
    for lambda in $lambdas; do
        printf ' %8.4f' "$(measures "$out/ranking.$loss.$lambda.model" test | measure NDCG@10)"
    done
    echo
done

# ---- Figure 3

run() { # LOSS LAMBDA SOLVER: its trace
    local trace=$out/ranking.$1.$2.$3.trace
    [ -f "$trace" ] && return
    "$train" -q -j 1 -s "$3" -e 1e-6 -p 400 -t "$LIMIT" -L "$1" -l "$2" -T "$trace.part" \
        "$RRM_DATASETS/$set.train.gz" "$out/ranking.run.model" 2>>"$out/ranking.log"
    mv "$trace.part" "$trace"
}

# The best lower bound that either run has.
bound() { # LOSS LAMBDA
    local solver
    for solver in $solvers; do tail -n 1 "$out/ranking.$1.$2.$solver.trace"; done |
        awk 'NR == 1 || $5 > best { best = $5 } END { printf "%.17g\n", best }'
}

# Passes and the best objective so far less the bound, of which gnuplot and the table take what they need.
above() { # LOSS LAMBDA SOLVER BOUND
    awk -v low="$4" 'NR > 1 { if (NR == 2 || $4 < best) best = $4; print $2, best - low }' \
        "$out/ranking.$1.$2.$3.trace"
}

draw() { # LOSS
    local lambda
    {
        echo "set terminal svg size 700,1000 dynamic background 'white'"
        echo "set output '$out/ranking.$1.svg'"
        echo "set multiplot layout 3,2 title '$1, MQ2008: best objective less the best lower bound'"
        echo "set logscale xy; set xlabel 'passes'; set key bottom left; set format y '10^{%L}'"
        for lambda in 1e-1 1e-2 1e-3 1e-4 1e-5 1e-6; do
            echo "set title 'lambda = $lambda'"
            echo "plot '$out/ranking.$1.$lambda.bundle.above' with lines lw 2 title 'bundle', \\"
            echo "  '$out/ranking.$1.$lambda.proximal-bundle.above' with lines lw 2 title 'proximal-bundle'"
        done
    } | gnuplot
    echo "$out/ranking.$1.svg"
}

for loss in $losses; do
    printf '\n%s: best objective less the best lower bound after so many passes (bundle / proximal-bundle)\n' "$loss"
    printf '%-7s %19s %19s %19s %19s %19s\n' lambda 5 10 20 50 100
    for lambda in $lambdas; do
        for solver in $solvers; do run "$loss" "$lambda" "$solver"; done
        low=$(bound "$loss" "$lambda")
        for solver in $solvers; do
            above "$loss" "$lambda" "$solver" "$low" >"$out/ranking.$loss.$lambda.$solver.above"
        done
        printf '%-7s' "$lambda"
        for passes in 5 10 20 50 100; do
            for solver in $solvers; do
                awk -v most="$passes" '$1 <= most { last = $2 } END { printf "%.2e\n", last }' \
                    "$out/ranking.$loss.$lambda.$solver.above"
            done | paste -sd ' ' | awk '{ printf " %9s/%9s", $1, $2 }'
        done
        echo
    done
    if command -v gnuplot >/dev/null; then draw "$loss"; fi
done
