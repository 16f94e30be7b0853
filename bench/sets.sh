# sets.sh - for the scripts of this folder: sets of RRM_DATASETS as plain files. Sourced.
#
# LIBLINEAR reads plain text only, so packed sets are inflated into $temporary, which goes at the end.
# shellcheck shell=bash

# Ends the script, saying so, unless there are data sets and LIBLINEAR.
need_sets() { # NAME OF THE BENCH
    if [ -z "${RRM_DATASETS:-}" ]; then
        echo "$1: skipped, RRM_DATASETS (a folder with data sets) is not set"
        exit 0
    fi
    if ! command -v liblinear-train >/dev/null; then
        echo "$1: skipped, there is no liblinear-train (Debian: liblinear-tools)"
        exit 0
    fi
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
}

# The path of a set as a plain file; fails when the folder does not have it.
plain_set() { # NAME
    if [ -f "$RRM_DATASETS/$1" ]; then
        echo "$RRM_DATASETS/$1"
    elif [ -f "$RRM_DATASETS/$1.gz" ]; then
        [ -f "$temporary/$1" ] || gzip -dc "$RRM_DATASETS/$1.gz" >"$temporary/$1"
        echo "$temporary/$1"
    else
        return 1
    fi
}

# Microseconds of the fastest of $runs runs of a command.
# shellcheck disable=SC2154 # set by the scripts
best_of_runs() {
    local best=0 begin end
    for _ in $(seq "$runs"); do
        begin=${EPOCHREALTIME/./}
        "$@" >/dev/null
        end=${EPOCHREALTIME/./}
        if [ "$best" -eq 0 ] || [ $((end - begin)) -lt "$best" ]; then
            best=$((end - begin))
        fi
    done
    echo "$best"
}
