/* null_model.h - compares a trained model with the null model: weights 0, with the best offset if there is one. A model
 * that is not better has learned nothing; the user is warned. */
#ifndef RRM_NULL_MODEL_H
#define RRM_NULL_MODEL_H

#include "solvers/solver.h"

/* The comparison of several weight vectors: how many are not better than the null model, and the worst of them. */
struct null_comparison {
    int64_t failed;
    int64_t optimal; /* of the failed: all weights 0 are certified as the optimum */
    int64_t unknown; /* not compared: out of memory */
    double objective, null_objective; /* of the worst; 0: there is none */
};

/* Compares the result of a run, w and its J, with the null model, and adds the comparison to *all. Weights that are
 * all 0 count as failed even if they are optimal, unless a 1-norm or a loss of single examples made them 0. Not
 * compared are: a result certified to within TOLERANCE or 0.1 %; regularizers whose domain lacks 0 (simplex,
 * entropy); a run that the clock or a signal ended at its start; a risk that may take long to evaluate. Takes at
 * most one pass over the data. If memory runs out, in one of the processes too, the result is kept and counted as
 * unknown. */
void null_model_compare(const struct problem *problem, double tolerance, const double *w,
                        const struct outcome *outcome, struct communicator *communicator,
                        struct null_comparison *all);

/* Lists it. */
void null_model_visit(struct null_comparison *null, struct state *state);

/* The same, if both objectives are known. */
void null_model_add(double objective, double null_objective, struct null_comparison *all);

/* Whether the worst is above the null model by more than rounding. */
bool null_model_is_worse(const struct null_comparison *null);

/* Adds the comparisons of *more to *all. */
void null_model_join(const struct null_comparison *more, struct null_comparison *all);

#endif
