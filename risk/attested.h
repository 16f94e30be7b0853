/* attested.h - which pairs of a feature and an output have a weight: those that occur in the data. A feature that is
 * not 0 in a row and the row's true output are a pair that occurs. CRFsuite calls the pairs state features and keeps
 * the same ones by default (feature.possible_states=0).
 *
 * The weights of a feature lie side by side, in the order of their outputs, feature after feature: weight p, for
 * start[j] <= p < start[j + 1], is that of feature j and output[p]. The constant feature is the last one and has a
 * weight for every output. */
#ifndef RRM_ATTESTED_H
#define RRM_ATTESTED_H

#include "io/dataset.h"
#include "math/outputs.h"

struct attested {
    int64_t columns;       /* features, with the constant one */
    const int32_t *start;  /* columns + 1; NULL: every pair has a weight */
    const int32_t *output; /* start[columns] */
    int64_t outputs;
};

/* What decides which pairs occur. */
struct attested_settings {
    const struct dataset *data;
    const double *target; /* rows: the output, from 0 */
    const double *weight; /* rows: those of weight 0 do not count; NULL: all are 1 */
    int64_t outputs;
    bool constant; /* there is a constant feature */
};

/* 0, or -1 with the error set; to be freed in either case. */
int attested_init(struct attested *attested, const struct attested_settings *settings,
                  struct error *e);
void attested_free(struct attested *attested);

/* The number of weights. */
static inline int64_t attested_count(const struct attested *attested) {
    return attested->start[attested->columns];
}

/* u[output] += sum_j value[j] w of column[j] and the output */
void attested_score(const struct attested *attested, const struct sparse_row *row, const double *w,
                    double *u);

/* w of column[j] and an output += value[j] a[output] */
void attested_add(const struct attested *attested, const struct sparse_row *row, double *w,
                  const double *a);

#endif
