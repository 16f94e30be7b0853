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

declare -A cell_of_set=()
if [ -f "$folder/sets.tsv" ]; then
    while IFS=$'\t' read -r name column cell; do
        cell_of_set[$name $column]=$cell
    done < <(awk -F '\t' '
        /^# name/ { split($0, header); header[1] = "name" }
        !/^#/ { for (i = 1; i <= NF; i++) print $1 FS header[i] FS $i }' "$folder/sets.tsv")
fi

# A column of the line of sets.tsv; nothing where there is none.
of_set() { # NAME COLUMN-NAME
    echo "${cell_of_set[$1 $2]:-}"
}

set_names() {
    grep -v '^#' "$folder/sets.tsv" | cut -f 1
}

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

# The cells of a row; of one that was not run yet N dots.
cells() { # KEY N
    local n=0 dots=''
    while [ $((n++)) -lt "$2" ]; do dots+='. '; done
    echo "${value[$1]:-$dots}"
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
