#!/bin/bash
# run.sh OUT NAME RUN OPTION ... - trains on OUT/NAME.train with the options and leaves OUT/NAME.RUN.trace,
# OUT/NAME.RUN.report and OUT/NAME.RUN.model, unless they are there.
set -euo pipefail
here=$(dirname "$0")
data=$1/$2.train run=$1/$2.$3
shift 3
[ -f "$run.trace" ] && exit 0
"$here/../train" -q -T "$run.trace.part" --report "$run.report" "$@" "$data" "$run.model"
mv "$run.trace.part" "$run.trace"
