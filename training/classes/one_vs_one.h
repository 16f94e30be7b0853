/* one_vs_one.h - the training of one pair of labels, on the examples of these two labels. */
#ifndef RRM_ONE_VS_ONE_H
#define RRM_ONE_VS_ONE_H

#include "training/classes/training.h"

struct pair_training {
    struct training training; /* of two labels */
    bool empty;               /* a label has no examples: there is nothing to train */
    double share;             /* lambda of the pair over that of all examples */

    /* What the training refers to. */
    struct dataset data;
    struct classes classes;
    struct kernel_part kernel;
    double label[2], lambda_max;
    int64_t *row; /* of the examples, in all of the data */
    char title[96];
};

/* The training of the pair with this number (io/model/label_pairs.h). Its first label is positive. Its lambda is that
 * of T times m / m_pair, where m is the sum of the examples' weights: each pair has the same C = 1/(lambda m). The
 * caller frees *pair in either case; it must not be moved. An error if all weights of the pair are 0. */
int pair_training_init(const struct training *t, int64_t number, struct pair_training *pair,
                       struct error *e);

void pair_training_free(struct pair_training *pair);

/* The weights of all pairs of a solver of kernel expansions. A pair has a coefficient for each of its own rows and for
 * each basis function, so that each row has one less than there are labels, as in LIBSVM. */
int64_t pairs_weights(const struct training *t);

/* The rows of DATA that a vector of a kernel expansion has coefficients for, in ascending order: those of its two
 * labels, or all. */
struct pair_rows {
    const double *label;
    int64_t rows, next;
    bool all;
    double pair[2];
};

void pair_rows_init(struct pair_rows *own, const struct model *model, int64_t number,
                    const struct dataset *data);

/* The next one, or -1. */
int64_t pair_rows_next(struct pair_rows *own);

#endif
