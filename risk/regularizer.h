/* regularizer.h - Omega(w), what the objective adds to the risk, in one table. */
#ifndef RRM_REGULARIZER_H
#define RRM_REGULARIZER_H

#include <stdint.h>

struct regularizer {
    const char *name;
    const char *summary; /* one line for -r help */

    /* Omega(w) over n coordinates. */
    double (*value)(const double *w, int64_t n);

    /* lambda Omega*(-s/lambda), the price of a linearization's slope s (n coordinates): for any
     * linearization R(w) >= <s,w> + t,  min J >= t - this. */
    double (*conjugate)(const double *s, int64_t n, double lambda);

    /* The best of these prices over shrunken linearizations: max over 0 <= theta <= 1 of
     * theta t - lambda Omega*(-theta s/lambda). A lower bound of min J for R >= 0, since
     * R(w) >= 0 and R(w) >= <s,w> + t make R(w) >= theta (<s,w> + t). */
    double (*bound)(const double *s, double t, int64_t n, double lambda);

    /* argmin over w of 1/2 (w - v)^2 summed + k Omega(w), written over v. */
    void (*prox)(double *v, int64_t n, double k);
};

const struct regularizer *regularizer_by_name(const char *name);
const struct regularizer *regularizer_table(int *count);

#endif
