#!/bin/bash
# fill.sh PAGE NAME - puts standard input into the page, between the lines "<!-- NAME -->" and "<!-- end -->", in the
# place of what is there. Fails, and leaves the page, where there are no such lines.
set -euo pipefail
temporary=$(mktemp)
trap 'rm -f "$temporary"' EXIT
awk -v name="$2" '
    NR == FNR { text[++n] = $0; next }
    $0 == "<!-- end -->" { inside = 0 }
    !inside
    $0 == "<!-- " name " -->" {
        inside = found = 1
        print ""
        for (i = 1; i <= n; i++) print text[i]
        if (text[n] != "") print ""
    }
    END { exit !found || inside }' - "$1" >"$temporary" || {
    echo "fill.sh: $1 has no lines \"<!-- $2 -->\" and \"<!-- end -->\"" >&2
    exit 1
}
cmp -s "$temporary" "$1" || cat "$temporary" >"$1"
