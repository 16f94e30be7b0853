/* nearest.h - finds the name that a mistyped word is most similar to, and joins lists of names. */
#ifndef RRM_NEAREST_H
#define RRM_NEAREST_H

#include <stddef.h>

/* The NAMES (NULL at the end) nearest to WORD by edit distance, or NULL if none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* "a, b, c" of the NAMES (NULL at the end) into TEXT, cut to SIZE - 1 bytes. */
void join_names(const char *const *names, char *text, size_t size);

#endif
