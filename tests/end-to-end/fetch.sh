#!/bin/bash
# fetch.sh - data/fetch.sh without a network: from a mirror at a file:// address.
set -u
# shellcheck source=tests/tools.sh
. "$(dirname "$0")/../tools.sh"
has_tools 'data/fetch.sh' bzip2 || exit 77
fetch=$(cd "$(dirname "$0")/../../data" && pwd)/fetch.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "fetch.sh: $*" >&2
    failures=$((failures + 1))
}

# run STATUS ARGUMENTS...: fetch from the mirror; what it printed is left in out and err.
run() {
    local wanted=$1 got
    shift
    sh "$fetch" --from "file://$work/mirror/" "$@" >out 2>err
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit $got, not $wanted: $*"; cat out err >&2; }
}

said() { grep -qF -e "$1" out err || { fail "'$1' was not said"; cat out err >&2; }; }
only() { [ "$(ls -A sets)" = "$*" ] || fail "the folder holds: $(ls -A sets)"; }

# A file of ROWS rows with as many pairs in all as PAIRS says.
make_rows() {
    awk -v rows="$1" -v pairs="$2" 'BEGIN {
        for (i = 0; i < rows; i++) {
            printf i % 2 ? "+1" : "-1"
            n = int(pairs * (i + 1) / rows) - int(pairs * i / rows)
            for (j = 1; j <= n; j++) printf " %d:1", j
            print " "
        }
    }'
}

mkdir -p mirror/binary mirror/multiclass sets
make_rows 270 3378 >mirror/binary/heart_scale
make_rows 16281 225731 >mirror/binary/a9a.t
make_rows 62 124 | bzip2 >mirror/binary/colon-cancer.bz2

# good files, plain and packed
run 0 sets heart_scale a9a.t colon-cancer
only a9a.t$'\n'colon-cancer$'\n'heart_scale
cmp -s mirror/binary/a9a.t sets/a9a.t || fail "a9a.t differs"
[ "$(wc -l <sets/colon-cancer)" -eq 62 ] || fail "colon-cancer was not unpacked"

# the second run does nothing, even without the mirror; nor when the file is packed
touch -d 2001-01-01 sets/*
gzip sets/a9a.t
mv mirror away
run 0 sets heart_scale a9a.t colon-cancer
said "heart_scale: already there"
said "a9a.t: already there"
only a9a.t.gz$'\n'colon-cancer$'\n'heart_scale
[ -z "$(find sets -type f -newermt 2002-01-01)" ] || fail "the second run wrote"
mv away mirror

# a missing file
rm -rf sets
run 1 sets w8a
said "w8a: not fetched from file://$work/mirror/binary/w8a"
only

# files cut short: between rows, within a pair list, within a value, within the packed bytes
refused() { # NAME MESSAGE
    run 1 sets "$1"
    said "$2"
    said "$1: not fetched"
    only
}
cp mirror/binary/a9a.t good
head -n 16280 good >mirror/binary/a9a.t
refused a9a.t "16280 rows, not 16281"
{ head -n 16280 good; echo "-1 1:1"; } >mirror/binary/a9a.t
refused a9a.t "pairs, not 225731"
head -c -3 good >mirror/binary/a9a.t
refused a9a.t "the last line is cut short"
bzip2 <good | head -c 2000 >mirror/binary/colon-cancer.bz2
refused colon-cancer "colon-cancer"
echo "<html>not found</html>" >mirror/binary/a9a.t
refused a9a.t "1 rows, not 16281"

# one bad set does not stop the others; a wrong file is replaced by a right one
echo "1 1:1" >sets/heart_scale
run 1 sets a9a.t heart_scale
said "heart_scale: 270 rows"
only heart_scale

# usage
run 1 sets nonesuch
said "no data set nonesuch"
run 2
run 2 --nonesuch sets
run 0 --list
[ "$(wc -l <out)" -ge 20 ] || fail "--list is short"
said "covtype.libsvm.binary.scale"

# Missing programs are installed by apt-get, and only if a set needs them: here with a PATH that
# has neither curl, wget nor bzip2, and with an apt-get and sudo that only record their arguments.
mkdir bare
for tool in awk cat chmod cmp cp cut dirname env find grep gzip head id ls mkdir mv nproc od rm sh tail tr; do
    ln -s "$(command -v $tool)" bare/$tool
done
printf '#!/bin/sh\nexec "$@"\n' >bare/sudo
printf '#!/bin/sh\necho "$@" >>%s/asked\n' "$work" >bare/apt-get
chmod +x bare/sudo bare/apt-get
asks() { # PACKAGES ARGUMENTS...: the packages asked for
    local wanted=$1
    shift
    : >asked
    env PATH="$work/bare" sh "$fetch" "$@" >out 2>err
    [ "$(sed -n 's/.*--no-install-recommends //p' asked)" = "$wanted" ] ||
        { fail "asked for '$(cat asked)', not $wanted: $*"; cat out err >&2; }
}
make_rows 62 124 >mirror/binary/heart_scale
asks bzip2 --from "file://$work/mirror" elsewhere heart_scale colon-cancer
asks '' --from "file://$work/mirror" elsewhere heart_scale
asks '' --from "file://$work/mirror" elsewhere nonesuch
certificates=''
[ ! -e /etc/debian_version ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || certificates=' ca-certificates'
asks "curl$certificates" --from https://nowhere.invalid elsewhere heart_scale
asks "curl$certificates bzip2" --from https://nowhere.invalid elsewhere colon-cancer usps

if [ $failures -gt 0 ]; then
    echo "fetch.sh: $failures failures" >&2
    exit 1
fi
echo "fetch.sh: all well"
