/* multiple.c - J is a convex function of the factor: its slope is halved in. */
#include "solvers/multiple.h"

static const double least_factor = 0.5, greatest_factor = 2;

enum { HALVINGS = 40 }; /* the loss at a kink rises 1/lambda times as fast as J above it */

/* J of `factor` times weights with the scores h; RIDGE is lambda times their squared norm. *slope = the derivative. */
static double value(const struct scalar_terms *terms, int64_t rows, double ridge, const double *h,
                    double factor, double *slope) {
    double sum = 0, rise = 0;
    for (int64_t i = 0; i < rows; i++) {
        double weight = scalar_weight(terms, i), a;
        if (weight == 0)
            continue;
        sum += weight *
               terms->loss->value(factor * h[i], scalar_target(terms, i), &terms->parameters, &a);
        rise += weight * a * h[i];
    }
    *slope = ridge * factor + rise / terms->weight_sum;
    return ridge * factor * factor / 2 + sum / terms->weight_sum;
}

double multiple_best(const struct scalar_terms *terms, int64_t rows, double lambda, const double *h,
                     double square, double *objective) {
    double low = least_factor, high = greatest_factor, slope;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = (low + high) / 2;
        (void)value(terms, rows, lambda * square, h, middle, &slope);
        *(slope < 0 ? &low : &high) = middle;
    }
    double below = value(terms, rows, lambda * square, h, low, &slope);
    double above = value(terms, rows, lambda * square, h, high, &slope);
    double least = below < above ? below : above;
    if (!(square > 0) || !(least < *objective))
        return 1;
    *objective = least;
    return below < above ? low : high;
}
