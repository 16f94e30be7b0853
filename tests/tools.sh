# shellcheck shell=bash
# tools.sh - to be sourced by tests that compare with other programs: what a machine has not is left out,
# and the line that says so is counted by run.sh.

shopt -s lastpipe # what the last part of a pipe finds wrong counts, too

# With several threads of Debian's OpenBLAS 0.3.21 programs of cvxopt came out wrong.
export OPENBLAS_NUM_THREADS=1

tools_found=' ' # they are looked for once

# has_tools WHAT TOOL...: whether the commands are there; python3 is /usr/bin/python3, and python3-NAME a
# module of it, by the name of its Debian package. If not, WHAT is said to be skipped.
has_tools() {
    local what=$1 tool missing=''
    shift
    for tool; do
        case $tools_found in *" $tool "*) continue ;; esac
        case $tool in
        python3) [ -x /usr/bin/python3 ] ;;
        python3-*) /usr/bin/python3 -c "import importlib.util as u; exit(u.find_spec('${tool#python3-}') is None)" ;;
        *) command -v "$tool" ;;
        esac >/dev/null 2>&1 && tools_found="$tools_found$tool " || missing="$missing $tool"
    done
    [ -n "$missing" ] || return 0
    echo "skipped: $what (not installed:$missing)"
    return 1
}

# has_sets WHAT FILE...: the same of files of $RRM_DATASETS.
has_sets() {
    local what=$1 file missing=''
    shift
    for file; do
        [ -f "${RRM_DATASETS:-}/$file" ] || missing="$missing $file"
    done
    [ -n "$missing" ] || return 0
    echo "skipped: $what (not in RRM_DATASETS:$missing)"
    return 1
}

# To start a process takes longer than many a run of train: what follows does in the shell what grep, sed and wc do.

# found PATTERN FILE: as grep -q -e PATTERN FILE. grep itself takes long files and patterns that the shell reads otherwise.
found() {
    local lines line sign pattern=$1
    mapfile -t -n 301 lines <"$2" || return
    case ${#lines[@]}/$pattern in
    301/* | *\\* | */'*'* | */'^*'* | */*[!\[]'^'* | *'$'?*)
        grep -q -e "$1" "$2"
        return
        ;;
    esac
    for sign in '(' ')' '{' '}' '|' '+' '?'; do # to grep these are letters
        pattern=${pattern//"$sign"/"\\$sign"}
    done
    for line in "${lines[@]}"; do
        [[ $line =~ $pattern ]] && return
    done
    return 1
}

# at_most NUMBER MOST: whether it is a number from 0 to MOST (which is below 1e19).
at_most() {
    local LC_ALL=C number most
    printf -v number %060.40f "$1" && printf -v most %060.40f "$2" && [[ $1 == [0-9]* && ! $number > $most ]]
}

# nap: a hundredth of a second.
nap() {
    [ -n "${never:-}" ] || { mkfifo "$work/.never" && exec {never}<>"$work/.never"; } # <(:) would set $!
    read -r -t 0.01 -u "$never"
}

# member REPORT KEY: its value in a report.
member() {
    local lines line
    mapfile -t lines <"$1" || return
    for line in "${lines[@]}"; do
        [[ $line =~ ^' '*'"'"$2"'": '([^,]*),?$ ]] && echo "${BASH_REMATCH[1]}"
    done
    return 0
}

# one_line FILE: whether it has one line and no more.
one_line() {
    local lines
    mapfile lines <"$1" && [[ ${#lines[@]} -eq 1 && ${lines[0]} == *$'\n' ]]
}

# known FILE... -- FUNCTION ARGUMENT...: what the function prints, which reads the FILEs. references/known.tsv has the
# lines that it has printed, by a checksum of the function, the arguments and the files: while these are the same, it
# is not run again. KEEP=yes adds what is run.
known() {
    local files=() key
    while [ "$1" != -- ]; do
        files+=("$1")
        shift
    done
    shift
    key=$({ declare -f "$1"; echo "$*"; cat "${files[@]}"; } | sha256sum | cut -c 1-32)
    grep "^$key" "$tree/tests/references/known.tsv" | cut -f 2- && [ "${PIPESTATUS[0]}" -eq 0 ] && return
    "$@" >known.new || return
    [ -z "${KEEP:-}" ] || sed "s/^/$key\t/" known.new >>"$tree/tests/references/known.tsv"
    cat known.new
}

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# made_of BIN FOLDER VARIABLE=VALUE... TARGET: make TARGET with copies of what is in BIN, in FOLDER. Nothing is
# compiled, and nothing of BIN is written, whatever built it.
made_of() {
    local bin=$1 folder=$2 name old=()
    shift 2
    mkdir -p "$folder"
    for name in train predict conll bpseq convert plot scale weights librrm.a librrm.so.0; do
        [ -e "$folder/$name" ] || cp "$bin/$name" "$folder" || return 1
        old+=(-o "$folder/$name")
    done
    make -s -C "$tree" "${old[@]}" BIN="$folder" BUILD="$folder/build" "$@"
}
