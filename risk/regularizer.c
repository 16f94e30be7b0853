/* regularizer.c - the regularizers.
 *
 * l2: Omega = 1/2 ||w||^2, lambda Omega*(-s/lambda) = ||s||^2/(2 lambda), prox = shrinkage. */
#include "risk/regularizer.h"

#include "math/vector.h"

#include <string.h>

static double l2_value(const double *w, int64_t n) {
    return vector_dot(w, w, n) / 2;
}

static double l2_conjugate(const double *s, int64_t n, double lambda) {
    return vector_dot(s, s, n) / (2 * lambda);
}

/* theta t - theta^2 price is largest at theta = t/(2 price). */
static double l2_bound(const double *s, double t, int64_t n, double lambda) {
    double price = l2_conjugate(s, n, lambda);
    if (t <= 0)
        return 0;
    return t >= 2 * price ? t - price : t * (t / (4 * price));
}

static void l2_prox(double *v, int64_t n, double k) {
    vector_scale(v, 1 / (1 + k), n);
}

static const struct regularizer regularizers[] = {
    {"l2", "1/2 ||w||^2", l2_value, l2_conjugate, l2_bound, l2_prox},
};

const struct regularizer *regularizer_table(int *count) {
    *count = sizeof regularizers / sizeof *regularizers;
    return regularizers;
}

const struct regularizer *regularizer_by_name(const char *name) {
    int count;
    const struct regularizer *table = regularizer_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
