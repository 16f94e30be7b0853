#!/bin/bash
# sequences.sh BIN - -L crf and -L m3n from the command line: all solvers' optima beside L-BFGS on a CRF, and on
# a smoothed M3N, that are written anew in Python; predictions, probabilities, threads, and a line for what does
# not go together. With RRM_DATASETS: handwritten words.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# Sequences of 1 to 7 rows whose labels tend to stay: SEED SEQUENCES LABELS.
make() {
    awk -v seed="$1" -v sequences="$2" -v labels="$3" 'BEGIN {
        srand(seed)
        for (q = 1; q <= sequences; q++) {
            n = 1 + int(rand() * 7)
            for (t = 0; t < n; t++) {
                if (t == 0 || rand() < 0.5)
                    y = 1 + int(labels * rand())
                printf "%d qid:%d", y, q
                for (j = 1; j <= 6; j++)
                    if (rand() < 0.7)
                        printf " %d:%.4f", j, 2 * rand() - 1 + (j == y ? 0.7 : 0)
                print ""
            }
        }
    }'
}
make 5 70 3 >words
awk '{ split($2, qid, ":") } qid[2] <= 30' words >first
make 6 40 3 >words.test
make 7 40 2 >pairs

objective() { sed -n 's/^objective //p' model; }

less() { # A B: A <= B
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b + 1e-9 * (b < 0 ? -b : b)) }' || fail "$3: $1 is above $2"
}

# A lower and an upper bound of the least J on first: of a CRF, or of an M3N by its smoothed form; in logs.
reference() { # LOSS LAMBDA
    /usr/bin/python3 - "$@" <<'END'
import sys
import numpy as np
from scipy.optimize import minimize
logsumexp = np.logaddexp.reduce
loss, lam = sys.argv[1], float(sys.argv[2])
sequences = {}
for line in open("first"):
    label, q, *rest = line.split()
    x = np.zeros(7)
    x[6] = 1
    for word in rest:
        j, value = word.split(":")
        x[int(j) - 1] = float(value)
    sequences.setdefault(q, []).append((int(label) - 1, x))
data = [(np.array([y for y, _ in s]), np.array([x for _, x in s])) for s in sequences.values()]
K = 3

def objective(w, mu=0):
    W, T = w[:7 * K].reshape(7, K), w[7 * K:].reshape(K, K)
    value, gW, gT = 0, np.zeros_like(W), np.zeros_like(T)
    for y, X in data:
        n = len(y)
        U = X @ W
        S = U.copy()
        if loss == "m3n":
            S += 1
            S[np.arange(n), y] -= 1
        scale = mu if loss == "m3n" else 1
        S, E = S / scale, T / scale
        a, b = np.zeros((n, K)), np.zeros((n, K))
        a[0] = S[0]
        for t in range(1, n):
            a[t] = S[t] + logsumexp(a[t - 1][:, None] + E, axis=0)
        for t in range(n - 2, -1, -1):
            b[t] = logsumexp(E + (S[t + 1] + b[t + 1])[None, :], axis=1)
        Z = logsumexp(a[-1])
        p = np.exp(a + b - Z)
        value += scale * Z - U[np.arange(n), y].sum() - sum(T[y[t - 1], y[t]] for t in range(1, n))
        p[np.arange(n), y] -= 1
        gW += X.T @ p
        for t in range(1, n):
            gT += np.exp(a[t - 1][:, None] + E + (S[t] + b[t])[None, :] - Z)
            gT[y[t - 1], y[t]] -= 1
    g = np.concatenate([gW.ravel(), gT.ravel()]) / len(data)
    return lam / 2 * w @ w + value / len(data), lam * w + g

def least(mu, w):
    r = minimize(objective, w, args=(mu,), jac=True, method="L-BFGS-B",
                 options={"maxiter": 5000, "maxfun": 10000, "ftol": 1e-15, "gtol": 1e-10})
    return r.x, r.fun

w = np.zeros(7 * K + K * K)
if loss == "crf":
    print("%.15g %.15g" % ((least(0, w)[1],) * 2))
else:  # without the entropy's constant: J_mu - mu mean(n) log K <= J <= J_mu
    for mu in (0.3, 0.1, 0.03, 0.01, 0.003, 0.001):
        w, value = least(mu, w)
    slack = mu * np.mean([len(y) for y, _ in data]) * np.log(K)
    print("%.15g %.15g" % (value - slack, value))
END
}

