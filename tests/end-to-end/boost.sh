#!/bin/bash
# boost.sh BIN - LPBoost from the command line: both forms, of one vector and several, models that predict,
# and one-line errors for options that exclude each other.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# The samples with their values in [-1, 1].
scale() { # FILE
    awk '{
        for (i = 2; i <= NF; i++) {
            split($i, a, ":")
            $i = a[1] ":" sprintf("%.6f", a[2] > 0 ? a[2] / (1 + a[2]) : a[2] / (1 - a[2]))
        }
        print
    }' "$1"
}
for name in blobs.train blobs.test three.train three.test; do
    scale "$data/$name" >$name
done

operands=(blobs.train model)

objective() { sed -n 's/^objective //p' model; }

near() { # A B TOLERANCE
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t && b - a <= t) }' || fail "$1 is not $2"
}

# The minimal risk is the same for all solvers.
for set in '-r simplex' '--ball l1=1' '-r entropy -l 0.01'; do
    # shellcheck disable=SC2086
    status 0 -q --strict -e 1e-4 -L boost $set blobs.train model
    quiet "$set"
    first=$(objective)
    for solver in 'agm --form dual' 'agm1 --form primal' 'agm1 --form dual' \
        'agm --smoothing fixed' 'agm --lipschitz fixed'; do
        case $set$solver in *entropy*smoothing*) continue ;; esac # nothing is smoothed
        # shellcheck disable=SC2086
        status 0 -q --strict -e 1e-4 -L boost -s $solver $set blobs.train model
        near "$(objective)" "$first" 2e-4
    done
done
status 0 -q --strict -e 1e-4 -s bundle -L boost -r entropy -l 0.01 blobs.train model
near "$(objective)" "$first" 2e-4

status 0 --strict -L boost --nu 20 --eta 50 --ball l1=1 --report report blobs.train model
quiet 'with --nu and --eta'
has 'solver agm (by default), objective' out
has '^loss boost$' model
has '^nu 20$' model
has '^eta 50$' model
has '^ball 1$' model
has '"nu": 20' report
"$bin/predict" blobs.test model predictions >out || fail 'predict'
awk -F'[ =%]+' '/^Accuracy/ { found = $2 >= 80 } END { exit !found }' out || fail "$(cat out)"
"$bin/predict" -b 1 blobs.test model predictions >out 2>err && fail 'probabilities of boost'
has '^predict: -b 1: .*boost, has no probabilities' err

# Simplex: the weights sum to 1. The default of nu is a tenth of the rows.
status 0 -q --strict -L boost blobs.train model
has '^regularizer simplex$' model
has_not '^lambda' model
sed '1,/^w /d;/^end/d' model | sed 's/.*://' | awk '{ s += $1; bad += $1 < 0 }
    END { exit !(s > 1 - 1e-9 && s < 1 + 1e-9 && !bad) }' || fail 'weights off the simplex'
rows=$(wc -l <blobs.train)
has "^nu $((rows / 10))\$" model

# Three labels, folds, a label against the rest, a start, threads.
status 0 -q --strict -L boost --ball l1=1 three.train model
"$bin/predict" -q three.test model predictions || fail 'predict three labels'
status 0 -q --strict -L boost --ball l1=1 -i model three.train again
status 0 -q --strict -L boost --ball l1=1 -P 2 three.train again
status 0 -q --strict -v 3 -L boost --ball l1=1 blobs.train
has 'Cross Validation Accuracy' out
status 0 -q --strict -j 1 -L boost blobs.train model
status 0 -q --strict -j 2 -i model -L boost blobs.train again
status 0 -q --strict -j 2 -L boost blobs.train again
cmp -s model again || fail 'threads change the model'

# A class of all examples but one; equal weights change nothing.
sed 's/^/1 /; 1s/^1 /-1 /; s/^\(-\?1\) [^ ]*/\1/' blobs.train >one
status 0 -q --strict -L boost --ball l1=1 one again
status 0 -q --strict -w 1=2 -w -1=2 -L boost blobs.train again

