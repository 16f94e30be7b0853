/* bpseq_uncross.c - the most pairs of a structure that do not cross: over its paired positions,
 *
 *     best(i,j) = max(best(i+1,j), 1 + best(i+1,p-1) + best(p+1,j)),  p <= j the partner of i */
#include "data/bpseq.h"

#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>

struct crossing {
    int64_t n;     /* paired positions */
    int32_t *at;   /* their places in the sequence */
    int32_t *mate; /* the number of the partner */
    int32_t *best; /* (n + 2) x (n + 1): [i][j - i + 1], so that empty intervals have a place */
};

static int32_t *best_of(const struct crossing *c, int64_t i, int64_t j) {
    return &c->best[i * (c->n + 1) + j - i + 1];
}

static bool crosses(const int32_t *partner, int64_t length, int32_t *open) {
    int64_t count = 0;
    for (int32_t i = 0; i < length; i++)
        if (partner[i] > i)
            open[count++] = i;
        else if (partner[i] >= 0 && open[--count] != partner[i])
            return true;
    return false;
}

static void take_paired(struct crossing *c, const int32_t *partner, int64_t length,
                        int32_t *number) {
    for (int32_t i = 0; i < length; i++)
        if (partner[i] >= 0) {
            number[i] = (int32_t)c->n;
            c->at[c->n++] = i;
        }
    for (int64_t k = 0; k < c->n; k++)
        c->mate[k] = number[partner[c->at[k]]];
}

/* What is best with the pair that begins at i, or -1. */
static int32_t with_pair(const struct crossing *c, int64_t i, int64_t j) {
    int64_t p = c->mate[i];
    return p < i || p > j ? -1 : 1 + *best_of(c, i + 1, p - 1) + *best_of(c, p + 1, j);
}

static void fill(struct crossing *c) {
    for (int64_t i = c->n; i >= 0; i--) {
        *best_of(c, i, i - 1) = 0;
        for (int64_t j = i; j < c->n; j++) {
            int32_t without = *best_of(c, i + 1, j), with = with_pair(c, i, j);
            *best_of(c, i, j) = with > without ? with : without;
        }
    }
}

/* Takes out of i .. j what the best leaves out. */
static void take_out(const struct crossing *c, int64_t i, int64_t j, int32_t *partner) {
    for (; i <= j; i++) {
        if (c->mate[i] < i && partner[c->at[i]] >= 0)
            continue; /* the end of a pair that stays, or one that is out already */
        if (with_pair(c, i, j) == *best_of(c, i, j)) {
            take_out(c, i + 1, c->mate[i] - 1, partner);
            i = c->mate[i];
            continue;
        }
        partner[c->at[c->mate[i]]] = -1;
        partner[c->at[i]] = -1;
    }
}

int64_t bpseq_uncross(int32_t *partner, int64_t length, struct error *e) {
    struct crossing c = {0};
    int32_t *number = memory_new(3 * length, sizeof *number, "pairs that cross", e);
    int64_t out = -1;
    if (number == NULL)
        return -1;
    c.at = number + length;
    c.mate = c.at + length;
    if (!crosses(partner, length, number)) {
        free(number);
        return 0;
    }
    take_paired(&c, partner, length, number);
    c.best = memory_new((c.n + 2) * (c.n + 1), sizeof *c.best, "pairs that cross", e);
    if (c.best != NULL) {
        fill(&c);
        out = c.n / 2 - *best_of(&c, 0, c.n - 1);
        take_out(&c, 0, c.n - 1, partner);
    }
    free(c.best);
    free(number);
    return out;
}
