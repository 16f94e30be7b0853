/* measures.h - measures of predictions, accumulated row by row in bounded memory.
 *
 * Classification: accuracy; for two classes also AUC, F1, precision and recall, the positive class being the model's
 * first label. Of probabilities p also the log loss, the mean of -log p(true label), where p is kept above 2.2e-16, and
 * the Brier score, the mean over rows of the sum over labels of (p - [true])^2, of two classes half of that.
 * Regression: MSE, MAE, R2. A measure whose definition divides by zero (no positive example, constant labels) is
 * not-a-number. */
#ifndef RRM_MEASURES_H
#define RRM_MEASURES_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { MEASURES_MAX = 12 };

struct measures;

/* LABEL: the model's LABELS labels, which are copied; LABELS = 0: regression. AT > 0, for two labels: also measure
 * precision@K, the share of positives among the K = AT highest scores (or among all rows, if there are fewer). */
struct measures *measures_new(const double *label, int64_t labels, int64_t at, struct error *e);

/* Adds a row: its true label (not-a-number: none; the row is not measured), the prediction, and for two classes the
 * score that ranks the first label. A label that the model does not have counts as a wrong prediction, and in the
 * measures of two classes as a negative. 0, or -1 with the error set (out of memory). */
int measures_add(struct measures *measures, double label, double prediction, double score,
                 struct error *e);

/* Adds the probabilities of a row, in the order of the model's labels, to the log loss and the Brier score. A row
 * without a label, or with one that the model does not have, is not measured. OTHERS: the model's second label means
 * all but the first. */
void measures_add_probabilities(struct measures *measures, double label, bool others,
                                const double *probability);

/* What rows were measured. */
struct measured_rows {
    int64_t labelled,
        unknown; /* rows with a label; those of them whose label the model does not have, */
    double first_unknown; /* and the first such label */
};

struct measured_rows measures_rows(const struct measures *measures);

enum { UNKNOWN_LABELS_SIZE = 200 }; /* bytes of the sentence, which has no newline */

/* Tells people of the rows with an unknown label, of which there are some. */
void unknown_labels_sentence(const struct measured_rows *rows, char text[UNKNOWN_LABELS_SIZE]);

/* From here on the predictions of each label are counted; of LABELS > 0. 0, or -1 with the error set: memory, or more
 * than CONFUSION_LABELS labels. */
int measures_confuse(struct measures *measures, struct error *e);

enum { CONFUSION_LABELS = 1000 };

/* How often each label was predicted for each. Owned by the measures. */
struct confusion {
    int64_t labels;
    const double *label; /* ascending */
    /* (labels + 1) x labels: a row for each true label, and one for labels that the model does not have; a column
     * for each predicted one */
    const int64_t *count;
};

/* `labels` = 0: they were not counted. */
struct confusion measures_confusion(const struct measures *measures);

struct measure {
    const char *name; /* "Accuracy", "AUC", ...; owned by the measures */
    double value;     /* accuracy from 0 to 1 */
    bool approximate;
    bool error; /* smaller is better */
    /* of F1, the label that counts as positive; owned by the measures; NULL: not so */
    const double *positive;
    int64_t numerator,
        denominator; /* value = numerator/denominator, printed as a percentage; denominator 0: not so */
};

/* a/b, not-a-number for b = 0. */
double measure_ratio(int64_t a, int64_t b);

/* A measure that is this ratio, with its numbers. */
struct measure measure_of_counts(const char *name, int64_t numerator, int64_t denominator);

/* Writes all measures of the task. Returns their number (0: no row had a label), or -1 with the error set.
 * Afterwards nothing may be added. */
int measures_finish(struct measures *measures, struct measure list[MEASURES_MAX], struct error *e);

/* The names of the measures that measures_finish will write, with PROBABILITIES or without, NULL at the end. */
void measures_names(const struct measures *measures, bool probabilities,
                    const char *names[MEASURES_MAX + 1]);

/* Whether somebody who asks for ASKED means the measure NAME: "log-loss" is "log loss", "auc" is "AUC". */
bool measure_is_called(const char *name, const char *asked);

enum { MEASURE_WORD = 64 };

/* The next word of *LIST, which has commas between its words and moves on; longer words are cut. False at the end, and
 * for NULL. */
bool measures_next_word(const char **list, char word[MEASURE_WORD]);

/* NULL does nothing. */
void measures_free(struct measures *measures);

#endif
