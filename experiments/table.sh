#!/bin/bash
# table.sh FOLDER/TABLE [all|quick|show|stale|check] - a table of an experiment. FOLDER/tables/TABLE.sh says what it is:
#
#   columns="best passes"   names of a row's cells; those that begin with "seconds" differ from run to run
#   rows                    a function that prints, for each row: KEY<tab>OPTIONS of train; the cheapest first
#   sources="errors.c"      files of the folder that rows depend on, too, if there are any
#   row KEY-WORD...         makes the row: prints its cells, words, in a line; status 77: its data are not there
#   show                    prints the table from ${value[KEY]}, the cells of a row
#   figure                  if it is there: prints commands of gnuplot, from ${value[KEY]}
#
# FOLDER/out/TABLE.tsv keeps the rows, each with the version of the sources it was made by (version.sh). all makes those
# that are missing or of another version, quick only the first of them all; show prints the table as it is; stale says
# which all would make; check makes a row again, one of those on small data that take at most CHECK_SECONDS of a
# processor (0.1; where no row is so cheap, 0.2), and compares its cells. ONLY: a regular expression; only rows whose
# key it finds are made. MOST: seconds of a processor; rows one of whose programs needs more are left out. OUT: a folder
# for data and runs, in place of FOLDER/out; BIN: the folder of train and predict.
set -euo pipefail
here=$(cd "${0%"${0##*/}"}." && pwd)
root=${here%/*}
folder=$here/${1%/*} table=${1#*/} what=${2:-all}
results=$folder/out/$table.tsv
[ -d "$folder/out" ] || mkdir "$folder/out"
out=${OUT:+$OUT/${1%/*}}
out=${out:-$folder/out}
bin=${BIN:-$root}
case $what in
show | figure | stale) ;; # pages want many of these: no process more than is needed
*)
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    trap 'exit 130' INT TERM
    ;;
esac
# shellcheck source=experiments/version.sh
. "$here/version.sh"
# shellcheck source=experiments/tools.sh
. "$here/tools.sh"
# shellcheck source=/dev/null
. "$folder/tables/$table.sh"

declare -A value version_kept seconds_kept options
keys=()

read_results() {
    local key kept seconds cells
    [ -f "$results" ] || return 0
    while IFS=$'\t' read -r key kept seconds cells; do
        [[ $key == '#'* ]] || value[$key]=${cells//$'\t'/ } version_kept[$key]=$kept seconds_kept[$key]=$seconds
    done <"$results"
}

read_rows() {
    local key words
    while IFS=$'\t' read -r key words; do
        keys+=("$key")
        options[$key]=$words
    done < <(rows)
}

write_results() {
    local key
    {
        printf '# row\tversion\tCPU seconds\t%s\n' "${columns// /$'\t'}"
        for key in "${keys[@]}"; do
            [ -z "${value[$key]:-}" ] ||
                printf '%s\t%s\t%s\t%s\n' "$key" "${version_kept[$key]}" "${seconds_kept[$key]}" "${value[$key]// /$'\t'}"
        done
    } >"$results.part"
    mv "$results.part" "$results"
}

# Makes the row: $cells and $seconds. Fails where its data are not there, or MOST is not enough.
make_row() { # KEY
    local status=0 words
    # shellcheck disable=SC2086 # a key is words
    (
        set -e
        [ -z "${MOST:-}" ] || ulimit -S -t "$MOST"
        row $1 >"$temporary/cells" || exit
        times >"$temporary/times"
    ) || status=$?
    if [ $status -eq 77 ]; then
        why="its data, or what it is made by, are not there"
        return 1
    elif [ $status -gt 128 ] && [ "$(kill -l $status)" = XCPU ]; then
        why="more than $MOST s"
        return 1
    elif [ $status -ne 0 ]; then
        echo "$folder/$table: row $1 failed" >&2
        exit 1
    fi
    read -r -d '' -a words <"$temporary/cells" || true # at the end of the file
    cells=${words[*]}
    seconds=$(awk 'NR == 2 { gsub(/[ms]/, " "); printf "%.1f", 60 * ($1 + $3) + $2 + $4 }' "$temporary/times")
}

is_fresh() { # KEY
    # shellcheck disable=SC2086 # options are words
    version_of ${options[$1]}
    [ "${version_kept[$1]:-}" = "$version" ]
}

update() { # KEY...
    local key
    for key; do
        if [[ ! "$key" =~ ${ONLY:-.} ]] || is_fresh "$key"; then
            continue
        elif ! make_row "$key"; then
            echo "skipped: $table: $key: $why"
            continue
        fi
        value[$key]=$cells version_kept[$key]=$version seconds_kept[$key]=$seconds
        write_results
        echo "$table: $key: $cells ($seconds s)"
    done
}

# The keys of the rows that took at most so many seconds.
quick_rows() { # MOST
    local candidate
    for candidate in "${keys[@]}"; do
        printf '%s\t%s\n' "${seconds_kept[$candidate]:-inf}" "$candidate"
    done | awk -F '\t' -v most="$1" '$1 != "inf" && $1 <= most { print $2 }'
}

# Whether the set that a key begins with is small, or none.
is_small() { # NAME
    local name=${of_set[$1 train]:-} file
    for file in "${RRM_DATASETS:-}/$name" "${RRM_DATASETS:-}/$name.gz"; do
        [ ! -f "$file" ] || [ "$(stat -L -c %s "$file")" -lt 4000000 ] || return 1
    done
}

# One of the rows that are cheap and there, another one when the rows change: $key.
sample() {
    local cheap=() candidate name sum most
    local -A small
    for most in ${CHECK_SECONDS:-0.1 0.2}; do
        while IFS= read -r candidate; do
            name=${candidate%% *}
            [ -n "${small[$name]:-}" ] || small[$name]=$(is_small "$name" && echo yes || echo no)
            [ -n "${value[$candidate]:-}" ] && [ "${small[$name]}" = yes ] && cheap+=("$candidate")
        done < <(quick_rows "$most")
        [ ${#cheap[@]} -eq 0 ] || break
    done
    [ ${#cheap[@]} -gt 0 ] || return 1
    sum=$(cksum <"$results" | cut -d ' ' -f 1)
    key=${cheap[$((sum % ${#cheap[@]}))]}
}

check() {
    if ! sample; then
        echo "passed over: $table: no row is cheap"
    elif ! make_row "$key"; then
        echo "skipped: $table: $key: $why"
    else
        awk -v columns="$columns" -v kept="${value[$key]}" -v now="$cells" -f "$here/compare.awk" || {
            echo "FAILED: $table: $key: now $cells; kept ${value[$key]} ($columns)"
            exit 1
        }
        echo "ok: $table: $key: $cells"
    fi
}

list_stale() {
    local key
    for key in "${keys[@]}"; do
        if [ -z "${value[$key]:-}" ]; then
            echo "missing: $table: $key"
        elif ! is_fresh "$key"; then
            echo "stale: $table: $key"
        fi
    done
}

show_missing() {
    local key missing=0
    for key in "${keys[@]}"; do
        [ -n "${value[$key]:-}" ] || missing=$((missing + 1))
    done
    [ $missing = 0 ] || printf '\nNot run: %d of %d rows, for want of their data.\n' $missing ${#keys[@]}
}

[ -d "$out" ] || mkdir -p "$out"
read_results
read_rows
case $what in
all) update "${keys[@]}" ;;
quick) update "${keys[0]}" ;;
show)
    show
    show_missing
    ;;
figure) ! declare -F figure >/dev/null || figure ;;
stale) list_stale ;;
check) check ;;
*)
    echo "table.sh: $what?" >&2
    exit 2
    ;;
esac
