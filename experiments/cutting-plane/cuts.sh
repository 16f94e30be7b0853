#!/bin/bash
# cuts.sh OUT NAME RUN OPTION ... - trains to 1e-2 on OUT/NAME.train, RUNS times (default 3), and prints
# "ITERATIONS SECONDS" of the fastest; "- -" when LIMIT seconds (default 10) ended it.
set -euo pipefail
here=$(dirname "$0")
out=$1 name=$2 run=$3
shift 3
IFS=$'\t' read -r _ _ _ _ _ cost _ < <(grep -P "^$name\t" "$here/sets.tsv")
reports=()
for i in $(seq "${RUNS:-3}"); do
    "$here/../run.sh" "$out" "$name" "$run.$i" -j 1 -c "$cost" -e 1e-2 -t "${LIMIT:-10}" "$@"
    reports+=("$out/$name.$run.$i.report")
    grep -q '"status": "converged"' "${reports[-1]}" || break
done
awk '
    { gsub(/[",:]/, " ") }
    $1 == "status" && $2 != "converged" { cut = 1 }
    $1 == "iterations" { iterations = $2 }
    $1 == "train_seconds" && (best == "" || $2 < best) { best = $2 }
    END { if (cut) print "- -"; else printf "%d %.3f\n", iterations, best }' "${reports[@]}"
