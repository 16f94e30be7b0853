#!/bin/bash
# dry_run.sh BIN - train --dry-run: what it says of data, features, memory and the solver; it trains nothing.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

cp "$data/blobs.train" blobs
status 0 --dry-run blobs model
[ ! -e model ] || fail 'a model'
has '^examples 1000, features 60, nonzeros 6656 (11.1%), labels 2$' out
has '^values of features are of sizes from [0-9.]* to [0-9.]*$' out
has '^memory about 5[.0-9]* MB of [0-9]* MB: examples 0.0959 MB, weights 0.00048 MB, solver ' out
has '^solver ipm: the hinge, at most 1000 features, if an estimate of its time' out
status 0 --dry-run -s bundle blobs
has ', solver 0.0238 MB, and more in each pass, at most 0.00048 MB$' out
has '^solver bundle (-s); by default ipm: ' out
# 11 numbers a row and feature, 2 matrices with a vector each, and 3 sums over 27 blocks of rows
status 0 --dry-run -s ipm blobs
has ', solver 0.191 MB$' out
status 1 -s ipm --memory 0.1 blobs model # and less than a megabyte is told
has '^train: ipm needs 0\.0[0-9]* MB for matrices of 60 x 60 and 0\.[0-9]* MB for 1000 rows, more than --memory 0\.1; ' err
status 0 --dry-run -r l1 -L logistic -s rda blobs
has ', solver 0.115 MB$' out # with the matrix of the certificate at its end
has '^solver rda (-s); by default lps: l1 or elastic net, and a smooth loss$' out
status 0 --dry-run -s smo --sigma 1 blobs # the rows that it needs are not known before
has ', solver at most [0-9.]* MB$' out
status 0 --dry-run -s pdsg --sigma 1 blobs
has ', and what the solver takes, which is not known$' out

# Of several numbers of landmarks the largest counts.
status 0 --dry-run --search --map nystrom --landmarks 80 blobs
grep '^memory' out >most
for list in 5,80,20 5,20,80 80,5,20; do
    status 0 --dry-run --search --map nystrom --landmarks $list blobs
    grep -qxFf most out || fail "memory of another number of landmarks than 80: $(cat out)"
done

# What is said of the memory is within a factor of the peak.
peak_is_near() { # DATA ARGUMENTS...
    local said peak set=$1
    shift
    status 0 --dry-run "$@" "$set"
    has_not 'not known' out
    said=$(sed -n 's/^memory about \([0-9.]*\) MB.*/\1/p' out)
    peak=$(/usr/bin/time -f %M "$train" -qq -j 2 "$@" "$set" model 2>&1 | tail -n 1)
    awk -v said="$said" -v peak="$peak" -v factor=$factor 'BEGIN { peak *= 1.024e-3; exit !(said < factor * peak && peak < factor * said) }' ||
        fail "memory about $said MB, and the peak is $peak kB: $*"
}
if [ -n "${COUNTS_LINES-}" ]; then
    echo 'skipped: peaks of memory (programs that count lines take more)'
