#!/bin/bash
# one_command.sh BIN - one command of the compiler builds train without a makefile, of every source but those of tests,
# data and measurements; BIN's predict reads its model. With OBJECTS, a build folder, and COMPILE, the compiler and
# options that filled it, the same files are linked, as they are there: no file may need an option of its own.
set -u
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../.." || exit 1
mapfile -t sources < <(find [!.]*/ \( -path 'build*' -o -path 'tests/*' -o -path 'bench/*' -o -path 'data/*' \
    -o -path 'experiments/*' -o -path 'mpi/*' \) -prune -o -name '*.c' -print)
files=(train.c "${sources[@]}")
read -ra command <<<"${COMPILE:-${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -fopenmp -Wall -Wextra -Werror}"

if [ -n "${OBJECTS:-}" ]; then
    others=$(make -n -B BUILD="$work/build" BIN="$work/build/bin" AROUND_CFLAGS= UNFUZZED= all | grep -e ' -c -o ' |
        sed 's/ -c -o .*//; s/  */ /g' | sort -u | wc -l)
    [ "$others" -eq 1 ] || { echo "files are compiled with $others sets of options"; exit 1; }
    [ "$(printf '%s\n' "${command[@]}" | grep -c -e '^-[DI]')" -eq 2 ] ||
        { echo "other -D or -I: ${command[*]}"; exit 1; }
    files=("${files[@]/#/$OBJECTS/}")
    files=("${files[@]/%.c/.o}")
fi
"${command[@]}" -o "$work/train" "${files[@]}" -lz -lm &&
    "$work/train" -q data/blobs.train "$work/model" &&
    "$bin/predict" data/blobs.test "$work/model" "$work/out"
