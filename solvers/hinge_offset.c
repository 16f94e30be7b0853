/* hinge_offset.c - the best unregularized offset of the hinge risk. */
#include "solvers/hinge_offset.h"

#include <math.h>

double hinge_offset_move(struct hinge_search *search, const double *label, const double *weight,
                         double *margin) {
    const struct design *design = search->design;
    struct hinge_line line = {.margin = margin, .step = label, .weight = weight};
    double k = hinge_search_minimum(search, &line, -INFINITY);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        margin[i] += k * label[i];
    return -k;
}

/* The surplus of one class is taken up by the other's ties; at a minimum there are enough. */
static double share(double surplus, double ties) {
    return surplus > 0 && ties > 0 ? fmin(surplus / ties, 1) : 0;
}

struct hinge_ties hinge_offset_balance(const double *label, const double *weight,
                                       const double *margin, int64_t rows) {
    double active[2] = {0, 0}, tied[2] = {0, 0}; /* by class: negative, positive */
    for (int64_t i = 0; i < rows; i++) {
        int class = label[i] > 0;
        double p = weight == NULL ? 1 : weight[i];
        active[class] += margin[i] > 0 ? p : 0;
        tied[class] += margin[i] == 0 ? p : 0;
    }
    return (struct hinge_ties){.positive = share(active[0] - active[1], tied[1]),
                               .negative = share(active[1] - active[0], tied[0])};
}
