# Traces of the first 100 iterations: for each the best objective after 1, 10, 30 and 100, and for those
# after the first at how many of the 100 it is below the first: "J J J J [J J J J COUNT]...". A run that
# ended keeps its best.
FNR == 1 { run++; best = ""; last = 0; next }
$3 <= 100 {
    while (last + 1 < $3) j[run, ++last] = best
    if (best == "" || $4 < best) best = $4
    j[run, last = $3] = best
    end[run] = last
}
END {
    for (r = 1; r <= run; r++) {
        for (i = end[r] + 1; i <= 100; i++) j[r, i] = j[r, end[r]]
        printf "%s%.5f %.5f %.5f %.5f", (r > 1 ? " " : ""), j[r, 1], j[r, 10], j[r, 30], j[r, 100]
        count = 0
        for (i = 1; i <= 100; i++) count += j[r, i] < j[1, i]
        if (r > 1) printf " %d", count
    }
    print ""
}
