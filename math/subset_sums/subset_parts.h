/* subset_parts.h - what the files of subset_sums share. */
#ifndef RRM_SUBSET_PARTS_H
#define RRM_SUBSET_PARTS_H

#include "math/subset_sums/subset_sums.h"

#include <math.h>

/* -log of the smallest f(b) of a run; and exp(-SUBSET_NOTHING) of what counts may be lost. */
#define SUBSET_DEPTH 250.0
#define SUBSET_NOTHING 46.0

/* Sizes low .. high that one theta serves. */
struct subset_run {
    int64_t low, high;
    double theta, K;
    double depth; /* log of a lower bound of f over them */
    int64_t first, last;
    double cutoff; /* smaller values of f are dropped */
};

/* The first index from which x + theta <= bound. */
int64_t subset_index(const struct subset_sums *s, double theta, double bound);

/* p and 1 - p of number i after the certain ones. */
static inline void subset_odds(const struct subset_sums *s, const struct subset_run *run, int64_t i,
                               double *p, double *q) {
    double y = s->x[run->first + i] + run->theta, small = exp(-fabs(y));
    double likely = 1 / (1 + small), unlikely = small / (1 + small);
    *p = y > 0 ? likely : unlikely;
    *q = y > 0 ? unlikely : likely;
}

/* The row of no numbers; and row i + 1 from row i, in numbers after the certain ones. */
void subset_first_row(struct subset_row *row);
void subset_forward(const struct subset_sums *s, const struct subset_run *run, int64_t i,
                    const struct subset_row *in, struct subset_row *out);

/* Adds a run's part of the marginals. */
void subset_run_marginals(struct subset_sums *s, const struct subset_run *run, double *marginal);

#endif
