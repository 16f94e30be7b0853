#!/bin/bash
# ranking.sh BIN - rankings and the ROC area from the command line: every solver that takes them, beside the
# minimum that cvxopt finds; predictions and measures; one-line errors for options that exclude each other.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# queries SEED: of documents with grades 0 to 3 by a noisy rule; one of a single document, one of one grade.
queries() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        for (q = 1; q <= 25; q++)
            for (d = 0; d < (q == 7 ? 1 : 3 + q % 9); d++) {
                sum = rand()
                line = ""
                for (j = 1; j <= 6; j++) {
                    x = sprintf("%.3f", rand())
                    sum += (j % 2 ? 1 : -0.5) * x
                    if ((q + d + j) % 4)
                        line = line " " j ":" x
                }
                grade = int(sum + 0.5)
                print (q == 9 ? 1 : grade < 0 ? 0 : grade > 3 ? 3 : grade) " qid:" 3 * q line
            }
    }'
}
queries 1 >train.q
queries 2 >test.q
head -n 60 "$data/blobs.train" >few

number() { sed -n "s/^$1 //p" model; }

# least FILE KIND LAMBDA: min of lambda/2 ||w||^2 + R, by a quadratic program over all pairs.
least() {
    /usr/bin/python3 - "$@" <<'PYTHON'
import sys
import cvxopt, cvxopt.solvers
cvxopt.solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-11)
path, kind, lam = sys.argv[1], sys.argv[2], float(sys.argv[3])
queries = {}
features = 0
for line in open(path):
    words = line.split()
    qid = words[1] if kind == "pairwise" else ""
    pairs = [w.split(":") for w in words[1:] if not w.startswith("qid")]
    x = {int(k) - 1: float(v) for k, v in pairs}
    features = max([features] + [k + 1 for k in x])
    queries.setdefault(qid, []).append((float(words[0]), x))
cost, rows = [], []
for rows_of in queries.values():
    own = [(a, b) for a in rows_of for b in rows_of if a[0] > b[0]]
    for a, b in own:
        rows.append([a[1].get(j, 0) - b[1].get(j, 0) for j in range(features)])
        cost.append(1 / len(own) / len(queries))
n, m = features, len(rows)
P = cvxopt.spdiag([cvxopt.spdiag([lam] * n), cvxopt.spmatrix([], [], [], (m, m))])
q = cvxopt.matrix([0.0] * n + cost)
D = cvxopt.matrix(rows).T
one = cvxopt.spdiag([1.0] * m)
G = cvxopt.sparse([[-D, cvxopt.matrix(0.0, (m, n))], [-one, -one]])
h = cvxopt.matrix([-1.0] * m + [0.0] * m)
found = cvxopt.solvers.qp(P, q, cvxopt.sparse(G), h)
assert found["status"] == "optimal"
print("%.15g" % found["primal objective"])
PYTHON
}

# encloses LEAST: the model's bound and objective enclose it, and their gap is small.
encloses() {
    awk -v low="$(number bound)" -v high="$(number objective)" -v least="$1" 'BEGIN {
        slack = 1e-7 * least
        exit !(low <= least + slack && high >= least - slack && high - low <= 1.01e-3 * high) }' ||
        fail "$2: $(number bound) .. $(number objective) is not about $1"
}

# The same optimum by every solver.
compares=''
has_tools 'comparison with quadratic programs' python3-cvxopt && compares=yes
for lambda in 1 0.01 0.002; do
    pairwise='' area=''
    if [ -n "$compares" ]; then
        pairwise=$(known train.q -- least train.q pairwise $lambda) &&
            area=$(known few -- least few rocarea $lambda) ||
            fail "cvxopt gives no optimum, -l $lambda"
    fi
    for solver in bundle bundle-ls proximal-bundle agm agm1; do
        case $solver$lambda in bundle-ls0.002) continue ;; esac # which is for large lambda
        status 0 -q --strict -s $solver -e 1e-3 -l $lambda -L pairwise train.q model
        quiet "-s $solver -L pairwise"
        [ -z "$pairwise" ] || encloses "$pairwise" "-s $solver -L pairwise -l $lambda"
        status 0 -q --strict -s $solver -e 1e-3 -l $lambda -L rocarea few model
        [ -z "$area" ] || encloses "$area" "-s $solver -L rocarea -l $lambda"
    done
    status 0 -q --strict -s sdca -e 1e-3 -l $lambda -L pairwise train.q model
    quiet "-s sdca -L pairwise"
    [ -z "$pairwise" ] || encloses "$pairwise" "-s sdca -L pairwise -l $lambda"
    for solver in bundle proximal-bundle sdca; do
        status 0 -q --strict -s $solver -e 1e-3 -l $lambda -L ndcg --at 3 train.q model.$solver
    done
    awk 'FNR == 1 { n++ } $1 == "bound" { low[n] = $2 } $1 == "objective" { high[n] = $2 }
        END {
            for (i = 1; i <= n; i++)
                for (j = 1; j <= n; j++)
                    if (!(low[i] <= high[j] && high[j] > 0)) bad = 1
            exit bad || n != 3
        }' model.bundle model.proximal-bundle model.sdca ||
        fail "bundle, proximal-bundle and sdca disagree on -L ndcg -l $lambda" # one least value
