/* isotonic.h - probabilities of two classes as a nondecreasing function of scores, in a model. */
#ifndef RRM_ISOTONIC_H
#define RRM_ISOTONIC_H

#include "io/error.h"

#include <stdint.h>

/* The function: linear between its knots, constant beyond the first and the last. */
struct isotonic {
    int64_t count; /* of knots: at least 1 */
    double *knot;  /* count x 2: a score, and the value there; scores rise, values do not fall */
};

double isotonic_value(const struct isotonic *isotonic, double score);

/* NULL, or what is wrong with the knots. */
const char *isotonic_check(const struct isotonic *isotonic);

int isotonic_copy(const struct isotonic *from, struct isotonic *to, struct error *e);
void isotonic_free(struct isotonic *isotonic);

#endif
