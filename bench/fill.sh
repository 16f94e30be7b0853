#!/bin/bash
# fill.sh PAGE [NAME] - puts standard input into the page, between the lines "<!-- NAME -->" and "<!-- end -->", in the
# place of what is there. Without NAME the input has parts, each behind its line "<!-- NAME -->". Fails, and leaves the
# page, where it lacks such lines.
set -euo pipefail
temporary=$(mktemp)
trap 'rm -f "$temporary"' EXIT
awk -v name="${2:-}" '
    BEGIN { if (name != "") part[line = "<!-- " name " -->"] }
    NR == FNR { sub(/ *$/, "") }
    NR == FNR && name == "" && /^<!-- .* -->$/ { part[line = $0]; next }
    NR == FNR { text[line, ++n[line]] = $0; next }
    $0 == "<!-- end -->" { inside = 0 }
    !inside
    $0 in part {
        inside = found[$0] = 1
        print ""
        for (i = 1; i <= n[$0]; i++) print text[$0, i]
        if (text[$0, n[$0]] != "") print ""
    }
    END {
        for (line in part)
            if (!(line in found)) {
                print FILENAME " has no lines \"" line "\" and \"<!-- end -->\"" >"/dev/stderr"
                inside = 1
            }
        exit inside
    }' - "$1" >"$temporary"
cmp -s "$temporary" "$1" || cat "$temporary" >"$1"
