/* clipped.c - smoothed losses, vectorized: one loop, compiled for each combination of its optional arrays. */
#include "risk/clipped.h"

#include "math/simd.h"
#include "risk/target.h"

#include <stdbool.h>
#include <stddef.h>

static SIMD_BODY void loop(struct clipped *rows, bool weighted, bool varied, bool derivatives) {
    const double *u = rows->u, *y = rows->y, *low = rows->low, *high = rows->high;
    const double *c = rows->weight, *each = rows->each;
    bool labels = rows->positive != NULL;
    double positive = labels ? *rows->positive : 0, *derivative = rows->derivative;
    double shift = rows->shift, flat = rows->flat, mu = rows->mu, one = flat + mu, sum = 0;
    double by = 1 / one;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < rows->count; i++) {
        double target = labels ? target_from(y[i], &positive) : y[i];
        double r = u[i] + shift - target, width = varied ? flat + mu * each[i] : one;
        double a = varied ? r / width : r * by;
        a = a < low[i] ? low[i] : a;
        a = a > high[i] ? high[i] : a;
        double weight = weighted ? c[i] : 1;
        sum += weight * (a * (r - width * (a / 2)));
        if (derivatives)
            derivative[i] = weight * a;
    }
    rows->sum = sum;
}

static SIMD_BODY void clipped_rows_body(struct clipped *rows) {
    bool weighted = rows->weight != NULL, varied = rows->each != NULL;
    if (rows->derivative != NULL && !weighted && !varied)
        loop(rows, false, false, true);
    else if (rows->derivative != NULL)
        weighted ? varied ? loop(rows, true, true, true) : loop(rows, true, false, true)
                 : loop(rows, false, true, true);
    else if (!weighted && !varied)
        loop(rows, false, false, false);
    else
        weighted ? varied ? loop(rows, true, true, false) : loop(rows, true, false, false)
                 : loop(rows, false, true, false);
}

SIMD_CLONES(void, clipped_rows, (struct clipped * rows), (rows))
