/* unpack.h - the formats of compressed data that are read as if they were not: gzip by zlib; bzip2 and zstd where their
 * libraries are found when a program runs, so that no build needs them. */
#ifndef RRM_UNPACK_H
#define RRM_UNPACK_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A compressed file is members (frames) one behind another. */
struct unpack_format {
    const char *name, *program; /* "bzip2 -dc" prints what is packed */
    const char *library;        /* NULL: it is linked */
    const char *magic[2];       /* how a member begins, '?' for any byte; NULL: no second way */
    unsigned length[2];         /* of magic */
};

/* The formats that can be read; *count of them. */
const struct unpack_format *unpack_formats(int *count);

/* What is left to read and to write; unpack_step moves on. */
struct unpack_bytes {
    const unsigned char *in;
    size_t in_left;
    char *out;
    size_t out_left;
};

enum unpack_status { UNPACK_MORE, UNPACK_MEMBER_END, UNPACK_CORRUPT, UNPACK_NO_MEMORY };

struct unpacker;

/* NULL if the library of the format is missing or has no memory; for the latter the error is set. */
struct unpacker *unpack_begin(const struct unpack_format *format, struct error *e);

/* Unpacks what it can; perhaps nothing, where it needs more bytes. */
enum unpack_status unpack_step(struct unpacker *unpacker, struct unpack_bytes *bytes);

/* What is wrong with corrupt data; never NULL. */
const char *unpack_reason(const struct unpacker *unpacker);

/* Another member begins. False: there is no memory. */
bool unpack_restart(struct unpacker *unpacker);

void unpack_end(struct unpacker *unpacker);

#endif
