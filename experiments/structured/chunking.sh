#!/bin/bash
# chunking.sh OUT - CoNLL-2000 chunks with the usual template: chunk F1 on the test part, certified gap and seconds by
# solver, for crf (LAMBDAS) and m3n. Solvers stop at a gap of 0.001 or after LIMIT seconds. The files are
# conll2000.train.txt and conll2000.test.txt of RRM_DATASETS.
set -euo pipefail
here=$(dirname "$0")
root=$here/../..
out=$1
limit=${LIMIT:-60}
lambdas=${LAMBDAS:-1e-4}
solvers=${SOLVERS:-sdca agm proximal proximal-bundle bundle}
# shellcheck source=experiments/structured/fit.sh
. "$here/fit.sh"

columns() { # PART
    local file=$RRM_DATASETS/conll2000.$1.txt
    if [ -f "$file" ]; then cat "$file"; else zcat "$file.gz"; fi
}

if [ ! -f "$RRM_DATASETS/conll2000.train.txt" ] && [ ! -f "$RRM_DATASETS/conll2000.train.txt.gz" ]; then
    echo "skipped: conll2000.train.txt is not in $RRM_DATASETS"
    exit 0
fi
if [ ! -f "$out/chunks.test" ]; then
    columns train | "$root/conll" encode -q --template "$root/data/chunking.template" --names "$out/chunks.names" - \
        >"$out/chunks.train"
    columns test | "$root/conll" encode -q --template "$root/data/chunking.template" --names "$out/chunks.names" \
        --freeze - >"$out/chunks.test.part"
    mv "$out/chunks.test.part" "$out/chunks.test"
fi

for loss in ${LOSSES:-crf m3n}; do
    echo "$loss: chunk F1 and token accuracy on the test part, J, certified gap, passes, training seconds" \
        "(at most $limit)"
    printf '%-8s %-16s %8s %8s %9s %9s %8s %8s\n' lambda solver F1 accuracy J gap passes seconds
    for lambda in $lambdas; do
        for solver in $solvers; do
            run=chunks.$loss.$solver.$lambda
            fit chunks "$run" "--names=$out/chunks.names" -s "$solver" -L "$loss" -l "$lambda"
            row "$run" "$lambda" "$solver" "$(sed -n 's/^chunk F1 = //p' "$out/$run.measures" | xargs printf %.4f)" \
                "$(sed -n 's/^Accuracy = \([^ ]*\) .*/\1/p' "$out/$run.measures")"
        done
    done
    echo
done
