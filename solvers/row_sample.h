/* row_sample.h - a sample of the rows of a risk of scalar losses, copied, and the risk over them. */
#ifndef RRM_ROW_SAMPLE_H
#define RRM_ROW_SAMPLE_H

#include "risk/risk.h"

struct row_sample {
    struct dataset data;
    double *target, *weight;
    struct risk *risk; /* the mean over the sample; NULL: there is none */
};

/* Draws a random row from each of SIZE equal ranges of rows, 1 <= SIZE <= rows. A row of weight 0 is replaced by the
 * next of positive weight in its range, if there is one. One pass where the rows are not in memory. 0, or -1 with the
 * error set; to be freed in either case. */
int row_sample_init(struct row_sample *sample, const struct scalar_terms *terms, int64_t size,
                    uint64_t seed, struct error *e);
void row_sample_free(struct row_sample *sample);

#endif
