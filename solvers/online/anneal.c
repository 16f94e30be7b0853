/* anneal.c - epochs of doubling length whose step sizes fall to 0. */
#include "solvers/online/anneal.h"

#include <math.h>

/* Begins an epoch. If the steps after it are too few for an epoch of twice its length, they belong to it. */
static void begin_epoch(struct anneal *anneal, double length) {
    anneal->step = 0;
    anneal->length = anneal->left < 3 * length ? anneal->left : length;
    anneal->left -= anneal->length;
    anneal->inverse = anneal->length > 0 ? 1 / anneal->length : 0;
}

void anneal_init(struct anneal *anneal, double first, double limit) {
    anneal->left = limit;
    begin_epoch(anneal, fmax(ceil(first), 1));
}

bool anneal_advance(struct anneal *anneal) {
    if (++anneal->step < anneal->length)
        return false;
    begin_epoch(anneal, 2 * anneal->length);
    return true;
}