done

status 0 -q --strict -s bundle-ls -l 0.1 -L ndcg train.q model

# Online, by queries; regularizers; threads.
for solver in proximal pegasos adaptive; do
    for loss in pairwise ndcg; do
        status 0 -q -s $solver -L $loss -l 0.01 -p 300 train.q model
        at=$(number objective)
        status 0 -q --strict -s bundle -L $loss -l 0.01 train.q model
        awk -v at="$at" -v least="$(number bound)" -v best="$(number objective)" \
            'BEGIN { exit !(at >= least && at <= 1.2 * best) }' ||
            fail "-s $solver -L $loss: $at, not about $(number objective)"
    done
done
for regularizer in '-r l1 -l 0.01' '-r elastic-net -l 0.01' '--ball l1=3'; do
    # shellcheck disable=SC2086
    status 0 -q --strict $regularizer -L pairwise train.q model
    quiet "$regularizer"
    # shellcheck disable=SC2086
    status 0 -q --strict $regularizer -L rocarea few model
    quiet "$regularizer"
done
for loss in pairwise ndcg; do
    for threads in 1 2 3; do
        status 0 -q -j $threads -L $loss train.q model.$threads
        cmp -s model.1 model.$threads || fail "-L $loss: $threads threads make another model"
    done
done

# Predictions: a line with the score of each row, better than a random ranking; unlabelled rows.
for loss in pairwise ndcg; do
    status 0 -q -L $loss -l 0.01 train.q model
    "$bin/predict" test.q model scores >out || fail "predict -L $loss"
    [ "$(wc -l <scores)" -eq "$(wc -l <test.q)" ] || fail "-L $loss: not a score a row"
    [ "$(cut -d= -f1 out | tr -d ' \n')" = 'NDCG@10NDCG@1NDCG@3NDCG@5MAPPairwiseerror' ] || fail "$(cat out)"
    awk '/^NDCG@10/ { good = $3 > 0.85 } /^Pairwise/ { right = $4 < 0.3 } END { exit !(good && right) }' out ||
        fail "-L $loss: $(cat out)"
    sed 's/^[0-9]*/?/' test.q >unlabelled
    "$bin/predict" unlabelled model again >out || fail "predict without labels"
    has_not NDCG out
    status 1 -L $loss unlabelled model2
    has '^unlabelled:1:1: label "?"' err
    cmp -s scores again || fail "-L $loss: the labels change the scores"
    status 0 -q -v 5 -L $loss -l 0.01 train.q
    has 'NDCG@10' out
done

# NDCG at any K is scikit-learn's; a model of -L ndcg --at K has that of its K first, and lambda is chosen by it.
further='NDCG@2,ndcg@7,ndcg@2147483647,ndcg@10'
status 0 -q -L ndcg -l 0.01 --at 4 train.q model
sed 's/[1-5]:[^ ]*//g' test.q >tied.q # fewer features: documents of equal scores
if has_tools 'NDCG beside scikit-learn' python3-sklearn; then
    for set in test.q tied.q; do
        run 0 predict --measures $further,ndcg@4 --report $set.report $set model $set.scores
    done
    /usr/bin/python3 - test.q tied.q >notes 2>&1 <<'PYTHON' || fail "NDCG is not scikit-learn's: $(tail -n 1 notes)"
