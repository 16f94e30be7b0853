/* session.h - the state of a training from data and a request; train.h has its steps. */
#ifndef RRM_SESSION_H
#define RRM_SESSION_H

#include "io/scaling/scaled.h"
#include "training/run/journal.h"
#include "training/run/resumption.h"
#include "training/search/cross_validation.h"
#include "training/search/early_stop.h"
#include "training/search/path.h"
#include "training/stream/stream.h"

/* Receives warnings, progress and the trace of a session; all zero: there is none. */
struct session_outputs {
    struct monitor_observer observer;
    FILE *trace; /* gets a row for each report; owned by the caller; NULL: none */
    /* is told the rows of a stream's progressive validation */
    struct progressive_visitor progressive;
};

struct training_session {
    struct training_request *request;
    /* the caller's rows; the weights are the session's copy. With --scale scaled */
    struct dataset data;
    double *widened;         /* the values of `data`, where they were floats; NULL: they were not */
    struct dataset unscaled; /* the rows before that */
    struct scaling scaling;
    struct scaled scaled;
    struct model *start; /* borrowed; NULL: training starts at 0 */
    /* in place of folds, or to end an online run; borrowed; set by the caller; NULL: none */
    const struct dataset *held_out;
    struct map *map;       /* of --map; NULL: none */
    struct dataset mapped; /* the image of the data under the map */
    struct basis basis;
    struct kernel_part kernel; /* for a solver of kernel expansions */
    double map_seconds;
    struct classes classes;
    double lambda;      /* of -l or -c */
    double *lambda_max; /* of each vector; infinite: not known */
    struct path_values values;
    struct journal journal;
    struct resumption resumption; /* of --checkpoint; zero bytes: none */
    struct monitor monitor;
    struct session_outputs outputs;

    struct progressive progressive; /* of a stream; without rows: of none */
    bool validated;                 /* `validation` has the results of the folds */
    struct cross_validation validation;
    struct early_stop early_stop; /* by the examples held out, without a path */
    bool trained;                 /* `model` is of the last value of `path` */
    struct model model;
    struct path path;

    bool warned; /* a warning was given: a run ended early, or a model is poor */
    bool failed; /* a run did not converge, or its model is not better than weights 0 */
};

#endif
