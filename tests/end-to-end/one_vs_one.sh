#!/bin/bash
# one_vs_one.sh - train --multiclass and -b 1 from the outside; with svm-train installed beside LIBSVM. $1: the folder of
# the binaries.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
predict=$bin/predict
three=$data/three

# predicts ARGUMENTS...: what predict printed is left in the files out and err.
predicts() {
    timeout 120 "$predict" "$@" >out 2>err </dev/null || { fail "predict $*"; cat out err >&2; }
}

# same FILE FILE NAME: the files are equal.
same() {
    cmp -s "$1" "$2" || fail "$3: $(diff "$1" "$2" | head -2)"
}

sort -n -s -k1,1 "$three.train" >sorted # LIBSVM's labels are in the order of the file

# --- how several labels are trained
status 0 -q --multiclass ovo -c 1 sorted linear
has '^multiclass ovo$' linear
has '^vectors 3$' linear
status 0 -q --gamma-kernel 0.1 --basis 1 -c 1 sorted kernel
has '^multiclass ovo$' kernel
status 0 -q --gamma-kernel 0.1 --basis 1 -c 1 --multiclass ovr sorted model
grep -q multiclass model && fail "--multiclass ovr has pairs"
status 0 -q -c 1 sorted model
grep -q multiclass model && fail "linear models are trained one against the rest by default"
status 0 -q -L softmax --multiclass joint sorted model
status 2 --multiclass joint sorted model
has '-L crammer-singer and -L softmax do' err
status 2 --multiclass ovo -L softmax sorted model
status 2 --multiclass ovo -L f1 sorted model
status 2 --multiclass ovo -L squared sorted model
status 2 --multiclass ovo -P 1 sorted model
status 2 --multiclass ovo -s asset-on sorted model
# a certified path bounds each pair at its own multiple of lambda: 26 solves; 40 as if all were at lambda
status 0 -q -s dcd --multiclass ovo -w 3=100 --path certified=0.01,1,1e-4 --report report "$three.train" model
[ "$(member report solves)" -le 33 ] || fail "$(member report solves) solves of a certified path of pairs"
status 0 --multiclass ovo --report report sorted model
has '3 pairs of labels (largest gap' out err
has '"labels": \[1, 3\]' report
has '"multiclass": "ovo"' report

# --- any number of threads, starts, paths, folds
status 0 -q -j 1 --multiclass ovo -b 1 -c 1 sorted one
status 0 -q -j 3 --multiclass ovo -b 1 -c 1 sorted several
# the seconds of training are those that passed, not the sum over the threads
awk 'BEGIN { srand(2); for (i = 0; i < 2400; i++) { printf "%d", i % 4
    for (j = 1; j < 20; j++) printf " %d:%.4f", j, rand() + (j % 4 == i % 4) / 5
    print "" } }' >four
begun=$(date +%s%N)
status 0 -q -j 3 --gamma-kernel 1 --basis 1 -c 10 --report report four model
awk -v wall=$(($(date +%s%N) - begun)) -F '[:,]' '/"train_seconds"/ { exit !($2 < wall / 1e9) }' report ||
    fail "more seconds of training than passed: $(grep train_seconds report)"
same one several "threads change the model"
status 0 -q -i linear --multiclass ovo -c 1 sorted model
status 1 -i linear -c 1 sorted model
has 'trained with --multiclass ovo' err
for file in sorted "$three.train"; do # one label after another, and mixed
    status 0 -q --gamma-kernel 0.1 --basis 1 -c 1 "$file" first
    status 0 -q -i first --gamma-kernel 0.1 --basis 1 -c 1 "$file" model
    for model in first model; do grep -v ^passes $model >$model.rest; done
    same first.rest model.rest "a start at the optimum is left"
    awk '/^passes/ { if (first) ok = $2 < 0.9 * first; first = $2 } END { exit !ok }' first model ||
        fail "a start at the optimum takes as many passes as none"
