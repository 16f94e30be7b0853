#!/bin/bash
# fit.sh OUT NAME RUN OPTION ... - trains on OUT/NAME.train with the options, on one thread, and prints
#   SECONDS OBJECTIVE BOUND PASSES VECTORS
# in user seconds of the whole process, the least of RUNS if the first took less than 2; or "- - - - -" where LIMIT of
# them did not suffice. OUT/NAME.RUN.result keeps the line, OUT/NAME.RUN.model the model.
set -euo pipefail
here=$(dirname "$0")
data=$1/$2.train run=$1/$2.$3
shift 3
number() { # KEY
    sed -n "s/^ *\"$1\": \"\\?\\([^\",]*\\)\"\\?,\\?\$/\\1/p" "$run.report"
}
if [ ! -f "$run.result" ]; then
    if "$here/least.sh" "$run" "$here/../../train" -q -j 1 --report "$run.report" "$@" "$data" "$run.model"; then
        read -r seconds <"$run.time"
        vectors=$(sed -n 's/^points //p' "$run.model")
        echo "$seconds $(number objective) $(number bound) $(number passes) ${vectors:--}" >"$run.part"
        if [ -s "$run.log" ]; then cat "$run.log" >&2; fi
    elif [ -f "$run.time" ]; then
        exit 1
    else
        echo "- - - - -" >"$run.part"
    fi
    mv "$run.part" "$run.result"
    rm -f "$run.time"
fi
cat "$run.result"
