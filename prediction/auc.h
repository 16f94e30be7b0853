/* auc.h - the area under the ROC curve of a stream of scores, in bounded memory.
 *
 * AUC is the probability that a positive example scores above a negative one; a tie counts half. Up to
 * AUC_EXACT_ROWS rows all scores are stored and the value is exact (at most 64 MB with the sort). With more rows, the
 * scores are counted in 2^22 bins by their leading 22 bits (sign, exponent, 10 bits of the fraction), so scores within
 * 0.1 % of each other count as ties and the value is approximate. The bins take 64 MB at most, usually much less. */
#ifndef RRM_AUC_H
#define RRM_AUC_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { AUC_EXACT_ROWS = 1 << 22 };

struct auc;

/* EXACT_ROWS: AUC_EXACT_ROWS; tests use fewer. NULL with the error set. */
struct auc *auc_new(int64_t exact_rows, struct error *e);

/* Adds a finite score. 0, or -1 with the error set (out of memory). */
int auc_add(struct auc *auc, double score, bool positive, struct error *e);

/* Computes the AUC; not-a-number if a class has no example. Afterwards no score may be added. *approximate: whether
 * bins were used. 0, or -1 with the error set. */
int auc_value(struct auc *auc, double *value, bool *approximate, struct error *e);

/* Called after the AUC: the share of positives among the K >= 1 highest scores (or among all, if there are fewer),
 * averaged over the orders of equal scores. Not-a-number without examples; approximate if the AUC is. */
double auc_precision(const struct auc *auc, int64_t k);

/* NULL does nothing. */
void auc_free(struct auc *auc);

#endif
