/* precomputed_rows.h - rows of kernel values, for a model of --kernel precomputed. */
#ifndef RRM_PRECOMPUTED_ROWS_H
#define RRM_PRECOMPUTED_ROWS_H

#include "io/dataset.h"
#include "io/model/model.h"

/* Refuses rows without index 0: they are most likely features. FILE and the rows BEFORE these are for the message.
 * Other models take all rows. 0, or -1 with the error set. */
int precomputed_rows_check(const struct model *model, const struct dataset *rows, const char *file,
                           int64_t before, struct error *e);

#endif
