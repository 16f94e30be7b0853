#!/bin/sh
# all.sh - every check: both compilers with warnings as errors, sanitizers, the fuzzers (500 runs each, on their seeds
# first, or FUZZ_SECONDS), formatting, man pages. Installs what is missing (Debian). Tests
# that want real data look in the folder RRM_DATASETS. The last line is the sum.
set -u
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=/dev/null
. tests/need.sh

need gcc command -v gcc
need make command -v make
need libc6-dev has_header stdio.h
need zlib1g-dev has_header zlib.h
need libcmocka-dev has_header cmocka.h
need clang command -v clang
need lld command -v ld.lld                          # links faster than ld; without it all the same
need clang-format command -v clang-format
need libomp-dev links clang -fopenmp                # OpenMP for clang
need libclang-rt-dev links clang -fsanitize=address # the sanitizers and the fuzzers
need python3 test -x /usr/bin/python3               # reads the JSON reports
need python3-cvxopt has_module cvxopt               # optima that ours are compared with
need python3-numpy has_module numpy
need python3-scipy has_module scipy
need libsvm-tools command -v svm-train              # models and predictions are compared
need liblinear-tools command -v liblinear-train
need libopenmpi-dev command -v mpicc                # train-mpi
need openmpi-bin command -v mpirun
need musl-tools command -v musl-gcc                  # another C library
need pkg-config command -v pkg-config               # programs with the library
need mandoc command -v mandoc                       # checks the man pages
need man-db command -v man
need time test -x /usr/bin/time                     # peaks of memory
need locales test -e /usr/share/i18n/locales/de_DE  # a decimal comma
need groff-base command -v nroff
need gnuplot-nox command -v gnuplot                    # draws the pictures
need bzip2 command -v bzip2                         # data/fetch.sh
need python3-sklearn has_module sklearn             # whose conventions the Python package keeps
need python3-pip has_module pip                     # installs the Python package
need python3-setuptools has_module setuptools
need python3-wheel has_module wheel
need_install

work=$(mktemp -d) || exit 1
helper=
trap '[ -z "$helper" ] || kill "$helper" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
jobs=$(nproc)
passed=0 failed=0 skipped=0

# step NAME COMMAND...: runs it and counts it: by its line "tests: ..." if it prints one, else as one.
step() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    start=$(date +%s)
    {
        "$@"
        echo $? >"$work/status"
    } 2>&1 | tee "$work/log"
    read -r status <"$work/status"
    # shellcheck disable=SC2046 # three words
    set -- $(sed -n 's/^tests: \(.*\) passed, \(.*\) failed, \(.*\) skipped$/\1 \2 \3/p' "$work/log")
    [ $# -eq 3 ] || set -- 1 0 0
    if [ "$status" -ne 0 ]; then
        [ "$2" -gt 0 ] || set -- $(($1 - 1)) 1 "$3"
        word=FAILED
    else
        word=ok
    fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    printf '%-28s %-6s %5d s\n' "$name" $word $(($(date +%s) - start)) >>"$work/table"
}

built() { # MAKE...: whether nothing is left to compile or to link
    ! "$@" | grep -e ' -o '
}

# flavour NAME PROGRAMS TESTS VARIABLE=VALUE...: builds PROGRAMS and makes TESTS, in a folder of its own.
flavour() {
    folder=build-all/$1
    title=$1 programs=$2 tests=$3
    shift 3
    set -- make -s BUILD="$folder" BIN="$folder/bin" "$@"
    step "$title: build" "$@" -j"$jobs" "$programs"
    step "$title: built once" built "$@" -n "$programs"
    step "$title: tests" "$@" "$tests"
}

how=
# sanitized TARGET: with clang's sanitizers; the fuzzers take the same objects. Their reports name functions, not lines.
sanitized() {
    $how make -s -O -j"$jobs" BUILD=build-all CFLAGS_EXTRA=-Werror LINE_NUMBERS= "$@"
}

# aside NAME COMMAND...: runs it in a process of its own, which takes what time the others leave; `finished NAME` waits for
# it, repeats what it said, and ends as it did.
aside() {
    name=$1
    shift
    how='exec nice -n 19'
    "$@" >"$work/$name" 2>&1 &
    trap "kill $!; exit" TERM
    wait $!
    echo $? >"$work/$name.new"
    mv "$work/$name.new" "$work/$name.status"
}

finished() {
    until [ -e "$work/$1.status" ]; do
        kill -0 "$helper" 2>/dev/null || [ -e "$work/$1.status" ] || return 1
        sleep 0.1
    done
    cat "$work/$1"
    return "$(cat "$work/$1.status")"
}

fuzz() { # the fuzzers talk a lot: what counts, or all of it on failure
    limit=-runs=500 # the seeds first
    [ -z "${FUZZ_SECONDS:-}" ] || limit=-max_total_time=$FUZZ_SECONDS
    if sanitized fuzz FUZZ_LIMIT="$limit" >"$work/fuzz" 2>&1; then
        grep '^Done' "$work/fuzz"
    else
        cat "$work/fuzz"
        return 1
    fi
}

man_pages() {
    make -s BUILD=build-all/gcc BIN=build-all/gcc/bin man &&
        mandoc -T lint -W warning build-all/gcc/bin/*.[15]
}

# The converters and what speaks MPI, which the sanitized build has not.
other_files() {
    # shellcheck disable=SC2046 # words
    printf '%s\0' data/*.c mpi/*.c | xargs -0 -n 8 -P "$jobs" clang -std=c11 -D_GNU_SOURCE -I. \
        $(mpicc --showme:compile) -fopenmp -Wall -Wextra -Werror -fsyntax-only
}

# Everything runs in one flavour. The other compiler compiles the library, train, predict and their tests with the same
# warnings and the sanitizers, and checks all other files (`other_files`); a script shows that train works
# (one_command.sh). The sanitizers watch the programs that test the library, bad input and bad models among them, and
# the fuzzers. Longer ways through the same code, on real data, are a matter of the method, not of the compiler.
#
# The sanitizers' steps run beside all others, in the time that these leave idle: no processor waits for the last test of
# a step. What they have to say is said when the others have ended.
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
{
    aside build sanitized TESTED=sanitized-programs asan
    aside tests sanitized asan
} &
helper=$!
flavour gcc programs test CC=gcc CFLAGS=-O3 TEST_CFLAGS=-O0 AROUND_CFLAGS=-O1 CFLAGS_EXTRA=-Werror
step 'threads: tsan' make -s -j"$jobs" BUILD=build-all/gcc BIN=build-all/gcc/bin CFLAGS=-O3 CFLAGS_EXTRA=-Werror tsan-training
step 'clang: other files' other_files
step format make -s check-format
step layers make -s BUILD=build-all/gcc check-layers
step 'man pages' man_pages
step 'sanitizers: build' finished build
step fuzz fuzz
step 'sanitizers: tests' finished tests

printf '\n'
cat "$work/table"
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
