/* session_warnings.h - what a session says of its results: limits, poor models, what is not proved. */
#ifndef RRM_SESSION_WARNINGS_H
#define RRM_SESSION_WARNINGS_H

#include "training/session.h"

/* Warns of a run that ended early or a model that learned nothing. Called after the model is saved. */
void session_judge(struct training_session *session);

/* Warns of the folds, or of what the held-out examples were measured by, as session_judge does of the model. */
void session_warn_of_validation(struct training_session *session);

#endif
