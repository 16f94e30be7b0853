#!/bin/bash
# sequences.sh TRAIN - sequences and structures: user CPU seconds of the whole run, one thread, and passes over the
# data, until a solver certifies a gap, at most LIMIT seconds of training; the gap of those that do not. CoNLL-2000
# chunks by the usual template, handwritten words, RNA, of RRM_DATASETS. A table of docs/speed.md.
set -euo pipefail

train=$1
programs=$(dirname "$train")
root=$(dirname "$0")/..
limit=${LIMIT:-60}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM
TIMEFORMAT=%U
runs=1
CLOCK=user
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

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

# "SECONDS (PASSES)", with the gap where that was not reached.
measure() { # FILE GAP SOLVER OPTION...
    local file=$1 gap=$2 solver=$3 seconds
    shift 3
    rm -f "$temporary/model" # none is written if the limit comes before the first evaluation
    seconds=$({ time "$train" -q -j 1 -t "$limit" -e "$gap" -s "$solver" "$@" "$file" "$temporary/model" \
        2>/dev/null || :; } 2>&1)
    [ -f "$temporary/model" ] || { echo "-" && return; }
    awk -v seconds="$seconds" -v gap="$gap" '{ value[$1] = $2 }
        END {
            reached = (value["objective"] - value["bound"]) / value["objective"]
            printf "%.1f (%.0f)%s\n", seconds, value["passes"],
                (reached > gap * 1.0001 ? sprintf(", gap %.2g %%", 100 * reached) : "")
        }' "$temporary/model"
}

# A row, with an empty cell for a solver that is not named.
row() { # DATA FILE LOSS LAMBDA GAP "SOLVERS" OPTION...
    local data=$1 file=$2 loss=$3 lambda=$4 gap=$5 solvers=$6 cells=
    shift 6
    await_idle
    for solver in sdca proximal-bundle; do
        case " $solvers " in
        *" $solver "*) cells="$cells $(measure "$file" "$gap" "$solver" -L "$loss" -l "$lambda" "$@") |" ;;
        *) cells="$cells |" ;;
        esac
    done
    echo "| $data | $loss | $lambda | $gap |$cells"
}

table() {
    # shellcheck disable=SC2016 # code of Markdown
    echo '| data | loss | lambda | gap | `sdca` | `proximal-bundle` |'
    echo '| --- | --- | --- | --- | --- | --- |'
    if set_of conll2000.train.txt; then
        "$programs/conll" encode -q --template "$root/data/chunking.template" --names "$temporary/names" \
            "$temporary/conll2000.train.txt" >"$temporary/chunks"
        for lambda in 1e-3 1e-4; do
            row CoNLL-2000 "$temporary/chunks" crf $lambda 1e-3 sdca
            row CoNLL-2000 "$temporary/chunks" m3n $lambda 1e-2 sdca
            row CoNLL-2000 "$temporary/chunks" m3n $lambda 1e-3 sdca
        done
    fi
    if set_of ocr_letters.train; then
        for loss in crf m3n; do
            for lambda in 1e-2 1e-3 1e-4; do
                row 'handwritten words' "$temporary/ocr_letters.train" $loss $lambda 1e-2 'sdca proximal-bundle' -B 1
            done
        done
    fi
    if set_of rna.s151.tar; then
        tar xf "$temporary/rna.s151.tar" -C "$temporary"
        "$programs/bpseq" encode "$temporary"/s151/*.bpseq >"$temporary/s151.svm" 2>/dev/null
        for lambda in 1e-1 1e-3; do
            row RNA "$temporary/s151.svm" rna $lambda 1e-2 'sdca proximal-bundle'
        done
    fi
}

table >"$temporary/rows"
write_table sequences <"$temporary/rows"
