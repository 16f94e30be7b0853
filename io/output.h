/* output.h - writes a file so that it replaces the old one at the end or not at all.
 *
 * A regular file is written as a file without a name in the same folder (or under a temporary name, if the file
 * system has no files without names). output_commit flushes it and renames it over the old one. Until then the old
 * file is unchanged, and a program that is killed leaves no file. "-" is standard output; a device or pipe is
 * written directly. A file whose name ends in ".gz" is compressed by gzip, which all readers of librrm accept. */
#ifndef RRM_OUTPUT_H
#define RRM_OUTPUT_H

#include "io/error.h"

#include <stdint.h>
#include <stdio.h>

struct output;

/* NULL with the error set ("FILE: reason") when the folder cannot be written, or the name is empty. */
struct output *output_open(const char *path, struct error *e);

/* The same of a file that is never compressed: what reads it moves within it. */
struct output *output_open_plain(const char *path, struct error *e);

/* Where to print; owned by the output. */
FILE *output_stream(struct output *output);

/* Makes output_commit wait until the file is on the disk (fsync), so that it is complete even after a
 * crash of the machine. */
void output_make_durable(struct output *output);

/* -1 with the error set if a write has failed; for callers that want to stop early. */
int output_check(const struct output *output, struct error *e);

/* Writes COUNT bytes again, those from OFFSET on, which the stream has already had; for a plain file that replaces a
 * regular one. -1 with the error set. */
int output_rewrite(struct output *output, int64_t offset, const void *bytes, size_t count,
                   struct error *e);

/* A file without a name in the folder of PATH, to write and read again. fclose removes it, and so does the end of the
 * process. NULL with the error set. */
FILE *output_scratch(const char *path, struct error *e);

/* Flushes, renames and frees. 0, or -1 with the error set (a full disk, for instance) and the old
 * file unchanged. */
int output_commit(struct output *output, struct error *e);

/* Ends a file: commits it if STATUS is 0, abandons it otherwise. 0, or -1 with the error set, by the caller if STATUS
 * is not 0. An output that is NULL, because it could not be opened, gives -1. */
int output_end(struct output *output, int status, struct error *e);

/* Removes the temporary file, keeps the old file and frees the output; NULL does nothing. */
void output_abandon(struct output *output);

#endif
