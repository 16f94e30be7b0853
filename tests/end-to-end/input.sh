#!/bin/bash
# input.sh - what the programs read: endless input, names of files, models of other systems and of
# LIBSVM with probabilities. $1: the folder of the binaries.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# ends STATUS MESSAGE MB COMMAND...: with what standard input has without end. The COMMAND says the MESSAGE in its
# last line, and reads at most so many MB before.
ends() {
    local wanted=$1 message=$2 most=$3 got megabytes
    shift 3
    (
        trap '' PIPE
        dd bs=64k count=$((most * 32)) iflag=fullblock 2>log
    ) | timeout 120 "$@" >out 2>err
    got=${PIPESTATUS[1]}
    [ "$got" -eq "$wanted" ] || { fail "exit $got, not $wanted: $*"; cat err >&2; }
    tail -n 1 err | grep -q -F -e "$message" || { fail "no '$message': $*"; cat err >&2; }
    megabytes=$(($(sed -n 's/^\([0-9]*\)+.* out$/\1/p' log) / 16))
    [ "$megabytes" -le "$most" ] || fail "$megabytes MB read, not $most at most: $*"
}

# lines of one letter, all in one
letters() { yes "$1" | tr -d '\n'; }

nul='a NUL byte'
for solver in ocas asset-on; do
    ends 1 "$nul" 8 "$train" -q -s $solver - m </dev/zero
done
ends 1 "$nul" 8 "$train" -q -j 1 - m </dev/zero
ends 1 "$nul" 8 "$train" -q --weights - "$data/blobs.train" m </dev/zero
ends 1 "expected, not '?" 8 "$train" -q -i - "$data/blobs.train" m </dev/zero
"$train" -q "$data/blobs.train" model || fail "no model"
ends 1 "$nul" 8 "$bin/predict" - model predictions </dev/zero
ends 1 "expected, not '?" 8 "$bin/predict" "$data/blobs.test" - predictions </dev/zero
ends 1 "$nul" 8 "$bin/conll" encode --template "$data/chunking.template" --names names - </dev/zero
ends 1 "$nul" 8 "$bin/conll" encode --template - --names names "$data/chunks.train" </dev/zero
ends 1 "$nul" 8 "$bin/conll" decode --names - "$data/chunks.train" /dev/null </dev/zero
ends 1 "$nul" 8 "$bin/bpseq" encode - </dev/zero
head -c 4000000 /dev/zero | gzip -1 >zeros.gz
for _ in {1..100}; do cat zeros.gz; done >bomb.gz
ends 1 "$nul" 4 "$train" -q - m <bomb.gz

long='the line is longer than'
letters ' 1:1' | ends 1 "standard input:1: $long 3 MB; --line-limit allows more" 12 \
    "$train" -q --line-limit 3 - m
(echo 1 1:1 && letters '#') | ends 1 "standard input:2: $long 3 MB; --line-limit allows more" 12 \
    "$train" -q --line-limit 3 -s asset-on - m
letters '1' | ends 1 "standard input:1: $long 3 MB" 12 "$bin/predict" --line-limit 3 - model predictions
letters a | ends 1 "standard input:1: $long 256 MB" 300 "$bin/bpseq" encode -
{
    printf 'librrm 1\nsolver ocas\nloss softmax\nregularizer l2\nlabels' && letters ' 1'
} | ends 1 'more than 16777216 labels' 80 "$bin/predict" "$data/blobs.test" - predictions
{
    printf 'svm_type c_svc\nnr_sv' && letters ' 1'
} | ends 1 "the end of the line expected, not '1'" 4 "$bin/predict" "$data/blobs.test" - predictions

# file names are printed within the line, without terminal escapes
awkward=$(printf 'a\nb\033[31m\302\233\377\303\251')
printf 'x\n' >"$awkward"
status 1 "$awkward" m
printf 'a\\nb\\x1b[31m\\xc2\\x9b\\xff\303\251:1:1: label "x" is a text; convert gives numbers to texts\n' | cmp -s - err ||
    { fail "the name of a file"; cat -v err >&2; }
status 0 "$data/blobs.train" "$awkward"
printf 'model written to a\\nb\\x1b[31m\\xc2\\x9b\\xff\303\251\n' | cmp -s - <(grep -a -o 'model written.*' out) ||
    { fail "the name of a model"; cat -v out >&2; }

refused 'TRAINING_FILE is empty' ''
refused 'MODEL_FILE is empty' "$data/blobs.train" ''
refused '--weights: its argument is empty' --weights '' "$data/blobs.train" m
"$bin/predict" '' model out 2>err
[ $? -eq 2 ] && has 'TEST_FILE is empty' err
"$bin/bpseq" encode '' 2>err
[ $? -eq 2 ] && has 'the name of a file is empty' err

# compressed by the file's name, decompressed by its content
status 0 -q "$data/blobs.train" model.gz
gzip -dc model.gz | cmp -s - model || fail "model.gz is not model"
"$bin/predict" -q "$data/blobs.test" model.gz predictions.gz || fail "predict with model.gz"
"$bin/predict" -q "$data/blobs.test" model predictions || fail "predict"
gzip -dc predictions.gz | cmp -s - predictions || fail "predictions.gz"

# probabilities of svm-train -b 1
if has_tools 'comparison with LIBSVM' svm-train svm-predict; then
    svm-train -q -b 1 "$data/blobs.train" theirs.model
    svm-predict -b 1 "$data/blobs.test" theirs.model theirs >/dev/null
    "$bin/predict" -q -b 1 "$data/blobs.test" theirs.model ours || fail "predict -b 1"
    awk 'NR == FNR { line[FNR] = $0; next }
        { split(line[FNR], a); wrong += a[1] != $1
          for (k = 2; k <= NF; k++) if (FNR > 1 && (a[k] - $k > 2e-6 || $k - a[k] > 2e-6)) wrong++ }
        END { exit wrong > 0 || FNR != 501 }' ours theirs || fail "probabilities are not those of svm-predict"
    svm-train -q -b 1 -s 3 "$data/line.train" theirs.model
    "$bin/predict" -q -b 1 "$data/line.test" theirs.model ours 2>err
    [ $? -eq 2 ] || fail "predict -b 1 of regression"
    has "the model's loss, regression, has no probabilities: it predicts numbers, not labels$" err
    svm-train -q -s 3 "$data/line.train" theirs.model
    "$bin/predict" -q -b 1 "$data/line.test" theirs.model ours 2>err
    has ': it predicts numbers, not labels$' err
fi

[ $failures = 0 ] && echo "input: all passed"
