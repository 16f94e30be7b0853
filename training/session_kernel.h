/* session_kernel.h - the kernel of a session, with its map and the mapped examples. */
#ifndef RRM_SESSION_KERNEL_H
#define RRM_SESSION_KERNEL_H

#include "training/session.h"

/* Refuses numbers of landmarks, where the request has several, that are more than the examples or take too much memory.
 * 0, or -1 with the error set. */
int session_check_landmark_counts(const struct training_session *session, struct error *e);

/* Sets up the kernel part of the problem: with a map, this and the mapped examples, until the time limit (-t) or the
 * observer ends it. 0, or -1 with the error set; to be freed in either case. */
int session_prepare_kernel(struct training_session *session, struct error *e);

/* Another kernel may follow. */
void session_free_kernel(struct training_session *session);

#endif
