#!/bin/sh
# smooth.sh TRAIN - seconds of the whole process, one thread, and passes to a certified gap of 1e-3 with smooth losses:
# dcd (for softmax and logistic sdca), lbfgs and proximal-bundle, as a table of docs/speed.md. LIMIT is the seconds a
# process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-20}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-smooth hyperfine
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

cell() { # SOLVER: "SECONDS (PASSES)"
    rm -f "$temporary/report"
    seconds=$(seconds_of "$train" -q --strict -j 1 -s "$1" -L "$loss" -l "$lambda" -e 1e-3 \
        --report "$temporary/report" "$file" "$temporary/model")
    case $seconds in
    [0-9]*) echo "$seconds ($(reported passes | awk '{ printf "%.0f", $1 }'))" ;;
    *) echo "$seconds" ;;
    esac
}

table() {
    # shellcheck disable=SC2016 # solvers are no commands
    echo '| data | loss | lambda | `dcd`, for softmax and logistic `sdca` | `lbfgs` | `proximal-bundle` |'
    echo '| --- | --- | --- | --- | --- | --- |'
    while read -r name loss lambdas; do
        file=$(plain_set "$name") || continue
        dual=dcd
        case $loss in softmax | logistic) dual=sdca ;; esac
        for lambda in $lambdas; do
            await_idle
            echo "| $name | $loss | $lambda | $(cell $dual) | $(cell lbfgs) | $(cell proximal-bundle) |"
        done
    done
}

table <<'END' >"$temporary/rows"
reuters21578.acq squared 1e-4 1e-6
reuters21578.acq huber 1e-6
reuters21578.acq logistic 1e-4 1e-6
news20 squared 1e-4
news20 huber 1e-4
news20 logistic 1e-4 1e-6
news20 softmax 1e-3 1e-4
mnist.scale softmax 1e-4
usps softmax 1e-4 1e-7
connect-4 softmax 1e-4 1e-6
dna.scale softmax 1e-4 1e-7
END
write_table smooth <"$temporary/rows"
