/* precomputed_rows.c - checks rows of kernel values. */
#include "prediction/precomputed_rows.h"

#include "kernel/kernel.h"

#include <inttypes.h>
#include <string.h>

int precomputed_rows_check(const struct model *model, const struct dataset *rows, const char *file,
                           int64_t before, struct error *e) {
    if (strcmp(model->kernel, kernel_names[KERNEL_PRECOMPUTED]) != 0)
        return 0;
    for (int64_t i = 0; i < rows->rows; i++)
        if (dataset_count(rows, i) == 0 || dataset_columns(rows, i)[0] != 0)
            return error_file(e, file,
                              "example %" PRId64 " has no index 0, which a model of --kernel "
                              "precomputed needs: 0:1 1:K(x,1) 2:K(x,2) ...",
                              before + i + 1);
    return 0;
}
