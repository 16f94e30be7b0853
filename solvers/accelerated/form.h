/* form.h - the forms in which a problem is put to an accelerated method: primal, dual, excessive gap,
 * boosting. A form makes steps, offers its primal point and proves a lower bound. */
#ifndef RRM_FORM_H
#define RRM_FORM_H

#include "solvers/accelerated/estimation.h"
#include "solvers/batch.h"

/* The options of agm and agm1. */
struct accelerated_settings {
    int form;      /* enum form_kind */
    int smoothing; /* enum smoothing_kind */
    int lipschitz; /* enum lipschitz_kind */
    int prox;      /* enum prox_kind */
    int metric;    /* enum metric_kind */
    double mu;     /* smoothing; 0: chosen */
    double decay;  /* of L; 0: the default */
    double strong; /* sigma_1 of the risk, if the user knows it */
};

enum form_kind { FORM_AUTO, FORM_PRIMAL, FORM_DUAL, FORM_SMOOTH_DUAL, FORM_EXCESSIVE_GAP };
enum smoothing_kind { SMOOTHING_HOMOTOPY, SMOOTHING_FIXED };
enum lipschitz_kind { LIPSCHITZ_ADAPTIVE, LIPSCHITZ_FIXED };
enum prox_kind { PROX_PLAIN, PROX_OPTIMIZED };
enum metric_kind { METRIC_AUTO, METRIC_PLAIN, METRIC_ROOT, METRIC_SCALED };

extern const char *const form_names[]; /* by kind, NULL at the end */

struct form_request {
    const struct problem *problem;
    const struct run_settings *run;
    const struct monitor *monitor; /* polled between the tries of a step; NULL: never */
    const struct accelerated_settings *settings;
    bool one_memory;
    double mu;       /* mu of the first step; 0: no smoothing is needed */
    const double *w; /* the start */
};

/* The gap at the present point, as the sum of two parts. */
struct form_gap {
    double objective; /* J */
    double smooth; /* J_mu - bound_mu: the gap of the smoothed problem, which the method closes */
    double smoothing; /* J - J_mu + bound_mu - bound: what smoothing adds to the gap */
};

struct form {
    double passes;      /* over the data so far */
    double step_passes; /* passes of a step whose first try is accepted */
    double max_passes;  /* limit of `passes` for further tries of a step; set by the caller */

    /* One iteration. False if rounding has ended all progress. */
    bool (*step)(struct form *form);

    /* Offers the present primal point with its J, unless there is offer_sparse, and raises the bound. */
    struct form_gap (*certify)(struct form *form, struct batch *batch);

    /* Called after certify at the same point, whose J is `objective`: offers sparse weights instead if they
     * are as good. Costs a few evaluations of the risk, or some more where CLOSES: the gap is nearly closed. NULL:
     * the regularizer makes no zeros, or certify looks for them. */
    void (*offer_sparse)(struct form *form, struct batch *batch, double objective, bool closes);

    /* Goes on from the present point with another mu and an empty memory. NULL: this form has no mu to change. */
    void (*restart)(struct form *form, double mu);

    /* Lists what the form carries from step to step. */
    void (*visit)(struct form *form, struct state *state);

    void (*free)(struct form *form);
};

/* Whether LPBoost is solved over the distribution of its examples (its --form primal). Its --form dual is
 * primal_form over the weights. */
bool form_is_boosting(const struct problem *problem, const struct accelerated_settings *settings);

/* The form of --form auto: smooth-dual for a loss with kinks if there are more features than rows, else
 * primal. */
enum form_kind form_choose(const struct problem *problem,
                           const struct accelerated_settings *settings);

/* The settings of estimation.h; for the forms. */
struct estimation_settings form_estimation(const struct form_request *request);

/* The number of power iterations, at most max_iterations, that the limit of passes allows after `spent` passes,
 * with some left for steps; for the forms. */
int form_iterations(const struct form_request *request, double spent, int max_iterations);

/* The form of request->settings; NULL with the error set. */
struct form *form_new(const struct form_request *request, struct error *e);

/* A usage error if the form (asked->options: the settings) cannot take the loss, the regularizer or a start; for
 * `check` of struct solver. */
int form_check(const struct solver_request *asked, struct error *e);

/* The constructors of the forms. NULL with the error set. */
struct form *primal_form_new(const struct form_request *request, struct error *e);
struct form *dual_form_new(const struct form_request *request, struct error *e);
struct form *excessive_gap_form_new(const struct form_request *request, struct error *e);
struct form *boost_form_new(const struct form_request *request, struct error *e);

#endif
