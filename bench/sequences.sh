#!/bin/bash
# sequences.sh TRAIN - sequences and structures: user CPU seconds of the whole run, one thread, and passes over the
# data, until a solver certifies a gap, at most LIMIT seconds of training; the gap of those that do not. CoNLL-2000
# chunks by the usual template, handwritten words, RNA, of RRM_DATASETS.
set -euo pipefail

train=$1
programs=$(dirname "$train")
root=$(dirname "$0")/..
limit=${LIMIT:-120}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM
TIMEFORMAT=%U

# The file of a set, plain.
set_of() {
    if [ -f "${RRM_DATASETS:-}/$1" ]; then
        cat "$RRM_DATASETS/$1" >"$temporary/$1"
    elif [ -f "${RRM_DATASETS:-}/$1.gz" ]; then
        gzip -dc "$RRM_DATASETS/$1.gz" >"$temporary/$1"
    else
        echo "bench-sequences: no $1 in RRM_DATASETS" >&2
        return 1
    fi
}

measure() { # DATA FILE GAP SOLVER OPTION...
    local data=$1 file=$2 gap=$3 solver=$4 seconds
    shift 4
    rm -f "$temporary/model" # none is written if the limit comes before the first evaluation
    seconds=$({ time "$train" -q -j 1 -t "$limit" -e "$gap" -s "$solver" "$@" --report "$temporary/report" "$file" \
        "$temporary/model" 2>/dev/null || :; } 2>&1)
    [ -f "$temporary/model" ] || return 0
    printf '%-8s %-24s %7s %-16s %9s %9.0f %10.2g\n' "$data" "$*" "$gap" "$solver" "$seconds" \
        "$(sed -n 's/^passes //p' "$temporary/model")" \
        "$(awk '$1 == "objective" { j = $2 } $1 == "bound" { b = $2 } END { print (j - b) / j }' "$temporary/model")"
}

printf '%-8s %-24s %7s %-16s %9s %9s %10s\n' data options gap solver seconds passes reached
if set_of conll2000.train.txt; then
    "$programs/conll" encode -q --template "$root/data/chunking.template" --names "$temporary/names" \
        "$temporary/conll2000.train.txt" >"$temporary/chunks"
    for lambda in 1e-3 1e-4; do
        for solver in sdca agm; do
            measure chunks "$temporary/chunks" 1e-3 $solver -L crf -l $lambda
            measure chunks "$temporary/chunks" 1e-2 $solver -L m3n -l $lambda
        done
        measure chunks "$temporary/chunks" 1e-3 sdca -L m3n -l $lambda
    done
fi
if set_of ocr_letters.train; then
    for loss in crf m3n; do
        for lambda in 1e-2 1e-3 1e-4; do
            for solver in sdca proximal-bundle agm; do
                measure letters "$temporary/ocr_letters.train" 1e-2 $solver -B 1 -L $loss -l $lambda
            done
        done
    done
fi
if set_of rna.s151.tar; then
    tar xf "$temporary/rna.s151.tar" -C "$temporary"
    "$programs/bpseq" encode "$temporary"/s151/*.bpseq >"$temporary/s151.svm" 2>/dev/null
    for solver in sdca proximal-bundle; do
        measure s151 "$temporary/s151.svm" 1e-2 $solver -L rna -l 1e-3
    done
fi