# The same optimum for all solvers, which certify it, and for the reference.
operands=(words model)
compares=''
has_tools 'comparison with L-BFGS' python3-numpy python3-scipy && compares=yes
for loss in crf m3n; do
    for lambda in 0.1 0.01; do
        low='' high=''
        if [ -n "$compares" ]; then
            read -r low high <<<"$(reference $loss $lambda)"
            [ -n "$low" ] || fail "scipy gives no optimum: $loss -l $lambda"
        fi
        for solver in bundle proximal-bundle agm agm1 bundle-ls ''; do
            [ $loss$solver = m3nbundle-ls ] && continue # its way along kinks is long
            # shellcheck disable=SC2086
            status 0 -q --strict -e 1e-4 -L $loss -l $lambda -B 1 ${solver:+-s $solver} --report report \
                first model
            quiet "$loss $solver"
            bound=$(sed -n 's/^bound //p' model)
            less "$bound" "$(objective)" "$loss $solver $lambda"
            [ -n "$low" ] || { low=$bound high=$(objective); }
            less "$low" "$(objective)" "$loss $solver $lambda: reference"
            less "$bound" "$high" "$loss $solver $lambda: bound"
        done
    done
done

# Predictions: a line a row, the same from every number of threads.
status 0 -q --strict -j 1 -L crf -l 1e-3 -B 1 words model
status 0 -q --strict -j 2 -L crf -l 1e-3 -B 1 words again
cmp -s model again || fail 'threads change the model'
has '^shared 9$' model
rows=$(wc -l <words.test)
"$bin/predict" -j 1 words.test model out >measures 2>err || fail 'predict'
[ "$(wc -l <out)" -eq "$rows" ] || fail "$(wc -l <out) lines for $rows rows"
has "^Accuracy = [0-9.]*% ([0-9]*/$rows)$" measures
has '^sequence accuracy = [0-9.]*% ([0-9]*/40)$' measures
[ ! -s err ] || fail "predict warns: $(cat err)"
paste -d ' ' out words.test | awk -v rows="$rows" '
    { right += $1 == $2; wrong[$3] += $1 != $2 }
    END {
        for (q in wrong) sequences += wrong[q] == 0
        printf "Accuracy = %g%% (%d/%d)\nsequence accuracy = %g%% (%d/40)\n", 100 * right / rows, right, rows,
            100 * sequences / 40, sequences
    }' | cmp -s - measures || fail "measures are not those of the lines: $(cat measures)"
"$bin/predict" -q -j 2 words.test model other
cmp -s out other || fail 'threads change predictions'
"$bin/predict" -q -b 1 words.test model marginals || fail 'probabilities'
head -n 1 marginals | grep -qx 'labels 1 2 3' || fail "header: $(head -n 1 marginals)"
awk 'NR > 1 { s = $2 + $3 + $4; bad += NF != 4 || s < 1 - 1e-5 || s > 1 + 1e-5 } END { exit bad > 0 }' \
    marginals || fail 'probabilities do not sum to 1'
tail -n +2 marginals | cut -d ' ' -f 1 | cmp -s - out || fail 'labels with and without probabilities differ'
"$bin/predict" -q -d words.test model decisions || fail 'scores'
tail -n +2 decisions | cut -d ' ' -f 1 | cmp -s - out || fail 'labels with and without scores differ'

# Names, in their order; chunks.
printf 'label 3 I-X\nlabel 1 O\nlabel 2 B-X\n' >names
"$bin/predict" --names names words.test model named >measures || fail 'names'
head -n 1 measures | grep -q '^chunk F1 = 0\.[0-9]*$' || fail "$(head -n 1 measures)"
sed 's/^1$/O/; s/^2$/B-X/; s/^3$/I-X/' out | cmp -s - named || fail 'names are not those of the labels'

