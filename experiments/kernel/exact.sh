#!/bin/bash
# exact.sh OUT - pdsg and svm-train on the first rows of the training parts, the same C, gamma and tolerance,
# one gigabyte of cache, one thread: CPU seconds and test errors.
set -euo pipefail
here=$(dirname "$0")
out=$1

printf '%-8s %8s %24s %24s %8s\n' data rows svm-train pdsg ratio
while read -r name rows; do
    IFS=$'\t' read -r _ _ _ _ _ cost gamma _ < <(grep -P "^$name\t" "$here/sets.tsv")
    run=$out/$name.pdsg-$rows
    [ -f "$run.train" ] || head -n "$rows" "$out/$name.train" >"$run.train"
    ln -sf "$name.test" "$run.test"
    [ -f "$run.result" ] || (
        TIMEFORMAT="%U %S"
        { time "$here/../../train" -q -j 1 -s pdsg --kernel-cache 1000 --basis 1 -c "$cost" --gamma-kernel "$gamma" \
            "$run.train" "$run.model" 2>"$run.log"; } 2>"$run.time"
        error=$("$here/../../predict" "$run.test" "$run.model" "$run.out" |
            sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p')
        awk -v e="$error" '{ printf "%.3f %.4f\n", $1 + $2, 100 - e }' "$run.time" >"$run.part"
        mv "$run.part" "$run.result"
    )
    read -r ours error <"$run.result"
    read -r seconds svm _ < <("$here/svm.sh" "$out" "$name" "$rows")
    awk -v name="$name" -v rows="$rows" -v a="$seconds" -v b="$svm" -v c="$ours" -v d="$error" 'BEGIN {
        printf "%-8s %8d %24s %24s %8s\n", name, rows, a == "-" ? "-" : sprintf("%.1f s (%.2f %%)", a, b),
            sprintf("%.1f s (%.2f %%)", c, d), a == "-" ? "-" : sprintf("%.2f", c / a) }'
done <<END
adult 32561
mnist 16000
ijcnn 44991
covtype 16000
covtype 32000
END
