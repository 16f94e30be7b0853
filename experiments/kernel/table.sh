#!/bin/bash
# table.sh OUT - Table 3.2: test error and CPU seconds of asset, asset* and ocas at s = 512 and 1024.
set -euo pipefail
here=$(dirname "$0")
out=$1

fit() { # NAME S SOLVER OPTION ...
    local name=$1 s=$2 solver=$3
    shift 3
    "$here/fit.sh" "$out" "$name" "$solver-$s" -s "$solver" --map nystrom --landmarks "$s" "$@"
}

for s in 512 1024; do
    [ $s = 512 ] || echo
    echo "s = $s: test error in percent (the thesis); CPU seconds of the process, those of mapping and of training in" \
        "brackets"
    printf '%-8s' data
    for solver in asset "asset*"; do printf ' %-34s' "$solver"; done
    printf ' %s\n' "ocas (the thesis's SVM-Light)"
    while read -r name; do
        IFS=$'\t' read -r _ _ _ _ _ _ _ passes a b c d light < <(grep -P "^$name\t" "$here/sets.tsv")
        [ $s = 512 ] || a=$c b=$d
        printf '%-8s' "$name"
        for solver in asset "asset*" ocas; do
            case $solver in
            asset) thesis=$a options=(-p "$passes") ;;
            "asset*") thesis=$b options=(-p "$passes") ;;
            *) thesis=$light options=() ;;
            esac
            read -r seconds map train _ _ error _ < <(fit "$name" $s "$solver" "${options[@]}")
            printf ' %-34s' "$(printf '%5.2f (%s) %5.1f s (%.1f + %.1f)' "$error" "$thesis" "$seconds" "$map" "$train")"
        done
        echo
    done <"$out/names"
done
