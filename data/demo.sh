#!/bin/sh
# demo.sh - from a fresh Debian to predictions: installs what is missing, builds, trains, predicts.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=/dev/null
. tests/need.sh

need gcc command -v gcc
need make command -v make
need libc6-dev has_header stdio.h
need zlib1g-dev has_header zlib.h
need_install

# build: with all processors, counting the files that are compiled.
build() {
    jobs=$(nproc)
    all=$(make -n | grep -c -- ' -c -o ' || true)
    printf '\n$ make -j%s    # %s files to compile\n' "$jobs" "$all"
    make -j"$jobs" | {
        done=0
        while read -r line; do
            case $line in *' -c -o '*) done=$((done + 1)) ;; *) continue ;; esac
            [ $((done % 20)) -ne 0 ] || echo "compiled $done of $all"
        done
    }
    make -s # nothing is left to do, or this fails as that one did
}

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build

printf '\nTwo classes: a linear support vector machine.\n'
show ./train -s proximal -l 1e-2 data/blobs.train "$work/blobs.model"
show ./predict data/blobs.test "$work/blobs.model" "$work/blobs.out"

printf '\nThree classes: one weight vector each.\n'
show ./train -l 1e-2 -B 1 data/three.train "$work/three.model"
show ./predict data/three.test "$work/three.model" "$work/three.out"

printf '\nRegression where one target in twelve is far off: the absolute loss hardly minds.\n'
show ./train -L absolute -B 1 data/line.train "$work/line.model"
show ./predict data/line.test "$work/line.model" "$work/line.out"

printf '\nThe first predictions beside the truth:\n'
cut -d ' ' -f 1 data/line.test | paste - "$work/line.out" | head -n 3
