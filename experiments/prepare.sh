#!/bin/bash
# prepare.sh SETS OUT NAME... - puts the named sets of the table SETS that $RRM_DATASETS has into OUT as NAME.train and
# NAME.test, inflated and with two labels.
#
# SETS has a line a set, with tabs: name, training file, test file ("-": none), the class that is positive
# ("binary": the file has two labels; LABEL: this one against the rest; le:LABEL: those up to it), whether
# every fifth row is set aside as the test part (yes or no); what follows is the experiment's own.
set -euo pipefail
sets=$1
out=$2
shift 2
only=" $* "

# The file or its .gz, inflated, on standard output.
contents() {
    if [ -f "$RRM_DATASETS/$1" ]; then cat "$RRM_DATASETS/$1"; else zcat "$RRM_DATASETS/$1.gz"; fi
}
present() {
    [ -n "${RRM_DATASETS:-}" ] && { [ -f "$RRM_DATASETS/$1" ] || [ -f "$RRM_DATASETS/$1.gz" ]; }
}

# CLASS: standard input with labels 1 and -1.
two_labels() {
    case $1 in
    binary) cat ;;
    le:*) awk -v k="${1#le:}" '{ y = $1 <= k ? 1 : -1; sub(/^[^ \t]+/, y) } 1' ;;
    *) awk -v k="$1" '{ y = $1 == k ? 1 : -1; sub(/^[^ \t]+/, y) } 1' ;;
    esac
}

mkdir -p "$out"
grep -v '^#' "$sets" | while IFS=$'\t' read -r name train test class split _; do
    if [[ "$only" != *" $name "* ]]; then
        continue
    elif ! present "$train"; then
        echo "skipped: $name ($train is not in ${RRM_DATASETS:-RRM_DATASETS, which is not set})"
        continue
    fi
    if [ ! -f "$out/$name.train" ]; then
        if [ "$split" = yes ]; then
            contents "$train" | awk 'NR % 5 == 0' | two_labels "$class" >"$out/$name.test"
            contents "$train" | awk 'NR % 5 != 0' | two_labels "$class" >"$out/$name.train.part"
        else
            [ "$test" = - ] || contents "$test" | two_labels "$class" >"$out/$name.test"
            contents "$train" | two_labels "$class" >"$out/$name.train.part"
        fi
        mv "$out/$name.train.part" "$out/$name.train"
    fi
done
