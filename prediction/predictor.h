/* predictor.h - scores and predictions of linear and kernel models for blocks of rows. */
#ifndef RRM_PREDICTOR_H
#define RRM_PREDICTOR_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/model/model.h"
#include "prediction/measures.h"

struct predictor;

/* Keeps the model, which must outlive it and is not changed. NULL with the error set. */
struct predictor *predictor_new(const struct model *model, struct error *e);

/* What rows had that the model does not know; added up over calls. */
struct unknown_features {
    int64_t rows;
    int64_t entries;
};

/* scores[i * vectors + k] = <w_k, x_(first + i)> for COUNT rows, in parallel; of a kernel model, the
 * map's units are in x's place. A feature that the model does not know is left out and counted. The
 * products of a linear model's row are summed in the order of its features, then bias and intercept, so
 * the scores are LIBLINEAR's to the last bit. None depends on the number of threads. -1 with the error
 * set when a score is not finite. */
int predictor_scores(const struct predictor *predictor, const struct dataset *block, int64_t first,
                     int64_t count, double *scores, struct unknown_features *unknown_features,
                     struct error *e);

/* The two parts of a kernel model's scores, whose sums predictor_scores gives: of the kernel, and of
 * the basis functions (of models without them: bias and intercept). Room and result as there. Not for
 * linear models. */
int predictor_parts(const struct predictor *predictor, const struct dataset *block, int64_t first,
                    int64_t count, double *kernel, double *parametric,
                    struct unknown_features *unknown_features, struct error *e);

/* The prediction from a row's scores: the place of a label in the model's list. Not for regression.
 */
int64_t predictor_choice(const struct model *model, const double *scores);

/* The score that ranks a row of a model of two labels: large for the first. */
double predictor_rank(const struct model *model, const double *scores);

/* Adds a row's prediction to the measures. Of a model of one label against the rest, every other
 * label is the second one. 0, or -1 with the error set. */
int predictor_measure(const struct model *model, double label, const double *scores,
                      struct measures *measures, struct error *e);

/* Turns a row's scores into a probability a label: the logistic function of each, and for one
 * against the rest normalized to sum 1, as LIBLINEAR does; of classes that were trained together (`joint`)
 * exp(score) normalized. `scores` has the vectors' scores, `probability` room for the labels. */
void predictor_probabilities(const struct model *model, bool joint, const double *scores,
                             double *probability);

/* Turns COUNT scores of a model with a sigmoid into those whose logistic function is the probability of
 * label[0]: -(A u + B). The label is then, as svm-predict has it, the one that is more probable. */
void predictor_calibrate(const struct model *model, double *scores, int64_t count);

/* NULL does nothing. */
void predictor_free(struct predictor *predictor);

#endif
