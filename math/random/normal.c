/* normal.c - normal numbers in pairs: a uniform point of the unit disc, its square stretched
 * (Marsaglia & Bray 1964, the polar method). */
#include "math/random/normal.h"

#include <math.h>

/* Uniform in (-1, 1). */
static double signed_unit(struct random *random) {
    return 2 * random_unit(random) - 1 + 0x1p-53;
}

static void pair(struct random *random, double *first, double *second) {
    double x, y, square;
    do {
        x = signed_unit(random);
        y = signed_unit(random);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double stretch = sqrt(-2 * log(square) / square);
    *first = x * stretch;
    *second = y * stretch;
}

void random_normals(struct random *random, double *x, int64_t count) {
    double unused;
    for (int64_t k = 0; k < count; k += 2)
        pair(random, &x[k], k + 1 < count ? &x[k + 1] : &unused);
}
