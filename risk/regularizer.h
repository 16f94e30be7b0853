/* regularizer.h - the regularizers Omega(w) of the objective R(w) + lambda Omega(w), in one table. */
#ifndef RRM_REGULARIZER_H
#define RRM_REGULARIZER_H

#include "risk/regularizer_parameters.h"

#include <stdbool.h>
#include <stdint.h>

/* lambda Omega(w) = l1 ||w||_1 + l2/2 ||w||^2 */
struct penalty {
    double l1, l2;
};

struct regularizer {
    const char *name;
    const char *summary; /* one line for -r help */

    /* Omega(w) over n coordinates; infinite outside of the domain. */
    double (*value)(const double *w, int64_t n, const struct regularizer_parameters *p);

    /* lambda Omega*(-s/lambda), the conjugate of a linearization's slope s (n coordinates): for any
     * linearization R(w) >= <s,w> + t,  min J >= t - this. */
    double (*conjugate)(const double *s, int64_t n, double lambda,
                        const struct regularizer_parameters *p);

    /* w = argmin of <s,w> + lambda Omega(w), the gradient of Omega* at -s/lambda. w may be s. */
    void (*minimizer)(const double *s, int64_t n, double lambda,
                      const struct regularizer_parameters *p, double *w);

    /* The best conjugate over shrunken linearizations: max over 0 <= theta <= 1 of
     * theta t - lambda Omega*(-theta s/lambda), or nearly. A lower bound of min J for R >= 0, since
     * R(w) >= 0 and R(w) >= <s,w> + t make R(w) >= theta (<s,w> + t). */
    double (*bound)(const double *s, double t, int64_t n, double lambda,
                    const struct regularizer_parameters *p);

    /* The largest theta <= 1 for which the conjugate of theta s is finite. NULL: it always is. */
    double (*reach)(const double *s, int64_t n, double lambda);

    /* lambda Omega as a combination of the 1-norm and the squared 2-norm. NULL: it is none. */
    struct penalty (*penalty)(double lambda, const struct regularizer_parameters *p);

    /* The second derivatives of Omega* where its gradient is w: diag(d), or diag(d) - w w' for weights whose sum is 1
     * (`sum_one`). NULL: Omega* has kinks, or no solver needs them. */
    void (*conjugate_curvature)(const double *w, int64_t n, const struct regularizer_parameters *p,
                                double *d);
    bool sum_one;

    /* Omega is 0 or infinite (constraint.h); lambda has no effect and is 1. */
    bool constraint;

    /* The ball whose indicator Omega is. NULL: Omega is no indicator of a ball. */
    struct ball (*ball)(const struct regularizer_parameters *p);
};

const struct regularizer *regularizer_by_name(const char *name);
const struct regularizer *regularizer_table(int *count);

#endif
