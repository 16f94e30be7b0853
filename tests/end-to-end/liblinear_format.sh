#!/bin/bash
# liblinear_format.sh BIN - train --format liblinear: LIBLINEAR's predict and ours do the same with the file as with our
# own; what has no such file is refused before the training.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

same() { cmp -s "$1" "$2" || { fail "$3: $1 and $2 differ"; diff "$1" "$2" | head -n 5 >&2; }; }
has_tools "predictions of LIBLINEAR's program" liblinear-predict && theirs=yes || theirs=''

# as SAMPLE OPTIONS...
as() {
    local sample=$1
    shift
    status 0 -q -j 1 "$@" "$data/$sample.train" ours
    status 0 -q -j 1 "$@" --format liblinear "$data/$sample.train" model
    run 0 predict -q "$data/$sample.test" ours ours.out
    run 0 predict -q "$data/$sample.test" model out.again
    # A weight of -B and an offset become one number.
    awk 'NR == FNR { a[FNR] = $1; next } (a[FNR] - $1)^2 > 1e-20 * (1 + $1 * $1) { exit 1 }' ours.out out.again ||
        fail "$*: other predictions"
    [ -n "$theirs" ] || return
    liblinear-predict "$data/$sample.test" model theirs.out >notes || fail "liblinear-predict: $*"
    awk '{ printf "%.10g\n", $1 }' out.again >again
    awk '{ printf "%.10g\n", $1 }' theirs.out >theirs
    [ $sample = line ] || same again theirs "$*"
    awk 'NR == FNR { a[FNR] = $1; next } (a[FNR] - $1)^2 > 1e-9 * (1 + $1 * $1) { exit 1 }' again theirs || fail "$*: other values"
}

as blobs
as blobs -L logistic -B 1
as blobs -r l1 -L logistic
as blobs -L softmax -B 2
as blobs -s ipm -B 2 --intercept
as blobs -L f1
as three -L softmax
as three -L crammer-singer -B 1
as three -L squared-hinge --intercept
as line -L squared -B 1
as line -L epsilon
has '^solver_type L2R_L1LOSS_SVR_DUAL$' model
as line -L squared-epsilon
has '^solver_type L2R_L2LOSS_SVR$' model

# Its -s 11: the same weights.
if has_tools "weights of LIBLINEAR's -s 11" liblinear-train; then
    liblinear-train -q -s 11 -c 0.1 -e 1e-8 "$data/line.train" theirs >/dev/null || fail 'liblinear-train -s 11'
    status 0 -q -L squared-epsilon -c 0.1 -e 1e-8 --format liblinear "$data/line.train" model
    paste <(sed '1,/^w$/d' theirs) <(sed '1,/^w$/d' model) |
        awk '($1 - $2)^2 > 1e-10 * (1 + $1 * $1) { exit 1 } END { exit NR == 0 }' || fail 'other weights than those of -s 11'
fi

# Probabilities of logistic regression, also of two classes by softmax.
for loss in logistic softmax; do
    status 0 -q -L $loss "$data/blobs.train" ours
    status 0 -q -L $loss --format liblinear "$data/blobs.train" model
    run 0 predict -q -b 1 "$data/blobs.test" ours ours.out
    run 0 predict -q -b 1 "$data/blobs.test" model again.out
    same ours.out again.out "probabilities of $loss"
done

refuses() { # WORDS OPTIONS...: before the data are read
    local words=$1
    shift
    sorry 2 "--format liblinear: $words" train --format liblinear "$@" missing model
}
refuses 'it has linear models alone' --gamma-kernel 1
refuses 'it has linear models alone' --map fourier
refuses 'it has no models of sequences' -L crf
refuses 'it has no place for --scale' --scale max
refuses 'it has no place for --hash' --hash 4
refuses 'its features begin at 1' --zero-based
refuses 'it has no place for sigmoids' -b 1
sorry 2 'it has no pairs of labels' train --format liblinear --multiclass ovo "$data/three.train" model
sorry 2 'it has no label for all but that of -P' train --format liblinear -P 3 "$data/three.train" model
run 0 train -q --format liblinear --kernel linear --intercept "$data/blobs.train" model
sorry 2 'its labels are integers' train --format liblinear <(printf '0.5 1:1\n2 1:2\n') model

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
