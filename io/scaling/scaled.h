/* scaled.h - a data set with its values scaled. */
#ifndef RRM_SCALED_H
#define RRM_SCALED_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/scaling/scaling.h"

/* The scaled data, which borrow from the others what scaling does not change. */
struct scaled {
    struct dataset data; /* not to be freed by dataset_free */
    int64_t *start;      /* the arrays of `data` that are its own; NULL: borrowed */
    int32_t *column;
    double *value;
};

/* Scales DATA, which outlives *scaled and has no window. Where scaling moves zeros, every row gets these features.
 * Features that the scaling does not know keep their values. 0, or -1 with the error set: a scaled value is not finite,
 * memory is short; the caller frees in either case. */
int scaled_init(struct scaled *scaled, const struct scaling *scaling, const struct dataset *data,
                struct error *e);

void scaled_free(struct scaled *scaled);

#endif
