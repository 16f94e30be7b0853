#!/bin/bash
# portable.sh BIN - train and predict of C11 and POSIX alone (make PORTABLE=1), with musl where it is installed: the
# models, predictions and refusals of BIN.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
root=$data/..

options=(PORTABLE=1 CFLAGS=-O0 CFLAGS_EXTRA=-Werror)
linked=()
headers=() # clang's options for musl
if has_tools 'a build with musl' musl-gcc; then
    mkdir include
    find /usr/include \( -name zlib.h -o -name zconf.h \) -exec cp {} include \;
    cp "$(gcc -print-file-name=libz.a)" .
    linked=(CC=musl-gcc LDFLAGS="-static -L$work")
    options+=(CPPFLAGS="-I$work/include")
    machine=$(uname -m)-linux-musl
    headers=(--target="$machine" -nostdlibinc -isystem "/usr/include/$machine" "-I$work/include")
fi
made() { # BUILD ARGUMENTS...: make PORTABLE=1
    local build=$1
    shift
    make -s -C "$root" BUILD="$build" BIN="$work/portable" "${options[@]}" "$@" "$work/portable/train" "$work/portable/predict"
}

# compiled BUILD: its objects, of all files in one process of clang. To start a compiler takes longer than to compile most
# files, and gcc starts one for each. What a file is compiled with, make says and, for its own compiler, clang. Headers
# that most files include are parsed once: what lacks its own #include of these does not compile elsewhere.
compiled() {
    local command files folders parts=()
    made "$1" -n CC=clang CPPFLAGS="${headers[*]}" | sed -n 's/ -MMD -MP -c / -c /p' >commands
    mapfile -t files < <(sed 's/.* //' commands)
    mapfile -t folders < <(sed 's/.* //; s|/.*||' commands | sort -u)
    read -r -a command <commands
    mkdir "$1" && cd "$1" || return
    (cd "$root" && cp -r ./*.h "${folders[@]}" "$1")
    eval "set -- $("${command[@]}" '-###' 2>&1 | tail -n 1)"
    while [ $# -gt 0 ]; do
        case $1 in
        -main-file-name | -o) shift ;;
        -disable-free | *.c) ;;
        *) parts+=("$1") ;;
        esac
        shift
    done
    printf '#include %s\n' '<math.h>' '<stdio.h>' '<stdlib.h>' '<string.h>' '"math/vector.h"' '"matrix/design.h"' \
        >common.h
    "${parts[@]/#-emit-obj/-emit-pch}" common.h -o common.pch && "${parts[@]}" -include-pch common.pch "${files[@]}"
}
if command -v clang >/dev/null; then
    (compiled "$work/build") >log 2>&1 || { fail "clang, PORTABLE=1: $(cat log)"; exit 1; }
fi
rm -f "$work/build/solvers/accelerated/prox.o" # by gcc: without OpenMP it may read a pragma below an else in its own way
made "$work/build" "${linked[@]}" >log 2>&1 || { fail "make PORTABLE=1: $(cat log)"; exit 1; }

# All of it can be made so, too: what links the programs statically does not link the shared library.
make -n -C "$root" BUILD="$work/new" BIN="$work/new" LDFLAGS=-static "$work/new/librrm.so.0" >commands 2>&1
grep -A 1 -e '-shared' commands >link || fail 'no shared library'
! grep -q -e ' -static' link || fail 'a shared library with -static'

# Rounding differs with the C library: optima within the certified gaps of 0.1 %.
gzip -c "$data/blobs.train" >blobs.gz
for given in '-c 1' '-L logistic -s agm -l 1e-2' '-s agm1 -l 1e-2' '-s proximal -l 1e-3' '-r l1 -L logistic -l 1e-2' \
    '--map nystrom --landmarks 128 --sigma 2 --memory 1 -s bundle -l 1e-2' '-s smo --gamma-kernel 0.1'; do
    # shellcheck disable=SC2086
    "$bin/train" -q -j 1 $given "$data/blobs.train" ours || fail "BIN: $given"
    # shellcheck disable=SC2086
    portable/train -q $given blobs.gz theirs.gz || fail "portable: $given"
    gzip -dc theirs.gz >theirs || fail "the model is not compressed: $given"
    awk '$1 == "objective" { if (seen++) d = $2 - first; first = $2 }
        END { exit !(seen == 2 && d <= 1e-3 * first && -d <= 1e-3 * first) }' ours theirs ||
        fail "another objective: $given"
    "$bin/predict" -q "$data/blobs.test" ours ours.out
    portable/predict -q "$data/blobs.test" theirs theirs.out
    [ "$(diff ours.out theirs.out | grep -c '^<')" -le 4 ] || fail "other predictions: $given"
done

# Files are replaced whole or not at all; streams go through pipes.
portable/train -q "$data/blobs.train" piped
portable/predict -q "$data/blobs.test" piped piped.out
portable/train -q "$data/blobs.train" - </dev/null | portable/predict -q "$data/blobs.test" - - | cmp -s - piped.out ||
    fail 'other predictions through pipes'
echo old >kept
if portable/train -q missing kept 2>err; then fail 'a missing file was read'; fi
[ "$(cat kept)" = old ] || fail 'a model was replaced'
portable/train -q "$data/blobs.train" kept && grep -q '^librrm' kept || fail 'a model was not replaced'
if portable/train -q "$data/blobs.train" /dev/full 2>err; then fail 'a full disk was not seen'; fi
[ "$(wc -l <err)" -eq 1 ] || fail "not one line: $(cat err)"
[ -z "$(find . -name '.librrm-*')" ] || fail 'files are left'

# What else these two programs do.
for script in cache checkpoint stream predict warnings; do
    PORTABLE=yes bash "$root/tests/end-to-end/$script.sh" "$work/portable" >log 2>&1 || fail "$script.sh: $(cat log)"
    grep '^skipped' log
done
[ $failures -eq 0 ] && echo "$name: all well"
