# Two traces of the first 100 iterations: the best objective of each after 1, 10, 30 and 100, and at how
# many of the 100 the second is below the first: "J1 J1 J1 J1 J2 J2 J2 J2 COUNT". A run that ended keeps
# its best.
FNR == 1 { run++; best = ""; last = 0; next }
$3 <= 100 {
    while (last + 1 < $3) j[run, ++last] = best
    if (best == "" || $4 < best) best = $4
    j[run, last = $3] = best
    end[run] = last
}
END {
    for (run = 1; run <= 2; run++)
        for (i = end[run] + 1; i <= 100; i++) j[run, i] = j[run, end[run]]
    for (i = 1; i <= 100; i++) count += j[2, i] < j[1, i]
    for (run = 1; run <= 2; run++)
        printf "%.5f %.5f %.5f %.5f ", j[run, 1], j[run, 10], j[run, 30], j[run, 100]
    print count + 0
}
