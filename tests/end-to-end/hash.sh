#!/bin/bash
# hash.sh BIN - features with names: the model says how they were hashed, and predict does the same; files and streams;
# data of numbers keep their weights.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
predict=$bin/predict
blobs=$data/blobs.train

weights() { sed -n '/^w /,$p' "$1" | grep : ; }

# Numbers are themselves: the same weights as without --hash, at the same places.
for solver in asset-on dcd; do
    status 0 -q -s $solver -l 1e-3 "$blobs" plain
    status 0 -q -s $solver -l 1e-3 --hash 10 "$blobs" hashed
    has '^hash 10$' hashed
    has_not '^hash' plain
    has '^features 1024$' hashed
    weights hashed | cut -d : -f 2 >places
    sed -n '/^w dense/,/^end/p' plain | sed '1d;$d' >all
    cmp -s all places || fail "$solver: other weights of numbers with --hash"
done

# The same data with words for numbers, in another order: a permutation of the weights, so the same predictions.
words() { awk '{ printf "%s", $1; for (i = NF; i > 1; i--) { split($i, f, ":"); printf " word=%s:%s", f[1], f[2] } print "" }' "$1"; }
words "$blobs" >named
words "$data/blobs.test" >named.test
for options in '-s dcd -e 1e-9' '-s asset-on' '-s proximal --metric none' '-L logistic -B 1 -e 1e-11'; do
    # shellcheck disable=SC2086
    status 0 -q $options -l 1e-2 "$blobs" plain
    # shellcheck disable=SC2086
    status 0 -q $options -l 1e-2 --hash 16 named hashed
    "$predict" -d -q "$data/blobs.test" plain out.plain && "$predict" -d -q named.test hashed out.hashed || fail "predict $options"
    paste out.plain out.hashed | awk 'NR > 1 { d = $2 - $4; if (d > 1e-4 || d < -1e-4) exit 1 }' || fail "other scores of names: $options"
done
"$train" -q -s asset-on -l 1e-2 --hash 20 - piped <named || fail 'names of a pipe'
status 0 -q -s asset-on -l 1e-2 --hash 20 named file
cmp -s piped file || fail 'another model of a pipe of names'
status 0 -q -s dcd -j 1 --hash 18 named one
status 0 -q -s dcd -j 3 --hash 18 named three
cmp -s one three || fail 'another model of more threads'

# Words without values; a word twice counts twice; a model to begin with has the same hash.
printf '1 dog dog cat\n-1 cow horse\n1 dog\n-1 cow\n' >text
printf '1 dog:2 cat:1\n-1 cow horse:1\n1 dog\n-1 cow:1\n' >values
status 0 -q --hash 18 text model
status 0 -q --hash 18 values other
cmp -s model other || fail 'dog dog is not dog:2'
"$predict" text model out | grep -q '100%' || fail 'words are not learned'
status 0 -q -s dcd --hash 18 --report report text model
has '"hash": 18' report
status 0 -q -s dcd -i model --hash 18 text other
status 1 -q -s dcd -i model --hash 17 text other
has 'trained with --hash 18' err
status 1 -q -s dcd text other
has 'text:1:3: no colon in "dog"' err
printf '1 dog cat:x\n' >bad
status 1 -q -s asset-on --hash 18 bad other
has 'bad:1:11: malformed value in "cat:x"' err
status 1 -q --hash 18 bad other
has 'bad:1:11: malformed value in "cat:x"' err
printf '1 dog\n-1 cat:\n' >bad
"$predict" bad model out 2>err && fail 'a bad word is predicted'
has 'bad:2:8: missing value in "cat:"' err
refused '1 to 30' --hash 31 text model
refused '1 to 30' --hash 0 text model
exit $((failures > 0))
