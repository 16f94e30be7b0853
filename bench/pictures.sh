#!/bin/bash
# pictures.sh BIN FOLDER - docs/plot-*.svg: one of each kind of picture that plot draws, of public data. BIN has the
# programs.
set -eu

bin=$(cd "$1" && pwd)
folder=$(cd "$2" && pwd)
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets pictures gnuplot

picture() { # KIND ARGUMENT...
    "$bin/plot" "$@" -o "$folder/plot-$1.svg"
}

needed() { # SET...: true if all are there, as files of $temporary
    for set; do
        plain_set "$set" >/dev/null || { echo "pictures: there is no $set" >&2; return 1; }
    done
}

cd "$temporary"
if needed a9a a9a.t; then
    for solver in dcd ipm agm bundle; do
        "$bin/train" -q -j 1 -s $solver -l 1e-4 -e 1e-6 -T $solver.trace a9a model
    done
    picture gap dcd.trace ipm.trace bundle.trace agm.trace --title 'a9a, hinge, lambda 1e-4'
    "$bin/train" -q -L logistic -c 1 a9a model
    "$bin/predict" -q -d a9a.t model decisions
    picture roc a9a.t decisions --title 'a9a, logistic regression'
    picture precision-recall a9a.t decisions --title 'a9a, logistic regression'
    "$bin/train" -q -c 1 -b 1 a9a model
    "$bin/predict" -q -b 1 a9a.t model probabilities
    picture reliability a9a.t probabilities --title "a9a, hinge with Platt's sigmoid"
fi
if needed usps usps.t; then
    "$bin/train" -q -L softmax -l 1e-4 usps model
    "$bin/predict" -q --measures confusion --report report usps.t model labels
    picture confusion report --title 'usps, softmax' --width 560 --height 480
fi
if needed german.numer_scale; then
    "$bin/train" -q -L logistic -r l1 -l 1e-3 --path 15 -v 10 --report report german.numer_scale model >table
    awk '/^0/ { print $1 }' table | while read -r lambda; do
        "$bin/train" -q -L logistic -r l1 -l "$lambda" german.numer_scale "model.$lambda"
    done
    picture path report model.* -n 8 --measure auc --title 'german.numer, logistic regression, l1' --height 640
fi
if needed milan.mort.csv; then
    "$bin/convert" encode -q --names names --label tot.mort --ignore day.num,resp.mort milan.mort.csv >data
    "$bin/train" -q -L squared -l 1e-3 --scale standard --intercept data model
    "$bin/weights" -q -n 6 --names names model | grep -v offset | picture weights - --title 'deaths in Milan a day'
fi
