/* own_options.h - a solver's own options for tests: the defaults, and "name=value" words. */
#ifndef RRM_OWN_OPTIONS_H
#define RRM_OWN_OPTIONS_H

#include "solvers/solver.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void set_own(const struct option_row *row, const char *value, void *own) {
    void *field = (char *)own + row->offset;
    if (row->kind == OPTION_SWITCH)
        *(bool *)field = strcmp(value, "on") == 0;
    else if (row->kind == OPTION_FLAG)
        *(bool *)field = strcmp(value, "on") == 0;
    else if (row->kind == OPTION_REAL)
        *(double *)field = strtod(value, NULL);
    else if (row->kind == OPTION_INTEGER)
        *(int64_t *)field = strtoll(value, NULL, 10);
    else
        for (*(int *)field = 0; strcmp(row->choices[*(int *)field], value) != 0;)
            ++*(int *)field;
}

/* Settings for train(), to be freed. WORDS ends with NULL; NULL: the defaults alone. A name that
 * the solver has not aborts. */
static inline void *own_options(const struct solver *solver, const char *const *words) {
    void *own = calloc(1, solver->settings_size);
    for (int i = 0; i < solver->option_count; i++)
        if (solver->options[i].default_text != NULL)
            set_own(&solver->options[i], solver->options[i].default_text, own);
    for (; words != NULL && *words != NULL; words++) {
        size_t length = strcspn(*words, "=");
        int i = 0;
        while (strlen(solver->options[i].name) != length ||
               strncmp(solver->options[i].name, *words, length) != 0)
            if (++i == solver->option_count) {
                fprintf(stderr, "%s has no option %s\n", solver->name, *words);
                abort();
            }
        set_own(&solver->options[i], *words + length + 1, own);
    }
    return own;
}

#endif
