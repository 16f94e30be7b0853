#!/bin/sh
# load.sh LOAD - loading beside LIBLINEAR's, as whole processes on the same files.
#
# LOAD is the program of load.c. LIBLINEAR has no command that only loads; with a huge tolerance its
# training ends at once, and as a regression (-s 11) it trains one vector, whatever the labels, where
# its classifiers would go through the data once a class. The sets are taken from the folder
# RRM_DATASETS, packed or not; packed ones are inflated first, since liblinear-train reads plain text
# only. Times are the fastest of RUNS runs.
set -eu

load=$1
runs=${RUNS:-7}
limit=60

# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-load liblinear-train hyperfine

# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

sets='a9a w8a covtype.libsvm.binary.scale mnist.scale news20 reuters21578.acq'

table() {
    echo '| data | MB | librrm, MB/s | two threads | LIBLINEAR | ratio |'
    echo '| --- | --- | --- | --- | --- | --- |'
    for name in $sets; do
        file=$(plain_set "$name") || continue
        await_idle
        theirs=$(seconds_of liblinear-train -s 11 -e 1000000 -q "$file" "$temporary/model")
        one=$(seconds_of "$load" --once 1 "$file")
        two=$(seconds_of "$load" --once 2 "$file")
        awk -v name="$name" -v bytes="$(wc -c <"$file")e-6" -v theirs="$theirs" -v one="$one" -v two="$two" '
            function speed(s) { return s > 0 ? sprintf("%.0f", bytes / s) : "-" }
            BEGIN {
                printf "| %s | %.1f | %s | %s | %s | %.1f |\n", name, bytes, speed(one), speed(two), speed(theirs),
                    (one > 0 ? theirs / one : 0)
            }'
    done
}
table >"$temporary/rows"
write_table load liblinear-tools <"$temporary/rows"

set --
for name in $sets; do
    file=$(plain_set "$name") || continue
    set -- "$@" "$file"
done
echo
echo 'loading alone'
"$load" "$@"
