/* source.h - bytes from a plain file, a gzip file (by content) or standard input. */
#ifndef RRM_SOURCE_H
#define RRM_SOURCE_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct source;

/* PATH "-" is standard input. NULL with the error set for a missing or unreadable file, a directory, an empty
 * name, or what another program than gzip has compressed. */
struct source *source_open(const char *path, struct error *e);

/* Reads COUNT bytes, less only before the end or a fault; returns how many, 0 at the end, or -1
 * with the error set when nothing could be read (also for truncated or corrupt gzip). */
int64_t source_read(struct source *source, char *bytes, int64_t count, struct error *e);

/* Reads exactly COUNT bytes at OFFSET of a file whose source_size is known, without moving the
 * source; any thread may. -1 with the error set, also when the file is shorter by now. */
int source_read_at(const struct source *source, char *bytes, int64_t count, int64_t offset,
                   struct error *e);

/* From now on what a pipe has so far is handed out, rather than waited for until COUNT bytes are there,
 * and the source ends, in the middle of whatever it is, when STOP returns true: asked several times a
 * second. */
void source_make_live(struct source *source, bool (*stop)(void));

bool source_live(const struct source *source);

/* Whether it was STOP that ended it. */
bool source_stopped(const struct source *source);

/* What error messages call it. */
const char *source_name(const struct source *source);

/* Bytes of a plain regular file; -1 for gzip, pipes and standard input. */
int64_t source_size(const struct source *source);

void source_close(struct source *source);

#endif
