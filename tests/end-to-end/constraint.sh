#!/bin/bash
# constraint.sh BIN - the simplex and balls from the command line: weights that keep the constraint, models
# that can be read, summaries and reports without lambda, and one-line errors for options that exclude each other.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

operands=("$data/blobs.train" model)

# The sums of |w|, w and w^2 of the model.
sums() { sed '1,/^w /d;/^end/d' model | sed 's/.*://' | awk '
    { a += $1 < 0 ? -$1 : $1; s += $1; q += $1 * $1 } END { printf "%.12g %.12g %.12g\n", a, s, q }'; }

keeps() { # AWK-CONDITION on a (sum of |w|), s (sum), q (squares)
    sums | awk "{ a = \$1; s = \$2; q = \$3; exit !($1) }" || fail "sums $(sums), not $1"
}

for loss in hinge logistic squared-hinge; do
    status 0 --strict -L $loss --ball l1=1.5 --report report "$data/blobs.train" model
    quiet "$loss"
    has 'solver agm (by default), objective' out
    has_not lambda out
    has '"ball": 1.5' report
    has '"lambda": null' report
    has '^regularizer l1-ball$' model
    has '^ball 1.5$' model
    has_not '^lambda' model
    keeps 'a <= 1.5000001'
    status 0 -q --strict -s agm1 -L $loss --ball elastic-net=0.5 --elastic 0.25 "$data/blobs.train" model
    has '^elastic 0.25$' model
    keeps '0.125 * q + 0.75 * a <= 0.5000001'
    status 0 -q --strict -L $loss -r simplex "$data/blobs.train" model
    has '^regularizer simplex$' model
    keeps 's > 0.999999 && s < 1.000001 && a < 1.000001'
    "$bin/predict" -q "$data/blobs.test" model out || fail "predict: $loss"
done

# Three labels, folds, a start, weights, a bias.
status 0 -q --strict --ball l1=1 -L logistic -B 1 -w 1=2 "$data/three.train" model
status 0 -q --strict --ball l1=1 -L logistic -B 1 -w 1=2 -i model "$data/three.train" again
status 0 --strict -v 3 --ball l1=1 -L squared "$data/line.train"
has 'Mean squared error\|Cross Validation' out
status 0 -q --ball l1=1e9 -i again -L logistic -B 1 -p 5 -e 0 "$data/three.train" model

# Values whose squares are no numbers: a projection of what comes of them would not end, not by a signal either.
ulimit -S -t 60
printf '1 1:1e160\n-1 1:1 2:1\n' >huge
for options in '--ball l1=1' '--ball elastic-net=2' '-r simplex'; do
    # shellcheck disable=SC2086
    status 1 -q $options -t 5 huge model
    has '^train: the values of the data are too large for a ball or the simplex' err
    # shellcheck disable=SC2086
    status 0 -q $options --scale max huge model
done

refused '^train: -r and --ball exclude each other: a ball replaces -r$' --ball l1=2 -r l1
refused '^train: -l and --ball exclude each other: a constraint has no lambda$' --ball l1=2 -l 3
refused '^train: -c and --ball exclude each other: a constraint has no lambda$' --ball l1=2 -c 3
refused '^train: -l and -r simplex exclude each other: a constraint has no lambda$' -r simplex -l 3
refused '^train: --ball l2=1: l1=Z or elastic-net=Z is expected$' --ball l2=1
refused '^train: --ball =1: l1=Z or elastic-net=Z is expected$' --ball =1
refused '^train: --ball l1: l1=Z or elastic-net=Z is expected$' --ball l1
refused '^train: --ball l1=: the size must be a finite number$' --ball l1=
refused '^train: --ball l1=nan: the size must be a finite number$' --ball l1=nan
refused '^train: --ball l1=inf: the size must be a finite number$' --ball l1=inf
refused '^train: --ball l1=0: out of range: a size is above 0$' --ball l1=0
refused '^train: --ball l1=-2: out of range: a size is above 0$' --ball l1=-2
refused '^train: -r l1-ball: a ball needs a size; see --ball$' -r l1-ball
refused '^train: --ball elastic-net needs --elastic below 1$' --ball elastic-net=1 --elastic 1
refused '^train: --elastic is for -r elastic-net and --ball elastic-net, not for --ball l1$' --ball l1=1 --elastic 0.5
refused '^train: solver lps cannot take --ball l1; these can: agm, agm1$' -s lps -L logistic --ball l1=1
refused '^train: solver bundle cannot take -r simplex; these can: agm, agm1$' -s bundle -r simplex
refused '^train: --path needs a lambda, which a constraint does not have' --ball l1=1 --path 3

"$train" -r help >out
has '^  simplex ' out
has '^  l1-ball .*--ball l1=Z' out
exit $failures
