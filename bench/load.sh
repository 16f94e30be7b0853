#!/usr/bin/env bash
# load.sh LOAD - loading beside LIBLINEAR's, as whole processes on the same files.
#
# LOAD is the program of load.c. LIBLINEAR has no command that only loads; with a huge tolerance its
# training ends at once, and as a regression (-s 11) it trains one vector, whatever the labels, where
# its classifiers would go through the data once a class. The sets are taken from the folder
# RRM_DATASETS, packed or not; packed ones are inflated first, since liblinear-train reads plain text
# only. Times are the best of RUNS runs.
set -euo pipefail

load=$1
runs=${RUNS:-7}

# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-load

files=()
printf '%-28s %8s %10s %8s %8s %8s %8s\n' \
    'MB/s, whole process' MB liblinear 1 ratio 2 ratio
for name in a9a w8a covtype.libsvm.binary.scale mnist.scale news20 reuters21578.acq; do
    file=$(plain_set "$name") || continue
    theirs=$(runs=4 best_of_runs liblinear-train -s 11 -e 1000000 -q "$file" "$temporary/model")
    one=$(best_of_runs "$load" --once 1 "$file")
    two=$(best_of_runs "$load" --once 2 "$file")
    awk -v name="$name" -v bytes="$(stat -c %s "$file")" \
        -v theirs="$theirs" -v one="$one" -v two="$two" 'BEGIN {
        printf "%-28s %8.1f %10.0f %8.0f %8.1f %8.0f %8.1f\n", name, bytes / 1e6, bytes / theirs,
            bytes / one, theirs / one, bytes / two, theirs / two }'
    files+=("$file")
done
echo
echo 'loading alone'
"$load" "${files[@]}"
