/* state.h - what a run carries from step to step, as a list of numbers that is written to a file, or read from one.
 *
 * A function lists the numbers once, for both directions:
 *
 *     static void visit(struct state *state, void *context) {
 *         struct run *run = context;
 *         run->count = state_integer(state, run->count, 0, run->most);
 *         STATE_REALS(state, &run->objective, &run->bound);
 *         state_doubles(state, run->w, run->n);
 *     }
 *
 * Numbers that are read replace those in memory. Integers are checked against their range, so that an index is never
 * out of bounds. The first thing that does not fit fails the state; from then on nothing is read and integers are the
 * low ends of their ranges. The file ends with a checksum of all of it (io/cache/checksum.h). It is for the machine
 * that wrote it: numbers are as memory has them. */
#ifndef RRM_STATE_H
#define RRM_STATE_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state;

/* The one function of both directions. */
typedef void state_visit(struct state *state, void *context);

/* Begins a file that replaces PATH at state_commit, or not at all. NULL with the error set. */
struct state *state_create(const char *path, struct error *e);

/* Opens a file and compares its checksum. NULL with the error set. */
struct state *state_open(const char *path, struct error *e);

/* Waits until what was written is on the disk, and gives it its name. 0, or -1 with the error set and the old file
 * unchanged. Frees the state. */
int state_commit(struct state *state, struct error *e);

/* Closes without writing; NULL does nothing. */
void state_close(struct state *state);

/* A list in memory: what a visitor wrote. */
struct state_pack {
    char *bytes; /* NULL: nothing */
    int64_t count;
};

/* Writes the list of VISIT in place of what the pack holds; the caller frees its bytes. 0, or -1 with the error set and
 * an empty pack. */
int state_pack(struct state_pack *pack, state_visit *visit, void *context, struct error *e);

/* Lets VISIT read it. 0; 1: it does not fit; or -1 with the error set, which the visitor met. */
int state_unpack(const struct state_pack *pack, state_visit *visit, void *context, struct error *e);

/* Whether the state is read from a file; false: it is written. */
bool state_reads(const struct state *state);

/* Marks the state as one that does not fit: the visitor found it so. */
void state_fail(struct state *state);

/* Where a visitor lets an allocation write its error; the visitor fails the state, too. */
struct error *state_cause(struct state *state);

/* Whether something did not fit, or a write failed. */
bool state_failed(const struct state *state);

/* Whether all of the file was read. */
bool state_ended(const struct state *state);

/* Before memory for COUNT items of SIZE bytes is allocated: whether a file that is read has so many bytes left. If not,
 * the state has failed. */
bool state_holds(struct state *state, int64_t count, size_t size);

/* From here on: each writes what it is given, or reads into the same place or returns what is read. */

void state_bytes(struct state *state, void *bytes, int64_t count);

/* X, or what is read in its place: from LOW to HIGH. */
int64_t state_integer(struct state *state, int64_t x, int64_t low, int64_t high);

bool state_flag(struct state *state, bool x);

void state_reals(struct state *state, double *const *x, int count);
#define STATE_REALS(state, ...)                                                                    \
    state_reals(state, (double *const[]){__VA_ARGS__},                                             \
                (int)(sizeof(double *[]){__VA_ARGS__} / sizeof(double *)))

void state_doubles(struct state *state, double *x, int64_t count);

/* Each from LOW to HIGH. */
void state_ints(struct state *state, int *x, int64_t count, int low, int high);
void state_integers(struct state *state, int64_t *x, int64_t count, int64_t low, int64_t high);

/* A text of at most SIZE - 1 bytes and a 0. */
void state_text(struct state *state, char *text, int64_t size);

#endif
