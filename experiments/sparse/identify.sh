#!/bin/bash
# identify.sh OUT IDENTIFY - Table 2.1: steps of dual averaging to the optimal manifold, over SEEDS orders of each
# set, with the gamma that train finds and with one for all.
set -euo pipefail
here=$(dirname "$0")
out=$1
identify=$2
fractions=(0.9 0.519615 0.3) # of lambda_max, equally spaced in log
most=100000

row() { # NAME FRACTION GAMMA THESIS
    local run=$out/$1.identify-$2-$3-${SEEDS:-100} lambda gamma nonzeros m t
    [ -f "$run" ] || { "$identify" "$out/$1.standard" "$2" "$3" "${SEEDS:-100}" "$most" >"$run.part" &&
        mv "$run.part" "$run"; }
    read -r lambda gamma nonzeros <"$run"
    read -ra m < <(awk -v from=2 -f "$here/medians.awk" "$run")
    read -ra t <<<"$4"
    printf '%-11s %.2f (%s) %5.3g %4d (%s)  %6s %-6s (%s %s)%*s %6s %-7s (%s %s)%*s %5.3f (%s)\n' "$1" "$lambda" \
        "${t[0]}" "$gamma" "$nonzeros" "${t[6]}" "${m[0]%.*}" "(${m[1]%.*})" "${t[1]}" "${t[2]}" \
        $((10 - ${#t[1]} - ${#t[2]})) "" "${m[2]%.*}" "(${m[3]%.*})" "${t[3]}" "${t[4]}" \
        $((12 - ${#t[3]} - ${#t[4]})) "" "${m[4]/#-/nan}" "${t[5]}"
}

for gamma in 0 2 5; do
    echo "Steps of rda, medians (deviations) of ${SEEDS:-100} orders (the thesis's in brackets at the right);" \
        "gamma $([ $gamma = 0 ] && echo "as train finds it" || echo "$gamma")"
    printf '%-11s %-11s %5s %8s %-26s %-31s %s\n' data lambda gamma nonzeros "to the 2x superset" \
        "to the manifold" "delta there"
    while read -r name; do
        [ -f "$out/$name.standard" ] || continue
        for k in 0 1 2; do
            thesis=$(awk -F'\t' -v name="$name" -v k="$k" '$1 == name { print $(6 + k) }' "$here/sets.tsv")
            row "$name" "${fractions[k]}" "$gamma" "$thesis"
        done
    done <"$out/names"
    echo
done
echo "\"-\", nan: the median is beyond $most steps"
