#!/bin/bash
# predict.sh - predict from the outside: exit statuses, messages, files. $1: the folder of the binaries.
# With RRM_DATASETS (a folder of the public sets) and liblinear-train installed, also line by line
# against liblinear-predict.
# shellcheck disable=SC2094,SC2238 # logistic and test are files here
set -u
# shellcheck source=tests/tools.sh
. "$(dirname "$0")/../tools.sh"
bin=$(cd "${1:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# Runs predict; the status, output and messages stay in $status, out.txt and err.txt.
run() {
  "$bin/predict" "$@" >out.txt 2>err.txt
  status=$?
}

# expect STATUS NAME: the status of the last run, and for failures one line on standard error.
expect() {
  [ "$status" = "$1" ] || fail "$2: exit status $status instead of $1: $(cat err.txt)"
  if [ "$1" != 0 ] && [ "$(wc -l <err.txt)" != 1 ]; then fail "$2: not one line: $(cat err.txt)"; fi
}

# same FILE TEXT NAME: the file holds the text.
same() {
  printf '%b' "$2" | cmp -s - "$1" || fail "$3: $1 holds '$(cat "$1")'"
}

leftovers() {
  find . -name '.librrm*'
}

model() { # model LOSS LABELS VECTORS WEIGHT...
  echo "librrm 1"
  printf '%s\n' "solver proximal" "loss $1" "regularizer l2" "lambda 0.1" "bias ${bias:--1}" \
    "intercept 0" "index-base ${base:-1}" "labels $2" "rest ${rest:-0}" "features 2" "vectors $3" "objective 1" \
    "bound -inf" "status converged" "passes 1" "seed 1"
  shift 3
  echo "w dense $#"
  printf '%s\n' "$@" end
}

model hinge "1 -1" 1 1 -1 >two
model logistic "1 -1" 1 1 -1 >logistic
model logistic "1 2 3" 3 1 0 0 1 -1 -1 >many
model squared none 1 2 -1 >value
printf '1 1:3 2:1\n-1 2:2\n1 2:0.5\n-1 1:-1\n' >test

# --- the command line
printf '1 9:1\n' >beyond
run -q beyond two beyond.out; grep -q 'does not know' err.txt || fail "no warning of unknown features"
run -qq beyond two beyond.out; [ ! -s err.txt ] || fail "-qq warns"
run; expect 2 "no arguments"
grep -q '^predict: TEST_FILE is missing: predict \[options\]' err.txt || fail "no arguments say what is missing"
run --help; expect 0 help; grep -q -- '--decision-values' out.txt || fail "help lists the options"
run --man; expect 0 man; grep -q '^\.TH' out.txt || fail "man page"
run -V; expect 0 version
if ! script -qec true shown </dev/null >/dev/null 2>&1; then
  echo "skipped: progress on a terminal (this machine has no pseudo-terminals, or no script)"
else
  mkfifo halves
  (cat test; sleep 1.1; cat test) >halves &
  TERM=dumb script -qec "'$bin/predict' halves two halves.out" shown </dev/null >/dev/null
  tr '\r' '\n' <shown >lines
  grep -q '8 examples, 1\.[0-9] s' lines || fail "no progress on a terminal: $(cat -v shown)"
  sed -n '/examples, /,$p' lines | sed -n 2p | grep -q Accuracy ||
    fail "progress is left: $(cat -v shown)"
fi
run test two; expect 2 "a missing operand"
run test two out more; expect 2 "an operand too many"
run --decision test; expect 2 "operands after an abbreviation"
run --desicion-values test two out; expect 2 "an unknown option"
run -b 2 test two out; expect 2 "a value out of range"
run -d -b 1 test logistic both; expect 0 "-d and -b 1"
[ "$(head -1 both)" = 'labels 1 -1 decision:1' ] || fail "-d -b 1: $(head -1 both)"
run -b 1 test two out; expect 2 "no probabilities"
grep -q 'hinge.*-L logistic' err.txt || fail "the refusal names what works: $(cat err.txt)"
run - - out; expect 2 "two standard inputs"
run test two two; expect 2 "the model as output"
run --report test test two out; expect 2 "the test set as report"
cp test other
run test two other; expect 2 "other data as output"
cmp -s test other || fail "a refused command wrote over data"
run --report nowhere/report test two out; expect 1 "a report in a missing folder"
[ -e out ] && fail "a refused command wrote its output"

# --- predictions and measures
run test two out; expect 0 "two classes"
same out '1\n-1\n-1\n-1\n' "two classes"
same out.txt 'Accuracy = 75% (3/4)\nAUC = 1\nF1 = 0.666667 (of label 1)\nprecision = 1\nrecall = 0.5\n' "two classes"
run -q test two out; expect 0 quiet; same out.txt '' quiet
run -d test two out; expect 0 -d
same out 'labels 1 -1\n1 2\n-1 -2\n-1 -0.5\n-1 -1\n' "-d"
run -b 1 test logistic out; expect 0 "-b 1"
same out 'labels 1 -1\n1 0.880797 0.119203\n-1 0.119203 0.880797\n-1 0.377541 0.622459\n-1 0.268941 0.731059\n' "-b 1"
run test many out; expect 0 "three classes"
same out '1\n2\n2\n3\n' "three classes"
grep -q '^Accuracy = 25% (1/4)$' out.txt || fail "three classes: $(cat out.txt)"
[ "$(wc -l <out.txt)" = 1 ] || fail "three classes have the accuracy alone"
run -d test many out; same out 'labels 1 2 3\n1 3 1 -4\n2 0 2 -2\n2 0 0.5 -0.5\n3 -1 0 1\n' "-d of three"
run -b 1 test many out; expect 0 "-b 1 of three"
run test value out; expect 0 regression
same out '5\n-2\n-0.5\n-2\n' regression
same out.txt 'MSE = 5.0625\nMAE = 1.875\nR2 = -4.0625\n' regression
run -d test value out; same out '5\n-2\n-0.5\n-2\n' "-d of regression"
bias=0.5 model hinge "1 -1" 1 1 -1 4 >biased
run -d test biased out; same out 'labels 1 -1\n1 4\n-1 0\n1 1.5\n1 1\n' bias
base=0 model hinge "1 -1" 1 1 -1 >zero
printf '1 0:3 1:1\n' >zero-test
run zero-test zero out; expect 0 "indices from 0"; same out '1\n' "indices from 0"
run zero-test two out; expect 1 "index 0"; grep -q '^zero-test:1:3: ' err.txt || fail "$(cat err.txt)"

# --- unlabelled rows, unknown features and labels
printf '? 1:3\n? 2:2\n' >unlabelled
run unlabelled two out; expect 0 unlabelled; same out '1\n-1\n' unlabelled; same out.txt '' unlabelled
printf '? 1:3\n-1 2:2\n' >half
run half two out; expect 0 "half labelled"; grep -q '^Accuracy = 100% (1/1)$' out.txt || fail "half"
printf '1 1:3 3:9 700000:1\n-1 2:2 3:1\n1 1:1\n' >stranger
run stranger two out; expect 0 "unknown features"; same out '1\n-1\n1\n' "unknown features"
grep -q 'warning: 3 entries of 2 rows' err.txt || fail "unknown features: $(cat err.txt)"
printf '1 1:3\n5 2:2\n0 2:2\n' >labels
run labels two out; expect 0 "unknown labels"
grep -q 'warning: 2 of 3 labelled rows' err.txt || fail "unknown labels: $(cat err.txt)"
grep -q '^Accuracy = 33.3333% (1/3)$' out.txt || fail "unknown labels: $(cat out.txt)"

rest=1 model hinge "1 -1" 1 1 -1 >against-rest
run labels against-rest out; expect 0 "one label against the rest"; same err.txt '' "against the rest"
grep -q '^Accuracy = 100% (3/3)$' out.txt || fail "against the rest: $(cat out.txt)"

# --- files
gzip -k test
run test.gz two out; expect 0 gzip; same out '1\n-1\n-1\n-1\n' gzip
gzip -k two
run test two.gz out; expect 0 "a compressed model"
head -c 150 two.gz >cut.gz
run test cut.gz out; expect 1 "a truncated compressed model"
cp test.gz plain-name
run plain-name two out; expect 0 "gzip by content"
"$bin/predict" - two - <test >piped 2>measures || fail "from pipe to pipe"
same piped '1\n-1\n-1\n-1\n' "from pipe to pipe"
grep -q '^Accuracy = 75%' measures || fail "measures beside a pipe"
"$bin/predict" -q test - out <two || fail "a model from standard input"
run test two /dev/full; expect 1 "a full disk"
grep -q '^/dev/full: No space left on device$' err.txt || fail "a full disk: $(cat err.txt)"
"$bin/predict" test two out >/dev/full 2>err.txt && fail "measures to a full disk"
grep -q '^standard output: No space left' err.txt || fail "measures to a full disk: $(cat err.txt)"
run test two nowhere/out; expect 1 "a missing folder"
run missing two out; expect 1 "a missing test set"
run test missing out; expect 1 "a missing model"
run test test out; expect 1 "no model"; grep -q '^test:1:1: ' err.txt || fail "$(cat err.txt)"
echo old >out
printf '1 1:3\n1 1:x\n' >bad
run bad two out; expect 1 "a bad row"; grep -q '^bad:2:5: ' err.txt || fail "a bad row: $(cat err.txt)"
same out 'old\n' "a failure leaves the old output"
: >empty
run empty two out; expect 1 "an empty file"
head -c 100 two >cut
run test cut out; expect 1 "a truncated model"
run --report report.json test two out; expect 0 report
if has_tools 'the report read as JSON' python3; then
  /usr/bin/python3 -c 'import json; r = json.load(open("report.json")); assert r["measures"]["accuracy"] == 0.75' ||
    fail "the report: $(cat report.json)"
fi
run --report /dev/full test two out; expect 1 "a report to a full disk"
[ -z "$(leftovers)" ] || fail "temporary files are left"

# --- a signal: the old output stays, nothing is left behind
echo old >out
mkfifo slow
"$bin/predict" slow two out >out.txt 2>err.txt &
victim=$!
exec 3<>slow # does not wait for a reader, should predict be gone
cat test >&3
for _ in $(seq 100); do [ -n "$(leftovers)" ] && break; sleep 0.05; done
kill -TERM $victim
exec 3>&-
wait $victim
[ $? -eq 143 ] || fail "not the status of the signal"
same out 'old\n' "a signal"
[ -z "$(leftovers)" ] || fail "a signal leaves no temporary file"
grep -q interrupted err.txt || fail "a signal: $(cat err.txt)"

# --- the number of threads changes nothing
awk 'BEGIN { for (i = 1; i <= 60000; i++) print (i % 3 ? 1 : -1), "1:" (i % 17) / 7, "2:" (i % 5) / 3 }' >long
for form in "" -d; do
  run $form -j 1 long many one
  cp out.txt one.txt
  run $form -j 3 long many three
  if ! cmp -s one three || ! cmp -s one.txt out.txt; then fail "threads change the output"; fi
done

# --- LIBLINEAR
compare() { # compare NAME TEST MODEL [-b 1]
  local name=$1 test=$2 model=$3
  shift 3
  liblinear-predict "$@" "$test" "$model" theirs >theirs.txt
  run "$@" "$test" "$model" ours
  expect 0 "$name"
  cmp -s ours theirs || fail "$name: predictions differ from liblinear-predict's"
  [ "$(head -1 out.txt)" = "$(head -1 theirs.txt)" ] || fail "$name: accuracy differs"
}

if has_tools 'comparison with LIBLINEAR' liblinear-train liblinear-predict &&
  has_sets 'comparison with LIBLINEAR' a9a a9a.t dna.scale dna.scale.t housing_scale; then
  data=$RRM_DATASETS
  head -n 4000 "$data/a9a" >a9a
  cp "$data/dna.scale" .
  for bias in -1 1; do
    for solver in 0 1 3 4 5 6; do
      liblinear-train -q -e 1 -s $solver -B $bias a9a m >/dev/null 2>&1
      compare "a9a -s $solver -B $bias" "$data/a9a.t" m
      liblinear-train -q -e 1 -s $solver -B $bias dna.scale m >/dev/null 2>&1
      compare "dna -s $solver -B $bias" "$data/dna.scale.t" m
    done
    for set in a9a dna.scale; do
      liblinear-train -q -e 1 -s 0 -B $bias $set m >/dev/null 2>&1
      compare "$set -b 1 -B $bias" "$data/$set.t" m -b 1
    done
    liblinear-train -q -e 1 -s 11 -B $bias "$data/housing_scale" m >/dev/null 2>&1
    liblinear-predict "$data/housing_scale" m theirs >/dev/null
    run "$data/housing_scale" m ours
    expect 0 "housing -B $bias"
    cmp -s ours theirs || fail "housing -B $bias: predictions differ from liblinear-predict's"
  done
fi

[ $failures = 0 ] && echo "predict: all passed"
exit $((failures > 0))
