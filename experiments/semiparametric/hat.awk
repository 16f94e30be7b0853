# hat.awk - examples of the modified Mexican hat function: y = sin x + sinc(2 pi (x - 5)) + noise of deviation 0.2, x
# uniform in [0, 10], sinc t = sin t/t. awk -v m=ROWS -v seed=SEED: x, sin x and sinc; with -v second=sine the last is
# sin 2 pi (x - 5); with -v k=K in place of these two K basis functions, 1, sin pi x, cos 2 pi x, sin 3 pi x, ... The
# numbers are the same everywhere: Park and Miller's generator.
function uniform() {
    state = (state * 16807) % 2147483647
    return state / 2147483647
}
BEGIN {
    pi = atan2(0, -1)
    state = 7919 * seed + 12345
    for (i = 0; i < 10; i++)
        uniform()
    for (i = 0; i < m; i++) {
        x = 10 * uniform()
        noise = 0.2 * sqrt(-2 * log(uniform())) * cos(2 * pi * uniform())
        t = 2 * pi * (x - 5)
        sinc = t == 0 ? 1 : sin(t) / t
        printf "%.9g 1:%.9g", sin(x) + sinc + noise, x
        if (k == 0)
            printf " 2:%.9g 3:%.9g", sin(x), second == "sine" ? sin(t) : sinc
        for (j = 0; j < k; j++)
            printf " %d:%.9g", j + 2, j % 2 ? sin(j * pi * x) : cos(j * pi * x)
        print ""
    }
}
