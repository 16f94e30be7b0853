/* measures.h - how good predictions are, accumulated row by row in bounded memory.
 *
 * Classification: accuracy; for two classes also AUC, F1, precision and recall, the positive class
 * being the model's first label. Regression: MSE, MAE, R2. A measure whose definition divides by
 * zero (no positive example, constant labels) is not-a-number. */
#ifndef RRM_MEASURES_H
#define RRM_MEASURES_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { MEASURES_MOST = 12 };

struct measures;

/* LABEL are the model's LABELS labels, copied; 0 of them: regression. AT: of two labels also precision@K, the
 * share of positives among the first K = AT rows, or among all where there are fewer; 0: without it. */
struct measures *measures_new(const double *label, int64_t labels, int64_t at, struct error *e);

/* A row: its true label (not-a-number: none, and the row counts in no measure), what was predicted,
 * and for two classes the score by which the first label is ranked. A label that the model does not
 * have is an error, and to the measures of two classes a negative. 0, or -1 when memory is short.
 */
int measures_add(struct measures *measures, double label, double prediction, double score,
                 struct error *e);

/* Rows with a label; rows whose label the model does not have. */
int64_t measures_rows(const struct measures *measures);
int64_t measures_unknown(const struct measures *measures);

struct measure {
    const char *name; /* "Accuracy", "AUC", ...; of what measures it */
    double value;     /* accuracy as a share of 1 */
    bool approximate;
    bool error;          /* the less the better */
    int64_t part, whole; /* value = part/whole, to be printed as a percentage; whole 0: it is not */
};

/* All measures of the task; none when no row had a label. Returns how many, or -1 with the error
 * set. Nothing may be added afterwards. */
int measures_finish(struct measures *measures, struct measure list[MEASURES_MOST], struct error *e);

/* NULL does nothing. */
void measures_free(struct measures *measures);

#endif
