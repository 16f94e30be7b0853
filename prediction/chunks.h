/* chunks.h - precision, recall and F1 of chunks in sequences of tags, as conlleval counts them (Tjong Kim Sang
 * & Buchholz 2000, CoNLL shared task).
 *
 * A tag is O, outside of all chunks, or PREFIX-TYPE; of a tag without "-" the type is empty. A chunk begins
 * at a B, at an E behind an O or an E, at an I behind an O, at an I behind an E, and at any tag but O whose
 * type is not that of the tag before; it ends where the next tag is B or O, behind an E, or of another type.
 * So I-NP I-NP, B-NP I-NP and, after an O, I-NP B-NP are as in the schemes IOB1, IOB2 and IOE. "[" and "]" are
 * chunks of one row. A found chunk is right when its type and both of its ends are. A label without a name here
 * counts as a chunk of a type of its own, whatever it is called in the data: conlleval on what `conll decode`
 * writes sees its name, and gives the official figure. */
#ifndef RRM_CHUNKS_H
#define RRM_CHUNKS_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The tags of a list, read once. */
struct chunk_tags;

/* Of COUNT names, which must outlive them. NULL with the error set. */
struct chunk_tags *chunk_tags_new(const char *const *names, int64_t count, struct error *e);

/* NULL does nothing. */
void chunk_tags_free(struct chunk_tags *tags);

/* Whether the tags are of chunks at all: some are B-TYPE, I-TYPE or E-TYPE. */
bool chunk_tags_any(const struct chunk_tags *tags);

struct chunk_counts {
    int64_t right, there, found; /* chunks in both, in the true tags, in the predicted ones */
};

/* Adds a sequence of true and predicted tags, numbers of names. -1 is a tag of a type that no name has, a
 * chunk that nothing else continues or is equal to. */
void chunk_counts_add(const struct chunk_tags *tags, const int32_t *truth, const int32_t *found,
                      int64_t length, struct chunk_counts *counts);

#endif
