/* vector_run.h - the training of one weight vector. */
#ifndef RRM_VECTOR_RUN_H
#define RRM_VECTOR_RUN_H

#include "training/classes/null_model.h"

struct vector_run {
    bool begun;
    bool trained; /* false: a signal or the time limit left it at its start */
    /* of a pair of labels: a label has no examples, so that there is nothing to train */
    bool empty;
    bool mixed; /* no run of the solver: it is a mixture of two that are known */
    int tried;  /* the trial that was enough, from 1 (struct trial); 0: none was */
    double seconds;
    int64_t nonzeros;
    struct outcome outcome;
    struct null_comparison null;
};

#endif
