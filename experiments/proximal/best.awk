# The best objective of a trace at whole passes, and the first pass at which 99 % of the reduction from
# J(0) = 1 (hinge) is reached: "BEST PASS", "- -" when it never falls below 1.
/^[0-9]/ && $2 == int($2) { n++; pass[n] = $2; j[n] = $4; if (best == "" || $4 < best) best = $4 }
END {
    if (best == "" || best >= 1) { print "-", "-"; exit }
    for (i = 1; i <= n; i++)
        if (1 - j[i] >= 0.99 * (1 - best)) { printf "%.5f %d\n", best, pass[i]; exit }
}
