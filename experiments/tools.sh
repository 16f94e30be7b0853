# tools.sh - sourced by table.sh: what the tables share. $bin has the programs, $out is for the data and what is made
# on the way, $folder is the experiment's.
# shellcheck shell=bash disable=SC2154

# Leaves OUT/NAME.train and OUT/NAME.test of the set, of sets.tsv; ends the row where the folder does not have it.
data() { # NAME
    [ -f "$out/$1.train" ] || "$here/prepare.sh" "$folder/sets.tsv" "$out" "$1" >&2
    [ -f "$out/$1.train" ] || exit 77
}

# A file of RRM_DATASETS, or its .gz, which train and predict read, too: $file.
data_file() { # NAME
    for file in "${RRM_DATASETS:-/nowhere}/$1" "${RRM_DATASETS:-/nowhere}/$1.gz"; do
        [ ! -f "$file" ] || return 0
    done
    exit 77
}

# The lines of sets.tsv: ${of_set[NAME COLUMN]}, a column by its name or its number from 1, and the names in their order.
declare -A of_set=()
set_names=()
read_sets() {
    local line header=() i
    while IFS=$'\t' read -ra line; do
        if [ "${line[0]}" = "# name" ]; then
            header=("${line[@]}")
        elif [[ "${line[0]}" != "#"* ]]; then
            set_names+=("${line[0]}")
            for i in "${!line[@]}"; do
                of_set[${line[0]} $((i + 1))]=${line[i]}
                [ -z "${header[i]:-}" ] || of_set[${line[0]} ${header[i]}]=${line[i]}
            done
        fi
    done <"$folder/sets.tsv"
}
[ ! -f "$folder/sets.tsv" ] || read_sets

train() { # OPTION... DATA: leaves model, trace, report and times (elapsed, user, system seconds) in $temporary
    local TIMEFORMAT='%R %U %S' status=0
    { time "$bin/train" -q -j "${THREADS:-1}" -T "$temporary/trace" --report "$temporary/report" "$@" \
        "$temporary/model" 2>"$temporary/log"; } 2>"$temporary/times" || status=$?
    [ $status = 0 ] || [ $status -gt 128 ] || cat "$temporary/log" >&2
    return $status
}

# As train; where so many seconds of a processor do not suffice, it succeeds, too, but nothing is reported.
train_within() { # SECONDS, OPTION... DATA
    local status=0
    [ -n "${MOST:-}" ] && [ "$MOST" -le "$1" ] || ulimit -S -t "$1"
    : >"$temporary/report"
    train "${@:2}" || status=$?
    [ $status -gt 128 ] && [ "$(ulimit -S -t)" = "$1" ] || return $status
}

reported() { # NAME: of the last report
    sed -n "s/^ *\"$1\": \"*\([^\",]*\)\"*,*\$/\1/p" "$temporary/report"
}

# CPU seconds by elapsed ones, of the last run: what makes seconds of a trace or a report those of an idle machine.
cpu_share() {
    tail -n 1 "$temporary/times" | awk '{ print ($1 > 0 ? ($2 + $3) / $1 : 1) }'
}

cpu_seconds() { # NAME of seconds in the last report
    awk -v s="$(reported "$1")" -v share="$(cpu_share)" 'BEGIN { print s * share }'
}

# In percent, of the last model.
test_error() { # DATA
    "$bin/predict" -j 1 "$1" "$temporary/model" /dev/null 2>"$temporary/log" |
        sed -n 's/^Accuracy = \([0-9.]*\)%.*/\1/p' | awk '{ printf "%.2f\n", 100 - $1 }'
}

# The cells of a row, ${cell[@]}; of one that was not run yet N dots.
cells() { # KEY N
    local -
    set -f
    # shellcheck disable=SC2206 # words
    cell=(${value[$1]:-})
    while [ ${#cell[@]} -lt "$2" ]; do cell+=(.); done
}

is_number() { # CELL: or begins like one
    [[ $1 == *[0-9]* ]]
}

# Makes OUT/NAME of FOLDER/NAME.c and the library's objects, unless it is newer than they are; ends the row where there
# are none. BUILD: where they are.
linked() { # NAME, OBJECT OF BUILD OR OPTION OF cc...
    local build=${BUILD:-$root/build} name=$1
    shift
    [ -f "$build/internal.a" ] || exit 77
    [ "$out/$name" -nt "$folder/$name.c" ] && [ "$out/$name" -nt "$build/internal.a" ] && return
    (cd "$build" && cc -std=c11 -D_GNU_SOURCE -I"$root" -O2 -fopenmp -o "$out/$name" "$folder/$name.c" "$@" \
        internal.a -lz -lm -ldl)
}
