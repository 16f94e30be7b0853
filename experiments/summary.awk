# summary.awk summary.txt ./FOLDER/out/TABLE.tsv... - the lines of summary.txt with each "{FOLDER/TABLE KEY:N}" replaced by
# the Nth cell of that row of the table, or by "." where the row is not there.
BEGIN { FS = "\t" }
FNR == 1 {
    table = FILENAME
    sub(/^\.\//, "", table)
    sub(/\.tsv$/, "", table)
    sub(/\/out\//, "/", table)
}
/^#/ { next }
FILENAME ~ /\.tsv$/ {
    for (i = 4; i <= NF; i++)
        cell[table " " $1 ":" i - 3] = $i
    next
}
{ line[++lines] = $0 }
END {
    for (i = 1; i <= lines; i++) {
        while (match(line[i], /{[^}]*}/)) {
            name = substr(line[i], RSTART + 1, RLENGTH - 2)
            line[i] = substr(line[i], 1, RSTART - 1) (name in cell ? cell[name] : ".") substr(line[i], RSTART + RLENGTH)
        }
        print line[i]
    }
}
