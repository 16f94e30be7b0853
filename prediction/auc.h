/* auc.h - the area under the ROC curve of a stream of scores, in bounded memory.
 *
 * AUC is the chance that a positive example scores above a negative one, ties counted half. Up to
 * AUC_EXACT_ROWS rows every score is kept and the value is exact (at most 64 MB with the sort).
 * Beyond, the scores fall into 2^22 bins of their leading 22 bits (sign, exponent, 10 bits of the
 * fraction: scores within 0.1 % of each other count as ties), and the value is approximate; the
 * bins take 64 MB at most, in practice the few pages that scores of similar size touch. */
#ifndef RRM_AUC_H
#define RRM_AUC_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { AUC_EXACT_ROWS = 1 << 22 };

struct auc;

/* EXACT_ROWS: AUC_EXACT_ROWS, or fewer for tests. NULL with the error set. */
struct auc *auc_new(int64_t exact_rows, struct error *e);

/* Counts a finite score. 0, or -1 with the error set when memory is short. */
int auc_add(struct auc *auc, double score, bool positive, struct error *e);

/* Not-a-number when a class has no example. Nothing may be added afterwards. *approximate tells
 * whether bins were used. 0, or -1 with the error set. */
int auc_value(struct auc *auc, double *value, bool *approximate, struct error *e);

/* Then: the share of positives among the K >= 1 that score highest, or among all where there are fewer; the mean
 * over the orders of equal scores. Not-a-number without examples, approximate as the area is. */
double auc_precision(const struct auc *auc, int64_t k);

/* NULL does nothing. */
void auc_free(struct auc *auc);

#endif
