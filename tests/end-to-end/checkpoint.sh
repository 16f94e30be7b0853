#!/bin/bash
# checkpoint.sh BIN - train --checkpoint from the outside: runs that are killed or end by a signal go on to the same
# model, trace and report; what is refused; a disk that is full.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# A seconds column and times apart.
without_seconds() { # FILE
    sed -e 's/^[0-9.]*\t//' -e '/"[a-z_]*seconds":/d' -e 's/"[a-z_]*seconds": [0-9.e-]*//g' \
        -e '/"checkpoint"/d' -e 's/"model_file".*//' -e '/"trace"/d' "$1"
}

# goes_on SIGNAL ARGUMENTS...: two runs end by the signal, at some time after their first state; the third ends.
goes_on() {
    local signal=$1
    shift
    rm -f state trace
    status 0 -q --report report -T trace "$@" model
    mv model expected
    without_seconds report >report.expected
    without_seconds trace >trace.expected
    rm trace
    for delay in 0.02 0.05; do
        "$train" -q --report report -T trace --checkpoint state:0 "$@" model 2>err &
        for _ in $(seq 500); do
            [ -f state ] && break
            sleep 0.01
        done
        sleep $delay
        kill -"$signal" $! 2>kill.err || fail "the run was over: $*"
        wait $! 2>shell.err
        grep 'out of range' err && fail "$signal: no honest end: $*"
    done
    [ -f state ] || fail "no checkpoint: $*"
    status 0 -q --report report -T trace --checkpoint state "$@" model
    cmp -s model expected || fail "$signal: another model: $*"
    without_seconds report | cmp -s - report.expected || fail "$signal: another report: $*"
    without_seconds trace | cmp -s - trace.expected || fail "$signal: another trace: $*"
    [ ! -e state ] || fail "the checkpoint is still there: $*"
}

blobs=$data/blobs.train
goes_on KILL -j 1 -s bundle -l 1e-9 -e 1e-9 -p 400 "$blobs"
goes_on KILL -j 1 -s proximal --metric none -l 1e-7 -p 2000 "$blobs"
goes_on TERM -j 1 -s agm1 -l 1e-7 -e 0 -p 2000 "$blobs"
goes_on TERM -j 1 -b 1 -s bundle -l 1e-8 -e 1e-9 -p 200 "$blobs"
for _ in {1..30}; do cat "$data/three.train"; done >threes # the run is long enough for the signals
goes_on KILL -j 2 -s lbfgs -L logistic --multiclass ovo -l 1e-9 -e 0 -p 150 threes

# Streams: in a later pass, with labels that come late, packed, with a map. Other examples than those of the checkpoint.
awk '{ $1 = NR < 300 ? NR % 3 : NR % 5; print }' "$data/three.train" >late
gzip -c late >late.gz
goes_on KILL -j 1 -s asset-on --intercept -l 1e-4 -w 1=2 -p 600 "$blobs"
goes_on TERM -j 1 -s 'asset*-on' -l 1e-3 -p 350 late.gz
goes_on KILL -j 1 -s asset-on -L logistic --sample 20 --map fourier --landmarks 30 -p 180 late
for _ in $(seq 120); do cat "$blobs"; done >many # signals while the known examples are read again
goes_on INT -j 1 -s asset-on -p 8 many
rm many
long=(-j 1 -q --checkpoint state:0 -s asset-on -p 1e6)
"$train" "${long[@]}" late model 2>err &
for _ in $(seq 500); do
    [ -f state ] && break
    sleep 0.01
done
kill -KILL $! 2>kill.err
wait $! 2>shell.err
sed '600s/./1/' late >other
sorry 1 '^other: other examples than those of the checkpoint' train "${long[@]}" other model
head -n 599 late >other
sorry 1 '"data: a stream of size' train "${long[@]}" other model
sorry 2 'checkpoint needs examples that can be read again' train "${long[@]}" -p 1 - model
mkfifo pipe
cat late >pipe &
sorry 2 'checkpoint needs examples that can be read again' train "${long[@]}" pipe model
kill $! 2>kill.err

# interrupted ARGUMENTS...: leaves a checkpoint, by a signal.
interrupted() {
    rm -f state
    "$train" -q --checkpoint state:0 -j 1 "$@" "$blobs" model 2>err &
    for _ in $(seq 500); do
        [ -f state ] && break
        sleep 0.01
    done
    kill -TERM $!
    wait $! 2>shell.err
    [ -f state ] || fail "no checkpoint after a signal: $*"
}

