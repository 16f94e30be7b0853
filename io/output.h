/* output.h - files that are replaced whole or not at all.
 *
 * A regular file is written as a file without a name in the same folder (where the file system has
 * none, under a temporary one), then flushed, named and renamed over the old one; until
 * output_commit succeeds the old file stays as it was, and a program that is killed leaves nothing
 * behind. "-" is standard output; a device or pipe is written directly. What has a name that ends in ".gz" is
 * written as gzip, which all readers here take. */
#ifndef RRM_OUTPUT_H
#define RRM_OUTPUT_H

#include "io/error.h"

#include <stdio.h>

struct output;

/* NULL with the error set ("FILE: reason") when the folder cannot be written, or the name is empty. */
struct output *output_open(const char *path, struct error *e);

/* Where to print; owned by the output. */
FILE *output_stream(struct output *output);

/* Makes output_commit wait until the file is on the disk (fsync), so that not even a crash of the
 * machine leaves half of it. */
void output_make_durable(struct output *output);

/* -1 with the error set when a write has failed so far; to stop long work early. */
int output_check(const struct output *output, struct error *e);

/* Flushes, renames and frees. 0, or -1 with the error set (full disk included) and the old
 * file untouched. */
int output_commit(struct output *output, struct error *e);

/* Gives up: removes the temporary file and frees; NULL does nothing. */
void output_abandon(struct output *output);

#endif
