/* decomposition_settings.h - the options of both solvers by decomposition. */
#ifndef RRM_DECOMPOSITION_SETTINGS_H
#define RRM_DECOMPOSITION_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct decomposition_settings {
    int64_t working_set;     /* n_B; 0: chosen by itself */
    int64_t max_new;         /* n_c, the new variables of a working set at most */
    int64_t sub_working_set; /* n_W of pdsg_steps.h */
    double cache;            /* MB */
    bool alone;              /* solve the whole problem as one subproblem */
    bool newton;             /* end each subproblem by free_set.h */
};

enum subproblem_method { SUBPROBLEM_PDSG, SUBPROBLEM_MPD };

#endif
