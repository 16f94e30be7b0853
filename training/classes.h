/* classes.h - from the labels of the data to the targets of each weight vector. */
#ifndef RRM_CLASSES_H
#define RRM_CLASSES_H

#include "io/dataset.h"
#include "training/request.h"

/* As in struct model: labels = 0 where they are no classes; one vector for two labels, the first is
 * positive; otherwise a vector a label, which is positive against all the rest, and trained by itself. A
 * joint task has one run for all of its vectors. */
struct classes {
    int64_t labels;
    double *label;
    bool rest; /* label[1] stands for every label but label[0] (-P) */
    bool joint;
    int64_t vectors; /* runs */
};

/* What the loss and -P make of the labels. On failure (one label only, no positive one, too many)
 * the error names the file. The caller frees *classes in either case. */
int classes_find(const struct training_request *request, const struct dataset *data,
                 struct classes *classes, struct error *e);

void classes_free(struct classes *classes);

/* Whether the labels are many, and look like the values of a regression: not all of them are whole numbers, or
 * there are fewer than 3 examples a label. */
bool classes_look_like_numbers(const struct classes *classes, const struct dataset *data);

/* The vectors of the model: as many as there are runs, or labels. */
int64_t classes_outputs(const struct classes *classes);

/* The rows' targets for a run: the labels themselves, or +1 and -1, or the labels' places in the list. */
void classes_targets(const struct classes *classes, const struct dataset *data, int64_t vector,
                     double *target);

#endif
