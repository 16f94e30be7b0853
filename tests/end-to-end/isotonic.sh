#!/bin/bash
# isotonic.sh BIN - probabilities by isotonic regression: train -b 1 --calibration isotonic, what predict makes of the
# line of the model, folds, and what is refused.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# ---- of two labels: linear between the knots of the model

status 0 -q -b 1 --calibration isotonic -c 1 "$data/blobs.train" model
has '^isotonic ' model
! grep -q '^sigmoid' model || fail 'a sigmoid, too'
run 0 predict -q -d "$data/blobs.test" model scores
run 0 predict -q -b 1 "$data/blobs.test" model probabilities
{ sed -n 's/^isotonic //p' model; grep -v '^labels' scores; } >both
awk 'NR == 1 { n = $1; for (i = 0; i < n; i++) { x[i] = $(2 + 2 * i); y[i] = $(3 + 2 * i) } next }
    { u = $2
      for (i = 0; i < n && x[i] <= u; i++);
      print i == 0 ? y[0] : i == n ? y[n - 1] : y[i - 1] + (y[i] - y[i - 1]) * (u - x[i - 1]) / (x[i] - x[i - 1]) }' \
    both >wanted
sed 1d probabilities | awk '{ print $2 }' >ours
[ "$(wc -l <wanted)" = "$(wc -l <ours)" ] || fail 'not as many probabilities as scores'
paste -d ' ' wanted ours | awk '($1 - $2)^2 > 1e-10 { exit 1 }' || fail 'not the function of the model'

# ---- several labels, folds, further training

for options in '-c 1' '-c 1 --multiclass ovo' '-L crammer-singer -c 1'; do
    # shellcheck disable=SC2086 # words
    status 0 -q -b 1 --calibration isotonic $options "$data/three.train" model
    run 0 predict -q -b 1 "$data/three.test" model out
    sed 1d out | awk '{ s = $2 + $3 + $4 } (s - 1)^2 > 1e-8 || $2 < 0 || $3 < 0 || $4 < 0 { exit 1 }' ||
        fail "$options: no probabilities"
    # shellcheck disable=SC2086 # words
    status 0 -q -i model -b 1 $options "$data/three.train" again
done
status 0 -q -b 1 --calibration isotonic -v 3 --measure brier-score --path 2,1,1e-2 "$data/blobs.train"
has '^Brier score = 0\.' out

# ---- what is refused

refused 'calibration is for -b 1' --calibration isotonic nofile
refused 'calibration is for -b 1' -b 1 -L logistic --calibration isotonic nofile
status 0 -q -b 1 --calibration isotonic -c 1 "$data/blobs.train" model
for change in 's/^isotonic [0-9]*/isotonic 0/' 's/^isotonic [0-9]*/isotonic 1/' 's/^isotonic .*/isotonic 1 0 1.5/' \
    's/^isotonic .*/isotonic 2 1 0.5 0 0.6/' 's/^isotonic .*/isotonic 2 0 0.6 1 0.5/' \
    's/^isotonic .*/isotonic 9999999999999 0 0.6/' 's/^isotonic .*/isotonic 1 0 0.5 1 0 0.5/' \
    's/^isotonic .*/&\nsigmoid -1 0/'; do
    sed "$change" model >bad
    sorry 1 '^bad:[0-9]*:' predict "$data/blobs.test" bad out
done

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
