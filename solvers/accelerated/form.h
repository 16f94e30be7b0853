/* form.h - a form in which a problem is put to an accelerated method: primal, dual, excessive gap,
 * boosting. Each knows its step, its primal point, and the bound that it proves. */
#ifndef RRM_FORM_H
#define RRM_FORM_H

#include "solvers/accelerated/estimation.h"
#include "solvers/batch.h"

/* What the user asked for; the options of agm and agm1. */
struct accelerated_settings {
    int form;             /* enum form_kind */
    int smoothing;        /* enum smoothing_kind */
    int lipschitz;        /* enum lipschitz_kind */
    int prox;             /* enum prox_kind */
    int metric;           /* enum metric_kind */
    double mu;            /* smoothing; 0: chosen */
    double growth, decay; /* 0: as they are chosen */
    double strong;        /* sigma_1 of the risk, where the user knows it */
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
    const struct monitor *monitor; /* asked between the tries of a step; NULL: never */
    const struct accelerated_settings *settings;
    bool one_memory;
    double mu;       /* of the first step; 0: no smoothing is needed */
    const double *w; /* the start */
};

/* What a look at the present point tells. */
struct form_gap {
    double objective; /* J */
    double smooth;    /* J_mu - bound_mu, what the method has left of its own problem */
    double smoothing; /* J - J_mu + bound_mu - bound, what smoothing takes: the gap is the sum */
};

struct form {
    double passes;      /* over the data so far */
    double step_passes; /* of a step whose first try is accepted */
    double passes_most; /* a step makes no further try that would go beyond; the caller sets it */

    /* One iteration. False when rounding ended all progress. */
    bool (*step)(struct form *form);

    /* Offers the present primal point with its J, unless there is offer_sparse, and raises the bound. */
    struct form_gap (*certify)(struct form *form, struct batch *batch);

    /* After certify, at the same point, of which J is the objective: offers sparse weights instead where
     * they are as good. A few evaluations of the risk. NULL: no weight needs to be 0, or certify has seen to it. */
    void (*offer_sparse)(struct form *form, struct batch *batch, double objective);

    /* From the present point with another mu, the memory begins anew. NULL: this form has no mu that
     * could change. */
    void (*restart)(struct form *form, double mu);

    void (*free)(struct form *form);
};

/* Whether LPBoost is solved over the distribution of its examples, which is its --form primal; `dual` is
 * primal_form over the weights. */
bool form_is_boosting(const struct problem *problem, const struct accelerated_settings *settings);

/* What FORM_AUTO stands for: the smooth dual for a loss with kinks where there are more features than
 * rows, and else the primal form. */
enum form_kind form_choose(const struct problem *problem,
                           const struct accelerated_settings *settings);

/* What is asked of the estimation functions; for the forms. */
struct estimation_settings form_estimation(const struct form_request *request);

/* Power iterations, at most MOST, that the limit of passes leaves after those SPENT and some steps; for the
 * forms. */
int form_iterations(const struct form_request *request, double spent, int most);

/* The form of request->settings; NULL with the error set. */
struct form *form_new(const struct form_request *request, struct error *e);

/* A usage error where the form asked for (asked->own: the settings) cannot take the loss, the regularizer
 * or a start; for `check` of struct solver. */
int form_check(const struct solver_request *asked, struct error *e);

/* One each. */
struct form *primal_form_new(const struct form_request *request, struct error *e);
struct form *dual_form_new(const struct form_request *request, struct error *e);
struct form *excessive_gap_form_new(const struct form_request *request, struct error *e);
struct form *boost_form_new(const struct form_request *request, struct error *e);

#endif
