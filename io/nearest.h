/* nearest.h - lists of names, and the one that a mistyped word most likely meant. */
#ifndef RRM_NEAREST_H
#define RRM_NEAREST_H

#include <stddef.h>

/* The NAMES (NULL at the end) nearest to WORD by edit distance, or NULL when none is near. */
const char *nearest_name(const char *word, const char *const *names);

/* "a, b, c" of the NAMES (NULL at the end) into TEXT, cut where it is full. */
void join_names(const char *const *names, char *text, size_t size);

#endif