done
status 0 --path 3 -r l1 -L logistic --multiclass ovo -l 1e-3 sorted model
status 0 --path 3 --gamma-kernel 0.1 --basis 1 -c 1 sorted model
status 0 -v 5 --multiclass ovo -c 1 sorted
awk -F '[ %]' '/Cross/ { exit !($5 > 85) }' out || fail "-v: $(cat out)"
(cat sorted; echo '9 1:1 2:1') >lonely # a label with one example, which a fold leaves out
sed 's/^9 /-9 /' lonely >lonely.first
for options in '' '--path 3' '-b 1' '-b 1 --calibration isotonic'; do # whatever the label's place in the list
    for file in lonely lonely.first; do
        # shellcheck disable=SC2086 # words
        status 0 -q -v 5 --multiclass ovo -c 1 -e 1e-6 $options --report $file.report $file
    done
    for file in lonely lonely.first; do
        grep -o '"accuracy": [0-9.]*' $file.report | tail -n 1
    done | uniq | awk 'END { exit NR != 1 }' ||
        fail "-v: the accuracy depends on the place of a label with one example $options"
done
status 0 -q -b 1 --multiclass ovo -c 1 lonely model
predicts -b 1 lonely model o
status 1 -w1 0 -w3 0 --multiclass ovo sorted model
has 'labels 1 and 3 have weights that sum to 0' err

# --- predictions
tac sorted >backwards
status 0 -q --multiclass ovo -c 1 backwards model
predicts -d "$three.test" model o
[ "$(head -1 o)" = 'pairs 1:2 1:3 2:3' ] || fail "the order of labels depends on that of rows: $(head -1 o)"
predicts -d "$three.test" linear o
[ "$(head -1 o)" = 'pairs 1:2 1:3 2:3' ] || fail "the header of -d: $(head -1 o)"
awk 'NR > 1 { v[1] = v[2] = v[3] = 0; v[$2 > 0 ? 1 : 2]++; v[$3 > 0 ? 1 : 3]++; v[$4 > 0 ? 2 : 3]++
    best = 1; for (k = 2; k <= 3; k++) if (v[k] > v[best]) best = k; if (best != $1) exit 1 }' o ||
    fail "the label is not that of most votes"
predicts -d -b 1 "$three.test" one o
[ "$(head -1 o)" = 'labels 1 2 3 decision:1:2 decision:1:3 decision:2:3' ] || fail "the header of -d -b 1"
predicts --parts "$three.test" kernel o
[ "$(head -1 o)" = 'label kernel:1:2 parametric:1:2 kernel:1:3 parametric:1:3 kernel:2:3 parametric:2:3' ] ||
    fail "the header of --parts: $(head -1 o)"

# --- probabilities: rows sum to 1, the label is the most probable, and the log loss is below that of the shares
log_loss() { # of the file o beside the labels of the test file
    awk 'NR == FNR { label[FNR] = $1; next }
        FNR > 1 { p = $(1 + label[FNR - 1]); sum -= log(p > 1e-9 ? p : 1e-9)
            s = $2 + $3 + $4; if (s < 0.9999 || s > 1.0001) bad = 1 }
        END { exit bad || !(sum / (FNR - 1) < 0.4) }' "$three.test" o
}
for options in '--multiclass ovo' '--multiclass ovr' '-L squared-hinge' '-L crammer-singer' '-L softmax' '-L f1' \
    '-L logistic --multiclass ovo' '--gamma-kernel 0.1 --basis 1' '--map nystrom --landmarks 60'; do
    # shellcheck disable=SC2086 # words
    status 0 -q -b 1 -c 1 $options sorted model
    predicts -b 1 "$three.test" model o
    log_loss || fail "-b 1 $options: the probabilities are poor"
    awk 'NR == FNR { label[FNR] = $1; next } FILENAME == "o" && FNR > 1 { p = $(1 + label[FNR - 1]); sum -= log(p)
            for (k = 1; k <= 3; k++) square += ($(1 + k) - (k == label[FNR - 1])) ^ 2; n++ }
        /^log loss = / { d = $4 - sum / n; seen += d * d < 1e-8 }
        /^Brier score = / { d = $4 - square / n; seen += d * d < 1e-8 }
        END { exit seen != 2 }' "$three.test" o out || fail "-b 1 $options: $(cat out)"
