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

/* The memory of the solver NAME for ROWS examples and WEIGHTS weights that are trained together. CLASSES: the weights
 * of a feature, for losses of classes that are trained together; else 1. OFFSET: whether it trains an offset that is
 * not regularized, with a loss of one score. */
struct solver_memory solver_memory_of(const char *name, int64_t rows, int64_t weights,
                                      int64_t classes, bool offset);

/* Whether the solver keeps copies of rows behind a window (solvers/dual/dcd_held.h); then its memory, with SPARE bytes
 * for these. */
bool solver_copies_rows(const char *name);
struct solver_memory solver_memory_of_copies(int64_t rows, int64_t weights, double spare);

/* Bytes that a process with ROWS of the rows takes beyond that, if there are several processes: for the sums of the
 * others, and for the rows that all of them have (solvers/dual/dcd_shared.h). */
double solver_memory_of_processes(const char *name, int64_t rows, int64_t weights);

/* Bytes that the solver allocates for these rows by its own count (the member `bytes` of struct solver), with the sums
 * over rows that the risk keeps; 0 if it has no such count, or does not take such a risk. */
double solver_memory_told(const struct training_request *request, const struct solver *solver,
                          const struct dataset *data);

#endif
