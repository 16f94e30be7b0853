# render.awk tables/TABLE TABLE.tsv - the numbers as text: passes to each level by column, then seconds.
# TABLE.tsv has, with tabs, set, lambda, column, passes to each level, seconds to each.
function part(title, from, width,   c, i, r) {
    printf "%s\n%-20s", title, ""
    for (c = 1; c <= columns; c++) printf " | %-" (n * (width + 1) - 1) "s", column[c]
    printf "\n%-11s%-9s", "data", parameter
    for (c = 1; c <= columns; c++) {
        printf " |"
        for (i = 1; i <= n; i++) printf " %" width "s", level[i]
    }
    print ""
    for (r = 1; r <= rows; r++) {
        split(row[r], key, FS)
        printf "%-11s%-9s", key[1], key[2]
        for (c = 1; c <= columns; c++) {
            printf " |"
            for (i = 1; i <= n; i++) printf " %" width "s", cell(value[r, c, from + i])
        }
        print ""
    }
}
function cell(x) { return x ~ /\./ && x >= 10 ? sprintf("%.1f", x) : x ~ /\./ ? sprintf("%.2f", x) : x }
BEGIN { FS = "\t"; parameter = "lambda" }
NR == FNR && $1 == "title" { title = title $2 "\n" }
NR == FNR && $1 == "levels" { n = split($2, level, " ") }
NR == FNR && $1 == "parameter" { parameter = substr($2, 3) }
NR == FNR { next }
{
    if (!($3 in known)) { column[++columns] = $3; known[$3] = columns }
    if (!(($1 FS $2) in there)) { row[++rows] = $1 FS $2; there[$1 FS $2] = rows }
    for (i = 1; i <= 2 * n; i++) value[there[$1 FS $2], known[$3], i] = $(3 + i)
}
END {
    printf "%s\n", title
    part("passes", 0, 5)
    print ""
    part("seconds", n, 5)
}
