/* session_data.h - what a session trains on. */
#ifndef RRM_SESSION_DATA_H
#define RRM_SESSION_DATA_H

#include "training/session.h"

/* The data that the solver sees: mapped, if there is a map. */
const struct dataset *session_training_data(const struct training_session *session);

/* How many vectors are trained at once: all of a joint loss, else 1. */
int64_t session_vectors_at_once(const struct training_session *session);

/* The default solver for these data. */
const struct solver *session_default_solver(const struct training_session *session);

#endif
