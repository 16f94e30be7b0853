#!/bin/sh
# dcd.sh TRAIN - dual coordinate descent beside LIBLINEAR's, which is the same method without conjugate gradients and
# without a proof: seconds of the whole process on text, as a table of docs/speed.md.
#
# LIBLINEAR runs at the loosest tolerance that comes within 0.1 % of the optimum. It stops after 1000 iterations; a
# build of it without that limit may stand first in PATH, and PEER say so (PEER='LIBLINEAR 2.50 without ...'). LIMIT is
# the seconds a process may take, RUNS how often short ones run.
set -eu

train=$1
runs=${RUNS:-3}
limit=${LIMIT:-30}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-dcd liblinear-train hyperfine "$(dirname "$train")/predict" # which evaluates LIBLINEAR's J
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"

ours() { # OPTION...
    seconds_of "$train" --strict -s dcd -L "$loss" -l "$lambda" "$@" "$file" "$temporary/model"
}

passes() { # of the last run
    sed -n 's/.*, \([0-9]*\)[0-9.]* passes.*/\1/p' "$temporary/output"
}

# "-s N" of LIBLINEAR's dual coordinate descent for the loss.
solver_of() { # LOSS
    case $1 in
    hinge) echo 3 ;;
    squared-hinge) echo 1 ;;
    epsilon) echo '13 -p 0.1' ;;
    absolute) echo '13 -p 0' ;;
    esac
}

table() {
    # shellcheck disable=SC2016 # code of Markdown
    echo '| data | loss | lambda | LIBLINEAR | `-e` | above, % | `dcd` 1e-3 | passes | `dcd` 1e-6 | ratio |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    while read -r name rule lambda losses; do
        file=$(two_classes "$name" "$rule") || continue
        for loss in $losses; do
            liblinear_solver=$(solver_of "$loss")
            await_idle
            optimum=$(optimum "$name" "$rule" "$lambda" "$file")
            # shellcheck disable=SC2046 # three words
            set -- $(loosest 0.1 liblinear 1 0.1 0.01 1e-3 1e-4)
            first=$(ours -j 1 -e 1e-3)
            passes=$(passes)
            echo "| $name | $loss | $lambda | $1 | $2 | $3 | $first | $passes | $(ours -j 1 -e 1e-6) |" \
                "$(ratio "$1" "$first") |"
        done
    done
}

table <<'END' >"$temporary/rows"
reuters21578.acq binary 1e-4 hinge squared-hinge epsilon absolute
reuters21578.acq binary 1e-5 hinge squared-hinge
reuters21578.acq binary 1e-7 hinge squared-hinge
news20 le:10 1e-4 hinge squared-hinge epsilon absolute
news20 le:10 1e-5 hinge squared-hinge
END
write_table dcd "${PEER:-liblinear-tools}" <"$temporary/rows"
