/* accelerated.c - the loop of agm and agm1: steps, looks at the gap, smoothing. */
#include "solvers/accelerated.h"

#include <math.h>

enum { STILL_MOST = 30 }; /* looks that find nothing new: over three quarters of the passes */

static const double often = 0.05;   /* of the passes so far: a look at the gap */
static const double first = 1;      /* mu */
static const double fall = 16;      /* of mu */
static const double part = 0.25;    /* of the gap that smoothing takes: what the method leaves */
static const double share = 0.3;    /* of the gap asked for: what smoothing may take */
static const double nothing = 1e-3; /* of the gap: what the method leaves where mu is in its way */
static const double least = 1e-12;  /* of the loss: mu */
static const double progress = 1e-14; /* of J or the bound */

struct accelerated {
    struct batch batch;
    const struct accelerated_settings *settings;
    struct form *form;
    double mu;               /* 0: no smoothing */
    double look;             /* passes at which the next look is due */
    double objective, below; /* the least J, and -bound */
    double smooth;           /* the least gap of the smoothed problem, with this mu */
    int still;               /* looks since any of them fell */
};

/* ---- smoothing */

static bool is_smooth(const struct problem *problem, const struct accelerated_settings *settings) {
    if (form_is_boosting(problem, settings))
        return !problem->regularizer->constraint;
    return problem->risk->scalar == NULL || problem->risk->scalar->loss->second != NULL;
}

/* A mu that is not given is, when it stays, such that R - R_mu is below the gap asked for where J is 1,
 * as it is at w = 0 for the hinge. */
static double first_mu(const struct problem *problem, const struct accelerated_settings *settings,
                       const struct run_settings *run) {
    if (is_smooth(problem, settings))
        return 0;
    if (settings->mu > 0)
        return settings->mu;
    return settings->smoothing == SMOOTHING_FIXED && run->epsilon > 0 ? run->epsilon : first;
}

static void lessen_mu(struct accelerated *a, double factor) {
    a->mu *= factor;
    a->smooth = INFINITY;
    a->form->restart(a->form, a->mu);
}

/* Homotopy: once the method has solved its own problem nearly as well as smoothing allows, there is less
 * of it; but never less than the gap asked for warrants. */
static void follow_gap(struct accelerated *a, const struct form_gap *gap, double wanted) {
    if (gap->smooth <= part * gap->smoothing && gap->smoothing > wanted && a->mu > least)
        lessen_mu(a, fmax(1 / fall, wanted / gap->smoothing));
}

/* A fixed mu that is in the way of the gap asked for: a smaller one, or, where it was given, the end. */
static void look_at_mu(struct accelerated *a, const struct form_gap *gap, double wanted) {
    static const struct obstacle obstacle = {"smoothing", "lower --mu"};
    if (gap->smooth > nothing * gap->smoothing || gap->smoothing <= wanted)
        return;
    if (a->settings->mu > 0)
        batch_stop_at(&a->batch, obstacle);
    else if (a->mu > least)
        lessen_mu(a, fmax(1 / fall, wanted / gap->smoothing));
}

static void choose_mu(struct accelerated *a, const struct form_gap *gap) {
    double wanted = share * a->batch.monitor->settings.epsilon * fabs(gap->objective);
    if (a->mu == 0 || a->form->restart == NULL)
        return;
    if (a->settings->smoothing == SMOOTHING_HOMOTOPY)
        follow_gap(a, gap, wanted);
    else
        look_at_mu(a, gap, wanted);
}

/* ---- the loop */

/* *least becomes the value where that is less; whether it is, by more than rounding. */
static bool falls(double *least, double value) {
    bool less = isinf(*least) ? value < *least : value < *least - progress * fabs(*least);
    *least = fmin(*least, value);
    return less;
}

/* Nothing was found for many looks: rounding. */
static bool stands_still(struct accelerated *a, const struct form_gap *gap) {
    bool news = falls(&a->objective, a->batch.objective);
    news |= falls(&a->below, -a->batch.bound);
    news |= falls(&a->smooth, gap->smooth);
    a->still = news ? 0 : a->still + 1;
    return a->still >= STILL_MOST;
}

/* Looks at the gap; true when the run is over. */
static bool is_over(struct accelerated *a, bool stepped) {
    struct batch *batch = &a->batch;
    struct form_gap gap = a->form->certify(a->form, batch);
    batch->passes = a->form->passes;
    a->look = batch->passes * (1 + often);
    if (batch_report(batch))
        return true;
    choose_mu(a, &gap);
    if (!stepped || stands_still(a, &gap))
        batch_stall(batch);
    return batch->verdict != VERDICT_GO_ON;
}

static void iterate(struct accelerated *a) {
    const struct monitor *monitor = a->batch.monitor;
    for (;;) {
        bool stepped = a->form->step(a->form);
        bool due = !stepped || a->form->passes >= fmin(a->look, monitor->settings.passes) ||
                   monitor_poll(monitor) != VERDICT_GO_ON;
        if (due && is_over(a, stepped))
            return;
        a->batch.iteration += !due;
    }
}

int accelerated_train(const struct problem *problem, const struct run_settings *run,
                      const struct accelerated_settings *settings, bool one_memory,
                      struct monitor *monitor, double *w, struct outcome *outcome,
                      struct error *e) {
    struct accelerated a = {.settings = settings,
                            .mu = first_mu(problem, settings, run),
                            .objective = INFINITY,
                            .below = INFINITY,
                            .smooth = INFINITY};
    struct form_request request = {.problem = problem,
                                   .run = run,
                                   .settings = settings,
                                   .one_memory = one_memory,
                                   .mu = a.mu,
                                   .w = w};
    batch_begin(&a.batch, problem, monitor, w);
    a.form = form_new(&request, e);
    if (a.form == NULL)
        return -1;
    iterate(&a);
    a.form->free(a.form);
    return batch_finish(&a.batch, outcome, e);
}

const char *const accelerated_regularizers[] = {"l2",      "l1",      "elastic-net",      "entropy",
                                                "simplex", "l1-ball", "elastic-net-ball", NULL};
