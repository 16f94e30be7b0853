#!/bin/bash
# library.sh BIN - the library as it is installed: the names that it exports, the programs of docs/library.md, and the
# same models, objectives and measures as the command line's.
set -u
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=/dev/null
. "$root/tests/tools.sh"
data=$root/data

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
    echo "FAILED: $1"
    exit 1
}

# ---- names: what rrm.h declares, and nothing needed that a library must not do
sed -n 's/^RRM_API .*[ *]\(rrm_[a-z_]*\)(.*/\1/p' "$root/rrm.h" | sort >declared
nm -D --defined-only "$bin/librrm.so.0" | awk '$2 ~ /^[A-Z]$/ { print $3 }' | sort >shared
nm -g --defined-only "$bin/librrm.a" | awk 'NF == 3 { print $3 }' | sort >archived
[ "$(wc -l <declared)" -ge 15 ] || fail 'rrm.h declares hardly anything'
diff declared shared || fail 'librrm.so.0 exports other names than rrm.h declares'
diff declared archived || fail 'librrm.a exports other names than rrm.h declares'
nm -uD "$bin/librrm.so.0" | awk '{ sub(/@.*/, "", $2); print $2 }' >needed
tools=$(nm "$bin/librrm.a" | grep -oE '__(asan|gcov)_init' | sort -u) # of a build that watches itself
process='_?exit|_Exit|quick_exit|abort|__assert_fail|signal|sigaction|raise|kill|exec[a-z]*|setenv|putenv|setlocale'
prints='printf|__printf_chk|puts|putchar|perror|stdout|stderr'
if [ -z "$tools" ] && grep -xE "$process|$prints" needed; then
    fail 'the library prints, ends the process, or changes its state'
fi

# What can change and all threads share: the table of risks, which is filled once (call_once); whether the process was
# forked, and that this is watched; and what compilers have for themselves.
objdump -t "$bin/librrm.so.0" |
    awk '/ O \.t?(bss|data)\t/ && $NF !~ /^(_|completed|\.gomp)/ { print $NF }' | sort >state
if [ -z "$tools" ] && [ "$(tr '\n' ' ' <state)" != 'fill_once forked row_count rows watched ' ]; then
    fail "global state: $(cat state)"
fi

# ---- installed, and found by pkg-config
has_tools 'programs with the library' pkg-config || exit 77
made_of "$bin" "$work/built" PREFIX="$work/usr" install >log 2>&1 || fail "make install: $(cat log)"
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig LD_LIBRARY_PATH=$work/usr/lib
[ "librrm $(pkg-config --modversion librrm)" = "$("$bin/train" --version)" ] || fail 'the version of librrm.pc'
readelf -d usr/lib/librrm.so.0 | grep -q 'SONAME.*\[librrm\.so\.0\]' || fail 'librrm.so.0 has another name within'
strict=(-std=c11 -Wall -Wextra -Werror -pedantic)
case $tools in
*asan*) strict+=(-fsanitize=address -fsanitize=undefined) ;;
*gcov*) strict+=(--coverage) ;;
esac
compile() { # SOURCE PROGRAM
    # shellcheck disable=SC2046 # words
    ${CC:-cc} "${strict[@]}" "$1" $(pkg-config --cflags --libs librrm) -o "$2" || fail "$1 does not compile"
}

# ---- the programs of the documentation, which end as the command line does
for program in main arrays; do
    awk -v name="$program.c" '/^```/ { on = !on && $0 == "```c " name; next } on' "$root/docs/library.md" >$program.c
    [ -s $program.c ] || fail "docs/library.md has no $program.c"
    compile $program.c $program
done
lines=$(wc -l <main.c)
[ "$lines" -le 40 ] || fail "main.c has $lines lines"
./main "$data/blobs.train" "$data/blobs.test" >out 2>err || fail "main: $(cat err)"
"$bin/train" -q -L logistic -l 1e-3 "$data/blobs.train" model || fail train
"$bin/predict" "$data/blobs.test" model - 2>measures >/dev/null
cmp model main.model || fail 'main trains another model than the command line'
[ "$(grep ^objective model)" = "$(grep ^objective out)" ] || fail 'another objective than the command line'
[ "$(awk '$1 == "AUC" { print $3 }' measures)" = "$(awk '$1 == "AUC" { print $2 }' out)" ] || fail 'another AUC'
grep -q '^pass ' err || fail 'main tells no progress'
./arrays >out || fail arrays
[ "$(awk '/^label/ && $2 == $4' out | wc -l)" -eq 4 ] || fail "arrays: $(cat out)"
if [ -z "$tools" ]; then
    ${CC:-cc} "${strict[@]}" -Iusr/include main.c usr/lib/librrm.a -fopenmp -lz -lm -o static ||
        fail 'librrm.a does not link'
    ./static "$data/blobs.train" "$data/blobs.test" >again 2>/dev/null || fail 'main with librrm.a'
    cmp model main.model || fail 'librrm.a trains another model'
fi
if has_tools 'rrm.h in C++' c++; then
    echo '#include <rrm.h>' | c++ -Wall -Wextra -Werror -fsyntax-only -Iusr/include -x c++ - || fail 'rrm.h is not C++'
fi

# ---- the settings are the command line's: the same models to the last byte
compile "$root/tests/library_train.c" library_train
while read -r file settings; do
    options=()
    for setting in $settings; do # name=text becomes --name=text
        options+=("--$setting")
    done
    "$bin/train" -q "${options[@]}" "$data/$file" expected 2>/dev/null || fail "train $settings"
    # shellcheck disable=SC2086 # words
    ./library_train "$data/$file" found $settings || fail "library_train $settings"
    cmp expected found || fail "another model than the command line's: $file $settings"
done <<'END'
blobs.train lambda=1e-3
blobs.train cost=0.5 bias=1 threads=2
blobs.train solver=pegasos passes=3 seed=7
blobs.train solver=asset-on lambda=1e-2 passes=2
blobs.train regularizer=l1 loss=logistic path=4 lambda=1e-3
blobs.train ball=l1=0.5 loss=squared-hinge
blobs.train class-weight=1=3 class-weight=-1=2 intercept
blobs.train loss=f1 intercept
blobs.train map=nystrom landmarks=40 sigma=5
blobs.train solver=pdsg sigma=1 basis=1,2
three.train loss=softmax epsilon=1e-5
three.train positive=2
line.train loss=quantile quantile=0.25
END
./library_train "$data/blobs.train" found lamda=1 2>err && fail 'a wrong name'
grep -q 'lamda.*lambda' err || fail "a wrong name: $(cat err)"

# ---- where no thread can be started (a sanitizer needs some)
if [ -z "$tools" ]; then
    for k in {0..19}; do # enough work for threads
        awk -v k="$k" '{ $1 = $1 " qid:" k "0000" int(NR / 5); print }' "$data/three.train"
    done >chains
    compile "$root/tests/library_alone.c" library_alone
    OMP_NUM_THREADS=8 ./library_alone chains >out 2>err || fail "without threads: exit $?, $(cat err)"
    "$bin/train" -q -L crf chains expected || fail 'train -L crf'
    "$bin/predict" chains expected labels >measures || fail 'predict chains'
    grep -q "^$(cut -d ' ' -f 1 out) " measures || fail "without threads: $(cat out)"
fi

made_of "$bin" "$work/built" PREFIX="$work/usr" uninstall >log 2>&1 || fail 'make uninstall'
[ -z "$(find usr -type f -o -type l)" ] || fail 'make uninstall leaves files'
echo 'library.sh: all well'
