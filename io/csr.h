/* csr.h - a dataset over arrays that a caller has: compressed sparse rows.
 *
 * The entries of row i are at the indices start[i] .. start[i + 1] - 1 of `column` and `value`. The arrays are
 * borrowed; columns of 64 bits are copied, and so are the groups. */
#ifndef RRM_CSR_H
#define RRM_CSR_H

#include "io/dataset.h"
#include "io/error.h"

/* The array of either width; the other is NULL. */
struct csr_integers {
    const int32_t *narrow;
    const int64_t *wide;
};

struct csr_reals {
    const float *narrow;
    const double *wide;
};

struct csr {
    int64_t rows;
    int64_t features;           /* as many columns at least; 0: as many as occur */
    bool dense;                 /* all columns in every row: neither starts nor columns are given */
    struct csr_integers start;  /* rows + 1 */
    struct csr_integers column; /* from 0, ascending within a row; 64 bits are copied */
    struct csr_reals value;     /* finite; both NULL: all are 1 */
    const double *label;        /* rows; not-a-number: the row has none. NULL: no row has one */
    const double *weight;       /* rows, 0 or within the range; NULL: all are 1 */
    const int64_t *group;       /* rows; the rows of a group stand together. NULL: no groups */
};

/* A dataset and the arrays of it that were copied. */
struct csr_dataset {
    struct dataset data;  /* not to be freed by dataset_free; its arrays are not to be changed */
    struct dataset owned; /* NULL what is borrowed */
};

/* The dataset of these arrays, which must outlive it. Checked as a file is: 0, or -1 with an error that
 * names row and entry (both from 0), and *out empty. Values that are all 1 are left out, as a file's. */
int csr_open(const struct csr *csr, struct csr_dataset *out, struct error *e);

void csr_close(struct csr_dataset *csr);

#endif
