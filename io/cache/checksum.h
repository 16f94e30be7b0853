/* checksum.h - a 64-bit checksum that finds damaged files: any changed bit, a cut end, exchanged words. It does not
 * resist an attacker. */
#ifndef RRM_CHECKSUM_H
#define RRM_CHECKSUM_H

#include <stdint.h>

enum { CHECKSUM_LANES = 4 };

/* Zero it before the first bytes. */
struct checksum {
    uint64_t lane[CHECKSUM_LANES];
    uint64_t bytes;
};

/* Adds LENGTH bytes; a multiple of 32 but in the last call. */
void checksum_add(struct checksum *sum, const void *bytes, int64_t length);

uint64_t checksum_end(const struct checksum *sum);

#endif
