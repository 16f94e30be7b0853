#!/bin/bash
# one_command.sh BIN - one command of the compiler builds train without a makefile, with all warnings as errors; BIN's
# predict reads its model. OTHER_CC is the compiler; all.sh names one that did not build BIN.
set -u
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../.." || exit 1
mapfile -t sources < <(find [!.]*/ \( -path 'build*' -o -path 'tests/*' -o -path 'bench/*' -o -path 'data/*' \
    -o -path 'experiments/*' -o -path 'mpi/*' \) -prune -o -name '*.c' -print)
"${OTHER_CC:-cc}" -std=c11 -D_GNU_SOURCE -I. -fopenmp -Wall -Wextra -Werror -o "$work/train" train.c "${sources[@]}" -lz -lm &&
    "$work/train" -q data/blobs.train "$work/model" &&
    "$bin/predict" data/blobs.test "$work/model" "$work/out"
