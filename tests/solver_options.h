/* solver_options.h - the options of a solver for tests: the defaults, and "name=value" words. */
#ifndef RRM_SOLVER_OPTIONS_H
#define RRM_SOLVER_OPTIONS_H

#include "solvers/solver.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void set_option(const struct option_row *row, const char *value, void *settings) {
    void *field = (char *)settings + row->offset;
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

/* Settings for train(); the caller frees them. WORDS ends with NULL; NULL: only defaults. Aborts for a name that
 * the solver does not have. */
static inline void *solver_options_parse(const struct solver *solver, const char *const *words) {
    void *settings = calloc(1, solver->settings_size);
    for (int i = 0; i < solver->option_count; i++)
        if (solver->options[i].default_text != NULL)
            set_option(&solver->options[i], solver->options[i].default_text, settings);
    for (; words != NULL && *words != NULL; words++) {
        size_t length = strcspn(*words, "=");
        int i = 0;
        while (strlen(solver->options[i].name) != length ||
               strncmp(solver->options[i].name, *words, length) != 0)
            if (++i == solver->option_count) {
                fprintf(stderr, "%s has no option %s\n", solver->name, *words);
                abort();
            }
        set_option(&solver->options[i], *words + length + 1, settings);
    }
    return settings;
}

#endif
