/* dcd_kept.h - what a run of dcd leaves for the next one of a path: dual variables in units of the losses' slopes,
 * which do not depend on lambda, and the weights that belong to them. */
#ifndef RRM_DCD_KEPT_H
#define RRM_DCD_KEPT_H

#include "solvers/kept.h"

#include <stdint.h>

struct dcd_kept {
    double *a; /* rows: slopes of the losses */

    /* 2 columns: the first are -1/lambda times the sum of the rows by the slopes, the others work; but the weight of an
     * offset is the offset itself. */
    double *w;
    double lambda, moves;
    int64_t rows, columns;
    int64_t regularized; /* of the columns: an offset does not depend on lambda as they do */
};

extern const struct kept_kind dcd_kept_kind;

#endif
