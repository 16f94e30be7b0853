/* checkpoint.h - the file from which a run that was ended goes on (--checkpoint).
 *
 * A run is nested: the values of a path, the vectors of a model, the iterations of a solver. Each of these levels
 * enters with a function that lists what it carries (io/state/state.h), the outer ones first, and leaves at its end.
 * The file has the levels that were entered when it was written, at a safe point of the innermost. A later run of the
 * same command enters the same levels in the same order; each reads its part when it enters. */
#ifndef RRM_CHECKPOINT_H
#define RRM_CHECKPOINT_H

#include "io/error.h"
#include "io/state/state.h"

struct checkpoint;

struct checkpoint_settings {
    const char *path;
    double seconds;      /* between two states that are written */
    const char *command; /* lines "NAME VALUE": what must be the same in a run that goes on */
};

/* Opens the file if there is one and checks that it is of this version and command. The settings' texts outlive it.
 * NULL with the error set; the caller frees it. */
struct checkpoint *checkpoint_new(const struct checkpoint_settings *settings, struct error *e);

/* The file stays as it is. NULL does nothing. */
void checkpoint_free(struct checkpoint *checkpoint);

/* Whether there are levels to read yet. */
bool checkpoint_reads(const struct checkpoint *checkpoint);

enum checkpoint_entry { CHECKPOINT_REFUSED = -1, CHECKPOINT_BEGINS, CHECKPOINT_GOES_ON };

/* A level begins; VISIT reads its part of the file, if there is one. CHECKPOINT_REFUSED with the error set if that does
 * not fit. */
enum checkpoint_entry checkpoint_enter(struct checkpoint *checkpoint, state_visit *visit,
                                       void *context, struct error *e);

/* The number of levels entered, and leaves all but the first DEPTH. */
int checkpoint_depth(const struct checkpoint *checkpoint);
void checkpoint_leave(struct checkpoint *checkpoint, int depth);

/* Whether the seconds are over since the last write. */
bool checkpoint_due(const struct checkpoint *checkpoint);

/* Writes all levels. 0, or -1 with the error set and the old file unchanged. */
int checkpoint_write(struct checkpoint *checkpoint, struct error *e);

/* From now on nothing is written: a part of the run was cut off, and a later run takes it up where the file has it. */
void checkpoint_stop(struct checkpoint *checkpoint);

/* Removes the file: the run is over. */
void checkpoint_remove(const struct checkpoint *checkpoint);

#endif
