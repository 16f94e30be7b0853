#!/bin/bash
# cache.sh BIN - train --cache from the outside: the same model, what makes the cache anew, what is refused, and a cache
# that is cut while it is used.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

cp "$data/blobs.train" blobs
# makes WORDS ARGUMENTS...: a run with these arguments says the words, or nothing if they are empty.
makes() {
    local words=$1
    shift
    status 0 -q -c 1 "$@" blobs model
    cmp -s model expected || fail "another model: $*"
    status 0 -c 1 "$@" blobs model
    [ ! -s err ] || fail "said again: $(cat err)"
}

status 0 -q -c 1 blobs expected
status 0 -c 1 --cache blobs model
[ ! -s err ] || fail "the first time: $(cat err)"
[ -f blobs.cache ] || fail 'no blobs.cache'
cmp -s model expected || fail 'another model, the first time'
makes '' --cache
makes '' --cache=elsewhere
[ -f elsewhere ] || fail 'no cache elsewhere'

touch -d 2001-01-01 blobs
status 0 -c 1 --cache blobs model
has '^train: blobs.cache is made anew: the data has changed$' err
cmp -s model expected || fail 'another model, after a change'
head -c 5000 blobs.cache >cut && mv cut blobs.cache
status 0 -c 1 --cache blobs model
has '^train: blobs.cache is made anew: it has been cut$' err
status 0 -c 1 --cache --zero-based blobs model
has 'made with other options$' err
echo text >blobs.cache
status 1 -q -c 1 --cache blobs model
has '^blobs.cache: it is no cache and is not overwritten' err
[ "$(cat blobs.cache)" = text ] || fail 'a file that was no cache is gone'
: >blobs.cache
status 0 -q -c 1 --cache blobs model
[ ! -s err ] || fail "-q: $(cat err)"
cmp -s model expected || fail 'another model, of an empty file'
mkfifo pipe
status 1 -q -c 1 --cache=pipe blobs model
has '^pipe: a cache needs a regular file$' err

status 0 --cache-only blobs
has '^blobs.cache: 1000 examples, 60 features, 6656 nonzeros, 0.1 MB$' out
gzip -c blobs >blobs.gz
status 0 -q -c 1 --cache blobs.gz model
status 0 -q -c 1 --cache blobs.gz model
cmp -s model expected || fail 'another model of gzip data'
for _ in 1 2; do # a cache is mapped, so it is not compressed, whatever its name
    status 0 -q -c 1 --cache=cache.gz blobs model
    quiet 'a cache named as gzip'
    cmp -s model expected || fail 'another model of a cache named as gzip'
done
status 0 -q -c 1 --cache -v 3 blobs

# Weights may not change the cache.
yes 2 | head -n "$(wc -l <blobs)" >weights
status 0 -q -c 1 --weights weights blobs weighted
status 0 -q -c 1 --cache --weights weights blobs model
cmp -s model weighted || fail 'another model with weights'
makes '' --cache

# ---- larger than --memory

for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat blobs; done >many
status 0 -q --cache-only many
sleep 0.2 # made at once or later, the text is not read again
cmp -s <("$bin/train" --cache-only --cache=by-blocks --memory 1 many | cut -d: -f2) \
    <("$bin/train" --cache-only many | cut -d: -f2) || fail 'another cache, made by blocks'
cmp -s many.cache by-blocks || fail 'other bytes, made by blocks'
for solver in bundle bundle-ls proximal-bundle ocas 'mcpa --single-pass off' 'mcpa --single-pass on' cpa agm agm1 \
    'mcpa -L quantile -e 1e-2' 'mcpa -L epsilon --intercept -e 1e-2' 'lbfgs -L logistic'; do
    # shellcheck disable=SC2086 # words
    status 0 -q --cache -l 1e-3 -p 6 -s $solver many whole
    # shellcheck disable=SC2086
    status 0 --cache --memory 0.5 -l 1e-3 -p 6 -s $solver many windowed
    has '^train: warning: the examples take 1.92 MB, more than --memory allows; every pass reads the cache$' err
    cmp -s whole windowed || fail "another model by blocks: $solver"
done
status 0 --cache --memory 1.8 -l 1e-3 -p 6 -L absolute --intercept many windowed
has '^solver mcpa (by default)' out
# So many rows of few features begin with a sample.
awk 'BEGIN { srand(2); for (i = 0; i < 17000; i++) { a = rand(); b = rand(); c = rand()
    printf "%d 1:%.2f 2:%.2f 3:%.2f\n", (a + b > c + rand()), a, b, c } }' >sampled
