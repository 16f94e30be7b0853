/* source.h - bytes from a plain file, a compressed one (by content: unpack.h) or standard input. */
#ifndef RRM_SOURCE_H
#define RRM_SOURCE_H

#include "io/error.h"
#include "io/interruption.h"

#include <stdbool.h>
#include <stdint.h>

struct source;

/* PATH "-" is standard input. NULL with the error set for a missing or unreadable file, a directory, an empty
 * name, or a file compressed in a format that is not read. */
struct source *source_open(const char *path, struct error *e);

/* A live source: source_read returns the bytes that a pipe has, without waiting for COUNT of them, and the source ends,
 * even within a line, once STOP says so, also where a named pipe has no writer yet. STOP is called several times a
 * second. */
struct source *source_open_live(const char *path, struct interruption stop, struct error *e);

/* Reads COUNT bytes, or fewer before the end or a read error. Returns the number of bytes, 0 at the end, or -1 with the
 * error set if none could be read (also for truncated or corrupt compressed data). */
int64_t source_read(struct source *source, char *bytes, int64_t count, struct error *e);

/* Reads exactly COUNT bytes at OFFSET of a file whose source_size is known, without changing the
 * position of source_read; several threads may call it. -1 with the error set, also if the file has become shorter. */
int source_read_at(const struct source *source, char *bytes, int64_t count, int64_t offset,
                   struct error *e);

/* Whether source_open_live opened it. */
bool source_live(const struct source *source);

/* Whether STOP ended the source. */
bool source_stopped(const struct source *source);

/* Restricts a source, from which nothing has been read yet, to its bytes FROM <= i < TO; offsets then count from FROM.
 * For a file whose source_size is known. 0, or -1 with the error set. */
int source_restrict(struct source *source, int64_t from, int64_t to, struct error *e);

/* The name for error messages. */
const char *source_name(const struct source *source);

/* Bytes of a plain regular file; -1 for compressed ones, pipes and standard input. */
int64_t source_size(const struct source *source);

/* Bytes of a regular compressed file as it is packed; -1 for others. */
int64_t source_packed_size(const struct source *source);

void source_close(struct source *source);

#endif
