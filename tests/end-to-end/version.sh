#!/bin/bash
# version.sh BIN - the version and its date are the same in the programs, CITATION.cff and NEWS.md.
set -u
# shellcheck source=tests/outside.sh
. "$(dirname "$0")/../outside.sh"
root=${data%/data}

version=$("$bin/train" --version) || fail 'train --version'
version=${version#librrm }
date=$("$bin/train" --man | sed -n 's/^\.TH .* 1 \([0-9-]*\) .*/\1/p')
for program in predict conll bpseq convert plot scale weights; do
    [ "$("$bin/$program" --version)" = "librrm $version" ] || fail "$program has another version than train"
done
has "^version: $version\$" "$root/CITATION.cff"
has "^date-released: $date\$" "$root/CITATION.cff"
has "^librrm ($version) " "$root/debian/changelog"
newest=$(sed -n 's/^## //p' "$root/NEWS.md" | head -n 1)
[ "$newest" = "${version%.0} ($date)" ] || fail "NEWS.md begins with $newest, not with ${version%.0} ($date)"

exit $failures
