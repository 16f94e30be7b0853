# medians.awk - of each column of numbers (from row `from`, default 1) the median and the standard deviation, in a
# line; "-" counts as larger than all numbers, and not in the deviation.
NR >= from + 0 && NF > 0 {
    rows++
    columns = NF
    for (k = 1; k <= NF; k++) {
        cell[k, rows] = $k == "-" ? "inf" : $k + 0
        if ($k != "-") { n[k]++; sum[k] += $k; squares[k] += $k * $k }
    }
}
function less(a, b) { return b == "inf" ? a != "inf" : a != "inf" && a < b }
function middle(k,   i, j, x, a) {
    for (i = 1; i <= rows; i++) {
        x = cell[k, i]
        for (j = i - 1; j > 0 && less(x, a[j]); j--) a[j + 1] = a[j]
        a[j + 1] = x
    }
    i = int((rows + 1) / 2); j = int((rows + 2) / 2)
    if (a[i] == "inf" || a[j] == "inf") return "-"
    return (a[i] + a[j]) / 2
}
END {
    for (k = 1; k <= columns; k++) {
        mean = n[k] ? sum[k] / n[k] : 0
        variance = n[k] ? squares[k] / n[k] - mean * mean : 0
        printf "%s%s %.6g", (k > 1 ? " " : ""), middle(k), sqrt(variance > 0 ? variance : 0)
    }
    print ""
}
