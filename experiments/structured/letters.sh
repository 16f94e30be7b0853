#!/bin/bash
# letters.sh OUT - handwritten words (Taskar, Guestrin & Koller 2003; ocr_letters of RRM_DATASETS), 128 pixels and a
# constant feature: the share of letters and words that are wrong on the test part, certified gap, passes and seconds by
# solver, for m3n and crf. lambda is not chosen: the rows show what each gives.
set -euo pipefail
here=$(dirname "$0")
root=$here/../..
out=$1
limit=${LIMIT:-60}
lambdas=${LAMBDAS:-1e-2 1e-3 1e-4 1e-5}
solvers=${SOLVERS:-sdca proximal-bundle agm proximal}
# shellcheck source=experiments/structured/fit.sh
. "$here/fit.sh"

for part in train test; do
    file=$RRM_DATASETS/ocr_letters.$part
    [ -f "$file" ] || file=$file.gz
    if [ ! -f "$file" ]; then
        echo "skipped: ocr_letters.$part is not in $RRM_DATASETS"
        exit 0
    fi
    ln -sf "$(realpath "$file")" "$out/letters.$part" # train and predict know gzip by its bytes
done

wrong() { # FILE MEASURE
    sed -n "s/^$2 = \([^%]*\)%.*/\1/p" "$1" | awk '{ printf "%.2f", 100 - $1 }'
}

for loss in m3n crf; do
    echo "$loss: letters and words wrong on the test part (%), J, certified gap, passes, training seconds" \
        "(at most $limit)"
    printf '%-8s %-16s %8s %8s %9s %9s %8s %8s\n' lambda solver letters words J gap passes seconds
    for lambda in $lambdas; do
        for solver in $solvers; do
            run=letters.$loss.$solver.$lambda
            fit letters "$run" "" -B 1 -s "$solver" -L "$loss" -l "$lambda"
            row "$run" "$lambda" "$solver" "$(wrong "$out/$run.measures" Accuracy)" \
                "$(wrong "$out/$run.measures" "sequence accuracy")"
        done
    done
    echo
done
