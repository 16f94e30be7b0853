/* train.h - from data and a request to a model.
 *
 *     session_prepare     what the request makes of the data: classes, weights, map, the default solver
 *     session_begin       the clock starts; the values of lambda are found
 *     session_validate    with folds: trains and measures each
 *     session_train       trains on all the data; session.model and session.path
 *     session_judge       warns of what the model is worth, and says whether the run failed
 *     session_free
 *
 * Examples that come once a pass take session_stream in place of the first four. Each function is called
 * once; after an error, session_free alone. Nothing is printed: warnings and progress go to the observer.
 * Several threads may train at once, each with a session and a request of its own; parallel loops use as
 * many threads as OpenMP has for the calling thread. */
#ifndef RRM_TRAIN_H
#define RRM_TRAIN_H

#include "training/cross_validation.h"
#include "training/path.h"
#include "training/stream.h"

/* Where the course of a session is told; all zero: nowhere. */
struct session_outputs {
    struct monitor_observer observer;
    FILE *trace; /* a row a report; NULL: none. The caller's */
};

struct training_session {
    struct training_request *request;
    struct dataset data;   /* the caller's rows, with weights of the session's own */
    struct model *start;   /* the caller's; NULL: from 0 */
    struct map *map;       /* of --map; NULL without */
    struct dataset mapped; /* the data as the map gives them */
    struct basis basis;
    struct kernel_part kernel; /* of a solver that expands */
    double map_seconds;
    struct classes classes;
    double lambda;      /* of -l or -c */
    double *lambda_max; /* of each vector; infinite where it is not known */
    struct path_values values;
    struct monitor monitor;
    struct session_outputs outputs;

    bool validated; /* `validation` is what the folds came to */
    struct cross_validation validation;
    bool trained; /* `model` is of the last value of `path` */
    struct model model;
    struct path path;

    bool warned; /* of a run that ended before its time, or of a poor model */
    bool failed; /* a run has not converged, or its model is no better than all weights 0 */
};

/* REQUEST is complete (choice.h); the default solver is chosen here. DATA, START and REQUEST outlive the
 * session. DATA stay as they are; START (NULL: none), a model over a map, becomes one over what the map gives.
 * 0, or -1 with the error set. */
int session_prepare(struct training_session *session, struct training_request *request,
                    const struct dataset *data, struct model *start,
                    const struct session_outputs *outputs, struct error *e);

int session_begin(struct training_session *session, struct error *e);

/* The folds of the request; those of a path choose the value that session_train ends with. THEN_TRAINS:
 * session_train follows, and has its share of the time limit. Warns of what came early, and of poor models.
 * A signal or the time limit is no error. */
int session_validate(struct training_session *session, bool then_trains, struct error *e);

/* Whether there is a lambda to train with: that of the request, or what the folds chose. */
bool session_has_lambda(const struct training_session *session);

/* The visitor (NULL: none) sees each model of a path. After folds that did not come to an end there is no
 * lambda to train with, which is an error. */
int session_train(struct training_session *session, const struct path_visitor *visitor,
                  struct error *e);

/* Warns of a model that came early, or has learned nothing. Once the model is kept. */
void session_judge(struct training_session *session);

/* All of it, but session_judge, for a solver that meets the examples as they come from SOURCE. */
int session_stream(struct training_session *session, struct training_request *request,
                   const struct example_source *source, const struct session_outputs *outputs,
                   struct error *e);

/* The largest lambda_max of a vector; infinite where it is not known. */
double session_lambda_max(const struct training_session *session);

/* The kernel of the model; NULL: it has none. */
const struct kernel *session_kernel(const struct training_session *session);

/* One that is all zero is free. */
void session_free(struct training_session *session);

#endif
