#!/bin/bash
# predict.sh OUT - rows of the test part a CPU second, reading included: predict with s landmarks, and svm-predict with
# the support vectors of the largest training part that svm-train took.
set -euo pipefail
out=$1

printf '%-8s %12s %12s %22s %8s %8s\n' data "s = 512" "s = 1024" "svm-predict (vectors)" "ratio" "ratio"
while read -r name; do
    rows=$(wc -l <"$out/$name.test")
    read -r _ _ _ _ _ _ a _ <"$out/$name.ocas-512.result"
    read -r _ _ _ _ _ _ b _ <"$out/$name.ocas-1024.result"
    read -r seconds vectors < <(grep -hv -- - "$out/$name.svm-"*.result | sort -n -k 3 | awk 'END { print $4, $3 }')
    awk -v name="$name" -v n="$rows" -v a="$a" -v b="$b" -v s="$seconds" -v v="$vectors" 'BEGIN {
        printf "%-8s %12.0f %12.0f %22s %8.1f %8.1f\n", name, n / a, n / b, sprintf("%.0f (%d)", n / s, v), s / a,
            s / b }'
done <"$out/names"
