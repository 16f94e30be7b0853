#!/bin/sh
# dcd.sh TRAIN - dual coordinate descent beside LIBLINEAR's, which is the same method without conjugate gradients and
# without a proof: seconds of the whole process, hinge and squared hinge, on text.
#
# LIBLINEAR runs at the loosest tolerance that comes within 0.1 % of the optimum. It stops after 1000 iterations; a
# build of it without that limit may stand first in PATH. LIMIT is the seconds a process may take, RUNS how often
# short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-60}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-dcd liblinear-train hyperfine

ours() { # OPTION...
    seconds_of "$train" --strict -s dcd -L "$loss" -l "$lambda" "$@" "$file" "$temporary/model"
}

passes() { # of the last run
    sed -n 's/.*, \([0-9.]*\) passes.*/\1/p' "$temporary/output"
}

cat <<END
Seconds of the whole process, fastest of $runs runs, one if 3 s or more; >$limit: stopped after that; -: did not get
there. LIBLINEAR -s 3 and -s 1 at the loosest tolerance (-e) that comes within 0.1 % of the optimum; above: per cent
above it then. dcd certifies 1e-3 and 1e-6, on one thread but for the last column. ratio: LIBLINEAR over dcd at 1e-3.

END
printf '%-15s %-13s %-6s %9s %-5s %6s %9s %6s %9s %9s %6s\n' data loss lambda liblinear -e above '1e-3' passes '1e-6' \
    '2 threads' ratio
while read -r name rule lambda; do
    file=$(two_classes "$name" "$rule") || continue
    for loss in hinge squared-hinge; do
        liblinear_solver=$([ $loss = hinge ] && echo 3 || echo 1)
        optimum=$(optimum "$name" "$rule" "$lambda" "$file")
        # shellcheck disable=SC2046 # three words
        set -- $(loosest 0.1 liblinear 1 0.1 0.01 1e-3 1e-4)
        first=$(ours -j 1 -e 1e-3)
        "$train" --strict -s dcd -j 1 -L $loss -l "$lambda" "$file" "$temporary/model" >"$temporary/output" || :
        printf '%-15.15s %-13s %-6s %9s %-5s %6s %9s %6s %9s %9s %6s\n' "$name" $loss "$lambda" "$1" "$2" "$3" \
            "$first" "$(passes)" "$(ours -j 1 -e 1e-6)" "$(ours -j 2 -e 1e-3)" "$(ratio "$1" "$first")"
    done
done <<'END'
reuters21578.acq binary 1e-4
reuters21578.acq binary 1e-5
reuters21578.acq binary 1e-7
news20 le:10 1e-4
news20 le:10 1e-5
END