import json, sys
import numpy as np
from sklearn.metrics import ndcg_score
for file in sys.argv[1:]:
    rows = [line.split() for line in open(file)]
    query, grade = np.array([r[1] for r in rows]), np.array([float(r[0]) for r in rows])
    score = np.loadtxt(file + ".scores")
    report = json.load(open(file + ".report"))["measures"]
    assert list(report) == ["ndcg@2", "ndcg@7", "ndcg@2147483647", "ndcg@10", "ndcg@4"], report
    for name, value in report.items():
        theirs = []
        for q in dict.fromkeys(query):
            gain, u = 2 ** grade[query == q] - 1, score[query == q]
            if gain.any():  # the others count nowhere
                theirs.append(1 if len(u) == 1 else ndcg_score([gain], [u], k=int(name.split("@")[1])))
        assert abs(np.mean(theirs) - value) < 1e-9, (file, name, np.mean(theirs), value)
PYTHON
fi
run 0 predict test.q model scores
[ "$(head -n 2 out | cut -d ' ' -f 1 | tr '\n' ' ')" = 'NDCG@4 NDCG@10 ' ] || fail "--at 4: $(cat out)"
search=(-q --search --path 3,1,0.01 -v 3 --report report)
while read -r chosen options; do
    # shellcheck disable=SC2086
    status 0 "${search[@]}" $options train.q model
    [ "$(member report chosen_by)" = "\"$chosen\"" ] || fail "$options: chosen by $(member report chosen_by)"
    key=${chosen,,}
    sed -n "s/^    {\"lambda\": \([^,]*\),.*\"$key\": \([^,}]*\).*/\1 \2/p" report | sort -s -g -r -k 2 | head -n 1 >best
    awk -v best="$(member report best_lambda)" '{ found = $1 == best } END { exit !found }' best ||
        fail "$options: best is $(cat best), not $(member report best_lambda)"
done <<'END'
NDCG@10 -L pairwise
NDCG@10 -L pairwise --measure ndcg
NDCG@3 -L pairwise --measure ndcg@3
NDCG@7 -L pairwise --measure NDCG@7
NDCG@4 -L ndcg --at 4
NDCG@4 -L ndcg --at 4 --measure ndcg
NDCG@20 -L ndcg --at 4 --measure ndcg@20
END
status 0 -q -s pegasos -L pairwise -l 0.01 --validation test.q --measure ndcg@2 --report report train.q model
[ "$(member report chosen_by)" = '"NDCG@2"' ] || fail "passes are chosen by $(member report chosen_by)"
run 0 predict --measures ndcg@2 --report predicted test.q model scores
awk -v a="$(member report best_measure)" -v b="$(sed -n 's/.*"ndcg@2": \([^}]*\)}.*/\1/p' predicted)" \
    'BEGIN { d = a - b; exit !(d < 1e-12 && -d < 1e-12 && b > 0) }' || fail "the best NDCG@2 is not predict's"
operands=(nofile model) # refused before the data is read
for K in 0 x '' 05; do
    refused "^train: measure ndcg@$K: K of ndcg@K is an integer from 1 to 2147483647\$" \
        --search -L pairwise --measure "ndcg@$K"
    sorry 2 "measure ndcg@$K: K of ndcg@K is an integer from 1 to 2147483647\$" \
        predict --measures "map,ndcg@$K" test.q model refused
done
refused '^train: --measure map: predictions of -L ndcg have no such measure; they have ndcg, ndcg@K$' \
    --search -L ndcg --measure map
refused '^train: --measure ndcg@5: predictions of -L hinge have no such measure; they have accuracy' \
    --search --measure ndcg@5
[ ! -e refused ] || fail 'predictions were written'

printf '2 qid:1 1:1\n' >one
"$bin/predict" one model scores >out || fail 'one document'
has '^NDCG@10 = 1$' out
status 0 -q -L ndcg one model
status 0 -q -L rocarea few model
"$bin/predict" "$data/blobs.test" model scores >out || fail 'predict -L rocarea'
awk '/^AUC/ { good = $3 > 0.8 } END { exit !good }' out || fail "rocarea: $(cat out)"
status 0 -q -L rocarea "$data/three.train" model
"$bin/predict" -q "$data/three.test" model scores || fail 'three labels by -L rocarea'

# Labels of any kind order documents.
awk '{ $1 = 0.7 * $1 - 1.3; print }' train.q >real
status 0 -q --strict -L pairwise -l 0.01 real model
first=$(number objective)
status 0 -q --strict -L pairwise -l 0.01 train.q model
[ "$first" = "$(number objective)" ] || fail 'labels in the same order make another objective'

