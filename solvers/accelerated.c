/* accelerated.c - the loop of agm and agm1: steps, looks at the gap, smoothing. */
#include "solvers/accelerated.h"

#include <math.h>

static const double often = 0.05; /* of the passes so far: a look at the gap */
static const double fall = 16;    /* of mu */
static const double part = 0.25;  /* of the gap that smoothing takes: what the method leaves */
static const double share = 0.3;  /* of the gap asked for: what smoothing may take */

struct accelerated {
    struct batch batch;
    const struct accelerated_settings *settings;
    struct form *form;
    double mu;
    double look; /* passes at which the next look is due */
};

static bool is_smooth(const struct problem *problem) {
    return problem->risk->scalar == NULL || problem->risk->scalar->loss->second != NULL;
}

static double first_mu(const struct problem *problem, const struct accelerated_settings *settings) {
    if (is_smooth(problem))
        return 0;
    return settings->mu > 0 ? settings->mu : 1;
}

/* Once the method has solved its own problem nearly as well as smoothing allows, there is less of it;
 * but never less than the gap asked for warrants. */
static void follow_gap(struct accelerated *a, const struct form_gap *gap) {
    double wanted = share * a->batch.monitor->settings.epsilon * fabs(gap->objective);
    if (a->mu == 0 || a->settings->smoothing != SMOOTHING_HOMOTOPY || a->form->restart == NULL)
        return;
    if (gap->smooth > part * gap->smoothing || gap->smoothing <= wanted)
        return;
    a->mu = fmax(a->mu / fall, a->mu * (wanted / gap->smoothing));
    a->form->restart(a->form, a->mu);
}

static void iterate(struct accelerated *a) {
    struct batch *batch = &a->batch;
    for (;;) {
        bool stepped = a->form->step(a->form);
        batch->passes = a->form->passes;
        if (stepped && batch->passes < a->look && monitor_poll(batch->monitor) == VERDICT_GO_ON &&
            batch->passes < batch->monitor->settings.passes) {
            batch->iteration++;
            continue;
        }
        struct form_gap gap = a->form->certify(a->form, batch);
        batch->passes = a->form->passes;
        if (batch_report(batch))
            return;
        if (!stepped) {
            batch_stall(batch);
            return;
        }
        a->look = batch->passes * (1 + often);
        follow_gap(a, &gap);
    }
}

int accelerated_train(const struct problem *problem, const struct run_settings *run,
                      const struct accelerated_settings *settings, bool one_memory,
                      struct monitor *monitor, double *w, struct outcome *outcome,
                      struct error *e) {
    struct accelerated a = {.settings = settings, .mu = first_mu(problem, settings)};
    struct form_request request = {.problem = problem,
                                   .run = run,
                                   .settings = settings,
                                   .one_memory = one_memory,
                                   .mu = a.mu,
                                   .w = w};
    batch_begin(&a.batch, problem, monitor, w);
    a.form = primal_form_new(&request, e);
    if (a.form == NULL)
        return -1;
    iterate(&a);
    a.form->free(a.form);
    return batch_finish(&a.batch, outcome, e);
}

const char *const accelerated_regularizers[] = {"l2", "l1", "elastic-net", "entropy", NULL};
const char *const accelerated_forms[] = {"primal", "dual", "smooth-dual", "excessive-gap", NULL};
const char *const accelerated_smoothings[] = {"homotopy", "fixed", NULL};
const char *const accelerated_lipschitz[] = {"adaptive", "fixed", NULL};
const char *const accelerated_proxes[] = {"plain", "optimized", NULL};
