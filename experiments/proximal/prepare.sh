#!/bin/bash
# prepare.sh OUT - puts the sets of sets.tsv that $RRM_DATASETS has into OUT as NAME.train, NAME.test
# (inflated, and split 80/20 where the data has no test part), and lists them in OUT/names.
set -euo pipefail
here=$(dirname "$0")
out=$1

# The file or its .gz, inflated, on standard output.
contents() {
    if [ -f "$RRM_DATASETS/$1" ]; then cat "$RRM_DATASETS/$1"; else zcat "$RRM_DATASETS/$1.gz"; fi
}
present() {
    [ -f "$RRM_DATASETS/$1" ] || [ -f "$RRM_DATASETS/$1.gz" ]
}

mkdir -p "$out"
: >"$out/names"
grep -v '^#' "$here/sets.tsv" | while IFS=$'\t' read -r name train test _ _ split _; do
    if ! present "$train"; then
        echo "skipped: $name ($train is not in $RRM_DATASETS)"
        continue
    fi
    echo "$name" >>"$out/names"
    [ -f "$out/$name.test" ] && continue
    if [ "$split" = yes ]; then
        contents "$train" | awk 'NR % 5 != 0' >"$out/$name.train"
        contents "$train" | awk 'NR % 5 == 0' >"$out/$name.test"
    else
        contents "$train" >"$out/$name.train"
        contents "$test" >"$out/$name.test"
    fi
done
