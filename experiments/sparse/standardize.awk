# standardize.awk FILE FILE - the svmlight file, named twice, with every feature at mean 0 and standard
# deviation 1; labels 1 and -1. A feature that is constant becomes 0.
FNR == 1 { reading++ }
reading == 1 {
    rows++
    for (k = 2; k <= NF; k++) {
        i = index($k, ":"); j = substr($k, 1, i - 1) + 0; x = substr($k, i + 1)
        sum[j] += x; squares[j] += x * x
        if (j > features) features = j
    }
    next
}
{
    for (j = 1; j <= features; j++) value[j] = 0
    for (k = 2; k <= NF; k++) {
        i = index($k, ":"); value[substr($k, 1, i - 1) + 0] = substr($k, i + 1)
    }
    line = $1 > 0 ? "1" : "-1"
    for (j = 1; j <= features; j++) {
        mean = sum[j] / rows; variance = squares[j] / rows - mean * mean
        if (variance > 1e-12 * squares[j] / rows)
            line = line sprintf(" %d:%.15g", j, (value[j] - mean) / sqrt(variance))
    }
    print line
}
