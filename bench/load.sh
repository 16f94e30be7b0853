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

if [ -z "${RRM_DATASETS:-}" ]; then
    echo "bench-load: skipped, RRM_DATASETS (a folder with data sets) is not set"
    exit 0
fi
if ! command -v liblinear-train > /dev/null; then
    echo "bench-load: skipped, there is no liblinear-train (Debian: liblinear-tools)"
    exit 0
fi

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# Microseconds of the best run of a command.
best_of_runs() {
    local best=0 begin end
    for _ in $(seq "$runs"); do
        begin=${EPOCHREALTIME/./}
        "$@" > /dev/null
        end=${EPOCHREALTIME/./}
        if [ "$best" -eq 0 ] || [ $((end - begin)) -lt "$best" ]; then
            best=$((end - begin))
        fi
    done
    echo "$best"
}

files=()
printf '%-28s %8s %10s %8s %8s %8s %8s\n' \
    'MB/s, whole process' MB liblinear 1 ratio 2 ratio
for name in a9a w8a covtype.libsvm.binary.scale mnist.scale news20 reuters21578.acq; do
    file=$RRM_DATASETS/$name
    if [ ! -f "$file" ] && [ -f "$file.gz" ]; then
        file=$temporary/$name
        gzip -dc "$RRM_DATASETS/$name.gz" > "$file"
    fi
    [ -f "$file" ] || continue
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
