/* bpseq_uncross.c - the largest set of pairs of a structure in which no two pairs cross. Dynamic programming over
 * intervals of the paired positions, best(i,j) the largest number of such pairs within i .. j:
 *
 *     best(i,j) = max(best(i+1,j), 1 + best(i+1,p-1) + best(p+1,j)),  p the partner of i, i < p <= j */
#include "data/bpseq.h"

#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>

struct crossing {
    int64_t n;     /* paired positions */
    int32_t *at;   /* their positions in the sequence */
    int32_t *mate; /* the partner, as an index into `at` */
    int32_t *best; /* (n + 2) x (n + 1): [i][j - i + 1], which holds empty intervals too */
};

static int32_t *best_entry(const struct crossing *c, int64_t i, int64_t j) {
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

static void collect_paired(struct crossing *c, const int32_t *partner, int64_t length,
                           int32_t *number) {
    for (int32_t i = 0; i < length; i++)
        if (partner[i] >= 0) {
            number[i] = (int32_t)c->n;
            c->at[c->n++] = i;
        }
    for (int64_t k = 0; k < c->n; k++)
        c->mate[k] = number[partner[c->at[k]]];
}

/* The largest number of pairs within i .. j if the pair (i, its partner) is among them; -1: it is not within i .. j. */
static int32_t with_pair(const struct crossing *c, int64_t i, int64_t j) {
    int64_t p = c->mate[i];
    return p < i || p > j ? -1 : 1 + *best_entry(c, i + 1, p - 1) + *best_entry(c, p + 1, j);
}

static void fill_table(struct crossing *c) {
    for (int64_t i = c->n; i >= 0; i--) {
        *best_entry(c, i, i - 1) = 0;
        for (int64_t j = i; j < c->n; j++) {
            int32_t without = *best_entry(c, i + 1, j), with = with_pair(c, i, j);
            *best_entry(c, i, j) = with > without ? with : without;
        }
    }
}

/* Removes the pairs within i .. j that an optimal set does not have: follows the choices of fill_table(). */
static void remove_crossing(const struct crossing *c, int64_t i, int64_t j, int32_t *partner) {
    for (; i <= j; i++) {
        if (c->mate[i] < i && partner[c->at[i]] >= 0)
            continue; /* the right end of a pair that is kept, or an end of a removed pair */
        if (with_pair(c, i, j) == *best_entry(c, i, j)) {
            remove_crossing(c, i + 1, c->mate[i] - 1, partner);
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
    int64_t removed = -1;
    if (number == NULL)
        return -1;
    c.at = number + length;
    c.mate = c.at + length;
    if (!crosses(partner, length, number)) {
        free(number);
        return 0;
    }
    collect_paired(&c, partner, length, number);
    c.best = memory_new((c.n + 2) * (c.n + 1), sizeof *c.best, "pairs that cross", e);
    if (c.best != NULL) {
        fill_table(&c);
        removed = c.n / 2 - *best_entry(&c, 0, c.n - 1);
        remove_crossing(&c, 0, c.n - 1, partner);
    }
    free(c.best);
    free(number);
    return removed;
}
