#!/bin/bash
# derive.sh OUT - what the experiments train on: OUT/NAME.standard for the sets of Table 2.1, OUT/67.train and .test
# (6 against 7) and OUT/parity.train (even against odd) from mnist. Leaves those that are there.
set -euo pipefail
here=$(dirname "$0")
out=$1

make_file() { # FILE COMMAND ...: its output
    local file=$1
    shift
    [ -f "$file" ] && return
    "$@" >"$file.part"
    mv "$file.part" "$file"
}

while read -r name; do
    if [ "$name" = mnist ]; then
        for part in train test; do
            make_file "$out/67.$part" awk -v task=67 -f "$here/digits.awk" "$out/mnist.$part"
        done
        make_file "$out/parity.train" awk -v task=parity -f "$here/digits.awk" "$out/mnist.train"
    else
        make_file "$out/$name.standard" awk -f "$here/standardize.awk" "$out/$name.train" "$out/$name.train"
    fi
done <"$out/names"
