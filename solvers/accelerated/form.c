/* form.c - which options, losses and regularizers each form takes, and what all forms share. */
#include "solvers/accelerated/form.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct estimation_settings form_estimation(const struct form_request *request) {
    static const double growth = 2, decay = 1.1;
    const struct accelerated_settings *s = request->settings;
    return (struct estimation_settings){.one_memory = request->one_memory,
                                        .fixed = s->lipschitz == LIPSCHITZ_FIXED,
                                        .strong = s->strong,
                                        .monitor = request->monitor,
                                        .growth = growth,
                                        .decay = s->decay > 0 ? s->decay : decay};
}

int form_iterations(const struct form_request *request, double spent, int max_iterations) {
    static const double reserved_steps = 2,
                        passes_per_iteration =
                            2; /* a power iteration for the lower and one for the upper bound */
    double left = request->monitor == NULL ? INFINITY : request->monitor->settings.passes - spent;
    return (int)fmax(0, fmin(max_iterations, (left / 2 - reserved_steps) / passes_per_iteration));
}

const char *const form_names[] = {[FORM_AUTO] = "auto",
                                  [FORM_PRIMAL] = "primal",
                                  [FORM_DUAL] = "dual",
                                  [FORM_SMOOTH_DUAL] = "smooth-dual",
                                  [FORM_EXCESSIVE_GAP] = "excessive-gap",
                                  NULL};

/* Whether the dual objective has a Lipschitz gradient. */
static bool is_strongly_convex(const struct regularizer *regularizer) {
    const struct regularizer_parameters example = {.elastic = 0.5};
    return regularizer->penalty != NULL && regularizer->penalty(1, &example).l2 > 0;
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

/* Whether options are set that only the primal form has. */
static bool is_for_primal(const struct accelerated_settings *settings) {
    return settings->prox == PROX_OPTIMIZED || settings->metric > METRIC_PLAIN ||
           settings->strong > 0;
}

enum form_kind form_choose(const struct problem *problem,
                           const struct accelerated_settings *settings) {
    const struct scalar_terms *terms = problem->risk->scalar;
    bool dual = terms != NULL && terms->loss->quadratic && isinf(terms->loss->curvature) &&
                is_strongly_convex(problem->regularizer) && !is_for_primal(settings);
    return dual && problem->risk->regularized > terms->design->rows ? FORM_SMOOTH_DUAL
                                                                    : FORM_PRIMAL;
}

/* Refuses options of the primal form, and options of smoothing if the form does not smooth. */
static int refuse_option(const struct accelerated_settings *settings, struct error *e) {
    const char *form = form_names[settings->form];
    if (is_for_primal(settings))
        return error_usage(e, "--prox, --metric and --strong are for --form primal, not for %s",
                           form);
    if (settings->form == FORM_SMOOTH_DUAL)
        return 0;
    if (settings->mu > 0)
        return error_usage(e, "--mu is for --form primal and smooth-dual, not for %s", form);
    if (settings->smoothing == SMOOTHING_FIXED)
        return error_usage(e, "--smoothing fixed is for --form primal and smooth-dual, not for %s",
                           form);
    return 0;
}

static int check_lipschitz(const struct accelerated_settings *settings, struct error *e) {
    if (settings->lipschitz != LIPSCHITZ_FIXED)
        return 0;
    if (settings->metric > METRIC_PLAIN)
        return error_usage(
            e, "--lipschitz fixed has a bound for --metric plain alone; drop one of the two");
    if (settings->decay > 0)
        return error_usage(e, "--decay is for --lipschitz adaptive; with fixed drop it");
    return 0;
}

static bool is_about_smoothing(const struct accelerated_settings *settings) {
    return settings->mu > 0 || settings->smoothing == SMOOTHING_FIXED;
}

static int check_smoothing(const struct accelerated_settings *settings, const struct loss *loss,
                           struct error *e) {
    if (loss->second == NULL || !(is_about_smoothing(settings) || settings->prox == PROX_OPTIMIZED))
        return 0;
    return error_usage(e,
                       "--mu, --smoothing fixed and --prox optimized are for losses with kinks, "
                       "not for -L %s; drop them",
                       loss->name);
}

static int refuse_form(const struct solver_request *asked, const char *forms, struct error *e) {
    const struct accelerated_settings *settings = asked->options;
    return error_usage(e, "--form %s cannot take -L %s, which has --form %s",
                       form_names[settings->form], asked->risk->name, forms);
}

/* LPBoost has a primal form of its own, over the distribution, and a dual one, over the weights. */
static int check_boost(const struct solver_request *asked, struct error *e) {
    const struct accelerated_settings *settings = asked->options;
    const char *risk = asked->risk->name;
    bool dual = settings->form == FORM_DUAL;
    if (settings->form > FORM_PRIMAL && !dual)
        return refuse_form(asked, "primal and dual", e);
    if (is_about_smoothing(settings) && (dual || !asked->regularizer->constraint))
        return error_usage(e,
                           "--mu and --smoothing fixed cannot take -L %s with %s, where nothing is "
                           "smoothed; drop them",
                           risk, dual ? "--form dual" : "-r entropy");
    if (settings->lipschitz == LIPSCHITZ_FIXED && dual)
        return error_usage(e, "--lipschitz fixed cannot take -L %s with --form dual", risk);
    return 0;
}

/* Options that a risk without scalar loss cannot take. */
static int check_risk(const struct solver_request *asked, struct error *e) {
    const struct accelerated_settings *settings = asked->options;
    const char *risk = asked->risk->name;
    if (settings->prox == PROX_OPTIMIZED || settings->strong > 0)
        return error_usage(e, "--prox and --strong cannot take -L %s", risk);
    if (settings->metric > METRIC_PLAIN && !asked->risk->items)
        return error_usage(e, "--metric cannot take -L %s", risk);
    if (asked->risk->boosts)
        return check_boost(asked, e);
    if (settings->form > FORM_PRIMAL)
        return refuse_form(asked, "primal alone", e);
    if (is_about_smoothing(settings) && asked->risk->smooth)
        return error_usage(
            e, "--mu and --smoothing fixed are for losses with kinks, not for -L %s; drop them",
            risk);
    if (settings->lipschitz == LIPSCHITZ_FIXED)
        return error_usage(e, "--lipschitz fixed cannot take -L %s, of which no bound is known",
                           risk);
    return 0;
}

int form_check(const struct solver_request *asked, struct error *e) {
    const struct accelerated_settings *settings = asked->options;
    const char *form = form_names[settings->form];
    if (check_lipschitz(settings, e) != 0)
        return -1;
    if (asked->loss == NULL)
        return check_risk(asked, e);
    if (settings->form == FORM_AUTO || settings->form == FORM_PRIMAL)
        return check_smoothing(settings, asked->loss, e);
    if (!asked->loss->quadratic)
        return refuse_loss(form, asked->loss->name, e);
    if (!is_strongly_convex(asked->regularizer))
        return refuse_regularizer(form, asked->regularizer->name, e);
    if (settings->form == FORM_EXCESSIVE_GAP && asked->run->warm)
        return error_usage(e, "--form %s starts at 0, where its two points are known; drop -i",
                           form);
    return refuse_option(settings, e) != 0 ? -1 : check_smoothing(settings, asked->loss, e);
}
