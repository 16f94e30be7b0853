/* words.h - distinct strings, numbered from 0 in the order in which they came.
 *
 * A hash table with linear probing, at most half full. The strings lie one after another in one buffer. A string takes
 * about 17 bytes besides its own; a search reads about one table entry and one string. */
#ifndef RRM_WORDS_H
#define RRM_WORDS_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct words_entry {
    uint32_t hash;
    int32_t number; /* of the string, plus 1; 0: the entry is free */
};

/* Zero it before the first use. */
struct words {
    int64_t count;
    int64_t *start; /* count + 1: offset of each string in `text`; a 0 ends it */
    char *text;
    int64_t starts, bytes; /* capacity of start and text */
    struct words_entry *entry;
    uint64_t entries; /* of the table, a power of 2; 0: none yet */
};

/* The number of the string TEXT of LENGTH bytes; -1: it is not in the table. */
int64_t words_find(const struct words *words, const char *text, int64_t length);

/* The same, but adds a string that is not in the table. -1 with the error set: no memory, or more strings than svmlight
 * data can have features. */
int64_t words_add(struct words *words, const char *text, int64_t length, struct error *e);

/* The number of the string counted from 1. One that is not in the table is added, or is 0 if CLOSED; -1 with the error
 * set. */
int64_t words_number(struct words *words, const char *text, int64_t length, bool closed,
                     struct error *e);

/* The string with this number. */
const char *words_text(const struct words *words, int64_t number);

/* Calls REPLACE for each string, which it may shorten in place; words_find does not find the new ones. */
void words_replace(struct words *words, void (*replace)(char *text));

void words_free(struct words *words);

#endif
