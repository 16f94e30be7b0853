#!/bin/bash
# plot.sh BIN - plot from the outside: the curves of scikit-learn, every kind of picture by gnuplot, what is refused, and
# what is said where gnuplot is missing.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

# drawn KIND ARGUMENTS...: the script in the file script, and where there is gnuplot an SVG; of the first picture of
# each kind a PNG and letters, too.
declare -A seen
drawn() {
    run 0 plot "$@" --script
    cp out script
    command -v gnuplot >/dev/null || return
    run 0 plot "$@" -o picture.svg
    has '^</svg>' picture.svg
    quiet "plot $*"
    [ -z "${seen[$1]:-}" ] || return
    seen[$1]=yes
    run 0 plot "$@" -o picture.png
    [ "$(head -c 8 picture.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] && [ "$(wc -c <picture.png)" -ge 2000 ] ||
        fail "no PNG: $*"
    quiet "plot $*"
    run 0 plot "$@" --width 60 --height 20
    [ "$(wc -l <out)" -ge 20 ] || fail "no letters: $*"
}
command -v gnuplot >/dev/null || echo 'skipped: pictures (no gnuplot)'

# ---- runs

for solver in ipm bundle; do
    status 0 -q -s $solver -l 1e-3 -T $solver.trace --report $solver.json "$data/blobs.train" model
done
drawn gap ipm.trace bundle.trace ipm.json --title "it's a title"
has "^set title 'it''s a title'$" script
has "^plot \$run0 .* title 'ipm', \$run1 .* title 'bundle', \$run2 using 1:2 with points title 'ipm'$" script
wanted=$(awk 'END { printf "%.6g %.6g", $1, ($4 - $5) / $4 }' bundle.trace)
sed -n '/^\$run1/,/^END/p' script | grep -qFx "$wanted" || fail "the last gap of bundle, $wanted"
"$bin/plot" gap --script - <ipm.json >out 2>err || { fail 'a report from standard input'; cat err >&2; }
has "using 1:2 with points title '-'$" out
drawn gap --against passes bundle.trace
has 'passes over the data' script
status 0 -q -T classes.trace "$data/three.train" model
drawn gap classes.trace
has "title 'classes, ocas, label 1'\|title 'classes, [a-z]*, label 1'" script

status 0 -q -L logistic -r l1 -l 1e-3 --path 5 -v 3 --report path.json "$data/blobs.train" model
cp out path.table
status 0 -q -L logistic -r l1 -l 1e-2 "$data/blobs.train" model.2
drawn path path.json
sed -n '/^\$path/,/^END/p' script | awk '/^ / { print $2 * 100 }' >accuracies
awk 'NR > 2 && /^[0-9]/ { sub("%", "", $5); print $5 * 1 }' path.table >wanted
awk 'NR == FNR { a[FNR] = $1; next } ($1 - a[FNR])^2 <= 1e-6 { near++ } END { exit !(FNR == 5 && near == 5) }' accuracies wanted ||
    { fail 'the accuracies of the path'; cat accuracies wanted; }
status 0 -q -l 1e-3 --path 3 -v 3 --report even.json "$data/blobs.train" # all weights at each lambda
drawn path even.json
[ ! -s err ] || fail "a path of as many weights: $(cat err)"
status 0 -q --path certified=0.1,1,1e-3 --path-models step --report certified.json "$data/blobs.train" model.certified
drawn path -n 3 certified.json step.1 step.2
[ ! -s err ] || fail "a path without folds: $(cat err)"
has "^set ylabel 'weights that are not 0'$" script
drawn path -n 3 --measure auc path.json model model.2
has "^set ylabel 'auc'$" script
[ "$(sed -n '/^\$weights/,/^END/p' script | sed -n 2p | wc -w)" -eq 4 ] || fail 'not three weights'

# ---- predictions

status 0 -q -L logistic "$data/blobs.train" two
status 0 -q -L softmax "$data/three.train" three
run 0 predict -q -b 1 "$data/blobs.test" two two.out
run 0 predict -q -d "$data/three.test" three three.out
run 0 predict -q --measures confusion --report three.json "$data/three.test" three three.plain
run 0 weights -q three three.weights
for kind in roc precision-recall reliability; do
    drawn $kind "$data/blobs.test" two.out
    cp script $kind.script
done
drawn roc "$data/three.test" three.out
cp script three.script
drawn confusion three.json
printf 'label 1 a\nlabel 2 "b\nlabel 3 New%%20York%%25\n' >names
drawn confusion --names names three.json
has "^set xtics ('a' 0, '\"b' 1, 'New York%%' 2)$" script
sed "s/\"b/$(printf 'é%.0s' {1..99})/" names >long
shown=$(printf 'é%.0s' {1..31}) # as many whole letters as fit
run 0 predict -q -b 1 --names long "$data/three.test" three three.named
for kind in roc reliability; do
    drawn $kind --names long "$data/three.test" three.named
    has "title 'label New York%[,']" script
    has "title 'label $shown[,']" script
done
drawn weights three.weights -n 5
[ "$(sed -n '/^\$bars/,/^END/p' script | wc -l)" -eq 7 ] || fail 'not five bars'
if has_tools 'curves beside scikit-learn' python3-sklearn; then
    /usr/bin/python3 - "$data" <<'END' >notes 2>&1 || { fail 'not as scikit-learn'; cat notes >&2; }
import re, sys
import numpy as np
from sklearn import calibration, metrics

def labels(name):
    return np.array([float(line.split()[0]) for line in open(sys.argv[1] + "/" + name)])

def rows(name):
    lines = open(name).read().split("\n")[:-1]
    return [float(v) for v in lines[0].split()[1:]], np.array([[float(v) for v in l.split()] for l in lines[1:]])[:, 1:]

def block(script, k=0):
    text = re.search(r"\$curve%d << END\n(.*?)END" % k, open(script + ".script").read(), re.S).group(1)
    return np.array([[float(v) for v in line.split()] for line in text.split("\n")[:-1]])

def titled(script, words, k=0):
    return [float(v) for v in re.findall(words + r" ([0-9.]+)'", open(script + ".script").read())][k]

def near(a, b, tolerance):
    assert np.max(np.abs(np.asarray(a) - b)) <= tolerance, (a, b)

def on_curve(points, x, y):  # each is one of theirs
    assert len(points) > 20
    for a, b in points:
        near(np.min(np.maximum(np.abs(x - a), np.abs(y - b))), 0, 2e-6)

order, p = rows("two.out")
y, p = labels("blobs.test") == order[0], p[:, 0]
near(titled("roc", "area"), metrics.roc_auc_score(y, p), 6e-5)
near(titled("precision-recall", "average precision"), metrics.average_precision_score(y, p), 6e-5)
fpr, tpr, _ = metrics.roc_curve(y, p, drop_intermediate=False)
on_curve(block("roc"), fpr, tpr)
precision, recall, _ = metrics.precision_recall_curve(y, p)
on_curve(block("precision-recall"), recall, precision)
share, mean = calibration.calibration_curve(y, p, n_bins=10)
near(block("reliability")[:, 0], mean, 1e-5)
near(block("reliability")[:, 1], share, 1e-5)
order, u = rows("three.out")
y = labels("three.test")
for k, label in enumerate(order):
    near(titled("three", "label %g, area" % label), metrics.roc_auc_score(y == label, u[:, k]), 6e-5)
END
fi

# ---- what is refused

sorry 2 'expected, not tree; see plot --help$' plot tree
sorry 2 'roc takes DATA and PREDICTIONS, but there is 1 file;' plot roc a
sorry 2 'a name that ends in .svg or .png is needed' plot gap ipm.trace -o picture.jpg
sorry 2 'would be read and overwritten' plot gap ipm.trace --script -o ipm.trace
sorry 1 'no trace (train -T) and no report' plot gap model
sorry 1 'the file is empty' plot gap /dev/null
sorry 1 'model:1: .{. expected: no report of train or predict' plot path model
sorry 1 'ipm.json: the report has no path' plot path ipm.json
status 0 -q --ball l1=1 "$data/blobs.train" ball
sorry 1 'ball: a model without lambda' plot path path.json ball
sorry 1 'no confusion matrix' plot confusion ipm.json
sorry 1 'no measure gini of the folds' plot path --measure gini path.json
sorry 1 'predictions of predict -d or -b 1 are needed' plot roc "$data/three.test" three.plain
sorry 1 '300 predictions for 500 examples' plot roc "$data/blobs.test" three.out
sorry 1 'decision values, but probabilities are needed' plot reliability "$data/three.test" three.out
sorry 1 'no example has the label 1 of the predictions' plot roc <(sed 's/^1 /2 /' "$data/three.test") three.out
printf '{"path": [{"lambda": 1}' >cut.json
sorry 1 "cut.json:2: ']' expected" plot path cut.json
printf 'seconds\tpasses\titeration\tobjective\tbound\n1\t1\t1\t2\t-inf\n' >boundless
sorry 1 'no row has a certified bound' plot gap boundless
echo before >kept.svg
PATH=/nowhere "$bin/plot" gap ipm.trace -o kept.svg 2>err && fail 'a picture without gnuplot'
has '^plot: gnuplot is missing, and it draws the pictures: install it (Debian: gnuplot-nox), or see --script$' err
has '^before$' kept.svg

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
