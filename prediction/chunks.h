/* chunks.h - precision, recall and F1 of chunks in sequences of tags, as conlleval counts them (Tjong Kim Sang &
 * Buchholz 2000, CoNLL shared task).
 *
 * A tag is O (outside of all chunks) or PREFIX-TYPE; a tag without "-" has the empty type. A chunk begins at a B,
 * at an E after an O or an E, at an I after an O or an E, and at any tag but O whose type differs from that of the
 * previous tag. It ends before a B or O, after an E, and before a tag of another type. So the schemes IOB1, IOB2
 * and IOE are all read correctly. "[" and "]" are chunks of one row. A predicted chunk is right if its type and
 * both of its ends are. A label without a name counts as a chunk of a separate type, whatever its name in the data
 * is; for the official figure run conlleval on the output of `conll decode`, which has the names. */
#ifndef RRM_CHUNKS_H
#define RRM_CHUNKS_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The parsed tags of a list of names. */
struct chunk_tags;

/* Parses COUNT names, which must outlive the result. NULL with the error set. */
struct chunk_tags *chunk_tags_new(const char *const *names, int64_t count, struct error *e);

/* NULL does nothing. */
void chunk_tags_free(struct chunk_tags *tags);

/* Whether some tags denote chunks: B-TYPE, I-TYPE or E-TYPE. */
bool chunk_tags_any(const struct chunk_tags *tags);

struct chunk_counts {
    int64_t right, there, found; /* the number of correct, of true and of predicted chunks */
};

/* Adds a sequence of true and predicted tags, as indices of names. -1: a tag with no name; it is a chunk of one row
 * that equals no other. */
void chunk_counts_add(const struct chunk_tags *tags, const int32_t *truth, const int32_t *found,
                      int64_t length, struct chunk_counts *counts);

#endif
