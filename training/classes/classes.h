/* classes.h - the labels of the data, and the targets of each weight vector. */
#ifndef RRM_CLASSES_H
#define RRM_CLASSES_H

#include "io/dataset.h"
#include "prediction/measures.h"
#include "training/request/request.h"

/* As in struct model. labels = 0: the task has no classes. labels = 2: one vector; the first label is positive.
 * Otherwise there is one vector for each label, trained separately with this label positive and all others
 * negative; one-vs-one (pairs) one for each pair of labels (io/model/label_pairs.h), trained on the examples of these
 * (one_vs_one.h). A joint task trains all vectors in one run. */
struct classes {
    int64_t labels;
    double *label;
    bool against_rest; /* label[1] means every label but label[0] (-P) */
    bool one;          /* one class: every row is of the first label, whatever its own */
    bool joint;
    bool pairs;
    /* the risk has a scalar loss, which makes targets of labels (scalar_settings of risk/risk.h) */
    bool scalar;
    int64_t vectors; /* that are trained one by one: the runs. 1 of a joint task */
};

enum { CLASSES_MOST = 10000 };

/* The distinct labels of the data into classes->label, ascending, and their number into classes->labels; at most
 * CLASSES_MOST, more are an error that names the file. The caller frees *classes in either case. */
int classes_collect(const struct training_request *request, const struct dataset *data,
                    struct classes *classes, struct error *e);

/* The error of more than CLASSES_MOST labels; -1. */
int classes_refuse_more(const struct training_request *request, struct error *e);

/* Finds the classes from the labels, the loss and -P. On failure (only one label, no positive one, too many)
 * the error names the file. The caller frees *classes in either case. */
int classes_find(const struct training_request *request, const struct dataset *data,
                 struct classes *classes, struct error *e);

void classes_free(struct classes *classes);

/* Whether the labels look like targets of a regression: there are many, and either some are not integers or there
 * are fewer than 3 examples for each. */
bool classes_look_like_numbers(const struct classes *classes, const struct dataset *data);

/* How many rows of DATA have a label, and one that is not among the classes. */
struct measured_rows classes_measure(const struct classes *classes, const struct dataset *data);

/* The number of vectors of the model: one for each run, or for a joint task one for each label. */
int64_t classes_outputs(const struct classes *classes);

/* The label whose rows a run reads as +1, those of all others as -1: `positive` of scalar_settings. NULL: none. */
const double *classes_positive(const struct classes *classes, int64_t vector);

/* The targets of the rows for a run, or the labels themselves where these are the targets or there is a label
 * classes_positive; otherwise +1 and -1, or the labels' indices in the list, in `work`, which has classes_work
 * places. */
const double *classes_targets(const struct classes *classes, const struct dataset *data,
                              int64_t vector, double *work);
int64_t classes_work(const struct classes *classes, const struct dataset *data);

#endif