# Without features no weights sum to 1.
printf '1\n-1\n' >bare
for options in '-r simplex' '-r entropy'; do
    # shellcheck disable=SC2086
    status 1 -q -L absolute $options bare model
    has "bare: no features: with $options the weights sum to 1" err
    # shellcheck disable=SC2086
    status 0 -q -L absolute $options -B 1 bare model
done

refused '^train: solver ipm cannot take -L boost; these can: agm, agm1$' -s ipm -L boost
refused '^train: solver proximal cannot take -L boost' -s proximal -L boost
refused '^train: solver bundle cannot take -L boost with -r simplex; these can: agm, agm1$' -s bundle -L boost
refused '^train: solver lps cannot take -L boost; these can: bundle, agm, agm1$' -s lps -L boost -r entropy
refused '^train: -L boost needs -r simplex, -r entropy, or --ball l1=Z with Z at most 1$' -L boost -r l2
refused '^train: -L boost needs -r simplex, -r entropy, or --ball l1=Z with Z at most 1$' -L boost -r l1
refused '^train: -L boost needs -r simplex, -r entropy, or --ball l1=Z' -L boost --ball l1=1.5
refused '^train: -L boost needs -r simplex, -r entropy, or --ball l1=Z' -L boost --ball elastic-net=1
refused '^train: -L boost takes its features as they are: no -B, no --intercept$' -L boost -B 1
refused '^train: -L boost takes its features as they are: no -B, no --intercept$' -L boost --intercept
refused '^train: -l and -r simplex exclude each other' -L boost -l 3
refused '^train: --nu 0.5: out of range: at least 1$' -L boost --nu 0.5
refused "^train: --nu 1e+06: out of range: there are $rows examples\$" -L boost --nu 1e6
half=$((rows / 2))
status 2 -v 2 -L boost --nu $((half + 5)) blobs.train
has "^train: --nu $((half + 5)): out of range: there are $half examples without fold 1\$" err
refused '^train: --eta 0: out of range: more than 0$' -L boost --eta 0
refused '^train: --nu is for -L nu-hinge, nu-epsilon, one-class and boost, not for -L hinge$' --nu 2
refused '^train: --eta is for -L boost, not for -L logistic$' --eta 2 -L logistic
refused '^train: -L boost needs examples of one weight' -L boost -w 1=3
refused '^train: -L boost, -r simplex, -k\|^train: no solver can do all of -L boost, -r simplex, -k$' -L boost -k 3
refused '^train: unknown loss boots; did you mean boost?$' -L boots
refused '^train: --form excessive-gap cannot take -L boost, which has --form primal and dual$' \
    -s agm --form excessive-gap -L boost
refused '^train: --lipschitz fixed cannot take -L boost with --form dual$' \
    -s agm --form dual --lipschitz fixed -L boost
refused '^train: --prox and --strong cannot take -L boost$' -s agm --strong 1 -L boost
for option in '--mu 0.1' '--smoothing fixed'; do
    # shellcheck disable=SC2086
    refused '^train: --mu and --smoothing fixed cannot take -L boost with --form dual, where nothing is smoothed' \
        -s agm --form dual $option -L boost
    # shellcheck disable=SC2086
    refused '^train: --mu and --smoothing fixed cannot take -L boost with -r entropy, where nothing is smoothed' \
        -s agm1 $option -L boost -r entropy
done

status 1 -L boost -r entropy -s agm -p 1 "${operands[@]}"
has '^train: the limit of 1 passes (-p) came before a finite objective was found, so there is no model; raise -p$' err

printf '# a comment\n1 1:0.5\n\n-1 1:1 3:-1.5\n' >wide
status 1 -L boost wide model
has '^wide:4: feature 3 is -1.5; -L boost needs features in \[-1, 1\]$' err
status 1 -L boost --zero-based wide model
has '^wide:4: feature 3 is' err
printf '1 1:0.5\n1 1:1\n' >single
status 1 -L boost single model
has 'only one label' err

"$train" -L help >out
has '^  boost ' out
"$train" -s proximal --help >out
has 'all but nu-hinge, nu-epsilon, one-class, boost' out
"$train" -s agm --help >out
has 'losses  *all' out
has_not '^  losses .*boost' out
exit $failures
