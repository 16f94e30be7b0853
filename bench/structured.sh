#!/bin/bash
# structured.sh TRAIN - a pass over the data of the risks beyond single examples: gradient, value and what
# bundle-ls adds, which is little; one thread, the fastest of RUNS runs of PASSES passes. Sequences and queries
# are made here; the others need RRM_DATASETS. "pairs": rows times outputs (tokens times labels).
set -euo pipefail

train=$1
runs=${RUNS:-3}
passes=${PASSES:-10}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

# TOKENS LENGTH FEATURES PER_TOKEN LABELS: sequences with as many features a token, all 1.
sequences() {
    awk -v tokens="$1" -v length_="$2" -v features="$3" -v each="$4" -v labels="$5" 'BEGIN {
        srand(1)
        for (t = 0; t < tokens; t++) {
            printf "%d qid:%d", 1 + int(labels * rand()), 1 + int(t / length_)
            # the k-th of the token in the k-th part of the features, frequent ones among them
            for (k = 0; k < each; k++)
                printf " %d:1", 1 + int((k + rand() ^ 3) * features / each)
            print ""
        } }'
}

# ROWS LENGTH FEATURES: queries of documents with dense features and grades 0, 1, 2.
queries() {
    awk -v rows="$1" -v length_="$2" -v features="$3" 'BEGIN {
        srand(2)
        for (t = 0; t < rows; t++) {
            printf "%d qid:%d", int(3 * rand() ^ 2), 1 + int(t / length_)
            for (j = 1; j <= features; j++)
                printf " %d:%.3f", j, rand()
            print ""
        } }'
}

# The file of a set, plain.
set_of() {
    if [ -f "${RRM_DATASETS:-}/$1" ]; then
        echo "$RRM_DATASETS/$1"
    elif [ -f "${RRM_DATASETS:-}/$1.gz" ]; then
        gzip -dc "$RRM_DATASETS/$1.gz" >"$temporary/$1"
        echo "$temporary/$1"
    else
        return 1
    fi
}

number() { # NAME: of the report
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$temporary/report"
}

measure() { # DATA FILE LOSS OUTPUTS OPTION...
    local data=$1 file=$2 loss=$3 outputs=$4 best=inf seconds
    shift 4
    await_idle
    for ((run = 0; run < runs; run++)); do
        "$train" -q -j 1 -s bundle-ls -e 0 -p "$passes" -L "$loss" "$@" --report "$temporary/report" "$file" \
            "$temporary/model" 2>/dev/null
        seconds=$(awk -v a="$(number train_seconds)" -v b="$(number passes)" 'BEGIN { print a / b }')
        best=$(awk -v a="$best" -v b="$seconds" 'BEGIN { print a == "inf" || b < a ? b : a }')
    done
    awk -v data="$data" -v loss="$loss" -v rows="$(number rows)" -v nonzeros="$(number nonzeros)" \
        -v outputs="$outputs" -v seconds="$best" 'BEGIN {
        printf "%-22s %-15s %9d %7d %10.2f %8.2f %10.1f\n", data, loss, rows, outputs, 1e3 * seconds,
            1e9 * seconds / (nonzeros * outputs), rows * outputs / seconds / 1e6 }'
}

printf '%-22s %-15s %9s %7s %10s %8s %10s\n' data loss rows outputs 'ms a pass' 'ns/nz/o' 'M pairs/s'
sequences 211000 23 300000 20 20 >"$temporary/sequences"
measure sequences "$temporary/sequences" crf 20
measure sequences "$temporary/sequences" m3n 20
queries 100000 100 46 >"$temporary/queries"
measure queries "$temporary/queries" pairwise 1
measure queries "$temporary/queries" ndcg 1
while read -r name loss outputs options; do
    file=$(set_of "$name") || continue
    # shellcheck disable=SC2086 # words
    measure "$name" "$file" "$loss" "$outputs" $options
done <<'SETS'
mnist.scale softmax 10
mnist.scale crammer-singer 10
news20 softmax 20
news20 crammer-singer 20
ocr_letters.train crf 26
ocr_letters.train m3n 26
mq2008.fold1.train pairwise 1
mq2008.fold1.train ndcg 1
w8a f1 1
w8a prbep 1
w8a rocarea 1
covtype.libsvm.binary.scale rocarea 1
SETS
if [ -f "${RRM_DATASETS:-}/rna.s151.tar.gz" ]; then
    tar xzf "$RRM_DATASETS/rna.s151.tar.gz" -C "$temporary"
    "$(dirname "$train")/bpseq" encode "$temporary"/s151/*.bpseq >"$temporary/rna"
    measure rna.s151 "$temporary/rna" rna 1 -l 1
fi

echo
conditions
