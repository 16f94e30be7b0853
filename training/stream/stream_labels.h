/* stream_labels.h - the labels of a stream, which are met as the examples come.
 *
 * Two labels have one vector, for the larger one or that of -P; three or more have one each. The first examples say how
 * many there are. With three or more, further labels may come at any time. */
#ifndef RRM_STREAM_LABELS_H
#define RRM_STREAM_LABELS_H

#include "io/model/model.h"
#include "training/classes/classes.h"

struct stream_labels {
    const struct training_request *request;
    /* labels = 0: numbers. A label that is not known yet is not-a-number. Of three or more labels the vectors have
     * the order of `label` */
    struct classes *classes;
    bool seen[2]; /* whether the positive and the other label have occurred; of two labels */
};

/* Finds the classes from the first examples; or, if there is a START, those of this model. 0, or -1 with the error
 * set; the caller frees the classes in either case. */
int stream_labels_find(struct stream_labels *labels, const struct dataset *first,
                       const struct model *start, struct error *e);

/* The target of an example with this label, as in struct stream_rows. 0; -1 with the error set; or 1: it is a further
 * label, to be added, with a further vector, before the example is learned. */
int stream_labels_target(struct stream_labels *labels, double label, double *target,
                         struct error *e);

/* Adds a label to three or more. 0, or -1 with the error set: there are too many. */
int stream_labels_add(struct stream_labels *labels, double label, struct error *e);

/* The label that the scores of the vectors predict, as predict does; not-a-number: a label that is not known yet. Of
 * numbers the score. */
double stream_labels_predict(const struct stream_labels *labels, const double *score);

/* At the end: whether both of two labels occurred. 0, or -1 with the error set. */
int stream_labels_check(const struct stream_labels *labels, struct error *e);

/* The order in which the model has the vectors: ascending by their labels, which are sorted. ORDER gets the numbers. */
void stream_labels_sort(struct stream_labels *labels, int64_t *order);

#endif
