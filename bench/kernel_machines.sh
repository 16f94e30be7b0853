#!/bin/bash
# kernel_machines.sh TRAIN - kernel machines beside svm-train: user CPU seconds of whole processes, one thread, a cache of
# 1000 MB, tolerance 1e-3.
#
# Columns: seconds and MB of svm-train and of TRAIN with the ratio of seconds; LIBSVM's dual value in our units (1/(C m)
# of it), our bound and our objective. With a second argument, a pattern, only the lines "set rule rows C gamma" that
# match. Sets of several classes are trained one against one; where there is a test set, the last columns are both
# percentages of right predictions on it.
set -euo pipefail

train=$1
pattern=${2:-.}
# shellcheck source=bench/sets.sh
. "$(dirname "$0")/sets.sh"
need_sets bench-kernel-machines svm-train svm-scale /usr/bin/time

# User seconds and MB of a command, whose output goes to $temporary/out.
cost_of_run() {
    local seconds TIMEFORMAT=%U
    seconds=$({ time /usr/bin/time -f %M -o "$temporary/kilobytes" "$@" >"$temporary/out" 2>&1; } 2>&1)
    awk -v seconds="$seconds" '{ printf "%s %.0f\n", seconds, $1 / 1024 }' "$temporary/kilobytes"
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
    svm-predict "$test" "$temporary/model.svm" "$temporary/out" | sed 's/.*= \([0-9.]*\)%.*/ \1/' | tr -d '\n'
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
    awk -v name="$1" -v rows="$rows" -v cost="$4" -v gamma="$5" -v theirs="$theirs" -v ours="$ours" -v dual="$dual" '
        match($0, /objective [^,]*/) { j = substr($0, RSTART + 10, RLENGTH - 10) }
        match($0, /bound [^ ]*/) && !bound { bound = substr($0, RSTART + 6, RLENGTH - 6) }
        END {
            split(theirs, t)
            split(ours, o)
            ratio = t[1] + 0 == 0 ? 0 : o[1] / t[1]
            printf "%-12.12s %6d %6g %6g %9.3f %9.3f %6.2f %6d %6d %12s %12s %12s", name, rows, cost, gamma, t[1], o[1],
                ratio, t[2], o[2], dual == "-" ? dual : sprintf("%.7g", dual / (cost * rows)), bound, j
        }' "$temporary/out"
    [ "$2" != classes ] || compare_tests "$1"
    echo
}

printf '%-12s %6s %6s %6s %9s %9s %6s %6s %6s %12s %12s %12s\n' set rows C gamma svm-train train ratio "its MB" MB \
    "its dual" bound objective
while read -r name rule rows cost gamma; do
    [[ "$name $rule $rows $cost $gamma" =~ $pattern ]] || continue
    prepare "$name" "$rule" "$rows" || continue
    compare "$name" "$rule" "$rows" "$cost" "$gamma"
done <<'END'
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
