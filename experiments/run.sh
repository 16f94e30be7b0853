#!/bin/bash
# run.sh OUT NAME RUN OPTION ... - trains on OUT/NAME.train with the options and leaves OUT/NAME.RUN.trace,
# .report, .model and .log (warnings, such as of a limit), unless they are there.
set -euo pipefail
here=$(dirname "$0")
data=$1/$2.train run=$1/$2.$3
shift 3
[ -f "$run.trace" ] && exit 0
if ! "$here/../train" -q -T "$run.trace.part" --report "$run.report" "$@" "$data" "$run.model" \
    2>"$run.log"; then
    cat "$run.log" >&2
    exit 1
fi
mv "$run.trace.part" "$run.trace"
