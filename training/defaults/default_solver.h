/* default_solver.h - the solver of a run that names none (-s): the one measured fastest to a
 * certified gap of 1e-3, by loss, regularizer and the shape of the data. */
#ifndef RRM_DEFAULT_SOLVER_H
#define RRM_DEFAULT_SOLVER_H

#include "training/defaults/solver_cost.h"
#include "training/defaults/solver_fit.h"

struct default_request {
    struct solver_needs needs;
    double lambda;
    double epsilon; /* the gap asked for; 0: the solver's own tolerance */
    int64_t rows;
    int64_t features; /* with the constant ones */
    int64_t weights;  /* of a run: those of the features, for each output */
    int64_t nonzeros;
    double overlap; /* sum of the squares of all values/(lambda groups^2); 0 without groups */
    /* the features differ much in size; looked at for losses of single scores and softmax */
    bool uneven;
    double mean_square; /* of the rows' norms, looked at with that; 0: not known */
    double effective;   /* number of features (struct feature_sizes), in the same way */
    /* of rows that a disk reads: what ipm keeps of a smooth loss, or cutting planes of the hinge, fits in --memory */
    bool newton_fits, slacks_fit;
    /* ipm does not fit in --memory; looked at where features are more than some */
    bool newton_lacks;
    bool trials; /* a solver may go before the one that is chosen (default_trial.h) */
};

/* What the estimates of time go by (solver_cost.h). */
struct data_shape default_request_shape(const struct default_request *request);

/* The first solver of the rules that suits and can do what is asked for; when there is none, the
 * first of all solvers that can; NULL when none can, which does not depend on the data. */
const struct solver *default_solver(const struct default_request *request);

/* Whether the loss is of one score and has a second derivative. */
bool default_request_is_smooth(const struct default_request *request);

/* Whether Newton steps cost little beside passes, as features are few. */
bool default_request_has_few(const struct default_request *request);

/* Whether an interior point is affordable: its matrix of features x features fits in memory, and the time of its
 * factorizations is some seconds at most. */
bool default_request_affords_newton(const struct default_request *request);

/* A line of the rules, for the help. */
struct default_rule {
    const char *solver; /* may be one that is not registered: the rule is skipped */
    const char *when;
    bool (*suits)(const struct default_request *request);
};

/* The rule that chooses; NULL when none applies. */
const struct default_rule *default_solver_rule(const struct default_request *request);

/* The rules, first to last; *count of them. */
const struct default_rule *default_solver_rules(int *count);

#endif