done
status 2 -b 1 -L squared sorted model
status 2 -b 1 -L m3n sorted model
status 2 -b 1 -s asset-on sorted model
status 1 -b 1 -t 1e-9 -q sorted model
status 0 -q -b 1 -p 2 -c 1 -P 3 sorted model # a label against the rest
predicts -b 1 "$three.test" model o

# --- LIBSVM
# labels SET TEST C GAMMA: both give the same labels, and we those of LIBSVM's model with the same probabilities
labels() {
    svm-train -q -c "$3" -g "$4" -e 1e-6 "$1" theirs.model
    svm-predict "$2" theirs.model theirs >/dev/null
    status 0 -q -c "$3" --gamma-kernel "$4" --basis 1 -e 1e-6 "$1" model
    predicts "$2" model o
    same theirs o "one-vs-one, $1"
    svm-train -q -b 1 -c "$3" -g "$4" "$1" theirs.model
    svm-predict "$2" theirs.model theirs >/dev/null
    predicts "$2" theirs.model o
    same theirs o "LIBSVM's model, $1"
    svm-predict -b 1 "$2" theirs.model theirs >/dev/null
    predicts -b 1 "$2" theirs.model o
    same theirs o "probabilities of LIBSVM's model, $1"
}

if has_tools 'one-vs-one beside LIBSVM' svm-train svm-predict; then
    labels sorted "$three.test" 1 0.1
    svm-train -q -c 1 -t 0 -e 1e-6 sorted theirs.model
    svm-predict "$three.test" theirs.model theirs >/dev/null
    status 0 -q -c 1 --intercept --multiclass ovo -e 1e-6 sorted model
    predicts "$three.test" model o
    same theirs o "linear one-vs-one"
    svm-train -q -b 1 "$three.train" theirs.model # labels in another order
    status 0 -q -i theirs.model --gamma-kernel 0.125 --basis 1 -c 1 "$three.train" model
    # Platt's A and B: the folds' scores are -1, 1 and 3 whatever the folds are
    awk 'BEGIN { for (k = 0; k < 308; k++) { x = k < 100 ? -1 : k < 210 ? 0 : 1
        y = (k < 7 || (k >= 100 && k < 190) || (k >= 210 && k < 305)) ? 1 : -1
        print y, x == 0 ? "" : "1:" x } }' | sort -n -r -s -k1,1 >points
    svm-train -q -t 0 -c 100 -e 1e-10 -b 1 points theirs.model
    for options in '--intercept -e 1e-9' '-s smo --kernel linear --expand --basis 1 -e 1e-9'; do
        # shellcheck disable=SC2086 # words
        status 0 -q -b 1 -c 100 $options points model
        awk '/^probA/ { a = $2 } /^probB/ { b = $2 } /^sigmoid/ { x = $2 - a; y = $3 - b; n++ }
            END { exit !(n && x * x < 1e-12 && y * y < 1e-12) }' theirs.model model || fail "A and B, $options"
    done
    if has_sets 'one-vs-one beside LIBSVM on real data' dna.scale dna.scale.t; then
        awk 'NR % 5 == 1' "$RRM_DATASETS/dna.scale" | sort -n -s -k1,1 >dna
        head -n 400 "$RRM_DATASETS/dna.scale.t" >dna.t
        labels dna dna.t 1 0.01
    fi
fi

[ $failures = 0 ] && echo "one_vs_one: all passed"
exit $((failures > 0))
