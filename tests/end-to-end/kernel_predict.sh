#!/bin/bash
# kernel_predict.sh - kernel models from the outside: predictions, --parts, models of LIBSVM (with svm-train
# installed also against svm-predict). $1: the folder of the binaries.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
predict=$bin/predict

# predicts STATUS ARGUMENTS...: predict's exit status; what it printed is left in the files out and err.
predicts() {
    local wanted=$1 got
    shift
    timeout 120 "$predict" "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit $got, not $wanted: predict $*"; cat out err >&2; }
}

# same FILE TEXT NAME: the file holds the text.
same() {
    printf '%b' "$2" | cmp -s - "$1" || fail "$3: $1 holds '$(cat "$1")'"
}

# close FILE FILE: numbers, a line each, that differ by rounding only.
close() {
    paste "$1" "$2" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-9 || NF != 2) exit 1 }' ||
        fail "$3: values differ"
}

# support LOSS LABELS: two points, linear kernel, basis 1 and feature 2 alone
support() {
    printf '%s\n' "librrm 1" "solver pdsg" "loss $1"
    [ "$1" = epsilon ] && echo "tube 0.1"
    printf '%s\n' "regularizer l2" "lambda 0.1" "bias -1" "intercept 0" "index-base 1" "labels $2" "rest 0" \
        "features 3" "vectors 1" "objective 1" "bound -inf" "status converged" "passes 1" "seed 1" "map support" \
        "kernel linear" "points 2" "basis 1" "basis-only 2" "w dense 4" 2 -1 0.5 4 points 1:1 3:2 end
}

support epsilon none >value
support hinge "1 -1" >classes
printf '? 1:3 2:1\n? 2:-2\n? 3:1 9:5\n' >rows

# --- parts
predicts 0 rows value o
same o '10.5\n-7.5\n-1.5\n' values
has 'warning: 1 entries of 1 rows are features that the model does not know (it has 3)' err
predicts 0 --parts rows value o
same o 'value kernel parametric\n10.5 6 4.5\n-7.5 0 -7.5\n-1.5 -2 0.5\n' "parts of regression"
predicts 0 --parts rows classes o
same o 'label kernel parametric\n1 6 4.5\n-1 0 -7.5\n-1 -2 0.5\n' "parts of classes"
predicts 0 -d rows classes o
same o 'labels 1 -1\n1 10.5\n-1 -7.5\n-1 -1.5\n' "-d"
predicts 2 --parts -d rows classes o
predicts 2 --parts -b 1 rows classes o
status 0 -q -s pegasos -p 2 "$data/blobs.train" linear
predicts 2 --parts "$data/blobs.test" linear o
[ "$(wc -l <err)" = 1 ] || fail "--parts of a linear model: not one line"
has '--basis' err

# --- maps: any number of threads, from a pipe; the map is the model's
for map in nystrom fourier; do
    status 0 -q --map $map -s pegasos -p 5 -S 7 "$data/three.train" model.$map
    predicts 0 -d -j 1 "$data/three.test" model.$map one
    grep Accuracy out >accuracy
    awk -F '[ %]' '{ exit !($3 > 80) }' accuracy || fail "$map: $(cat accuracy)"
    predicts 0 -d -j 3 "$data/three.test" model.$map three
    cmp -s one three || fail "$map: threads change the predictions"
    gzip -c model.$map >packed
    gzip -c "$data/three.test" | "$predict" -q -d - packed three || fail "$map: packed"
    cmp -s one three || fail "$map: packed files change the predictions"
    predicts 2 --parts "$data/three.test" model.$map o
done

# --- LIBSVM
if has_tools 'comparison with LIBSVM' svm-train svm-predict; then
    for kernel in 0 1 2; do
        for type in 0 1; do
            svm-train -q -s $type -t $kernel -d 2 -r 1 "$data/blobs.train" m
            svm-predict "$data/blobs.test" m theirs >/dev/null
            predicts 0 "$data/blobs.test" m ours
            cmp -s ours theirs || fail "svm_type $type, kernel $kernel: predictions differ"
        done
        for type in 3 4; do
            svm-train -q -s $type -t $kernel -d 2 -r 1 "$data/line.train" m
            svm-predict "$data/line.test" m theirs >/dev/null
            predicts 0 "$data/line.test" m ours
            close ours theirs "svm_type $type, kernel $kernel"
        done
    done
fi

[ $failures = 0 ] && echo "kernel_predict: all passed"
