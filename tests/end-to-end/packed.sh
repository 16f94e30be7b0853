#!/bin/bash
# packed.sh BIN - data compressed by gzip, bzip2 and zstd: the same model, from a file and from a pipe; what is cut,
# changed or followed by other bytes is refused, and so is a format whose library is missing.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"

cp "$data/blobs.train" blobs
status 0 -q -c 1 blobs expected
cat blobs blobs >twice
status 0 -q -c 1 twice expected-twice

# check FORMAT: reads what the program of this name packs.
check() {
    local format=$1
    "$format" -c blobs >packed
    if ! "$bin/train" -q -c 1 packed model 2>err && grep -q 'there is no lib' err; then
        echo "skipped: data of $format ($(sed 's/.*there is no \([^;]*\);.*/no \1/' err))"
        return
    fi
    cmp -s model expected || fail "another model of $format"
    timeout 60 "$bin/train" -q -c 1 - piped <packed || fail "$format from standard input"
    cmp -s piped expected || fail "another model of $format from standard input"
    cat packed packed >members
    status 0 -q -c 1 members model
    cmp -s model expected-twice || fail "another model of two members of $format"
    head -c "$(($(wc -c <packed) / 2))" packed >cut
    status 1 -q cut model
    has "^cut: truncated $format data$" err
    (cat packed && echo x) >tail
    status 1 -q tail model
    has "^tail: bytes after the end of the $format data$" err
    (head -c 5000 packed && printf '\377\377\377\377\377\377' && tail -c +5007 packed) >changed
    status 1 -q changed model
    has "^changed:\( corrupt $format data (.*)\|[0-9]*:.*\)$" err # gzip has its checksum at the end
}

for format in gzip bzip2 zstd; do
    if has_tools "data of $format" $format; then check $format; fi
done

# ---- without the libraries

mkdir none
: >none/libbz2.so.1.0
: >none/libzstd.so.1
printf 'BZh91AY&SY' >bzip2
printf '\050\265\057\375' >zstd
for case in bzip2:libbz2.so.1.0 zstd:libzstd.so.1; do
    format=${case%:*}
    LD_LIBRARY_PATH=none timeout 60 "$bin/train" -q $format model 2>err && fail "$format without its library"
    has "^$format: compressed by $format, and there is no ${case#*:}; unpack it first: $format -dc FILE >OTHER_FILE$" err
done

[ $failures -eq 0 ] || { echo "$name: $failures failures" >&2; exit 1; }
echo "$name: all well"
