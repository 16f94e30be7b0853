#!/bin/bash
# rna.sh OUT - S-151 (151 families of RNA): the best objective of bundle and proximal-bundle by passes (Do, Le & Foo
# 2009, Figure 3, left), with OUT/rna.svg, and pairs found by 2-fold cross-validation. Two threads.
set -euo pipefail
here=$(dirname "$0")
out=$1
train=$here/../../train bpseq=$here/../../bpseq
lambdas="1 1e-1 1e-2 1e-3 1e-4"
solvers="bundle proximal-bundle"
most=100 folding=50 # passes

[ -f "$RRM_DATASETS/rna.s151.tar.gz" ] || {
    echo "skipped: rna.s151.tar.gz is not in RRM_DATASETS"
    exit 0
}
if [ ! -f "$out/s151.svm" ]; then
    tar xzf "$RRM_DATASETS/rna.s151.tar.gz" -C "$out"
    "$bpseq" encode "$out"/s151/*.bpseq >"$out/s151.part" 2>"$out/rna.log"
    mv "$out/s151.part" "$out/s151.svm"
fi

run() { # LAMBDA SOLVER: its trace
    local trace=$out/rna.$1.$2.trace
    [ -f "$trace" ] && return
    "$train" -q -j 2 -L rna -s "$2" -l "$1" -e 1e-6 -p $most -T "$trace.part" "$out/s151.svm" \
        "$out/rna.$1.$2.model" 2>>"$out/rna.log"
    mv "$trace.part" "$trace"
}

# Passes and the best objective so far.
best() { # LAMBDA SOLVER
    awk 'NR > 1 { if (NR == 2 || $4 < best) best = $4; print $2, best }' "$out/rna.$1.$2.trace"
}

draw() {
    local lambda
    {
        echo "set terminal svg size 700,1000 dynamic background 'white'"
        echo "set output '$out/rna.svg'"
        echo "set multiplot layout 3,2 title 'rna, S-151: best objective'"
        echo "set xlabel 'passes'; set key top right"
        for lambda in $lambdas; do
            echo "set title 'lambda = $lambda'"
            echo "plot '$out/rna.$lambda.bundle.best' with lines lw 2 title 'bundle', \\"
            echo "  '$out/rna.$lambda.proximal-bundle.best' with lines lw 2 title 'proximal-bundle'"
        done
    } | gnuplot
    echo "$out/rna.svg"
}

echo 'Best objective after so many passes (bundle / proximal-bundle); the best lower bound'
printf '%-7s %15s %15s %15s %15s %15s %7s\n' lambda 5 10 20 50 100 bound
for lambda in $lambdas; do
    for solver in $solvers; do
        run "$lambda" "$solver"
        best "$lambda" "$solver" >"$out/rna.$lambda.$solver.best"
    done
    printf '%-7s' "$lambda"
    for passes in 5 10 20 50 100; do
        for solver in $solvers; do
            awk -v most="$passes" '$1 <= most { last = $2 } END { printf "%.2f\n", last }' \
                "$out/rna.$lambda.$solver.best"
        done | paste -sd ' ' | awk '{ printf " %7s/%7s", $1, $2 }'
    done
    for solver in $solvers; do tail -n 1 "$out/rna.$lambda.$solver.trace"; done |
        awk 'NR == 1 || $5 > best { best = $5 } END { printf " %7.2f\n", best }'
done
if command -v gnuplot >/dev/null; then draw; fi

printf '\n2-fold cross-validation, proximal-bundle, %d passes\n' $folding
printf '%-7s %8s %12s %8s %8s\n' lambda F Sensitivity PPV 'Mean F'
for lambda in $lambdas; do
    folds=$out/rna.$lambda.folds
    [ -f "$folds" ] || {
        "$train" -q -j 2 -v 2 -L rna -s proximal-bundle -l "$lambda" -e 1e-6 -p $folding "$out/s151.svm" \
            >"$folds.part" 2>>"$out/rna.log"
        mv "$folds.part" "$folds"
    }
    awk -F ' = ' -v lambda="$lambda" '
        { sub(/^Cross Validation /, "", $1); value[$1] = $2 + 0; share[$1] = index($2, "%") ? 100 : 1 }
        END {
            printf "%-7s %8.3f %12.3f %8.3f %8.3f\n", lambda, value["F"],
                value["Sensitivity"] / share["Sensitivity"], value["PPV"] / share["PPV"], value["Mean F"]
        }' "$folds"
done
