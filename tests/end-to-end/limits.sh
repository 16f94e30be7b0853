#!/bin/bash
# limits.sh BIN - little memory: the same model where it suffices, in one line no model where it does not,
# and signals are heard.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# little KB COMMAND...: with so much address space.
little() {
    local limit=$1
    shift
    (
        ulimit -v "$limit" && exec timeout -s KILL 120 "$@"
    )
}
if ! little 150000 "$train" --version >out 2>&1; then
    echo "skipped: this program does not start with little memory (a sanitizer's)"
    exit 77
fi

for how in "-s ipm -l 1e-7" "-s ipm -L logistic --intercept" "--map nystrom --landmarks 300 -s ipm"; do
    # shellcheck disable=SC2086 # several words
    status 0 -q -j 1 $how "$data/blobs.train" plain
    # shellcheck disable=SC2086
    little 150000 "$train" -q -j 1 $how "$data/blobs.train" model >out 2>err </dev/null ||
        fail "$how: exit $? with 150 MB: $(cat err)"
    cmp -s plain model || fail "$how: another model with 150 MB"
done

# Weights that the machine cannot hold are refused before the training, which the system would kill.
for how in "--hash 28 -s pegasos" "--hash 28 -s asset-on" "--hash 28"; do
    rm -f model
    # shellcheck disable=SC2086 # several words
    little 800000 "$train" -q -j 1 $how "$data/blobs.train" model >out 2>err </dev/null
    [ $? -eq 1 ] || fail "$how: not exit 1 with 800 MB"
    [ "$(wc -l <err)" -eq 1 ] || fail "$how: more than a line: $(cat err)"
    has "^train: weights of 268435456 features take [0-9]* MB in training, more than this machine's 819 MB; lower --hash$" err
    [ ! -e model ] || fail "$how: a model without memory"
done
printf '1 900000000:1\n-1 1:1\n' >far
little 800000 "$train" -q -j 1 far model >out 2>err </dev/null
has "^train: weights of 900000000 features take .*; number the features from 1 on, or use --hash BITS$" err
for how in "--gamma-kernel 1" "--map nystrom --landmarks 2"; do
    # shellcheck disable=SC2086 # several words
    little 800000 "$train" -q -j 1 $how far model >out 2>err </dev/null
    has "^train: vectors of 900000000 features take .*; number the features from 1 on, or use --hash BITS$" err
done

awk 'BEGIN { for (i = 0; i < 4000; i++) print i % 2 * 2 - 1, 1 + i ":1 5000:1" }' >broad
little 300000 "$train" -q -j 1 -s ipm -L logistic broad model >out 2>err </dev/null
has '^train: ipm needs 400[.0-9]* MB for matrices of 5000 x 5000 and .* use -s proximal-bundle$' err

awk 'BEGIN { srand(1); for (i = 0; i < 4000; i++) print i % 2 ? 1 : -1, "1:" rand(), "2:" rand() }' >many
rm -f model
little 150000 "$train" -q -j 1 --map nystrom --landmarks 4000 many model >out 2>err </dev/null
[ $? -eq 1 ] || fail "4,000 landmarks: not exit 1 with 150 MB"
[ "$(wc -l <err)" -eq 1 ] || fail "4,000 landmarks: more than a line: $(cat err)"
has '^train: a map of size 4000 takes 512 MB, more than --memory ' err
[ ! -e model ] || fail "4,000 landmarks: a model without memory"

# Where memory for one more plane lacks, bundle ends with what it has, and names what goes on without planes.
awk 'BEGIN { srand(5); for (i = 0; i < 200; i++) { line = i % 2 * 2 - 1
    for (j = 1 + int(200 * rand()); j <= 100000; j += 1 + int(200 * rand())) line = line " " j ":1"
    print line } }' >wide
little 60000 "$train" -q -j 1 -s bundle -l 1e-7 -e 1e-9 -p 300 wide model >out 2>err </dev/null ||
    fail "bundle: exit $? with 60 MB: $(cat err)"
