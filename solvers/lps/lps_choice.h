/* lps_choice.h - which components lps moves next. */
#ifndef RRM_LPS_CHOICE_H
#define RRM_LPS_CHOICE_H

#include "math/random.h"
#include "matrix/columns.h"
#include "solvers/lps/lps_newton.h"

struct lps_choice {
    const struct problem *problem;
    const bool *subset; /* none but these while `restricted`; NULL: all */
    bool restricted;
    double fraction;        /* of the components looked at in a step, below 1; 0: all */
    bool largest_only;      /* of the components at 0, only those that violate most */
    bool *looked;           /* at by the last gradient; NULL: all */
    struct columns columns; /* for gradients of parts */
    struct random random;
    double *violation; /* room for selecting the largest */
    int64_t *column;   /* the choice: ascending, the nonzero components and the offset among them */
    int64_t count;
};

/* `fraction` and `subset` as in struct lps_settings and lps_start. 0, or -1 with the error set; to be
 * freed in either case. */
int lps_choice_init(struct lps_choice *choice, const struct problem *problem, double fraction,
                    const bool *subset, const struct run_settings *run, struct error *e);
void lps_choice_free(struct lps_choice *choice);

/* The largest violation of optimality, by a gradient of all components, of those that may move. */
double lps_choice_largest(const struct lps_choice *choice, const struct penalty *penalty,
                          const double *w, const double *gradient);

/* The gradient is of all components. Lifts the restriction to the subset once the components on it have less
 * than half of the length of all that violates optimality for `problem`. */
void lps_choice_look_at_all(struct lps_choice *choice, const struct problem *problem,
                            const double *w, const double *gradient);

/* How many looks at parts make a look at all; 1 where steps look at all. */
int lps_choice_parts(const struct lps_choice *choice);

/* Looks at the nonzero components and a random part of the others: their gradients by columns. Returns
 * the passes over the data that this stands for. */
double lps_choice_look(struct lps_choice *choice, const struct lps_point *point, double *gradient);

/* Chooses among what was looked at. */
void lps_choice_take(struct lps_choice *choice, const struct penalty *penalty, const double *w,
                     const double *gradient);

#endif
