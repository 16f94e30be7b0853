/* sdm_duals.h - the dual variables of `sdm`: for each row those of its active classes, one list behind another. */
#ifndef RRM_SDM_DUALS_H
#define RRM_SDM_DUALS_H

#include "io/error.h"
#include "io/state/state.h"

#include <stdint.h>

struct sdm_duals {
    int64_t *first; /* rows: where the list of row i begins */
    int32_t *count; /* rows: its length */
    double *beta;
    int32_t *class;
    int64_t entries, capacity, class_capacity; /* of beta and class */
};

/* Empty lists, with memory for CAPACITY entries. 0, or -1 with the error set; to be freed in either case. */
int sdm_duals_init(struct sdm_duals *duals, int64_t rows, int64_t capacity, struct error *e);
void sdm_duals_free(struct sdm_duals *duals);

/* Memory for MORE entries behind those that are used. 0, or -1 with the error set. */
int sdm_duals_reserve(struct sdm_duals *duals, int64_t more, struct error *e);

/* Lists all of them: at most CLASSES a row. */
void sdm_duals_visit(struct sdm_duals *duals, int64_t rows, int64_t classes, struct state *state);

/* Row i's list begins here, empty; and grows. */
static inline void sdm_duals_begin(struct sdm_duals *duals, int64_t i) {
    duals->first[i] = duals->entries;
    duals->count[i] = 0;
}
static inline void sdm_duals_append(struct sdm_duals *duals, int64_t i, int32_t class,
                                    double beta) {
    duals->class[duals->entries] = class;
    duals->beta[duals->entries++] = beta;
    duals->count[i]++;
}

#endif
