#!/bin/bash
# svm.sh OUT NAME ROWS - LIBSVM's svm-train with the set's C and gamma on the first ROWS rows of OUT/NAME.train, its
# test error by svm-predict; prints
#   SECONDS ERROR VECTORS PREDICT-SECONDS      in CPU seconds, or "- - - -" where LIMIT of them did not suffice
# OUT/NAME.svm-ROWS.result keeps the line.
set -euo pipefail
here=$(dirname "$0")
out=$1 name=$2 rows=$3
run=$out/$name.svm-$rows
IFS=$'\t' read -r _ _ _ _ _ cost gamma _ < <(grep -P "^$name\t" "$here/sets.tsv")
TIMEFORMAT="%U %S"

limited() { # COMMAND ...
    bash -c 'ulimit -S -t "$0" && exec "$@"' "${LIMIT:-600}" "$@"
}

if [ ! -f "$run.result" ]; then
    head -n "$rows" "$out/$name.train" >"$run.rows"
    status=0
    { time limited svm-train -q -m 1000 -c "$cost" -g "$gamma" "$run.rows" "$run.model" >/dev/null; } 2>"$run.time" ||
        status=$?
    if [ $status = 0 ]; then
        read -r user system < <(tail -n 1 "$run.time")
        { time svm-predict "$out/$name.test" "$run.model" "$run.out" >"$run.accuracy"; } 2>"$run.time"
        read -r puser psystem <"$run.time"
        vectors=$(sed -n 's/^total_sv //p' "$run.model")
        accuracy=$(sed 's/.*= \([0-9.]*\)%.*/\1/' "$run.accuracy")
        awk -v u="$user" -v s="$system" -v p="$puser" -v q="$psystem" -v v="$vectors" -v a="$accuracy" \
            'BEGIN { printf "%.3f %.4f %d %.3f\n", u + s, 100 - a, v, p + q }' >"$run.part"
    elif [ $((status - 128)) != "$(kill -l XCPU)" ]; then
        cat "$run.time" >&2
        exit 1
    else
        echo "- - - -" >"$run.part"
    fi
    mv "$run.part" "$run.result"
    rm -f "$run.rows" "$run.out" "$run.time" "$run.accuracy"
fi
cat "$run.result"
