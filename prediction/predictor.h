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

/* Whether the label with the largest probability is predicted where probabilities are asked for, as in svm-predict: of
 * models with sigmoids and of one-vs-one models. */
bool predictor_chooses_likeliest(const struct model *model);

/* The index of the label with the largest probability, the first of equal ones. Sigmoids of one label against the rest
 * are compared by their arguments: of several, the probabilities may all be 1 or 0 but for rounding. */
int64_t predictor_likeliest(const struct model *model, const double *scores,
                            const double *probability);

/* The score that ranks the rows for a model of two labels: large for the first label. LIKELIEST: in the order of the
 * probabilities; a sigmoid may decrease. */
double predictor_rank(const struct model *model, const double *scores, bool likeliest);

/* Adds a row to the measures: its prediction, the label with the index CHOICE (regression: the score), and RANK, for
 * two labels (predictor_rank). If the model is one label against the rest, all other labels count as the second one.
 * 0, or -1 with the error set. */
int predictor_measure(const struct model *model, double label, const double *scores, int64_t choice,
                      double rank, struct measures *measures, struct error *e);

/* The numbers of scratch memory that predictor_probabilities takes. */
int64_t predictor_probabilities_work(const struct model *model);

/* Computes the probability of each label from a row's scores. Each score has a probability: by the model's sigmoid, or
 * the logistic function. One against the rest: they are normalized to sum 1, as in LIBLINEAR and scikit-learn.
 * One-vs-one: coupling.h. Classes that were trained jointly (JOINT) and have no sigmoid: exp(score), normalized.
 * PROBABILITY: an array of the number of labels. */
void predictor_probabilities(const struct model *model, bool joint, const double *scores,
                             double *work, double *probability);

/* NULL does nothing. */
void predictor_free(struct predictor *predictor);

#endif
