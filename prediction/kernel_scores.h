/* kernel_scores.h - scores of rows with kernel models: tiles of kernel values, or of random features,
 * and their products with the weights. */
#ifndef RRM_KERNEL_SCORES_H
#define RRM_KERNEL_SCORES_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/model/model.h"

struct kernel_scores;

/* Makes the scorer of a model with a map. The model must outlive it and is not changed. NULL with the error set. */
struct kernel_scores *kernel_scores_new(const struct model *model, struct error *e);

void kernel_scores_free(struct kernel_scores *scores); /* NULL does nothing */

/* Scores COUNT rows from FIRST on. kernel[i * vectors + v]: the sum over the units times their weights in vector v;
 * parametric[i * vectors + v]: the contribution of bias, intercept and basis functions. Runs in parallel, with the
 * same bits for any number of threads. Features that the model does not know are ignored, in norms too. 0, or -1
 * with the error set. */
int kernel_scores_rows(struct kernel_scores *scores, const struct dataset *block, int64_t first,
                       int64_t count, double *kernel, double *parametric, struct error *e);

#endif
