/* null_model.h - a trained model beside the null model: all weights 0, and the best offset where there is
 * one. A model that is no better has learned nothing, and its user is told. */
#ifndef RRM_NULL_MODEL_H
#define RRM_NULL_MODEL_H

#include "solvers/solver.h"

/* Of several weight vectors: how many are no better than the null model, and the one furthest above. */
struct null_comparison {
    int64_t failed;
    int64_t unknown;                  /* not compared, since memory was short */
    double objective, null_objective; /* of that one; 0 while there is none */
};

/* Compares what a run reached, w and its J, with the null model, and adds the result to *all. Weights that are
 * all 0 have failed, also where they are the optimum, unless a 1-norm or a loss of single examples made them 0. What is certified
 * to within TOLERANCE, or to 0.1 %, is not compared, nor are sets that 0 is not in (simplex, entropy), nor a run that the
 * clock or a signal ended where it began, or whose risk may take long. One pass over the data, or none. Short memory does not end the run, whose weights
 * are there: they are counted as unknown. */
void null_model_compare(const struct problem *problem, double tolerance, const double *w,
                        const struct outcome *outcome, struct null_comparison *all);

/* The same for objectives that are known. */
void null_model_add(double objective, double null_objective, struct null_comparison *all);

/* Whether the one furthest above is above by more than rounding. */
bool null_model_is_worse(const struct null_comparison *null);

/* Adds what others have found. */
void null_model_join(const struct null_comparison *more, struct null_comparison *all);

#endif
