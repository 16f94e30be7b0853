#!/bin/bash
# passes.sh BIN - no solver takes more passes over the data than -p allows; the online ones take all of them.
set -u
bin=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
    echo "passes.sh: $*"
    failed=1
}

# few LEAST PASSES OPTIONS DATA: trains by OPTIONS; from LEAST to PASSES of them are in the model.
few() {
    local least=$1 most=$2
    shift 2
    if ! "$bin/train" -q -j 1 -p "$most" "$@" "$folder/model" >/dev/null 2>"$folder/words"; then
        fail "train -p $most $*: $(cat "$folder/words")"
        return
    fi
    awk -v least="$least" -v most="$most" '$1 == "passes" { good = $2 >= least && $2 <= most }
        END { exit !good }' "$folder/model" ||
        fail "train -p $most $*: $(grep '^passes' "$folder/model"), not from $least to $most"
}

two=data/blobs.train three=data/three.train line=data/line.train
head -n 400 $two >"$folder/some" # for the kernel machines
awk '{ print ($1 > 0) + 0, "qid:" int(NR / 8), $2, $3 }' $two >"$folder/queries"

# The next step of lps takes more passes than are left.
"$bin/train" -q -s lps -r l1 -L logistic -p 5 -e 1e-12 -l 1e-7 $two "$folder/model" 2>"$folder/words"
cut_short='train: warning: the run ended after 2 of 5 passes (-p), with too few left for another step, '
grep -qx "${cut_short}before the tolerance 1e-12 (-e) was reached; raise -p or -e" "$folder/words" ||
    fail "the rest of the passes: $(cat "$folder/words")"

# Categories as features of 0 and 1 add up to the constant: coordinate descent needs many sweeps for a Newton step of lps,
# 25,000 passes in all, and conjugate gradients 3,800.
awk 'function noise() { return rand() + rand() + rand() + rand() - 2 }
    BEGIN { srand(4); fields = split("2 5 10 20 50 100 300 600", size, " ")
        for (j = 0; j < 1087; j++) b[j] = noise()
        for (i = 0; i < 8000; i++) { score = noise(); line = ""; first = 0
            for (k = 1; k <= fields; k++) { j = first + int(exp(rand() * log(size[k] + 1))) - 1
                score += b[j]; line = line " " j + 1 ":1"; first += size[k] }
            print ((score > 0) ? 1 : -1) line } }' >"$folder/categories"
"$bin/train" -q -s lps -L logistic -r l1 -c 100 "$folder/categories" "$folder/model" || fail "lps on categories"
awk '$1 == "passes" { exit !($2 < 8000) }' "$folder/model" || fail "lps on categories: $(grep '^passes' "$folder/model")"

awk '{ print $1, NR % 3 + 1 ":1", "5:0." NR % 10 }' $two >"$folder/small"

for passes in 1 2 7 30; do
    for solver in proximal adaptive pegasos asset 'asset*' asset-on 'asset*-on'; do
        few $passes $passes -s "$solver" -e 0 -l 1e-6 $two
        few $passes $passes -s "$solver" -e 0 -l 1e-6 --output average $two
    done
    for solver in sgd tg fobos rda; do
        few $passes $passes -s $solver -r l1 -l 1e-3 $two
    done
    # Those that stop at a tolerance, which is out of reach here.
    for solver in bundle bundle-ls proximal-bundle; do
        few $passes $passes -s $solver -e 1e-15 -l 1e-9 $two
    done
    few 1 $passes -s lbfgs -L logistic -e 1e-15 -l 1e-9 $two
    few 1 $passes -s lbfgs -L squared -e 1e-15 -l 1e-9 --intercept $line
    for solver in ipm ocas mcpa cpa; do
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 $two
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 --intercept $two
    done
    few 1 $passes -s dcd -e 1e-15 -l 1e-8 $two
    few 1 $passes -s ipm -L logistic -e 1e-15 -l 1e-8 $two
    few 1 $passes -s ipm -L squared -e 1e-15 -l 1e-8 $line
    few 1 $passes -s ipm -r l1 -e 1e-15 -l 1e-4 $two
    few 0.5 $passes -s agm -r l1 -L logistic -e 1e-15 -l 1e-4 $two
    few 1 $passes -s rda+ -L logistic -r l1 -e 1e-15 -l 1e-6 --intercept $two
    few 0.1 $passes -s pdsg --sigma 0.5 -e 1e-12 -c 100 "$folder/some"
    few 0.1 $passes -s mpd --sigma 0.5 -e 1e-12 -c 100 "$folder/some"
    few 0 $passes -s pdsg --alone --sigma 0.5 -e 1e-12 -c 100 "$folder/some"
    few 0 $passes -s mpd --alone --sigma 0.5 -e 1e-12 -c 100 "$folder/some"
done
for passes in 2 7 30; do # what these begin with is more than one
    few 1 $passes -s lps -L logistic -r l1 -e 1e-15 -l 1e-6 $two
    few 1 $passes -s lps -L squared -r elastic-net -e 1e-15 -l 1e-6 --intercept $line
    for solver in agm agm1; do
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 $two
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 --lipschitz fixed $two
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 --prox optimized $two
        few 1 $passes -s $solver -e 1e-15 -L squared -l 1e-8 --metric scaled --intercept $line
        few 1 $passes -s $solver -e 1e-15 -L logistic -r l1 -l 1e-6 $two
        few 1 $passes -s $solver -e 1e-15 -L f1 -l 1e-8 $two
        few 1 $passes -s $solver -e 1e-15 -L softmax -l 1e-8 $three
        few 1 $passes -s $solver -e 1e-15 -L m3n -l 1e-8 "$folder/queries"
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 --form dual --lipschitz fixed $two
        few 1 $passes -s $solver -e 1e-15 -l 1e-8 --form smooth-dual $two
    done
    few 1 $passes -s agm -e 1e-15 -l 1e-8 --form excessive-gap $two
    few 1 $passes -s sdca -e 1e-15 -L softmax -l 1e-8 $three
    few 1 $passes -s sdca -e 1e-15 -L logistic -l 1e-8 $two
    few 1 $passes -s sdca -e 1e-15 -L m3n -l 1e-8 "$folder/queries"
    few 1 $passes -s agm -e 1e-15 -L boost "$folder/small"
done
exit $failed