# Any K, more than a query has documents; the model says it.
status 0 -q --strict -L ndcg -l 0.1 --at 2147483647 train.q model
grep -q '^at 2147483647$' model || fail 'the model has another --at'
"$bin/predict" -q train.q model scores || fail 'predict --at 2147483647'
printf '1 qid:1 1:1\n1 qid:1 1:2\n2 qid:2 1:3\n' >equal
"$bin/predict" equal model scores 2>&1 | grep -q '^Pairwise error = nan$' || fail 'no pair: nan'

# Errors.
operands=(equal model)
status 1 -q -L pairwise equal model
has '^train: -L pairwise needs a query with documents of two labels, and there is none$' err
printf '0 qid:1 1:1\n0 qid:2 1:2\n' >equal
status 1 -q -L ndcg equal model
has '^train: -L ndcg needs a document of a grade above 0, and there is none$' err
operands=(train.q model)
refused '^train: solver agm cannot take -L ndcg' -s agm -L ndcg
refused '^train: constants do nothing where scores are compared' -L pairwise -B 1
refused '^train: constants do nothing where scores are compared' -L ndcg -B 1
refused '^train: constants do nothing where scores are compared' -L pairwise --intercept
refused '^train: --at is for ' -L pairwise --at 3
refused '^train: --at 0: out of range: ' -L ndcg --at 0
operands=(few model)
refused '^train: constants do nothing where scores are compared' -L rocarea --intercept
refused '^train: -L rocarea needs examples of one weight' -L rocarea -w 1=2
for loss in pairwise ndcg; do
    status 1 -L $loss few model
    has '^few: .*qid' err
    [ "$(wc -l <err)" -eq 1 ] || fail "more than a line: $(cat err)"
done
printf '# grades\n1 qid:4 1:1\n\n-1 qid:4 2:1\n' >bad
status 1 -L ndcg bad model
has '^bad:4: the grade is -1; -L ndcg needs grades from 0 to 30$' err
status 0 -q -L pairwise bad model
printf '1 cost:2 qid:4 1:1\n0 cost:3 qid:4 2:1\n' >bad
status 2 -L pairwise bad model
has 'one weight for all rows of a group .* of qid 4 differ' err
printf '1 qid:1 1:1\n2 qid:2 1:1\n0 qid:1 1:2\n' >bad
status 1 -L pairwise bad model
has '^bad:3:' err
status 0 -q -L pairwise train.q model
"$bin/predict" few model scores >out 2>err && fail 'rows without qid are predicted'
has '^few: .*qid' err

# -c C is lambda = 1/(C groups), a group counted with its weight, for all risks of groups; by rows otherwise.
awk '{ split($2, q, ":"); $1 = $1 " cost:" (q[2] % 2 ? 0.5 : 2); print }' train.q >weighted.q
printf '%s\n' '4 qid:1 3:1' '0 qid:1 1:1' '0 qid:1 2:1' '1 qid:1 4:1' '0 qid:2 1:1' '0 qid:2 4:1' >pairs
same_lambda() { # C GROUPS ARGUMENTS...
    local C=$1 groups=$2
    shift 2
    status 0 -q -p 3 -c "$C" "$@" model
    awk -v a="$(number lambda)" -v b="$C" -v m="$groups" \
        'BEGIN { exit !(a * b * m > 1 - 1e-12 && a * b * m < 1 + 1e-12) }' ||
        fail "-c $C is lambda $(number lambda), not 1/($C $groups): $*"
}
groups=$(awk '{ print $2 }' train.q | sort -u | wc -l)
weights=$(awk '!seen[$3]++ { sub("cost:", "", $2); sum += $2 } END { print sum }' weighted.q)
[ "$groups" -eq 25 ] || fail "$groups queries"
for loss in pairwise ndcg crf m3n; do
    same_lambda 0.5 "$groups" -L $loss train.q
    same_lambda 3 "$weights" -L $loss weighted.q
done
same_lambda 2 2 -L rna pairs
same_lambda 2 60 -L rocarea few
same_lambda 0.5 "$groups" -L crf -r l1 --path 3 train.q
status 0 -q -p 3 -c 4 -L pairwise --report report train.q model
has '^  "lambda": 0.01,' report

exit $failures
