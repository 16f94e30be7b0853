#!/bin/bash
# figures.sh OUT - Figures 1 and 2: learning curves and test error of the three solvers at 1, 10 and 100
# times the set's lambda, as OUT/NAME.learning.svg and OUT/NAME.test-error.svg. Takes combined and
# covtype as the paper does, and ijcnn1 where combined is not there.
set -euo pipefail
here=$(dirname "$0")
out=$1
passes="1 2 3 5 8 12 20 35 60 100"

# NAME SOLVER LAMBDA RUN: test error in percent after each number of passes, OUT/NAME.RUN.errors.
test_errors() {
    local name=$1 solver=$2 lambda=$3 run=$4
    [ -f "$out/$name.$run.errors" ] && return
    for p in $passes; do
        "$here/../../train" -q -s "$solver" -l "$lambda" -p "$p" "$out/$name.train" \
            "$out/$name.$run.model"
        "$here/../../predict" "$out/$name.test" "$out/$name.$run.model" "$out/$name.$run.out" |
            awk -v p="$p" '/^Accuracy/ { sub("%", "", $3); print p "\t" 100 - $3 }'
    done >"$out/$name.$run.errors.part"
    mv "$out/$name.$run.errors.part" "$out/$name.$run.errors"
}

# NAME KIND COLUMNS YLABEL LAMBDA...: three panels, one a lambda.
draw() {
    local name=$1 kind=$2 columns=$3 ylabel=$4
    shift 4
    {
        echo "set terminal svg size 640,900 dynamic background 'white'"
        echo "set output '$out/$name.$kind.svg'"
        echo "set multiplot layout 3,1"
        echo "set logscale x; set xlabel 'passes'; set ylabel '$ylabel'; set key top right"
        [ "$kind" = learning ] && echo "set logscale y"
        for lambda in "$@"; do
            local suffix=trace
            [ "$kind" = learning ] || suffix=errors
            echo "set title '$name, lambda = $lambda'"
            echo "plot '$out/$name.pegasos-$lambda.$suffix' using $columns with lines lw 2 title 'pegasos', \\"
            echo "  '$out/$name.adaptive-$lambda.$suffix' using $columns with lines lw 2 title 'adaptive', \\"
            echo "  '$out/$name.proximal-$lambda.$suffix' using $columns with lines lw 2 title 'proximal'"
        done
    } | gnuplot
    echo "$out/$name.$kind.svg"
}

names=covtype
grep -qx combined "$out/names" && names="combined covtype" || names="ijcnn1 covtype"
for name in $names; do
    grep -qx "$name" "$out/names" || continue
    IFS=$'\t' read -r _ _ _ _ _ lambda _ < <(grep -P "^$name\t" "$here/sets.tsv")
    lambdas=$(awk -v l="$lambda" 'BEGIN { print 100 * l, 10 * l, l }')
    for l in $lambdas; do
        for run in "pegasos --limit-steps off" "adaptive --limit-steps off" "proximal --metric none"; do # as in the paper
            solver=${run%% *}
            # shellcheck disable=SC2086 # the option's words
            "$here/../run.sh" "$out" "$name" "$solver-$l" -s $run -l "$l" -p 100
            test_errors "$name" "$solver" "$l" "$solver-$l"
        done
    done
    # shellcheck disable=SC2086 # the lambdas are words
    draw "$name" learning 2:4 "objective" $lambdas
    # shellcheck disable=SC2086
    draw "$name" test-error 1:2 "test error, %" $lambdas
done
