/* train.h - trains a model from data and a request.
 *
 *     session_prepare     applies the request to the data: classes, weights, map, default solver
 *     session_begin       starts the clock; finds the values of lambda
 *     session_validate    with folds: trains and measures each of them
 *     session_train       trains on all the data; session.model and session.path
 *     session_judge       warns if the model learned nothing; decides whether the run failed
 *     session_free
 *
 * For a stream of examples, session_stream replaces the first four. Each function is called once; after an error
 * only session_free is called. Nothing is printed: warnings and progress go to the observer. Several threads may
 * train at once, each with its session and its request; parallel loops use as many threads as OpenMP has for the
 * calling thread. */
#ifndef RRM_TRAIN_H
#define RRM_TRAIN_H

#include "training/session.h"
#include "training/session_warnings.h"

/* REQUEST is complete (choice.h); the default solver is chosen here. DATA, START and REQUEST outlive the session.
 * DATA are not changed. START (NULL: none), if it is a kernel model, is changed to a linear model over the map's
 * features. 0, or -1 with the error set. */
int session_prepare(struct training_session *session, struct training_request *request,
                    const struct dataset *data, struct model *start,
                    const struct session_outputs *outputs, struct error *e);

int session_begin(struct training_session *session, struct error *e);

/* Trains and measures the folds of the request, or trains on all data and measures the examples held out. With --path
 * they choose the last lambda of session_train. THEN_TRAINS: session_train follows and gets a share of the time limit.
 * Warns of runs that ended early and of poor models. A signal or the time limit is not an error. */
int session_validate(struct training_session *session, bool then_trains, struct error *e);

/* Whether the lambda for training is known: given by the request, or chosen by the folds. */
bool session_has_lambda(const struct training_session *session);

/* Trains on all data. VISITOR (NULL: none) is called with each model of a path. An error if folds were to choose
 * lambda and were interrupted. */
int session_train(struct training_session *session, const struct path_visitor *visitor,
                  struct error *e);

/* The results are saved: the checkpoint is removed, unless a signal or the time limit ended the training, which may go
 * on from there. */
void session_saved(struct training_session *session);

/* All steps but session_judge, for a solver that reads the examples from SOURCE one block at a time. START: as in
 * session_prepare. */
int session_stream(struct training_session *session, struct training_request *request,
                   const struct example_source *source, struct model *start,
                   const struct session_outputs *outputs, struct error *e);

/* The largest lambda_max of all vectors; infinite: not known. */
double session_lambda_max(const struct training_session *session);

/* The kernel of the model; NULL: none. */
const struct kernel *session_kernel(const struct training_session *session);

/* Frees the session; one of zero bytes is empty. */
void session_free(struct training_session *session);

#endif
