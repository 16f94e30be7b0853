/* hinge_offset.c - the best unregularized offset of the hinge risk. */
#include "solvers/cutting_plane/hinge_offset.h"
#include "math/rounding.h"

#include <math.h>

double hinge_offset_move(struct hinge_search *search, const struct scalar_terms *terms,
                         double *slack) {
    const struct design *design = search->design;
    struct hinge_line line = {.slack = slack,
                              .step = terms->target,
                              .positive = terms->positive,
                              .weight = terms->weight};
    double k = hinge_search_minimum(search, &line, -INFINITY);
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        slack[i] += k * scalar_target(terms, i);
    return -k;
}

struct hinge_fractions hinge_offset_balance(const struct scalar_terms *terms, const double *slack,
                                            int64_t rows, struct communicator *communicator) {
    double sums[4] = {0}, *active = sums, *tied = sums + 2;
    for (int64_t i = 0; i < rows; i++) {
        int class = scalar_target(terms, i) > 0;
        double p = scalar_weight(terms, i);
        active[class] += slack[i] > 0 ? p : 0;
        tied[class] += slack[i] == 0 ? p : 0;
    }
    communicator_sum_few(communicator, sums, 4);
    struct hinge_fractions fractions = {.active = {1, 1}};
    int more = active[1] > active[0], less = 1 - more;
    double surplus = active[more] - active[less];
    if (surplus <= tied[less])
        fractions.tied[less] = tied[less] > 0 ? surplus / tied[less] : 0;
    else if (surplus - tied[less] > rounding_of_results * active[more]) {
        fractions.active[more] = (active[less] + tied[less]) / active[more];
        fractions.tied[less] = 1;
    } else {
        fractions.tied[less] = 1;
    }
    return fractions;
}
