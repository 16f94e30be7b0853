#!/bin/bash
# table.sh OUT - Table 5.2: iterations and seconds of ocas, and of mcpa with one partition without and
# with shrinking; then the same with an unregularized offset.
set -euo pipefail
here=$(dirname "$0")
out=$1

cell() { # ITERATIONS SECONDS PAPER'S ITERATIONS AND SECONDS
    printf ' %-26s' "$1 $2 s ($3, $4 s)"
}

for offset in "" --intercept; do
    echo "Iterations and seconds to a relative gap of 1e-2${offset:+, with an offset} (the thesis in brackets)"
    printf '%-10s %-5s %-26s %-26s %s\n' data C ocas "mcpa, P = 1" "mcpa, P = 1, shrinking"
    while read -r name; do
        IFS=$'\t' read -r _ _ _ _ _ cost oi os mi ms si ss < <(grep -P "^$name\t" "$here/sets.tsv")
        printf '%-10s %-5s' "$name" "$cost"
        read -r iterations seconds < <("$here/cuts.sh" "$out" "$name" "ocas$offset" -s ocas \
            --safeguard always --shrink off $offset)
        cell "$iterations" "$seconds" "$oi" "$os"
        read -r iterations seconds < <("$here/cuts.sh" "$out" "$name" "off-1$offset" -s mcpa \
            --partitions 1 --shrink off $offset)
        cell "$iterations" "$seconds" "$mi" "$ms"
        read -r iterations seconds < <("$here/cuts.sh" "$out" "$name" "normal-1$offset" -s mcpa \
            --partitions 1 --shrink normal $offset)
        cell "$iterations" "$seconds" "$si" "$ss"
        echo
    done <"$out/names"
    echo
done
echo "\"- -\": not within LIMIT seconds"
