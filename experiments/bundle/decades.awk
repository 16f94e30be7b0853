# The iterations of a trace at which J - bound first falls to 1e-1, 1e-2, ..., 1e-6, "-" for never; with
# -v optimum=X, J - X. Objectives and bounds are the best so far.
NR > 1 {
    if (j == "" || $4 < j) j = $4
    if ($5 != "-inf" && (b == "" || $5 > b)) b = $5
    from = optimum == "" ? b : optimum
    while (from != "" && n < 6 && j - from <= 10 ^ -(n + 1)) at[++n] = $3
}
END { for (i = 1; i <= 6; i++) printf "%s%s", i in at ? at[i] : "-", i < 6 ? " " : "\n" }
