#!/bin/bash
# fit.sh OUT NAME RUN OPTION ... - trains on OUT/NAME.train with the set's C and gamma and the options, on one thread,
# predicts OUT/NAME.test and prints
#   SECONDS MAP-SECONDS TRAIN-SECONDS OBJECTIVE BOUND ERROR PREDICT-SECONDS STATUS
# SECONDS and PREDICT-SECONDS are CPU seconds of the whole process; the seconds between are the program's own, in
# the same proportion to CPU seconds as in the whole run. OUT/NAME.RUN.result keeps the line.
set -euo pipefail
here=$(dirname "$0")
data=$1/$2 run=$1/$2.$3
IFS=$'\t' read -r _ _ _ _ _ cost gamma _ < <(grep -P "^$2\t" "$here/sets.tsv")
shift 3
TIMEFORMAT="%U %S"

# COMMAND ...: runs it, and leaves its CPU and elapsed seconds in OUT/NAME.RUN.time
timed() {
    local TIMEFORMAT="%U %S %R"
    if ! { time "$@" >/dev/null 2>"$run.log"; } 2>"$run.time"; then
        cat "$run.log" >&2
        exit 1
    fi
}
number() { # KEY FILE
    sed -n "s/^ *\"$1\": \"\\?\\([^\",]*\\)\"\\?,\\?\$/\\1/p" "$2" | tail -n 1
}

if [ ! -f "$run.result" ]; then
    timed "$here/../../train" -q -j 1 -c "$cost" --gamma-kernel "$gamma" --report "$run.report" "$@" \
        "$data.train" "$run.model"
    read -r user system elapsed <"$run.time"
    timed "$here/../../predict" -q -j 1 --report "$run.predicted" "$data.test" "$run.model" "$run.out"
    read -r puser psystem _ <"$run.time"
    accuracy=$(grep -o '"accuracy": [0-9.]*' "$run.predicted" | cut -d ' ' -f 2)
    awk -v u="$user" -v s="$system" -v r="$elapsed" -v m="$(number map_seconds "$run.report")" \
        -v t="$(number train_seconds "$run.report")" -v j="$(number objective "$run.report")" \
        -v b="$(number bound "$run.report")" -v a="$accuracy" -v p="$puser" -v q="$psystem" \
        -v w="$(number status "$run.report")" 'BEGIN {
            f = (u + s) / r
            printf "%.3f %.3f %.3f %.8g %.8g %.4f %.3f %s\n", u + s, m * f, t * f, j, b, 100 * (1 - a), p + q, w
        }' >"$run.part"
    mv "$run.part" "$run.result"
    rm -f "$run.out" "$run.time" "$run.predicted"
fi
cat "$run.result"
