/* solver_fit.c - what is asked of a solver, and whether it can do that. */
#include "training/defaults/solver_fit.h"

#include "io/nearest.h"

#include <string.h>

enum { MAX_NAMES = 64 };

/* Whether NAME is among the NAMES (NULL at the end). */
static bool contains(const char *const *names, const char *name) {
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

void regularizer_describe(const struct regularizer *regularizer, char *text, size_t size) {
    if (regularizer->ball == NULL) {
        snprintf(text, size, "-r %s", regularizer->name);
    } else {
        snprintf(text, size, "--ball %.*s", (int)(strlen(regularizer->name) - strlen("-ball")),
                 regularizer->name);
    }
}

bool solver_takes_loss(const struct solver *solver, const struct loss *loss) {
    return (solver->takes_loss == NULL || solver->takes_loss(loss)) &&
           (solver->needs != SOLVER_NEEDS_SMOOTH || loss->second != NULL);
}

bool solver_takes_risk(const struct solver *solver, const struct risk_row *risk) {
    if (risk->learned != LEARNS_NOTHING && !solver->learns_margins)
        return false;
    if (risk->scalar != NULL)
        return solver_takes_loss(solver, risk->scalar);
    switch (solver->needs) {
    case SOLVER_NEEDS_ITEMS:
        return risk->items;
    case SOLVER_NEEDS_SMOOTH:
        return risk->smooth;
    case SOLVER_NEEDS_SMOOTHED:
        return !risk->no_smooth_form;
    case SOLVER_NEEDS_MARGINS:
        return risk->margins;
    default:
        return solver->needs == SOLVER_NEEDS_GRADIENT;
    }
}

/* A loss that it takes without an offset and in one process alone. */
static bool takes_alone(const struct solver *solver, const struct solver_needs *needs) {
    return needs->risk->scalar != NULL && solver->takes_alone != NULL &&
           solver->takes_alone(needs->risk->scalar);
}

/* An offset is a coordinate as others to a solver that needs a value and a subgradient alone. */
static bool takes_offset(const struct solver *solver, const struct solver_needs *needs) {
    bool scores =
        needs->risk->scalar != NULL && (!needs->distributed || solver_sums_scores(solver));
    return solver->offset && !(needs->distributed && solver->gathers) &&
           (scores || solver->needs == SOLVER_NEEDS_GRADIENT ||
            solver->needs == SOLVER_NEEDS_SMOOTH);
}

/* The constant feature of the offset, of a solver that gathers, is in the place of that of -B. */
static bool takes_both(const struct solver *solver, const struct solver_needs *needs) {
    return !needs->intercept || !needs->constant || !solver->gathers;
}

/* By a regularizer that it takes of single scores alone. */
static bool is_single(const struct solver *solver, const struct solver_needs *needs) {
    return solver->single_regularizers != NULL && needs->risk->scalar != NULL &&
           contains(solver->single_regularizers, needs->regularizer->name);
}

static bool takes_pair(const struct solver *solver, const struct solver_needs *needs) {
    return needs->risk->scalar == NULL || solver->takes_pair == NULL ||
           solver->takes_pair(needs->risk->scalar, needs->regularizer);
}

static bool needs_all_rows(const struct solver *solver, const struct solver_needs *needs) {
    return solver->needs_all_rows || needs->risk->needs_all_rows ||
           (needs->intercept && solver->gathers);
}

bool solver_fits(const struct solver *solver, const struct solver_needs *needs, char *lack,
                 size_t size) {
    char text[128] = "", regularizer[64];
    regularizer_describe(needs->regularizer, regularizer, sizeof regularizer);
    bool single = is_single(solver, needs);
    if (!solver_takes_risk(solver, needs->risk)) {
        snprintf(text, sizeof text, "cannot take -L %s", needs->risk->name);
    } else if (!single && !contains(solver->regularizers, needs->regularizer->name)) {
        const char *risk = needs->risk->scalar == NULL ? needs->risk->name : NULL;
        snprintf(text, sizeof text, "cannot take %s%s%s%.56s", risk != NULL ? "-L " : "",
                 risk != NULL ? risk : "", risk != NULL ? " with " : "", regularizer);
    } else if (!takes_pair(solver, needs)) {
        snprintf(text, sizeof text, "cannot take -L %s with %.56s", needs->risk->name, regularizer);
    } else if (needs->intercept && !takes_offset(solver, needs)) {
        snprintf(text, sizeof text,
                 "has no unregularized offset%s%s (--intercept; -B 1 adds a regularized one)",
                 solver->offset && !needs->distributed ? " of -L " : "",
                 solver->offset && !needs->distributed ? needs->risk->name : "");
    } else if (!takes_both(solver, needs)) {
        snprintf(text, sizeof text, "has no unregularized offset beside -B");
    } else if (needs->map && solver->is_kernel_expansion) {
        snprintf(text, sizeof text, "works with the kernel itself, without --map");
    } else if (needs->kernel && !solver->is_kernel_expansion) {
        snprintf(text, sizeof text, "takes a kernel only with --map");
    } else if (needs->window && (single || needs_all_rows(solver, needs))) {
        snprintf(text, sizeof text, "needs all examples in memory (--memory)");
    } else if (needs->batches && (single || !solver->batches)) {
        snprintf(text, sizeof text, "has no mini-batches (-k)%s%.64s", single ? " with " : "",
                 single ? regularizer : "");
    } else if (needs->distributed && (!solver->distributed || takes_alone(solver, needs))) {
        const char *loss = solver->distributed ? needs->risk->name : NULL;
        snprintf(text, sizeof text, "needs all examples in one process%s%s",
                 loss != NULL ? " for -L " : "", loss != NULL ? loss : "");
    } else if (needs->tolerance && solver->tolerance == NULL) {
        snprintf(text, sizeof text, "has no tolerance (-e)");
    } else if (needs->linearization && !solver->linearizes) {
        snprintf(text, sizeof text, "proves nothing for other lambdas (--path certified)");
    }
    if (lack != NULL)
        snprintf(lack, size, "%s", text);
    return text[0] == '\0';
}

int solvers_that_fit(const struct solver_needs *needs, char *list, size_t size) {
    const char *names[MAX_NAMES + 1] = {NULL};
    int count, able = 0;
    const struct solver *const *table = solver_table(&count);
    for (int i = 0; i < count && able < MAX_NAMES; i++)
        if (solver_fits(table[i], needs, NULL, 0))
            names[able++] = table[i]->name;
    join_names(names, list, size);
    return able;
}

void solver_needs_describe(const struct solver_needs *needs, char *text, size_t size) {
    char regularizer[64];
    regularizer_describe(needs->regularizer, regularizer, sizeof regularizer);
    snprintf(text, size, "-L %s, %s%s%s%s%s%s%s%s", needs->risk->name, regularizer,
             needs->intercept ? ", --intercept" : "", needs->map ? ", --map" : "",
             needs->kernel ? ", a kernel without --map" : "", needs->batches ? ", -k" : "",
             needs->tolerance ? ", -e" : "", needs->distributed ? ", several processes" : "",
             needs->linearization ? ", --path certified" : "");
}
