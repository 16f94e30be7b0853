/* solver_memory.h - about how much memory a solver takes beside the examples: measured on a narrow and on a wide data
 * set, so that a user sees before a long run whether it fits. */
#ifndef RRM_SOLVER_MEMORY_H
#define RRM_SOLVER_MEMORY_H

#include "io/dataset.h"
#include "training/request/request.h"

struct solver_memory {
    bool known;  /* false: the solver's memory follows from more than these sizes */
    double base; /* bytes */
    double pass; /* bytes more for each pass: the planes of a bundle; 0 if it does not grow */
};

/* Of the solver with this name, for so many examples, and so many weights that are trained together; CLASSES of them a
 * feature, if these are classes of single examples, else 1. OFFSET: one that is not regularized, of single scores. */
struct solver_memory solver_memory_of(const char *name, int64_t rows, int64_t weights,
                                      int64_t classes, bool offset);

/* Bytes more in each of several processes, one of which has so many rows: with the sums of others, and the rows that
 * all have (solvers/dual/dcd_shared.h). */
double solver_memory_of_processes(const char *name, int64_t rows, int64_t weights);

/* Bytes that a solver says it allocates for these rows (struct solver), with the sums over rows of the risk; 0 where it
 * says nothing, or does not take such a risk. */
double solver_memory_told(const struct training_request *request, const struct solver *solver,
                          const struct dataset *data);

#endif
