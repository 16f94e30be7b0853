# compare.awk - whether the cells of a row, made again, are those that were kept: -v columns=NAMES -v kept=CELLS
# -v now=CELLS. Cells of columns that begin with "seconds" are not compared. Numbers may differ by 2 % or by 2 in their
# last place, as compilers round differently; words and "-" may not. The last name holds for all cells that follow.
function place(x) { # of the last digit of a number
    sub(/[eE].*/, "", x)
    return x ~ /\./ ? 10 ^ -(length(x) - index(x, ".")) : 1
}
function far(a, b,   d) {
    if (a !~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ || b !~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/)
        return a "" != b ""
    d = a > b ? a - b : b - a
    return d > 0.02 * (a < 0 ? -a : a) && (a ~ /e/ || d > 2.001 * place(a))
}
BEGIN {
    names = split(columns, name, " ")
    n = split(kept, old, " ")
    if (n != split(now, new, " "))
        exit 1
    for (i = 1; i <= n; i++)
        if (name[i < names ? i : names] !~ /^seconds/ && far(old[i] "" + 0 == old[i] ? old[i] : old[i], new[i]))
            exit 1
}
