/* form.c - the forms by their kinds, and what each can be asked for. */
#include "solvers/form.h"

#include "risk/boost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool form_is_boosting(const struct problem *problem, const struct accelerated_settings *settings) {
    return boost_parts(problem->risk) != NULL && settings->form == FORM_PRIMAL;
}

struct form *form_new(const struct form_request *request, struct error *e) {
    static struct form *(*const maker[])(const struct form_request *, struct error *) = {
        [FORM_PRIMAL] = primal_form_new,
        [FORM_DUAL] = dual_form_new,
        [FORM_SMOOTH_DUAL] = dual_form_new,
        [FORM_EXCESSIVE_GAP] = excessive_gap_form_new,
    };
    if (form_is_boosting(request->problem, request->settings))
        return boost_form_new(request, e);
    if (boost_parts(request->problem->risk) != NULL)
        return primal_form_new(request, e);
    return maker[request->settings->form](request, e);
}

const char *const form_names[] = {[FORM_AUTO] = "auto",
                                  [FORM_PRIMAL] = "primal",
                                  [FORM_DUAL] = "dual",
                                  [FORM_SMOOTH_DUAL] = "smooth-dual",
                                  [FORM_EXCESSIVE_GAP] = "excessive-gap",
                                  NULL};

/* Whether the dual problem has a Lipschitz gradient. */
static bool is_strongly_convex(const struct regularizer *regularizer) {
    const struct regularizer_parameters some = {.elastic = 0.5};
    return regularizer->shares != NULL && regularizer->shares(1, &some).l2 > 0;
}

static void add_name(char *list, size_t size, const char *name) {
    size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

static int refuse_loss(const char *form, const char *name, struct error *e) {
    char list[256] = "";
    int count;
    const struct loss *table = loss_table(&count);
    for (int i = 0; i < count; i++)
        if (table[i].quadratic)
            add_name(list, sizeof list, table[i].name);
    return error_usage(e, "--form %s cannot take -L %s; these work: %s", form, name, list);
}

static int refuse_regularizer(const char *form, const char *name, struct error *e) {
    char list[256] = "";
    int count;
    const struct regularizer *table = regularizer_table(&count);
    for (int i = 0; i < count; i++)
        if (is_strongly_convex(&table[i]))
            add_name(list, sizeof list, table[i].name);
    return error_usage(e, "--form %s cannot take -r %s; these work: %s", form, name, list);
}

/* Options of the primal form alone. */
static bool is_for_primal(const struct accelerated_settings *settings) {
    return settings->prox == PROX_OPTIMIZED || settings->metric > METRIC_PLAIN ||
           settings->strong > 0;
}

enum form_kind form_choose(const struct problem *problem,
                           const struct accelerated_settings *settings) {
    const struct scalar_parts *parts = problem->risk->scalar;
    bool dual = parts != NULL && parts->loss->quadratic && isinf(parts->loss->curvature) &&
                is_strongly_convex(problem->regularizer) && !is_for_primal(settings);
    return dual && problem->risk->regularized > parts->design->rows ? FORM_SMOOTH_DUAL
                                                                    : FORM_PRIMAL;
}

/* And options of smoothing where there is none to choose. */
static int refuse_option(const struct accelerated_settings *settings, struct error *e) {
    const char *form = form_names[settings->form];
    if (is_for_primal(settings))
        return error_usage(e, "--prox, --metric and --strong are for --form primal, not for %s",
                           form);
    if (settings->form != FORM_SMOOTH_DUAL && settings->mu > 0)
        return error_usage(e, "--mu is for --form primal and smooth-dual, not for %s", form);
    return 0;
}

/* A risk that has no scalar loss: LPBoost has its own primal form, and as its dual one that over the
 * weights. */
static int check_risk(const struct accelerated_settings *settings, const char *risk,
                      struct error *e) {
    bool boost = strcmp(risk, "boost") == 0;
    if (settings->form > FORM_PRIMAL && !(boost && settings->form == FORM_DUAL))
        return error_usage(e, "--form %s cannot take -L %s, which has --form primal%s",
                           form_names[settings->form], risk, boost ? " and dual" : "");
    if (is_for_primal(settings))
        return error_usage(e, "--prox, --metric and --strong cannot take -L %s", risk);
    if (settings->lipschitz == LIPSCHITZ_FIXED && settings->form == FORM_DUAL)
        return error_usage(e, "--lipschitz fixed cannot take -L %s with --form dual", risk);
    return 0;
}

int form_check(const struct demand *demand, struct error *e) {
    const struct accelerated_settings *settings = demand->own;
    const char *form = form_names[settings->form];
    if (settings->lipschitz == LIPSCHITZ_FIXED && settings->metric > METRIC_PLAIN)
        return error_usage(e, "--lipschitz fixed has a bound for --metric plain alone");
    if (demand->loss == NULL)
        return check_risk(settings, demand->risk->name, e);
    if (settings->form == FORM_AUTO || settings->form == FORM_PRIMAL)
        return 0;
    if (!demand->loss->quadratic)
        return refuse_loss(form, demand->loss->name, e);
    if (!is_strongly_convex(demand->regularizer))
        return refuse_regularizer(form, demand->regularizer->name, e);
    if (settings->form == FORM_EXCESSIVE_GAP && demand->run->warm)
        return error_usage(e, "--form %s starts at 0, where its two points are known; drop -i",
                           form);
    return refuse_option(settings, e);
}