has '^train: warning: memory for one more gradient ended progress at a certified gap of ' err
has '; -s bundle-ls keeps none; with -i it goes on from here$' err
has '^bound [0-9]' model
"$train" -q -s bundle-ls -l 1e-7 -p 2 -i model wide next >out 2>err || fail "after bundle: $(cat err)"

# A kernel machine takes no more than --dry-run says: the cache, and 200 bytes a row.
awk 'BEGIN { srand(1); for (i = 0; i < 200000; i++) printf "%d 1:%.3f 2:%.3f\n", i % 2 * 2 - 1, rand(), rand() }' >rows
for how in "-L hinge" "-L epsilon"; do
    how="-j 1 -s smo $how --basis 1 --kernel-cache 40"
    # shellcheck disable=SC2086 # several words
    status 0 --dry-run $how rows
    megabytes=$(sed -n 's/^memory about \([0-9]*\).*, solver at most [0-9.]* MB$/\1/p' out)
    [ -n "$megabytes" ] || { fail "$how: no estimate: $(cat out)"; continue; }
    # shellcheck disable=SC2086 # several words
    (ulimit -d "${megabytes}000" && exec "$train" -q -e 1e9 $how rows model) >out 2>err ||
        fail "$how: exit $? with $megabytes MB: $(cat err)"
done

# Memory that may not suffice is said before the training.
(ulimit -d 25000 && exec "$train" -q -j 1 -s bundle --intercept rows model) >out 2>err
has '^train: warning: this takes about 3[0-9.]* MB of memory, and there are 25\.6: the system may end it without a word; use --cache, -B 1 in place of --intercept, or another solver (--dry-run tells what it takes)$' err
(ulimit -d 90000 && exec "$train" -q -j 1 -s bundle --intercept rows model) >out 2>err || fail "exit $? with 90 MB: $(cat err)"
has_not 'MB of memory' err

# The peak of the memory in kB, or the pages that were asked for.
used() { # %M or %R, BOUND, ARGUMENTS...
    local what=$1 bound=$2 number
    shift 2
    number=$(/usr/bin/time -f "$what" "$train" -qq -j 1 "$@" model 2>&1 | tail -n 1)
    [ "$number" -lt "$bound" ] || fail "$what is $number, not below $bound: $*"
}
if has_tools 'peaks of memory' /usr/bin/time && getconf GNU_LIBC_VERSION >libc 2>/dev/null; then
    # arrays grow where they are while packed data are loaded: 5 MB of examples
    awk 'BEGIN { srand(7); for (i = 0; i < 9000; i++) { line = i % 2 * 2 - 1
        for (j = 1; j <= 46; j++) line = line " " j ":" int(1000 * rand()) / 1000
        print line } }' | gzip -1 >packed
    used %M 14000 -s proximal -p 1 packed
    # one label after another takes the arrays of the one before
    awk 'BEGIN { srand(2); for (i = 0; i < 4000; i++) { line = i % 20
        for (j = 1 + i % 7; j <= 60000; j += 1 + int(4000 * rand())) line = line " " j ":" int(1000 * rand()) / 1000
        print line } }' >labels
    used %R 6000 -s proximal labels
    # 16 MB of weights of all pairs are not beside 26 MB of the solver
    awk 'BEGIN { for (r = 0; r < 10000; r++) { line = r % 20 + 1 " qid:" int(r / 2) + 1
        for (j = 1; j <= 10; j++) line = line " " r * 10 + j ":1"
        print line } }' >pairs
    used %M 43000 -L crf -s sdca -p 3 --state-features attested pairs
fi

(
    ulimit -v 150000
    exec "$train" -j 1 -s ipm -l 1e-7 -e 1e-6 -v 4000 -T trace many >out 2>err </dev/null
) &
process=$!
await_trace 20
kill -TERM $process
wait $process
has '^interrupted: ' out
exit $((failures > 0))
