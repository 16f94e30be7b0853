#!/bin/bash
# kernel_machines.sh TRAIN - kernel machines beside svm-train: user CPU seconds of whole processes, one thread, a cache
# of 1000 MB, tolerance 1e-3; the fastest of RUNS (3) runs, of those that take 2 seconds one. The table goes to
# docs/speed.md (page.sh).
#
# Columns: seconds and MB of svm-train and of TRAIN with the ratio of seconds; how far LIBSVM's dual value is from our
# bound. With a second argument, a pattern, only the lines "set rule rows C gamma" that match. Sets of several classes
# are trained one against one; where there is a test set, the last column has both percentages of right predictions on
# it.
set -euo pipefail

train=$1
pattern=${2:-.}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-kernel-machines svm-train svm-scale /usr/bin/time
# shellcheck source=bench/page.sh
. "$(dirname "$0")/page.sh"
runs=${RUNS:-3}
CLOCK=user

# User seconds and MB of a command, whose output goes to $temporary/out.
cost_of_run() {
    local TIMEFORMAT=%U
    for _ in $(seq "$runs"); do
        { time /usr/bin/time -f %M -o "$temporary/kilobytes" "$@" >"$temporary/out" 2>&1; } 2>"$temporary/seconds"
        paste "$temporary/seconds" "$temporary/kilobytes"
        if awk '{ exit !($1 > 2) }' "$temporary/seconds"; then break; fi
    done | sort -g | awk 'NR == 1 { printf "%s %.0f\n", $1, $2 / 1024 }'
}

# A set by its rule (sets.sh): its first ROWS, with features scaled to [0, 1] if RULE begins with "scaled".
prepare() { # NAME RULE ROWS
    local file
    case $2 in
    binary | le:* | one-vs-rest:*) file=$(two_classes "$1" "$2") ;;
    *) file=$(plain_set "$1") ;;
    esac
    head -n "$3" "$file" >"$temporary/head"
    case $2 in
    scaled*) svm-scale -l 0 "$temporary/head" >"$temporary/data" 2>/dev/null ;;
    *) mv "$temporary/head" "$temporary/data" ;;
    esac
}

# The percentages of right predictions of both models on NAME.t.
compare_tests() { # NAME
    local test
    test=$(plain_set "$1.t") || return 0
    svm-predict "$test" "$temporary/model.svm" "$temporary/out" | sed 's/.*= \([0-9.]*\)%.*/\1,/' | tr -d '\n'
    "$(dirname "$train")/predict" "$test" "$temporary/model" "$temporary/out" 2>&1 |
        sed -n 's/.*[Aa]ccuracy[^0-9]*\([0-9.]*\).*/ \1/p' | tr -d '\n'
}

compare() { # NAME RULE ROWS C GAMMA
    local theirs ours dual rows type=(-s 0) loss=(-L hinge)
    case $2 in
    *regression) type=(-s 3 -p 0.1) loss=(-L epsilon --tube 0.1) ;;
    esac
    theirs=$(cost_of_run svm-train "${type[@]}" -c "$4" -g "$5" -m 1000 "$temporary/data" "$temporary/model.svm")
    dual=$(awk '/^obj = / { sub(",", "", $3); print -$3 }' "$temporary/out" | tail -n 1)
    [ "$2" != classes ] || dual=- # of the last pair alone
    rows=$(wc -l <"$temporary/data")
    ours=$(cost_of_run "$train" -j 1 -s smo "${loss[@]}" --basis 1 --kernel-cache 1000 -c "$4" --gamma-kernel "$5" \
        "$temporary/data" "$temporary/model")
    awk -v name="$1" -v rows="$rows" -v cost="$4" -v gamma="$5" -v theirs="$theirs" -v ours="$ours" -v dual="$dual" \
        -v tests="$([ "$2" != classes ] || compare_tests "$1")" '
        function size(x) { return x < 0 ? -x : x }
        match($0, /bound [^ ]*/) && !bound { bound = substr($0, RSTART + 6, RLENGTH - 6) }
        END {
            split(theirs, t)
            split(ours, o)
            away = dual == "-" || !bound ? "" : sprintf("%.0e", size(dual / (cost * rows) / bound - 1))
            ratio = o[1] < 0.01 ? "" : sprintf("%.2f", o[1] / t[1]) # a clock of milliseconds
            printf "| %s | %d | %g | %g | %.3f | %.3f | %s | %d, %d | %s | %s |\n", name, rows, cost, gamma, t[1], o[1],
                ratio, t[2], o[2], away, tests
        }' "$temporary/out"
}

table() {
    # shellcheck disable=SC2016 # smo is no command
    echo '| data | rows | C | gamma | svm-train | `smo` | ratio | MB of both | dual off bound | both right, % |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    while read -r name rule rows cost gamma; do
        [[ "$name $rule $rows $cost $gamma" =~ $pattern ]] || continue
        prepare "$name" "$rule" "$rows" || continue
        await_idle
        compare "$name" "$rule" "$rows" "$cost" "$gamma"
    done
}
table >"$temporary/rows" <<'END'
heart_scale binary 100000 1 0.1
german.numer_scale binary 100000 1 0.05
ionosphere binary 100000 1 0.1
housing_scale regression 100000 10 0.1
mpg scaled-regression 100000 10 1
a9a binary 2000 1 0.05
a9a binary 2000 10 0.05
a9a binary 2000 100 0.05
a9a binary 5000 1 0.05
a9a binary 5000 10 0.05
a9a binary 5000 100 0.05
a9a binary 10000 1 0.05
a9a binary 10000 10 0.05
a9a binary 10000 100 0.05
cpusmall scaled-regression 100000 10 5
covtype.libsvm.binary.scale binary 16000 10 1
mnist.scale le:4 16000 10 0.02
ijcnn1.tr binary 100000 10 1
w8a binary 100000 10 0.05
a9a binary 100000 1 0.05
a9a binary 100000 10 0.05
a9a binary 100000 100 0.05
covtype.libsvm.binary.scale binary 32000 10 1
usps classes 100000 10 0.01
mnist.scale le:4 100000 10 0.02
END
write_table kernel-machines libsvm-tools <"$temporary/rows"