# Another command, other data, a damaged file and a foreign one are refused; the file stays.
long=(-s bundle -l 1e-9 -e 1e-12 -p 1e6)
interrupted "${long[@]}"
cp state good
sorry 1 '^state: the checkpoint of another command: there "--lambda 1.*e-09", here "--lambda 1.*e-08"' \
    train -q --checkpoint state "${long[@]}" -l 1e-8 "$blobs" model
sorry 1 '^state: the checkpoint of another command: there "data: 1000 examples' \
    train -q --checkpoint state "${long[@]}" "$data/blobs.test" model
sorry 1 'another command' train -q --checkpoint state "${long[@]}" -s bundle-ls "$blobs" model
for at in 3 40 2000 20000; do
    cp good state
    printf '\377' | dd of=state bs=1 seek=$at conv=notrunc 2>dd.err
    cmp -s good state && printf '\376' | dd of=state bs=1 seek=$at conv=notrunc 2>dd.err
    sorry 1 '^state: no checkpoint, or a damaged one' train -q --checkpoint state "${long[@]}" "$blobs" model
done
for size in 0 7 8 100 3000; do
    head -c $size good >state
    sorry 1 '^state: no checkpoint, or a damaged one' train -q --checkpoint state "${long[@]}" "$blobs" model
done
mkfifo waiting
for file in waiting /dev/null; do
    sorry 1 "^$file: a checkpoint must be a plain file" train -q --checkpoint $file "${long[@]}" "$blobs" model
done
echo text >state
sorry 1 '^state: no checkpoint' train -q --checkpoint state "${long[@]}" "$blobs" model
[ "$(cat state)" = text ] || fail 'a file that was no checkpoint is gone'

# The time limit and the threads may differ; a time limit leaves the file.
cp good state
status 0 -q --checkpoint state:0 -j 2 -t 0.2 "${long[@]}" "$blobs" model
[ -f state ] || fail 'the time limit removed the checkpoint'

# with_more_time ARGUMENTS...: what a time limit cut off is trained to its end.
with_more_time() {
    rm -f state
    status 0 -q "$@" expected
    for limit in 0.05 0.1 0.2; do # a busy machine may not begin within the first
        status 0 -q --checkpoint state -t $limit "$@" model
        [ -f state ] && break
    done
    [ -f state ] || fail "no checkpoint after the time limit: $*"
    status 0 -q --checkpoint state "$@" model
    cmp -s model expected || fail "another model with more time: $*"
    [ ! -e state ] || fail "the checkpoint is still there: $*"
}
with_more_time -j 1 -s proximal --metric none -e 0 -l 1e-7 -p 2000 "$blobs"
with_more_time -j 1 -s pegasos -l 1e-4 -p 1200 "$data/three.train"
with_more_time -j 1 -s bundle -l 1e-9 -e 1e-9 -p 400 "$blobs"

# A checkpoint that cannot be written is a warning.
rm -f state

# The search for gamma is not cut at a part of -t: with the gamma so far another model would come of it.
gamma_search=(-q -s fobos -r l1 -L logistic -l 1e-3 -p 20 "$blobs")
"$train" "${gamma_search[@]}" whole
for seconds in 0.002 0.003 0.0045 0.007 0.01 0.015 0.022 0.033 0.05; do
    "$train" --checkpoint state -t $seconds "${gamma_search[@]}" model 2>/dev/null
    "$train" --checkpoint state "${gamma_search[@]}" model 2>/dev/null
    cmp model whole || fail "the search for gamma goes on after -t $seconds with another model"
done
rm -f state
mkdir -p folder
(
    ulimit -f 8
    trap '' XFSZ
    status 0 -q --checkpoint folder/state:0 -s bundle -l 1e-5 -e 1e-6 "$data/line.train" -L squared model
    has 'warning: the checkpoint folder/state was not written' err || cat err
    exit $failures
) || failures=$((failures + 1))

operands=("$blobs" model)
refused 'FILE or FILE:SECONDS is expected' --checkpoint :5
refused 'would be written twice' --checkpoint model
refused 'would be read and overwritten' --checkpoint "$blobs"
exit $failures
