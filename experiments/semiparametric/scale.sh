#!/bin/bash
# scale.sh OUT - of the sets in OUT/names: features and target of the regression sets to [0,1], the first ROWS examples
# of the others; in place.
set -euo pipefail
here=$(dirname "$0")
out=$1
while read -r name; do
    IFS=$'\t' read -r _ _ _ _ _ type _ < <(grep -P "^$name\t" "$here/sets.tsv")
    if [ "$type" = 3 ]; then
        svm-scale -l 0 -u 1 -y 0 1 "$out/$name.train" >"$out/$name.part" 2>/dev/null
    else
        head -n "${ROWS:-10000}" "$out/$name.train" >"$out/$name.part"
    fi
    mv "$out/$name.part" "$out/$name.train"
done <"$out/names"
