/* words.h - distinct strings, numbered from 0 in the order in which they came.
 *
 * A hash table with linear probing, at most half full, over strings that lie one behind another: 17 bytes
 * a string besides its own, and one look at the table and one at the string a search. */
#ifndef RRM_WORDS_H
#define RRM_WORDS_H

#include "io/error.h"

#include <stdint.h>

struct words_slot {
    uint32_t hash;
    int32_t place; /* number of the string + 1; 0: free */
};

/* Zero it before the first use. */
struct words {
    int64_t count;
    int64_t *start; /* count + 1: where each begins in the text; it ends with a 0 */
    char *text;
    int64_t starts, bytes; /* room for so many */
    struct words_slot *slot;
    uint64_t slots; /* a power of 2; 0: there is none yet */
};

/* The number of a string of LENGTH bytes without a 0; -1: it is not there. */
int64_t words_find(const struct words *words, const char *text, int64_t length);

/* The same; a string that is not there is added. -1 with the error set: memory is short, or there are
 * more than svmlight data can have features. */
int64_t words_add(struct words *words, const char *text, int64_t length, struct error *e);

/* The string with this number. */
const char *words_text(const struct words *words, int64_t number);

void words_free(struct words *words);

#endif
