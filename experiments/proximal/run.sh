#!/bin/bash
# run.sh OUT NAME SOLVER RUN [OPTION ...] - trains on OUT/NAME.train with the set's lambda and class for
# $PASSES passes (default 100) and leaves OUT/NAME.RUN.trace, unless it is there.
set -euo pipefail
here=$(dirname "$0")
out=$1 name=$2 solver=$3 run=$4
shift 4
[ -f "$out/$name.$run.trace" ] && exit 0
IFS=$'\t' read -r _ _ _ class lambda _ < <(grep -P "^$name\t" "$here/sets.tsv")
positive=()
[ "$class" = binary ] || positive=(-P "$class")
"$here/../../train" -q -s "$solver" -l "$lambda" -p "${PASSES:-100}" "${positive[@]}" \
    -T "$out/$name.$run.trace.part" "$@" "$out/$name.train" "$out/$name.$run.model"
mv "$out/$name.$run.trace.part" "$out/$name.$run.trace"