# A sequence without all of its labels counts in no measure; a label that is not known is an error.
awk '{ if ($2 == "qid:3") $1 = "?"; if ($2 == "qid:5") $1 = 8; print }' words.test >odd
"$bin/predict" odd model other >measures 2>err || fail 'labels that are missing or unknown'
cmp -s out other || fail 'labels change predictions'
has "($(awk '$1 != "?"' odd | wc -l))\|/$(awk '$1 != "?"' odd | wc -l))" measures
has '^sequence accuracy = [0-9.]*% ([0-9]*/39)$' measures
has "warning: $(awk '$1 == 8' odd | wc -l) of $(awk '$1 != "?"' odd | wc -l) labelled rows have a label" err
sed 's/^[0-9]*/?/' words.test >blank
"$bin/predict" blank model other >measures || fail 'no labels'
[ ! -s measures ] || fail "no labels, but measures: $(cat measures)"
cmp -s out other || fail 'rows without labels are predicted otherwise'

# Two labels, one against the rest, one row a sequence, starts, folds, sparse weights, balls, items.
status 0 -q --strict -L m3n -l 1e-3 pairs model
has '^labels 2 1$' model
"$bin/predict" pairs model out >measures || fail 'two labels'
awk -F'[ =%]+' '/^Accuracy/ { found = $2 >= 60 } END { exit !found }' measures || fail "$(cat measures)"
status 0 -q --strict -L crf -P 2 words model
"$bin/predict" words.test model out >measures 2>err || fail 'a label against the rest'
[ ! -s err ] || fail "the rest is unknown: $(cat err)"
awk '{ sub(/qid:[0-9]*/, "qid:" NR) } 1' words >single
for loss in crf m3n; do
    status 0 -q --strict -L $loss -l 0.01 single model
    status 0 -q --strict -L $loss -l 0.01 -i model single again
    status 0 -q --strict -v 3 -L $loss -l 0.01 words
    has '^Cross Validation Accuracy' out
    status 0 -q --strict -L $loss -r l1 -l 0.1 words model
    status 0 -q --strict -L $loss --ball l1=5 words model
    for solver in proximal pegasos adaptive; do
        status 0 -q -s $solver -p 30 -l 0.1 -L $loss words model
        less "$(objective)" 3.5 "$solver $loss" # 3.9 at w = 0, 3.1 at the optimum
    done
done

grep -v 'qid:1 ' words | sed 's/ qid:[0-9]*//' >ungrouped
status 1 -L crf ungrouped model
has '^ungrouped: -L crf needs groups of rows: "qid:" on each line$' err
{ cat words; head -n 1 words; } >back
status 1 -L m3n back model
has '^back:[0-9]*:[0-9]*: qid 1 comes back' err
printf '1 cost:2 qid:4 1:1\n2 cost:3 qid:4 2:1\n2 qid:5 2:1\n' >costs
status 2 -L crf costs model
has '^train: -L crf needs one weight for all rows of a group .*; those of qid 4 differ$' err
printf '1 qid:1 1:1e160\n2 qid:1 2:1e160\n' >large
for loss in crf m3n; do
    status 1 -L $loss -s bundle -l 1 large model
    has '^train: .*beyond all numbers; scale the data or raise lambda$' err
done
refused '^train: -L crf has no --intercept' -L crf --intercept
refused '^train: -w is not for -L m3n' -L m3n -w 1=2
refused '^train: solver ocas cannot take -L m3n' -L m3n -s ocas
"$bin/predict" -b 1 words.test model out 2>err && fail 'probabilities of m3n'
has '^predict: -b 1: .*m3n, has no probabilities; train with -L crf$' err
"$bin/predict" ungrouped model out 2>err && fail 'rows without groups'
has 'predicts groups of rows: "qid:" is needed' err

# Handwritten words: the token error of linear M3Ns is published as 13 to 15 %.
letters=${RRM_DATASETS:-}/ocr_letters
has_sets 'handwritten words' ocr_letters.train.gz ocr_letters.test.gz || exit $failures
for loss in crf m3n; do
    status 0 -q -L $loss -s proximal -l 1e-3 -B 1 -p 20 "$letters.train.gz" model
    "$bin/predict" "$letters.test.gz" model out >measures || fail "letters by $loss"
    awk -F'[ =%]+' '/^Accuracy/ { found = $2 >= 85 } END { exit !found }' measures ||
        fail "letters by $loss: $(cat measures)"
done
exit $failures
