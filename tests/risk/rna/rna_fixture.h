/* rna_fixture.h - short sequences and all of their structures. Include after cmocka.h. */
#ifndef RRM_RNA_FIXTURE_H
#define RRM_RNA_FIXTURE_H

#include "math/random/random.h"
#include "math/vector.h"
#include "risk/rna/rna_fold.h"
#include "tests/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RNA_SHORT = 64 };

struct rna_short {
    struct rna_sequence s;
    int8_t code[RNA_SHORT + 2];
};

/* From a word over A, C, G, U and N. */
static inline void rna_short_set(struct rna_short *a, const char *word) {
    static const char letters[] = "ACGU";
    int64_t n = (int64_t)strlen(word);
    assert_true(n <= RNA_SHORT);
    a->s = (struct rna_sequence){n, a->code + 1};
    a->code[0] = a->code[n + 1] = RNA_UNKNOWN;
    for (int64_t i = 0; i < n; i++) {
        const char *found = strchr(letters, word[i]);
        a->code[i + 1] = (int8_t)(found == NULL ? RNA_UNKNOWN : found - letters);
    }
}

/* Few A, so that much can pair; now and then an unknown base. */
static inline void rna_short_draw(struct rna_short *a, struct random *random, int64_t n) {
    char word[RNA_SHORT + 1] = "";
    for (int64_t i = 0; i < n; i++)
        word[i] = "ACCGGGUUN"[random_below(random, random_below(random, 4) == 0 ? 9 : 8)];
    rna_short_set(a, word);
}

/* The partners of a word of dots and brackets. */
static inline void rna_partners(const char *word, int32_t *partner) {
    int32_t open[RNA_SHORT * 8], count = 0;
    for (int32_t i = 0; word[i] != '\0'; i++) {
        partner[i] = -1;
        if (word[i] == '(')
            open[count++] = i;
        if (word[i] == ')') {
            partner[i] = open[--count];
            partner[partner[i]] = i;
        }
    }
    assert_int_equal(count, 0);
}

typedef void rna_visit(const struct rna_sequence *s, const int32_t *partner, void *more);

struct rna_walk {
    const struct rna_sequence *s;
    int32_t partner[RNA_SHORT], open[RNA_SHORT];
    bool opens[RNA_SHORT]; /* something behind could close it */
    rna_visit *visit;
    void *more;
};

static inline bool rna_may_pair(const struct rna_sequence *s, int64_t i, int64_t j) {
    char pair[3] = {"ACGUN"[s->base[i]], "ACGUN"[s->base[j]], 0};
    return strstr("AU UA CG GC GU UG", pair) != NULL;
}

/* Every position in turn is unpaired, opens a pair, or closes the last that is open: each nested structure
 * once. */
static inline void rna_walk_from(struct rna_walk *walk, int32_t i, int opened) {
    int64_t n = walk->s->length;
    if (opened > n - i)
        return;
    if (i == n) {
        walk->visit(walk->s, walk->partner, walk->more);
        return;
    }
    walk->partner[i] = -1;
    rna_walk_from(walk, i + 1, opened);
    if (walk->opens[i]) {
        walk->open[opened] = i;
        rna_walk_from(walk, i + 1, opened + 1);
    }
    if (opened == 0 || !rna_may_pair(walk->s, walk->open[opened - 1], i))
        return;
    int32_t first = walk->open[opened - 1];
    walk->partner[i] = first;
    walk->partner[first] = i;
    rna_walk_from(walk, i + 1, opened - 1);
    walk->partner[first] = -1;
    walk->open[opened - 1] = first;
}

static inline void rna_each(const struct rna_sequence *s, rna_visit *visit, void *more) {
    struct rna_walk walk = {.s = s, .visit = visit, .more = more};
    for (int64_t i = 0; i < s->length; i++)
        for (int64_t j = i + 1; j < s->length; j++)
            walk.opens[i] = walk.opens[i] || rna_may_pair(s, i, j);
    rna_walk_from(&walk, 0, 0);
}

#endif
