# shellcheck shell=bash
# real_data.sh - to be sourced by tests that want $RRM_DATASETS/reference.tsv, which is $table; without
# it they end here as skipped. $work is a folder that goes with the script, $failed is 1 after a fail.

# shellcheck source=tests/tools.sh
. "$(dirname "$0")/../tools.sh"

export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} # other tests want the other processors

table=${RRM_DATASETS:-}/reference.tsv
has_sets 'real data' reference.tsv || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

value() { member "$work/report" "$1"; } # KEY of the last report

# The set's file, packed or not.
path() {
    if [ -f "$RRM_DATASETS/$1" ]; then echo "$RRM_DATASETS/$1"; else echo "$RRM_DATASETS/$1.gz"; fi
}

# Whether the set is there; if not, it is said to be skipped.
has_set() {
    [ -f "$(path "$1")" ] || { echo "skipped: $1 (RRM_DATASETS has none)"; return 1; }
}

# The set on standard output; le:K with labels 1 (up to K) and -1.
rows_of() { # NAME RULE
    local read=cat
    case $(path "$1") in *.gz) read='gzip -dc' ;; esac
    case $2 in
    le:*) $read "$(path "$1")" | awk -v most="${2#le:}" '{ $1 = $1 <= most ? 1 : -1; print }' ;;
    *) $read "$(path "$1")" ;;
    esac
}