status 0 -q --cache -l 1e-5 -s mcpa -L epsilon --intercept sampled whole
status 0 -q --cache --memory 0.3 -l 1e-5 -s mcpa -L epsilon --intercept sampled windowed
cmp -s whole windowed || fail 'another model by blocks, after a sample'
status 0 -q --cache --memory 0.5 -l 0.1 -s dcd many windowed
# A limit that cuts the last reading off leaves the bound.
status 0 -q --cache --memory 0.5 -l 1e-7 -e 1e-12 -t 0.1 -s dcd --report report many windowed
grep -q '"status": "limit"' report && grep -q '"bound": [0-9]' report || fail "no bound: $(cat report)"
status 2 --cache --memory 0.5 -l 0.1 -s dcd --intercept many model
has 'solver dcd needs all examples in memory (--memory); these can: ' err
status 2 --cache --memory 0.5 -s lps -L logistic -r l1 many model
has 'solver lps needs all examples in memory (--memory); these can: ' err
# The solver that ipm names where its memory does not do, does it.
for ask in '-L hinge' '-L absolute --intercept' '-L epsilon' '-L hinge -r l1' '-L hinge -r elastic-net --intercept'; do
    status 1 --cache --memory 0.5 $ask -s ipm many model
    remedy=$(sed -n 's/^train: ipm needs .*, more than --memory 0.5; use -s \([a-z0-9-]*\)$/\1/p' err)
    [ -n "$remedy" ] || fail "no remedy of ipm: $ask"
    status 0 -q --cache --memory 0.5 $ask -l 0.1 -p 3 -s "$remedy" many windowed
done
# The dual variables of ipm, about 100 bytes an example, and its matrices have to fit.
status 0 -q --cache -L logistic -l 1e-3 -s ipm many whole
status 0 -q --cache --memory 1.9 -L logistic -l 1e-3 -s ipm many windowed
[ "$(sed -n 's/^passes //p' whole windowed | tr '\n' ' ')" = '10 6 ' ] || fail 'not two readings an iteration: ipm -L logistic'
cmp -s <(grep -v ^passes whole) <(grep -v ^passes windowed) || fail 'another model by blocks: ipm -L logistic'
# So has an offset two readings, of two classes, where each step ends at the best offset.
awk '{ print NR % 7 ? NR % 3 : 0 }' many >many.weights
for options in '-L logistic' '-L squared-hinge' '-L logistic --weights many.weights'; do
    # shellcheck disable=SC2086
    status 0 -q --cache $options -l 1e-5 --intercept -e 1e-9 -s ipm many whole
    # shellcheck disable=SC2086
    status 0 -q --cache --memory 1.9 $options -l 1e-5 --intercept -e 1e-9 -s ipm --report report many windowed
    sed -n 's/^objective //p; s/^bound //p' whole windowed | tr '\n' ' ' |
        awk '{ exit !($4 <= $1 * (1 + 1e-12) && $2 <= $3 * (1 + 1e-12) && $3 - $4 <= 1e-9 * $3) }' ||
        fail "another optimum: ipm $options --intercept by blocks"
    awk '$1 ~ /"iterations"/ { n = $2 + 0 } END { exit !(n > 0 && passes <= 2 * n + 2) }' \
        passes="$(sed -n 's/^passes //p' windowed)" report || fail "not two readings an iteration: ipm $options --intercept"
done
# Without memory for them, Huber's loss has Newton steps: also from where it is a straight line at all examples.
for options in '--huber 0.5 -l 1e-6' '--huber 0.5 -l 1e-3 --intercept'; do
    # shellcheck disable=SC2086
    status 0 -q --cache -L huber $options -e 1e-9 -s ipm many whole
    # shellcheck disable=SC2086
    status 0 --cache --memory 1.8 -L huber $options -e 1e-9 many windowed
    has '^solver ipm (by default)' out
    sed -n 's/^objective //p; s/^bound //p' whole windowed | tr '\n' ' ' |
        awk '{ exit !($4 <= $1 * (1 + 1e-12) && $2 <= $3 * (1 + 1e-12) && $3 - $4 <= 1e-9 * $3) }' ||
        fail "another optimum: ipm -L huber $options by blocks"
done
awk 'BEGIN { srand(1); for (i = 0; i < 3600; i++) { s = 0; line = ""
    for (j = 1 + i % 3; j <= 60; j += 2 + (j % 3 == i % 2)) {
        x = int(2000 * rand()) / 1000 - 1; s += x * (j % 7 - 3); line = line " " j ":" x }
    print (s + 4 * rand() - 2 > 0 ? 1 : -1) line } }' >wide
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat wide; done >many-wide
status 0 -q --cache -l 1e-3 -e 0.1 -s ipm many-wide whole
status 0 -q --cache --memory 14.5 -l 1e-3 -e 0.1 -s ipm many-wide windowed
cmp -s whole windowed || fail 'another model by blocks: ipm'

