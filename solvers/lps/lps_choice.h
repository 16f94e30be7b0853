/* lps_choice.h - which components lps changes next: the set G of lps.c.
 *
 * An examined component is one whose gradient is known at the present point: all after a full gradient, or
 * those of a random sample. */
#ifndef RRM_LPS_CHOICE_H
#define RRM_LPS_CHOICE_H

#include "math/random/random.h"
#include "matrix/columns.h"
#include "solvers/lps/lps_newton.h"

struct lps_choice {
    const struct problem *problem;
    const bool *subset; /* while `restricted`, only these may leave 0; NULL: all */
    bool restricted;    /* to the subset */
    double fraction;    /* of the components in a sample, below 1; 0: no samples */
    bool largest_only;  /* of the components at 0, choose only those that violate optimality most */
    bool *examined;     /* whether a component's gradient is known; NULL: all are */
    struct columns columns; /* the data by columns, for gradients of samples */
    struct random random;
    double *violation; /* work: dimension numbers */
    int64_t *column;   /* the chosen components, ascending; with all nonzero ones and the offset */
    int64_t count;     /* how many they are */
};

/* `fraction` and `subset` as in struct lps_settings and lps_start. 0, or -1 with the error set; to be
 * freed in either case. */
int lps_choice_init(struct lps_choice *choice, const struct problem *problem, double fraction,
                    const bool *subset, const struct run_settings *run, struct error *e);
void lps_choice_free(struct lps_choice *choice);

/* Lists what the next choice of an examination of all components depends on. */
void lps_choice_visit(struct lps_choice *choice, struct state *state);

/* The largest violation of optimality among the regularized components that may change. */
double lps_choice_largest(const struct lps_choice *choice, const struct penalty *penalty,
                          const double *w, const double *gradient);

/* To be called with a gradient of all components: all are examined. Ends the restriction to the subset when
 * the length of the violations on it is below half of the length of all violations. */
void lps_choice_examine_all(struct lps_choice *choice, const struct problem *problem,
                            const double *w, const double *gradient);

/* How many samples have as many components as there are; 1 without samples. */
int lps_choice_samples(const struct lps_choice *choice);

/* Examines the nonzero components and a random sample of the others: computes their gradients, by columns.
 * Returns the passes over the data that this stands for. */
double lps_choice_examine_sample(struct lps_choice *choice, const struct lps_point *point,
                                 double *gradient);

/* Chooses G among the examined components. */
void lps_choice_select(struct lps_choice *choice, const struct penalty *penalty, const double *w,
                       const double *gradient);

#endif
