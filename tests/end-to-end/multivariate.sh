#!/bin/bash
# multivariate.sh BIN - F1, precision and the breakeven point from the command line: one optimum by all solvers,
# which is cvxopt's over all label vectors; models that predict; and one-line errors for options that exclude each
# other.
set -u
# shellcheck source=tests/outside.sh disable=SC2154
. "$(dirname "$0")/../outside.sh"

operands=("$data/blobs.train" model)
objective() { sed -n 's/^objective //p' model; }
near() { # A B RELATIVE
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a - b <= t * b && b - a <= t * b) }' ||
        fail "$1 is not $2"
}

fewer='precision --at 50' # than the 386 positives: no smoothed form, so no agm
for loss in f1 precision prbep 'precision --at 450' "$fewer"; do
    # shellcheck disable=SC2086
    status 0 -q --strict -e 1e-4 -s bundle -L $loss -l 0.01 "${operands[@]}"
    first=$(objective)
    for solver in bundle-ls proximal-bundle agm agm1 'agm --smoothing fixed'; do
        if [ "$loss" = "$fewer" ] && [ "${solver#agm}" != "$solver" ]; then
            # shellcheck disable=SC2086
            status 1 -q -s $solver -L $loss "${operands[@]}"
            grep -q 'at 50, less than the 386 positives, has no smoothed form; -s bundle needs none' err ||
                fail "$solver: $(cat err)"
            continue
        fi
        # shellcheck disable=SC2086
        status 0 -q --strict -e 1e-3 -s $solver -L $loss -l 0.01 "${operands[@]}"
        near "$(objective)" "$first" 2e-3
    done
done

# The first 50 of the data are positive, at any lambda.
for lambda in 1e-1 1e-3 1e-5; do
    # shellcheck disable=SC2086
    status 0 -q -L $fewer -l $lambda "${operands[@]}"
    "$bin/predict" -q -d "$data/blobs.train" model out || fail "predict of $fewer"
    wrong=$(paste -d ' ' <(awk '{ print $1 }' "$data/blobs.train") <(tail -n +2 out) | sort -k3,3gr |
        awk 'NR <= 50 && $1 <= 0' | wc -l)
    [ "$wrong" -eq 0 ] || fail "$fewer at $lambda: $wrong of the first 50 are negative"
done

# precision@K, with the K of the model; of a test set with fewer rows, of all of them.
"$bin/predict" -d --report report "$data/blobs.test" model out >measures || fail "predict of $fewer"
precision() { # FILE: of the 50 that stand first in `out`
    paste -d ' ' <(awk '{ print $1 }' "$1") <(tail -n +2 out) | sort -k3,3gr |
        awk 'NR <= 50 { n++; good += $1 > 0 } END { print good / n }'
}
grep -qx "precision@50 = $(precision "$data/blobs.test")" measures || fail "precision@50: $(cat measures)"
grep -q '"precision@50": [01]' report || fail "no precision@50 in the report"
head -n 20 "$data/blobs.test" >twenty
"$bin/predict" -d twenty model out >measures || fail "predict of twenty rows"
grep -qx "precision@50 = $(precision twenty)" measures || fail "twenty rows: $(cat measures)"
status 0 -v 3 -L $fewer -l 1e-2 "$data/blobs.train"
grep -q '^precision@50 = ' out || fail "no precision@50 of folds"

# Two labels, and three, one against the rest: predictions better than chance.
for loss in f1 prbep; do
    for set in blobs three; do
        status 0 -q -L $loss -l 1e-4 -B 1 "$data/$set.train" model
        "$bin/predict" "$data/$set.test" model out >measures || fail "predict $set"
        awk '/^Accuracy/ { exit !($3 + 0 > 80) }' measures || fail "$loss, $set: $(head -1 measures)"
    done
done

# The same without smoothing, which the bundle does not need, by any number of threads.
for threads in 1 3; do
    status 0 -q -L f1 -s agm -p 30 -l 1e-3 --threads $threads "$data/blobs.train" model.$threads
done
cmp -s <(grep -v seconds model.1) <(grep -v seconds model.3) || fail "threads change the model"

