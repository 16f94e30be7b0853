/* decided.h - what a certified gap says of the predictions of the exact minimizer.
 *
 * J is lambda-strongly convex for l2, so that ||w - w*|| <= sqrt(2 gap/lambda). The minimizer w* gives a row the same
 * label as w if |<x,w>| > ||x|| times that. The other rows may be right or wrong: so the accuracy of w* lies between
 * two bounds.
 *
 * Reference: Shibagaki, Suzuki, Karasuyama & Takeuchi 2015 (arXiv 1502.02344). */
#ifndef RRM_DECIDED_H
#define RRM_DECIDED_H

#include "prediction/decoding.h"
#include "training/run/run.h"

struct decided {
    bool known;                 /* the rows below are of all folds; otherwise nothing is known */
    int64_t rows, right, wrong; /* with a label; of these, those whose prediction by w* is known */
};

/* The bounds of the accuracy of w*: the same number where all rows are decided. */
static inline double decided_least(const struct decided *decided) {
    return (double)decided->right / (double)decided->rows;
}

static inline double decided_most(const struct decided *decided) {
    return (double)(decided->rows - decided->wrong) / (double)decided->rows;
}

/* Rows that are predicted by a model, for decided_visit. */
struct decided_rows {
    const struct model *model;
    double radius; /* of the ball around w that has w* */
    struct decided *decided;
};

/* Sets *rows up for the rows that MODEL, of this run, predicts. False: nothing is known of its minimizer. That is so
 * unless it is a linear model of two classes with l2, without an offset, with a bound, and without sigmoids that choose
 * its labels. */
bool decided_begin(const struct training *training, const struct model *model,
                   const struct run *run, struct decided *decided, struct decided_rows *rows);

/* Counts rows: a decoded_visitor's function, whose context is a decided_rows. */
int decided_visit(void *context, const struct decoded *decoded, struct error *e);

/* Ends the runs of a fold once the labels of all its rows by w* are known. */
struct decided_fold {
    const struct dataset *test;
    double bias;
    int64_t open; /* the row that was not decided when it was asked last: mostly it still is not */
    struct enough enough;
};

/* Sets *fold up for the runs of TRAINING, whose models are measured on TEST; both must outlive it, and it must not be
 * moved. False, and runs do not end early: the measure needs more than labels, or decided_begin would know nothing of
 * these models. */
bool decided_fold_begin(const struct training *training, const struct dataset *test,
                        struct decided_fold *fold);

#endif
