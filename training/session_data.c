/* session_data.c - what a session trains on. */
#include "training/session_data.h"

#include "training/defaults/choice.h"

const struct dataset *session_training_data(const struct training_session *s) {
    return s->map != NULL ? &s->mapped : &s->data;
}

int64_t session_vectors_at_once(const struct training_session *s) {
    return s->classes.joint ? s->classes.labels : 1;
}

const struct solver *session_default_solver(const struct training_session *s) {
    return request_default_solver(s->request, session_training_data(s), session_vectors_at_once(s),
                                  s->lambda);
}
