#!/bin/bash
# chunking.sh OUT - CoNLL-2000 chunks with the usual template: chunk F1 on the test part, certified gap and seconds by
# solver, for crf (LAMBDAS) and m3n. Solvers stop at a gap of 0.001 or after LIMIT seconds. The files are
# conll2000.train.txt and conll2000.test.txt of RRM_DATASETS.
set -euo pipefail
here=$(dirname "$0")
root=$here/../..
out=$1
limit=${LIMIT:-60}
lambdas=${LAMBDAS:-1e-3 1e-4 1e-5}
solvers=${SOLVERS:-proximal pegasos bundle proximal-bundle agm}

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

number() { # FILE NAME
    sed -n "s/^ *\"$2\": \([^,]*\),*$/\1/p" "$1"
}

# The run's report and measures, unless they are there.
fit() { # LOSS SOLVER LAMBDA
    local run=$out/chunks.$1.$2.$3
    [ -f "$run.measures" ] && return
    "$root/train" -q -j 1 -s "$2" -L "$1" -l "$3" -t "$limit" --report "$run.report" "$out/chunks.train" \
        "$out/chunks.model" 2>/dev/null
    "$root/predict" --names "$out/chunks.names" "$out/chunks.test" "$out/chunks.model" "$out/chunks.predicted" \
        >"$run.measures.part" 2>/dev/null
    rm "$out/chunks.model"
    mv "$run.measures.part" "$run.measures"
}

for loss in ${LOSSES:-crf m3n}; do
    echo "$loss: chunk F1 and token accuracy on the test part, J, certified gap, passes, training seconds (at most $limit)"
    printf '%-8s %-16s %8s %9s %9s %9s %8s %8s\n' lambda solver F1 accuracy J gap passes seconds
    for lambda in $lambdas; do
        for solver in $solvers; do
            fit "$loss" "$solver" "$lambda"
            run=$out/chunks.$loss.$solver.$lambda
            printf '%-8s %-16s %8.4f %9s %9.4f %9.2g %8.1f %8.1f\n' "$lambda" "$solver" \
                "$(sed -n 's/^chunk F1 = //p' "$run.measures")" \
                "$(sed -n 's/^Accuracy = \([^ ]*\) .*/\1/p' "$run.measures")" \
                "$(number "$run.report" objective)" "$(number "$run.report" gap)" \
                "$(number "$run.report" passes)" "$(number "$run.report" train_seconds)"
        done
    done
    echo
done
