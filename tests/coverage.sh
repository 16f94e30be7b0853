#!/bin/sh
# coverage.sh BUILD [LEAST] - how many lines of each folder the programs of a build with gcc's --coverage have run so
# far: a folder a line. Lines that were not run are in BUILD/not-covered. Fails if a folder has less than LEAST percent
# (default 90). Tests and measuring programs do not count.
set -u
build=$1
least=${2:-90}

# gcov prints each source with the count of every line; sources by absolute names are the system's.
find "$build" -name '*.gcda' ! -path "$build/tests/test_*" ! -path "$build/tests/*/*" ! -path "$build/bench/*" |
    sort | xargs gcov -t -r 2>/dev/null |
    awk -v least="$least" -v missed="$build/not-covered" '
    # COUNT:LINE:TEXT; a count of - is no code, of # or = was not run. A line may be part of several objects.
    {
        split($0, part, ":")
        count = part[1]
        line = part[2]
        gsub(/ /, "", count)
        gsub(/ /, "", line)
    }
    line == 0 && part[3] == "Source" { source = part[4] }
    line == 0 || count == "-" { next }
    {
        place = source ":" line
        if (!(place in text)) {
            order[++places] = place
            text[place] = substr($0, index($0, part[3]))
            file[place] = source
        }
        if (count !~ /^[#=]/)
            ran[place] = 1
    }
    END {
        printf "" >missed
        for (i = 1; i <= places; i++) {
            place = order[i]
            folder = file[place]
            if (!sub("/[^/]*$", "", folder))
                folder = "."
            if (folder ~ /^(tests|bench)(\/|$)/)
                continue
            lines[folder]++
            if (place in ran)
                covered[folder]++
            else
                printf "%s: %s\n", place, text[place] >missed
        }
        for (folder in lines) {
            share = 100 * covered[folder] / lines[folder]
            printf "%-32s %6d of %6d lines %6.1f %%\n", folder, covered[folder], lines[folder], share | "sort"
            low += share < least
            known = 1
        }
        close("sort")
        if (!known)
            print "no lines counted"
        else if (low)
            printf "folders below %d %%: %d; the lines are in %s\n", least, low, missed
        exit !known || low
    }'
