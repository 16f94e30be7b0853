# shellcheck shell=bash disable=SC2034
# outside.sh - to be sourced by tests that run train (BIN/train, BIN their first argument) on the samples of
# $data, in a folder of their own that goes with them. $failures counts what failed.

# shellcheck source=tests/tools.sh
. "$(dirname "$0")/../tools.sh"

bin=$(cd "$1" && pwd) || exit 1
train=$bin/train
data=$(cd "$(dirname "$0")/../../data" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=$(basename "$0")
cd "$work" || exit 1
failures=0
ulimit -S -t 120 # seconds of a processor, of each program: one that does not end; run.sh ends one that only waits

fail() {
    echo "$name: $*" >&2
    failures=$((failures + 1))
}

# run STATUS PROGRAM ARGUMENTS...: the program's exit status; what it printed is left in the files out and err.
run() {
    local wanted=$1 program=$2 got
    shift 2
    "$bin/$program" "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit $got, not $wanted: $program $*"; cat out err >&2; }
}

# status STATUS ARGUMENTS...: the same of train.
status() {
    local wanted=$1
    shift
    run "$wanted" train "$@"
}

# refused WORDS ARGUMENTS...: and the operands of the array `operands`; a usage error in one line that has the
# WORDS.
operands=()
refused() {
    local words=$1
    shift
    status 2 "$@" "${operands[@]}"
    has "$words" err
    one_line err || fail "not one line: $*"
}

# sorry STATUS WORDS PROGRAM ARGUMENTS...: that exit status, and one line on standard error that has the WORDS.
sorry() {
    local wanted=$1 words=$2
    shift 2
    run "$wanted" "$@"
    has "$words" err
    one_line err || { fail "not one line: $*"; cat err >&2; }
}

# await_trace LINES: until the file trace of a run in the background has more than so many.
await_trace() {
    local lines
    for _ in {1..3000}; do
        mapfile lines 2>/dev/null <trace && [ ${#lines[@]} -gt "$1" ] && return
        nap
    done
}

has() { found "$1" "$2" || { fail "no '$1' in $2"; head -n 18 "$2" >&2; }; }
has_not() { ! found "$1" "$2" || fail "'$1' in $2"; }
quiet() { [ ! -s err ] || { fail "train warns: $1"; cat err >&2; }; }
