#!/bin/bash
# readme.sh OUT README - puts OUT/TABLE.txt into the README, in the place of what is there, after each line
# "<!-- make TABLE -->".
set -euo pipefail
awk -v out="$1" '
    /^<!-- make [a-z]* -->$/ { print; table = $3; next }
    table != "" && /^```$/ && !inside {
        print
        file = out "/" table ".txt"
        while ((getline line < file) > 0) print line
        inside = 1
        next
    }
    inside && /^```$/ { inside = 0; table = "" }
    !inside { print }' "$2" >"$2.part"
mv "$2.part" "$2"