refused 'the number of examples\|out of range: there are 1000 examples' -L precision --at 1001
refused 'integer\|out of range' -L precision --at 0
refused '^train: solver agm has no unregularized offset of -L f1 .*these can: bundle, ' -L f1 -s agm --intercept
for loss in precision prbep; do
    refused "^train: -L $loss has no --intercept; an offset does not change the order" -L $loss --intercept
done
refused '^train: -L prbep needs examples of one weight' -L prbep -w 1=2
refused 'at is for -L precision' -L f1 --at 3
refused 'solver pegasos .*these can: ' -L f1 -s pegasos
refused 'form dual cannot take -L f1' -L f1 -s agm --form dual

# ---- cvxopt

has_tools 'comparison with quadratic programs' python3-cvxopt python3-numpy || exit $((failures > 0))
/usr/bin/python3 - >optima <<'END'
# min lambda/2 |w|^2 + xi,  xi >= Delta(y', y) + 1/m sum (y' - y) <w, x> for all y', with its optimum;
# for precision at fewer than the positives: xi >= Delta + 1/k (sum of the false - c mean of the missed)
import itertools
import cvxopt
import numpy as np
cvxopt.solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11)
random = np.random.RandomState(5)
m, n = 9, 3
X = np.round(random.randn(m, n), 2)
y = np.where(X @ [1, -1, 0.5] + random.randn(m) > 0.8, 1, -1)
with open("tiny", "w") as out:
    for x, label in zip(X, y):
        out.write("%d %s\n" % (label, " ".join("%d:%g" % (j + 1, v) for j, v in enumerate(x))))

def f1(p):
    tp = ((p > 0) & (y > 0)).sum()
    return 1 - 2 * tp / (2 * tp + (p != y).sum())

def precision(k):
    def delta(p):
        if (p == y).all():
            return 0
        return ((p > 0) & (y < 0)).sum() / k if (p > 0).sum() == k else None
    return delta

measures = {"f1": f1, "prbep": precision((y > 0).sum()), "precision --at 1": None,
            "precision --at 2": precision(2), "precision --at 7": precision(7)}
assert (y > 0).sum() == 2

def average(p):
    if (p > 0).sum() != 1:
        return None, None
    wrong, missed = (p > 0) & (y < 0), (p < 0) & (y > 0)
    slope = X[wrong].sum(0) - (wrong.sum() * X[missed].mean(0) if wrong.any() else 0)
    return float(wrong.sum()), slope

measures["f1 --intercept"] = f1 # whose constant feature has no penalty

for name, delta in measures.items():
    plane = average if name == "precision --at 1" else lambda p: (delta(p), (p - y) @ X / m)
    planes = [plane(p) for p in map(np.array, itertools.product([-1, 1], repeat=m))]
    free = name.endswith("intercept")
    if free:
        planes = [(delta(p), np.append((p - y) @ X, sum(p - y)) / m)
                  for p in map(np.array, itertools.product([-1, 1], repeat=m))]
    d, A = (np.array(v) for v in zip(*[q for q in planes if q[0] is not None]))
    for penalty in (1, 0.1, 0.01):
        P = np.diag([penalty] * n + [0.0] * (1 + free))
        G = np.hstack([A, -np.ones((len(d), 1))])
        at = cvxopt.solvers.qp(cvxopt.matrix(P), cvxopt.matrix([0.0] * (n + free) + [1.0]),
                               cvxopt.matrix(G), cvxopt.matrix(-d))
        print("%s\t%g\t%.12g" % (name, penalty, at["primal objective"]))
END
[ "$(wc -l <optima)" -eq 18 ] || fail "cvxopt gives no optima"
while IFS=$'\t' read -r loss lambda optimum; do
    for run in 'bundle -e 1e-8' 'agm -e 1e-3'; do
        case "$run ${loss##* }" in
            'agm -e 1e-3 1' | 'agm -e 1e-3 --intercept') run='proximal-bundle -e 1e-6' ;;
        esac
        # shellcheck disable=SC2086
        status 0 -q --strict -s $run -L $loss -l "$lambda" tiny model
        near "$(objective)" "$optimum" "${run##* }"
    done
done <optima
exit $((failures > 0))
