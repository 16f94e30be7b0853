/* solver_fit.c - what is asked of a solver, and whether it can do that. */
#include "training/solver_fit.h"

#include "io/nearest.h"

#include <string.h>

enum { NAMES_MOST = 64 };

/* Whether NAME is among the NAMES (NULL at the end). */
static bool contains(const char *const *names, const char *name) {
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
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

bool solver_takes_risk(const struct solver *solver, const struct risk_row *risk) {
    if (risk->scalar != NULL) {
        return solver->takes_loss == NULL || solver->takes_loss(risk->scalar);
    }
    return (solver->any_risk || (solver->any_items && risk->items)) &&
           !(solver->smooths && risk->rough);
}

static bool takes_pair(const struct solver *solver, const struct wish *wish) {
    return wish->risk->scalar == NULL || solver->takes_pair == NULL ||
           solver->takes_pair(wish->risk->scalar, wish->regularizer);
}

bool solver_fits(const struct solver *solver, const struct wish *wish, char *lack, size_t size) {
    char text[128] = "", regularizer[64];

    regularizer_describe(wish->regularizer, regularizer, sizeof regularizer);
    if (!solver_takes_risk(solver, wish->risk)) {
        snprintf(text, sizeof text, "cannot take -L %s", wish->risk->name);
    } else if (!contains(solver->regularizers, wish->regularizer->name)) {
        const char *risk = wish->risk->scalar == NULL ? wish->risk->name : NULL;
        snprintf(text, sizeof text, "cannot take %s%s%s%.56s", risk != NULL ? "-L " : "",
                 risk != NULL ? risk : "", risk != NULL ? " with " : "", regularizer);
    } else if (!takes_pair(solver, wish)) {
        snprintf(text, sizeof text, "cannot take -L %s with %.56s", wish->risk->name, regularizer);
    } else if (wish->intercept &&
               !(wish->risk->scalar != NULL ? solver->offset : solver->any_offset)) {
        snprintf(text, sizeof text,
                 "has no unregularized offset%s%s (--intercept; -B 1 adds a regularized one)",
                 solver->offset ? " of -L " : "", solver->offset ? wish->risk->name : "");
    } else if (wish->map && solver->expands) {
        snprintf(text, sizeof text, "works with the kernel itself, without --map");
    } else if (wish->window && (solver->whole || wish->risk->whole)) {
        snprintf(text, sizeof text, "needs all mapped examples in memory (--memory)");
    } else if (wish->batches && !solver->batches) {
        snprintf(text, sizeof text, "has no mini-batches (-k)");
    } else if (wish->tolerance && !solver->tolerant) {
        snprintf(text, sizeof text, "has no tolerance (-e)");
    }
    if (lack != NULL) {
        snprintf(lack, size, "%s", text);
    }
    return text[0] == '\0';
}

int solvers_that_fit(const struct wish *wish, char *list, size_t size) {
    const char *names[NAMES_MOST + 1] = {NULL};
    int count, able = 0;
    const struct solver *const *table = solver_table(&count);

    for (int i = 0; i < count && able < NAMES_MOST; i++) {
        if (solver_fits(table[i], wish, NULL, 0)) {
            names[able++] = table[i]->name;
        }
    }
    join_names(names, list, size);
    return able;
}

void wish_describe(const struct wish *wish, char *text, size_t size) {
    char regularizer[64];

    regularizer_describe(wish->regularizer, regularizer, sizeof regularizer);
    snprintf(text, size, "-L %s, %s%s%s%s%s", wish->risk->name, regularizer,
             wish->intercept ? ", --intercept" : "", wish->map ? ", --map" : "",
             wish->batches ? ", -k" : "", wish->tolerance ? ", -e" : "");
}
