#!/bin/bash
# seeding.sh OUT - landmarks drawn uniformly, by k-means++ and by randomly pivoted Cholesky, and random Fourier features, at the same dimension: test
# error, objective (ocas, to a gap of 0.1 %) and CPU seconds, means of SEEDS seeds and one seed at 1024. Not on covtype.
set -euo pipefail
here=$(dirname "$0")
out=$1

cell() { # NAME KIND S
    local options=(--map nystrom --landmarks "$3" --seeding "$2") seeds=${SEEDS:-3}
    [ "$3" -lt 1024 ] || seeds=1
    [ "$2" != fourier ] || options=(--map fourier --dimension "$3")
    for seed in $(seq "$seeds"); do
        "$here/fit.sh" "$out" "$1" "seeding-$2-$3-$seed" -s ocas -S "$seed" "${options[@]}"
    done | awk '{ s += $1; j += $4; e += $6 } END { printf " %6.2f %8.5f %6.1f s |", e / NR, j / NR, s / NR }'
}

echo "Test error in percent, objective and CPU seconds; means of ${SEEDS:-3} seeds, one at 1024"
printf '%-14s' "data, s"
for kind in uniform "kmeans++" rpcholesky fourier; do printf ' %-24s |' "$kind"; done
echo
while read -r name; do
    [ "$name" != covtype ] || continue
    for s in 64 256 1024; do
        printf '%-8s %5d' "$name" $s
        for kind in uniform "kmeans++" rpcholesky fourier; do cell "$name" "$kind" $s; done
        echo
    done
done <"$out/names"
