/* alias.c - Vose's construction: each of n equal slots holds at most two indices. */
#include "math/random/alias.h"

#include "io/memory.h"

#include <stdlib.h>

/* Fills the slots from `stack`: small ones grow up from 0, large ones down from n - 1. */
static void pair_up(struct alias *alias, int64_t *stack) {
    int64_t n = alias->n, small = 0, large = n, rich = 0;
    for (int64_t i = 0; i < n; i++)
        if (alias->keep[i] < 1)
            stack[small++] = i;
        else
            stack[--large] = i;
    while (small > 0 && large < n) {
        int64_t poor = stack[--small];
        rich = stack[large];
        alias->other[poor] = rich;
        alias->keep[rich] -= 1 - alias->keep[poor];
        if (alias->keep[rich] < 1) {
            large++;
            stack[small++] = rich;
        }
    }
    /* What rounding left over is 1 up to rounding; but what has no weight is never drawn. */
    while (large < n)
        alias->keep[rich = stack[large++]] = 1;
    while (small > 0) {
        int64_t poor = stack[--small];
        if (alias->keep[poor] > 0)
            alias->keep[poor] = 1;
        else
            alias->other[poor] = rich;
    }
}

int alias_init(struct alias *alias, const double *weight, int64_t n, struct error *e) {
    *alias = (struct alias){.n = n};
    if (weight == NULL)
        return 0;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += weight[i];
    int64_t *stack = memory_new(n, sizeof *stack, "the alias table", e);
    alias->keep = memory_new(n, sizeof *alias->keep, "the alias table", e);
    alias->other = memory_new(n, sizeof *alias->other, "the alias table", e);
    if (stack == NULL || alias->keep == NULL || alias->other == NULL) {
        free(stack);
        alias_free(alias);
        return -1;
    }
    for (int64_t i = 0; i < n; i++) {
        alias->keep[i] = weight[i] / sum * (double)n;
        alias->other[i] = i;
    }
    pair_up(alias, stack);
    free(stack);
    return 0;
}

void alias_free(struct alias *alias) {
    free(alias->keep);
    free(alias->other);
    *alias = (struct alias){0};
}
