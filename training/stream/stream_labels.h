/* stream_labels.h - the labels of a stream, which are met as the examples come.
 *
 * Two labels have one vector, for the larger one or that of -P; three or more have one each. The first examples say how
 * many there are. With three or more, further labels may come at any time; with --multiclass ovr also if the first
 * examples have one or two: then these have a vector each, too. If there are two at the end, the model has one vector,
 * as without --multiclass. */
#ifndef RRM_STREAM_LABELS_H
#define RRM_STREAM_LABELS_H

#include "io/model/model.h"
#include "training/classes/classes.h"

struct stream_labels {
    const struct training_request *request;
    /* labels = 0: numbers. A label that is not known yet is not-a-number. Several vectors have the order of `label` */
    struct classes *classes;
    bool seen[2]; /* whether the positive and the other label have occurred; of one vector */
};

/* Finds the classes from the first examples; or, if there is a START, those of this model. 0, or -1 with the error
 * set; the caller frees the classes in either case. */
int stream_labels_find(struct stream_labels *labels, const struct dataset *first,
                       const struct model *start, struct error *e);

/* The target of an example with this label, as in struct stream_rows; EXAMPLE: its number from 1, for errors. 0; -1
 * with the error set; or 1: it is a further label, to be added with a further vector before the example is learned. */
int stream_labels_target(struct stream_labels *labels, double label, int64_t example,
                         double *target, struct error *e);

/* Adds a label with a vector to those that have one each. 0, or -1 with the error set: there are too many. */
int stream_labels_add(struct stream_labels *labels, double label, struct error *e);

/* The label that the scores of the vectors predict, as predict does; not-a-number: a label that is not known yet. Of
 * numbers the score. */
double stream_labels_predict(const struct stream_labels *labels, const double *score);

/* At the end: whether two labels occurred. 0, or -1 with the error set. */
int stream_labels_check(const struct stream_labels *labels, struct error *e);

/* The order in which the model has the vectors: ascending by their labels, which are sorted; of two labels the vector
 * of the larger one alone. ORDER gets the numbers, with a place for each vector. */
void stream_labels_finish(struct stream_labels *labels, int64_t *order);

#endif
