# milan.awk - milan.mort.csv, target and features scaled to [0, 1], a fifth held out at random. -v seed=SPLIT -v out=FILE:
# FILE-SPLIT (without the day's total deaths), FILE-total-SPLIT and FILE-linear-SPLIT, .train and .test. Temperature is
# feature 4 and SO2 feature 6; the linear model has these and their squares.
function uniform() {
    state = (state * 16807) % 2147483647
    return state / 2147483647
}
function row(k) { # feature k of this row, as svmlight has it
    return " " k ":" value[i, column[k]]
}
NR > 1 {
    for (j = 1; j <= NF; j++) {
        value[NR - 1, j] = $j
        if (NR == 2 || $j + 0 < low[j]) low[j] = $j + 0
        if (NR == 2 || $j + 0 > high[j]) high[j] = $j + 0
    }
}
END {
    state = 7919 * seed + 12345
    split("1 2 3 4 5 8 9 6", column, " ")
    for (i = 0; i < 10; i++)
        uniform()
    for (i = 1; i < NR; i++) {
        for (j = 1; j <= 9; j++)
            value[i, j] = sprintf("%.9g", (value[i, j] - low[j]) / (high[j] - low[j]))
        part = seed (uniform() < 0.2 ? ".test" : ".train")
        line = value[i, 7] row(1) row(2) row(3) row(4) row(5) row(6) row(7)
        print line >(out "-" part)
        print line row(8) >(out "-total-" part)
        t = value[i, 4]
        s = value[i, 8]
        printf "%s 1:%s 2:%s 3:%.9g 4:%.9g\n", value[i, 7], t, s, t * t, s * s >(out "-linear-" part)
    }
}
