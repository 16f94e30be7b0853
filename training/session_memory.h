/* session_memory.h - the memory that a run takes, as far as that is known before it begins. */
#ifndef RRM_SESSION_MEMORY_H
#define RRM_SESSION_MEMORY_H

#include "training/defaults/solver_memory.h"
#include "training/session.h"

/* Bytes. */
struct session_memory {
    double examples; /* of this process's data and, after --map, mapped examples, in memory */
    double window;   /* of examples that are read or computed again in each pass; 0: none */
    double weights;  /* all weight vectors */
    struct solver_memory solver;
    double all; /* of the program with what stays in memory; without what passes add */
};

enum { MEMORY_REMEDY_SIZE = 96 };

/* Of a session that is prepared. */
struct session_memory session_memory_of(const struct training_session *session);

/* Whether that is more than there is; pages of a file that is mapped do not count, as they go and come again. Of kernel
 * machines the rows that they need are not known before: false. NEEDED: bytes. REMEDY: what takes less, "use ...". */
bool session_memory_exceeds(const struct training_session *session,
                            const struct session_memory *memory, double *needed,
                            char remedy[MEMORY_REMEDY_SIZE]);

/* Warns of such a run: the system may end it at any moment, without a word. */
void session_warn_of_memory(struct training_session *session);

#endif