elif has_tools 'peaks of memory' /usr/bin/time; then
    factor=1.25
    awk 'BEGIN { srand(1); for (i = 0; i < 12000; i++) { s = 0; line = ""
        for (j = 1; j <= 40; j++) { x = int(2000 * rand()) / 1000 - 1; s += x * (j % 7 - 3); line = line " " j ":" x }
        print (s + 4 * rand() - 2 > 0 ? 1 : -1) line } }' >dense
    for solver in 'lps -p 40' 'rda+ -p 40' rda fobos tg sgd; do
        peak_is_near dense -p 4 -s $solver -L logistic -r l1 -l 1e-6
    done
    for solver in asset 'asset*' pegasos adaptive; do
        peak_is_near dense -p 4 -s "$solver" -l 1e-4
    done
    head -n 4000 dense >fewer
    peak_is_near fewer -s smo --kernel-cache 40 --sigma 1 -l 1e-3 # rows fill what the largest block leaves
    factor=1.5
    awk 'BEGIN { srand(3); for (i = 0; i < 60000; i++) {
        x = rand() - 0.5; print (x > 0 ? 1 : -1), "1:" x " 2:" rand() } }' >easy
    peak_is_near easy -p 40 -s dcd -l 1e-3
    peak_is_near easy -p 40 -s dcd -l 1e-3 --intercept
    peak_is_near easy -p 40 -s bundle -l 1e-3 --intercept
    awk '{ print NR % 2 * 2 - 1, $2, $3 }' easy >hard # many examples stay free
    peak_is_near hard -p 40 -s dcd -l 1e-6
    awk 'BEGIN { srand(2); for (i = 0; i < 4000; i++) { line = i % 20
        for (j = 1 + i % 7; j <= 8000; j += 1 + int(400 * rand())) line = line " " j ":" int(1000 * rand()) / 1000
        print line } }' >classes
    factor=1.25
    for solver in 'sdm -L crammer-singer' 'sdca -L softmax' 'proximal -L crammer-singer'; do
        peak_is_near classes -s $solver -l 1e-2 -p 3
    done
fi

printf '1 1:1 2:50000\n-1 1:2 2:-30000\n' >apart
status 0 --dry-run apart
has '^values of features are of sizes from 1.58 to 4.12e+04: far apart; `scale` brings them together' out
printf '2.5 qid:1 1:1\n1 qid:1 1:2\n3 qid:2 1:3\n' >queries
status 0 --dry-run -L ndcg queries
has '^examples 3, features 1, nonzeros 3 (100%), groups 2$' out
timeout 60 "$bin/train" --dry-run - <blobs >piped 2>err || fail "from standard input: $(cat err)"
has '^examples 1000, ' piped
for i in 1 2 3 4 5 6 7 8 9 10; do cat blobs; done >many
status 0 --dry-run --cache --memory 0.5 -s lbfgs -L logistic many
has '^examples of 0.959 MB do not stay in memory (--memory)$' out
has '^values of features are of sizes from [0-9.]* to [0-9.]*$' out
awk 'BEGIN { for (i = 0; i < 60000; i++) print i % 2 * 2 - 1, "1:" i % 7 " 2:" i % 5 + 0.5 " 3:" i % 3 + 0.25 }' >narrow
status 0 --dry-run --cache --memory 2.6 -L logistic narrow
has '^solver ipm: smooth losses, at most 1000 features, and a cache larger than --memory' out
status 0 --dry-run --cache --memory 1.9 -L logistic narrow
has '^solver proximal-bundle: ' out

# An interior point of many features is chosen where it fits in --memory.
awk 'BEGIN { for (i = 0; i < 60; i++) { line = i % 2 * 2 - 1
    for (j = 1 + i % 7; j <= 1500; j += 7) line = line " " j ":" (i + j) % 5 + 1
    print line } }' >broad
status 0 --dry-run -r l1 broad
has '^solver ipm: l1, a loss with kinks' out
status 0 --dry-run -r l1 --memory 0.5 broad
has '^solver agm: ' out

# A kernel machine has 16 bytes an example for each basis function: 30 of them 0.48 MB more than one of 1000 examples.
solver_memory() { # LIST: MB of the solver
    status 0 --dry-run -s smo --basis "$1" "$data/blobs.train" && sed -n 's/.*, solver at most \([0-9.]*\) MB$/\1/p' out
}
awk -v few="$(solver_memory 1)" -v many="$(solver_memory "1,$(seq -s , 2 31)")" \
    'BEGIN { exit !(many - few > 0.4 && many - few < 0.6) }' || fail 'memory of basis functions'

# ---- refused

status 2 --dry-run -s asset-on blobs
has 'solver asset-on reads the text as a stream; leave out --dry-run$' err
status 1 --dry-run missing
has '^missing: No such file' err

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
