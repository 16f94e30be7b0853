#!/bin/bash
# least.sh RUN COMMAND ... - runs the command, RUNS times if the first took less than 2 user seconds, and leaves the
# least of them in RUN.time, its output in RUN.stdout and RUN.log. No RUN.time and a status: LIMIT seconds did not
# suffice.
set -euo pipefail
run=$1
shift
TIMEFORMAT=%U

limited() { # COMMAND ...
    bash -c 'ulimit -t "$0" && exec "$@"' "${LIMIT:-120}" "$@"
}

rm -f "$run.time"
for _ in $(seq "${RUNS:-3}"); do
    status=0
    { time limited "$@" >"$run.stdout" 2>"$run.log" || status=$?; } 2>"$run.once"
    if [ $status -gt 128 ]; then
        rm -f "$run.once"
        exit $status
    fi
    tail -n 1 "$run.once" >>"$run.time"
    rm -f "$run.once"
    if [ $status -ne 0 ]; then
        cat "$run.log" >&2
        exit $status
    fi
    awk 'NR == 1 { exit $1 < 2 }' "$run.time" && break
done
sort -g "$run.time" | head -n 1 >"$run.least"
mv "$run.least" "$run.time"
