/* predictor.h - scores and predictions of linear and kernel models for blocks of rows. */
#ifndef RRM_PREDICTOR_H
#define RRM_PREDICTOR_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/model/model.h"
#include "prediction/measures.h"

struct predictor;

/* Makes a predictor. The model must outlive it and is not changed. NULL with the error set. */
struct predictor *predictor_new(const struct model *model, struct error *e);

/* Counts of features that the model does not know, over all calls. */
struct unknown_features {
    int64_t rows;
    int64_t entries;
};

/* scores[i * vectors + k] = <w_k, x_(first + i)> for COUNT rows, in parallel; for a kernel model with phi(x)
 * instead of x. Features that the model does not know are ignored and counted. A linear model sums a row's products
 * in the order of its features, then bias and intercept, so the scores equal LIBLINEAR's to the last bit. Scores do
 * not depend on the number of threads. -1 with the error set if a score is not finite. */
int predictor_scores(const struct predictor *predictor, const struct dataset *block, int64_t first,
                     int64_t count, double *scores, struct unknown_features *unknown_features,
                     struct error *e);

/* The two parts of a kernel model's scores: that of the kernel and that of the basis functions (or bias and
 * intercept). Their sums are predictor_scores. Arrays and result as there. Not for linear models. */
int predictor_parts(const struct predictor *predictor, const struct dataset *block, int64_t first,
                    int64_t count, double *kernel, double *parametric,
                    struct unknown_features *unknown_features, struct error *e);

/* The index, in the model's list, of the label that a row's scores predict. Not for regression. */
int64_t predictor_choice(const struct model *model, const double *scores);

/* The score that ranks the rows for a model of two labels: large for the first label. */
double predictor_rank(const struct model *model, const double *scores);

/* Adds a row's prediction to the measures. If the model is one label against the rest, all other labels count as
 * the second one. 0, or -1 with the error set. */
int predictor_measure(const struct model *model, double label, const double *scores,
                      struct measures *measures, struct error *e);

/* Computes the probability of each label from a row's scores: the logistic function of each score, normalized to
 * sum 1 for one-against-the-rest models, as LIBLINEAR does; for classes that were trained jointly (JOINT)
 * exp(score), normalized. PROBABILITY: an array of the number of labels. */
void predictor_probabilities(const struct model *model, bool joint, const double *scores,
                             double *probability);

/* Replaces COUNT scores u of a model with a sigmoid by -(A u + B), whose logistic function is the probability of
 * label[0]. The predicted label is then the more probable one, as in svm-predict. */
void predictor_calibrate(const struct model *model, double *scores, int64_t count);

/* NULL does nothing. */
void predictor_free(struct predictor *predictor);

#endif
