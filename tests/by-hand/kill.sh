#!/bin/bash
# kill.sh BIN [SOLVER] - by hand (make kill-test): each solver with --checkpoint is ended by kill -9 at KILLS (100) random
# moments. What goes on after these must end with the bytes of a run that was never ended. Of a run that has come to its
# end the next one begins anew. RANDOM_SEED (1) chooses the moments, as far as the machine is the same.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
only=${2:-}
kills=${KILLS:-100}
RANDOM=${RANDOM_SEED:-1}
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

now() { # microseconds
    local seconds=${EPOCHREALTIME/[.,]/}
    echo "$seconds"
}

# killed ARGUMENTS...: a run that ends at a random moment of its usual time; 1: it had ended before.
killed() {
    "$train" -q --checkpoint state:0.002 "$@" model >out 2>>err &
    local process=$!
    sleep "$(((RANDOM << 15 | RANDOM) % usual))e-6"
    kill -KILL "$process" 2>kill.err
    wait "$process" 2>shell.err
    [ $? -eq 137 ]
}

# row ARGUMENTS...: -s SOLVER first.
row() {
    local done=0 resumed=0 ends=0 begun
    [ -z "$only" ] || [ "$only" = "$2" ] || return
    rm -f state model err
    "$train" -q --checkpoint state:1000 "$@" expected >out 2>err || { fail "no model: $*"; cat err; return; }
    begun=$(now)
    "$train" -q --checkpoint state:0.002 "$@" model >out 2>err
    usual=$(($(now) - begun))
    while [ "$done" -lt "$kills" ]; do
        [ ! -e state ] || resumed=$((resumed + 1))
        if killed "$@"; then
            done=$((done + 1))
        else
            ends=$((ends + 1))
            cmp -s model expected || fail "another model: $*"
            rm -f state
        fi
    done
    status 0 -q --checkpoint state "$@" model
    cmp -s model expected || fail "another model at the end: $*"
    [ "$resumed" -gt 0 ] || fail "no run went on from a checkpoint: $*"
    echo "$*: $done kills, $resumed runs went on, $((ends + 1)) models, $((usual / 1000)) ms"
}

blobs=$data/blobs.train
three=$data/three.train
# the samples twenty times over, with wrong labels, so that no solver is done at once
for copy in {1..20}; do
    awk -v copy="$copy" '(NR * copy) % 11 == 0 { $1 = -$1 } 1' "$blobs"
done >many
for copy in {1..20}; do
    awk -v copy="$copy" '(NR * copy) % 11 == 0 { $1 = ($1 + 1) % 3 } 1' "$three"
done >many.three
awk '{ $1 = NR < 300 ? NR % 3 : NR % 5 } 1' many.three >many.late
gzip -c many >many.gz

row -s bundle -l 1e-9 -e 1e-9 -p 600 "$blobs"
row -s bundle-ls -l 1e-5 -e 1e-9 -p 200 many
row -s proximal-bundle -l 1e-7 -e 1e-9 -p 500 "$blobs"
row -s ocas -l 1e-6 -e 1e-9 many
row -s mcpa -l 1e-5 -e 1e-9 many
row -s cpa -l 1e-5 -e 1e-9 -p 100 many
row -s agm -l 1e-7 -e 0 -p 200 many
row -s agm1 -l 1e-7 -e 0 -p 200 many
row -s lbfgs -L logistic -l 1e-9 -e 0 -p 100 many
row -s dcd -l 1e-6 -e 1e-9 -p 300 many
row -s ipm -l 1e-9 -e 0 many
row -s ipm -L logistic --multiclass ovo -l 1e-9 -e 0 many.three
row -s lps -L logistic -r l1 -l 1e-5 -e 1e-12 many
row -s rda+ -L logistic -r l1 -l 1e-5 -e 1e-12 -p 100 many
for solver in rda fobos tg sgd; do
    row -s "$solver" -L logistic -r l1 -l 1e-4 -p 60 many
done
row -s proximal --metric none -l 1e-7 -p 60 many
row -s proximal -l 1e-7 -p 30 many
for solver in adaptive pegasos asset 'asset*' asset-on 'asset*-on'; do
    row -s "$solver" -l 1e-4 -p 60 many
done
row -s asset-on -L logistic --intercept --sample 20 -l 1e-4 -p 60 many.late # a stream: labels that come late
row -s 'asset*-on' -l 1e-3 -p 60 many.gz
row -s sdm -L crammer-singer -l 1e-6 -e 0 -p 300 many.three
row -s sdca -L softmax -l 1e-5 -e 0 -p 60 many.three
row -s sdca -L logistic -l 1e-5 -e 0 -p 60 many
row -s smo --gamma-kernel 1 -c 1000 -e 1e-9 "$blobs"
row -s pdsg --gamma-kernel 1 -l 1e-4 --basis 1 -e 1e-9 -p 3000 "$blobs"
row -s mpd --gamma-kernel 1 -l 1e-4 -e 1e-9 -p 3000 "$blobs"
row -s bundle --path 5 -v 3 --measure auc -l 1e-8 -e 1e-9 -p 600 many
row -s ocas --search --path 8,1,1e-6 -v 3 many
row -s ipm --search --path 8,1,1e-6 -e 1e-8 -v 3 many
row -s lbfgs -L logistic --search --path 8,1,1e-7 -v 3 many
row -s dcd --search --path 8,1,1e-5 -v 3 many
row -s smo --search --path 3,1,1e-3 --gamma-kernel 0.1,1 -v 3 "$blobs"
row -s ocas --search --path 3,1,1e-3 --map nystrom --landmarks 40,20 -e 1e-9 -v 3 "$blobs"
exit $failures