# Larger than the machine's memory, here ulimit -d: where Linux can, what left the system's cache of files is read past
# it and put over the map, of which parts remain; the model is the same.
if [ -z "${PORTABLE-}" ] && [ -d /proc/self/fd ] && dd if=many-wide.cache iflag=direct bs=1M count=1 of=/dev/null 2>dd.err; then
    cat many-wide many-wide many-wide >large
    status 0 -q --cache-only large
    sync large.cache
    set -- -q -j 2 -l 1e-4 -e 0 -p 12 -s bundle --cache --memory 25
    status 0 "$@" large whole
    # stop_at ROWS ARGUMENTS...: the run in the background, stopped when its trace has so many rows; again if it was over
    # by then, as on a machine with other work.
    stop_at() {
        local rows=$1 _
        shift
        for _ in {1..9}; do
            rm -f trace
            (ulimit -d 50000 && exec "$bin/train" -T trace "$@" large windowed 2>err) &
            await_trace 1
            kill -STOP $!
            dd if=large.cache iflag=nocache count=0 2>dd.err
            kill -CONT $!
            await_trace "$rows"
            kill -STOP $! 2>shell.err && grep . /proc/$!/maps >maps && return
            wait $! || fail "exit $? with ulimit -d: $(cat err)"
        done
        fail "was over before it was looked at: $*"
    }
    stop_at 5 "$@"
    kill -CONT $!
    wait $! || fail "exit $? with ulimit -d: $(cat err)"
    [ "$(grep -c 'large.cache$' maps)" -gt 1 ] || fail 'nothing was read past the cache of files'
    cmp -s whole windowed || fail 'another model, read past the cache of files'
    # --memory leaves too little beside it, which the solver may need.
    stop_at 1 "$@" --memory 44
    ls -l /proc/$!/fd >open
    kill -KILL $!
    wait $! 2>shell.err
    grep -q trace open || fail 'not seen: a run that leaves no memory'
    ! grep -q 'large.cache$' open || fail 'read past the cache of files without memory for it'
    rm large large.cache trace
else
    echo 'skipped: what left the cache of files (no /proc, or files are not read past it, or a portable build)'
fi
status 1 --cache --memory 0.5 -s ipm many model
has '^train: ipm needs .* more than --memory 0.5; use ' err
status 2 --cache --memory 0.5 -v 3 many
has '^train: -v needs all examples in memory, 1.92 MB; raise --memory$' err
status 1 --cache --memory 0.5 -s proximal --metric dual many model
has '^train: --metric dual needs all examples in memory: raise --memory, or use --metric features$' err
status 0 -l 1e-3 --cache --memory 0.5 many model
has '^solver proximal-bundle (by default)' out

truncate -s 3G by-blocks
(ulimit -v 1500000 && timeout 60 "$bin/train" --cache=by-blocks -j 1 many model >out 2>err) && fail 'mapped beyond ulimit -v'
has '^by-blocks: 3221.23 MB cannot be mapped: .*; raise ulimit -v$' err
rm by-blocks

# ---- refused

status 2 --cache - model
has '^train: --cache needs a file, not standard input$' err
status 2 --cache=blobs blobs model
has 'would be read and overwritten' err
status 2 --cache=model blobs model
for option in --cache --report --trace; do
    status 2 -i expected $option=expected blobs model
    has '^train: expected would be read and overwritten$' err
done
status 2 --cache -s asset-on blobs model
has 'reads the text as a stream; leave out --cache$' err
status 1 --cache missing model
has '^missing: No such file' err
status 1 --cache-only --cache=/nowhere/cache blobs
status 0 -q -c 1 --cache=/nowhere/cache blobs model
status 0 -c 1 --cache=/nowhere/cache blobs model
has '^train: /nowhere/cache: no cache was written; training goes on without it$' err
has '^/nowhere/cache: ' err

# ---- cut while it is used

"$bin/train" -s pegasos -e 0 -p 1000000000 -t 60 -T trace --cache blobs running >out 2>err &
await_trace 1
: >blobs.cache
wait $!
[ $? -eq 1 ] || fail "exit $? of a run whose cache was cut"
has '^blobs.cache: the file became shorter while it was used$' err
[ ! -e running ] || fail 'a model of a run whose cache was cut'

# ---- written to while it is used: columns that lead outside, and numbers that crash nothing

# written_to AT STATUS WORDS BYTES [SIGNAL]: bytes of this device from there to the end of the cache of a run that goes
# on, which then gets the signal.
written_to() {
    local at=$1 wanted=$2 words=$3 bytes=$4 signal=${5-} got
    rm -f trace
    status 0 -q --cache-only --cache blobs
    "$bin/train" -s pegasos -e 0 -p 1000000000 -t 60 -T trace --cache blobs running >out 2>err &
    await_trace 1
    head -c "$(($(stat -c %s blobs.cache) - at))" "$bytes" |
        dd of=blobs.cache bs=64 seek=$((at / 64)) conv=notrunc 2>dd.err
    [ -z "$signal" ] || kill "-$signal" $!
    wait $! 2>shell.err
    got=$?
    [ $got -eq "$wanted" ] || fail "exit $got of a run whose cache was written to"
    has "^blobs.cache: the file was written to while it was used.*$words" err
    [ ! -e running ] || fail 'a model of a run whose cache was written to'
}
written_to 320 1 '$' /dev/urandom
written_to $(($(stat -c %s blobs.cache) - 64)) 143 'nothing is saved' /dev/zero TERM
written_to $(($(stat -c %s blobs.cache) - 64)) 1 '$' /dev/zero ABRT # as where the heap was written to

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
