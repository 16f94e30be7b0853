#!/bin/bash
# measures.sh BIN - predict --measures: the measures of scikit-learn, the confusion matrix, the report, and what is refused.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

prints() { printf "$1" >expected; cmp -s out expected || { fail "not printed: $1"; cat out >&2; }; }

status 0 -q -b 1 "$data/three.train" three
status 0 -q -L logistic "$data/blobs.train" two
status 0 -q -L squared "$data/line.train" line
if has_tools 'measures beside scikit-learn' python3-sklearn; then
    run 0 predict -b 1 --measures log-loss,confusion,accuracy --report three.json "$data/three.test" three three.out
    cp out three.said
    run 0 predict -b 1 --measures Recall,auc,PRECISION,f1,brier_score,log-loss,confusion --report two.json \
        "$data/blobs.test" two two.out
    cp out two.said
    run 0 predict --measures r2,mae,mse --report line.json "$data/line.test" line line.out
    cp out line.said
    /usr/bin/python3 - "$data" <<'END' >notes 2>&1 || { fail 'not as scikit-learn'; cat notes >&2; }
import json, sys
import numpy as np
from sklearn import metrics

def labels(path):
    return np.array([float(line.split()[0]) for line in open(path)])

def measured(name):
    report = json.load(open(name + ".json"))
    said = [line.split(" = ") for line in open(name + ".said") if " = " in line]
    keys = list(report["measures"])
    assert [s[0].lower().replace(" ", "_") for s in said] == keys, (said, keys)
    return report["measures"], report.get("confusion")

def near(a, b, tolerance=1e-9):
    assert abs(a - b) <= tolerance * (1 + abs(b)), (a, b)

for name, file in [("three", "three.test"), ("two", "blobs.test")]:
    y = labels(sys.argv[1] + "/" + file)
    lines = open(name + ".out").read().split("\n")[:-1]
    order = [float(v) for v in lines[0].split()[1:]]
    rows = np.array([[float(v) for v in line.split()] for line in lines[1:]])
    said, p = rows[:, 0], rows[:, 1:][:, np.argsort(order)]
    m, c = measured(name)
    assert c["labels"] == sorted(order) and (np.array(c["counts"][:-1]) == metrics.confusion_matrix(y, said)).all()
    assert not any(c["counts"][-1])
    near(m["log_loss"], metrics.log_loss(y, p / p.sum(1, keepdims=True)), 1e-5)  # six digits are written
    if name == "three":
        near(m["accuracy"], metrics.accuracy_score(y, said))
        continue
    near(m["recall"], metrics.recall_score(y, said))
    near(m["precision"], metrics.precision_score(y, said))
    near(m["f1"], metrics.f1_score(y, said))
    near(m["auc"], metrics.roc_auc_score(y, p[:, 1]), 1e-4)
    near(m["brier_score"], metrics.brier_score_loss(y > 0, p[:, 1]), 1e-5)
    assert json.load(open("two.json"))["positive_label"] == 1
y, u = labels(sys.argv[1] + "/line.test"), np.loadtxt("line.out")
m, c = measured("line")
assert list(m) == ["r2", "mae", "mse"] and c is None
near(m["mse"], metrics.mean_squared_error(y, u))
near(m["mae"], metrics.mean_absolute_error(y, u))
near(m["r2"], metrics.r2_score(y, u))
END
fi

# F1 says which label it is of; with --names its name. -P chooses another.
printf 'label -1 no\nlabel 1 of%%20course\n' >names
run 0 predict --measures f1 --names names "$data/blobs.test" two out.two
has '^F1 = 0\.[0-9]* (of label of course)$' out
status 0 -q -v 2 -P -1 --report report "$data/blobs.train"
has '^F1 = 0\.[0-9]* (of label -1)$' out
[ "$(member report positive_label)" = -1 ] || fail "F1 is of label $(member report positive_label)"

# A label that the model does not have; the lines of the matrix.
printf '1 1:0\n2 1:0\n-7 1:0\n? 1:0\n' >other
run 0 predict --measures confusion other three out.other
said=$(head -n 1 out.other)
[ "$(wc -l <out)" -eq 6 ] || fail 'not six lines'
has '^others ' out
[ "$(awk -v c="$said" 'NR > 2 { n += $(c + 1) } END { print n }' out)" = 3 ] || { fail "not three in column $said"; cat out; }
run 0 predict --measures confusion <(printf '? 1:0\n') three out.other
prints 'confusion: a row for each true label, a column for each predicted one\n  1 2 3\n1 0 0 0\n2 0 0 0\n3 0 0 0\n'

has_all='accuracy, auc, f1, precision, recall, confusion; with -b 1 probabilities are measured, too$'
sorry 2 "no 'log-loss' here; this model has $has_all" predict --measures auc,log-loss "$data/blobs.test" two refused
sorry 2 "no 'acuracy' here; this model has accuracy, confusion$" predict --measures acuracy "$data/three.test" three refused
sorry 2 "no 'confusion' here; this model has mse, mae, r2$" predict --measures confusion "$data/line.test" line refused
sorry 2 'its argument is empty' predict --measures '' "$data/line.test" line refused
sorry 2 "no '' here" predict --measures mse,,r2 "$data/line.test" line refused
[ ! -e refused ] || fail 'predictions were written'
status 0 -q -L pairwise <(printf '1 qid:1 1:2\n2 qid:1 1:4\n') ranks
run 0 predict --measures pairwise-error,ndcg@5 <(printf '1 qid:1 1:2\n2 qid:1 1:4\n') ranks ranks.out
prints 'Pairwise error = 0\nNDCG@5 = 1\n'
awk 'BEGIN { for (k = 1; k <= 1001; k++) print k, "1:" k / 1000 }' >labels
status 0 -q -p 1 -t 20 -L softmax -s pegasos labels many
sorry 1 'a confusion matrix has at most 1000$' predict --measures confusion labels many refused

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
