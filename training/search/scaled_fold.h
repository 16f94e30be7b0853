/* scaled_fold.h - a fold of the data with --scale: what the others tell scales both. */
#ifndef RRM_SCALED_FOLD_H
#define RRM_SCALED_FOLD_H

#include "training/run/run.h"
#include "training/run/scale_data.h"

/* The rows of a fold and the others, scaled by the others alone. */
struct scaled_fold {
    struct scaling scaling;
    struct scaled train, test;
};

/* With the scaling of the training's request. 0, or -1 with the error set; to be freed in either case. */
int scaled_fold_init(const struct training *t, const struct dataset *train,
                     const struct dataset *test, struct scaled_fold *fold, struct error *e);
void scaled_fold_free(struct scaled_fold *fold);

#endif
