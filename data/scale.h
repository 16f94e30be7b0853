/* scale.h - what the files of the program scale share. */
#ifndef RRM_SCALE_H
#define RRM_SCALE_H

#include "cli/converter.h"
#include "io/error.h"
#include "io/output.h"
#include "io/scaling/scaling.h"
#include "io/svmlight/svmlight_options.h"

#include <stdbool.h>
#include <stdint.h>

struct scale_settings {
    double lower, upper;
    struct interval labels; /* of -y */
    bool has_labels;
    const char *save, *restore; /* NULL: not given */
    int method;                 /* enum scaling_method - 1 */
    int64_t digits;
    bool zero_based, quiet;
};

/* Values before and after. */
struct scale_counts {
    int64_t before, after;
    bool beyond; /* an example had a feature after those of the scaling */
};

/* Prints the examples of PATH scaled, in svmlight form. SCALING NULL: each example divided by its Euclidean length.
 * 0, or -1 with the error set; an error names the example whose scaled values are too large. */
int scale_rows(const struct scaling *scaling, const struct scale_settings *settings,
               const char *path, const struct svmlight_options *options, struct output *output,
               struct scale_counts *counts, struct error *e);

#endif
