# formats.awk - the man page librrm-formats(5) from docs/formats.md: awk -f formats.awk version.h formats.md.
# A heading "## WORD" begins a section; indented lines are set as they are; code is bold. What stands before the
# first heading is left out.

function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

# The programs have their installed names.
function code(text) {
    return "\\fB" escaped((text ~ /^(train|predict|conll|bpseq|convert|scale|weights|plot)( |$)/ ? "librrm-" : "") text) "\\fR"
}

function inline(text,    part, count, i, result, link) {
    while (match(text, /\[[^]]*\]\([^)]*\)/)) { # [words](link)
        link = substr(text, RSTART, RLENGTH)
        sub(/^\[/, "", link)
        sub(/\].*/, "", link)
        text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
    }
    count = split(text, part, "`")
    for (i = 1; i <= count; i++)
        result = result (i % 2 ? escaped(part[i]) : code(part[i]))
    sub(/^[.']/, "\\\\\\&&", result) # at the beginning of a line it would be a request
    return result
}

function end_example() {
    if (example)
        print ".fi\n.RE"
    example = 0
}

/^#define RRM_VERSION/ { gsub(/"/, ""); version = $3 " " $4 }
/^#define RRM_DATE/ { gsub(/"/, ""); date = $3 }

/^## / {
    end_example()
    if (!inside)
        printf ".TH LIBRRM\\-FORMATS 5 %s \"%s\" \"File Formats\"\n.SH NAME\n" \
            "librrm\\-formats \\- files of data, models, names and predictions\n", date, version
    inside = 1
    blank = 0
    print ".SH " toupper(substr($0, 4))
    heading = 1
    next
}

!inside { next }

/^ *$/ { blank = !heading; next }

/^    / {
    if (!example)
        print ".PP\n.RS 4\n.nf"
    example = 1
    blank = heading = 0
    print escaped(substr($0, 5))
    next
}

/^\| (---|key \|)/ { next } # the head of a table

/^\|/ { # a row of two columns
    end_example()
    split($0, cell, / *\| */)
    print ".TP\n" inline(cell[2]) "\n" inline(cell[3])
    blank = heading = 0
    next
}

{
    end_example()
    if (blank)
        print ".PP"
    blank = heading = 0
    print inline($0)
}

END {
    print ".SH SEE ALSO\n.BR librrm\\-train (1),\n.BR librrm\\-predict (1),\n.BR librrm\\-conll (1),\n" \
        ".BR librrm\\-bpseq (1),\n.BR librrm\\-convert (1),\n.BR librrm\\-scale (1),\n" \
        ".BR librrm\\-weights (1),\n.BR librrm\\-plot (1)"
}
