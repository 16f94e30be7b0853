/* nearest.c - finds the name that a mistyped word is most similar to, and joins lists of names.
 *
 * Distance: insertions, deletions, replacements and swaps of neighbours (optimal string alignment),
 * in time O(product of the two lengths). */
#include "io/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LENGTH = 48 }; /* bytes of a word that is compared */

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int edit_distance(const char *a, const char *b) {
    int n = (int)strlen(a);
    int m = (int)strlen(b);
    int d[MAX_LENGTH + 1][MAX_LENGTH + 1];
    if (n > MAX_LENGTH || m > MAX_LENGTH)
        return MAX_LENGTH;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + 1,
                              d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

/* The edit distance; a prefix of the name of three letters or more counts as distance 1. */
static int distance_to(const char *word, const char *name) {
    size_t length = strlen(word);
    return length >= 3 && strncmp(word, name, length) == 0 ? 1 : edit_distance(word, name);
}

const char *nearest_name(const char *word, const char *const *names) {
    int allowed = 1 + (int)strlen(word) / 4;
    const char *best = NULL;
    for (; *names != NULL; names++) {
        int distance = distance_to(word, *names);
        if (distance <= allowed && distance < (int)strlen(*names)) {
            best = *names;
            allowed = distance - 1; /* another name must be nearer */
        }
    }
    return best;
}

void join_names(const char *const *names, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; names[i] != NULL && length < size; i++) {
        int n = snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", names[i]);
        length += (size_t)(n > 0 ? n : 0);
    }
}
