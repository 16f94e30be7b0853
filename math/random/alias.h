/* alias.h - drawing an index with given probabilities in constant time (Walker 1977, Vose 1991). */
#ifndef RRM_ALIAS_H
#define RRM_ALIAS_H

#include "io/error.h"
#include "math/random/random.h"

#include <stdint.h>

struct alias {
    int64_t n;
    double *keep;   /* n; NULL: all equally likely */
    int64_t *other; /* n; NULL likewise */
};

/* Index i is drawn with probability weight[i]/sum (weight >= 0, sum > 0; NULL: all equal). */
int alias_init(struct alias *alias, const double *weight, int64_t n, struct error *e);
void alias_free(struct alias *alias);

static inline int64_t alias_draw(const struct alias *alias, struct random *random) {
    int64_t i = (int64_t)random_below(random, (uint64_t)alias->n);
    if (alias->keep == NULL)
        return i;
    return random_unit(random) < alias->keep[i] ? i : alias->other[i];
}

#endif
