/* shared_rows.h - data of which each process has some rows. Include after cmocka.h. */
#ifndef RRM_SHARED_ROWS_H
#define RRM_SHARED_ROWS_H

#include "io/communicator.h"
#include "io/dataset_select.h"
#include "tests/random_data.h"

#include <stdlib.h>

/* Copies the rows first[rank] to first[rank + 1] - 1 of all data, as the process of this rank has them. */
static inline void share_rows(const struct dataset *all, const int64_t *first,
                              struct communicator *c, struct dataset *share) {
    int64_t begin = first[c->rank], rows = first[c->rank + 1] - begin;
    int64_t *row = calloc((size_t)rows + 1, sizeof *row);
    for (int64_t i = 0; row != NULL && i < rows; i++)
        row[i] = begin + i;
    dataset_select(all, row, rows, share, NULL);
    free(row);
    share->communicator = c;
    share->whole.rows = communicator_total(c, share->rows);
    share->whole.rows_before = communicator_before(c, share->rows);
    share->whole.nonzeros = communicator_total(c, share->nonzeros);
}

#endif
