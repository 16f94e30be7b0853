/* distributed.c - the sums over processes of the risks of each one's rows; see distributed.h. */
#include "risk/distributed.h"

#include "io/memory.h"
#include "risk/distributed_offset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct distributed_risk {
    struct risk risk;      /* first */
    struct risk_kind kind; /* with the functions that the parts have, too */
    struct risk *local;
    struct communicator *communicator;
    struct distributed_offset *offset; /* NULL: all weights are regularized */
};

static struct distributed_risk *of(const struct risk *risk) {
    return (struct distributed_risk *)risk;
}

/* A number below 2^40 from the bits of w: sums of thousands of them are exact. */
static double fingerprint(const double *w, int64_t n) {
    uint64_t hash = 1469598103934665603u, bits;
    for (int64_t j = 0; j < n; j++) {
        memcpy(&bits, &w[j], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return (double)((hash ^ hash >> 32) & ((UINT64_C(1) << 40) - 1));
}

/* All processes evaluate at the same point; on machines of different kinds their rounding may differ. */
static void check_point(struct communicator *c, double own, double sum) {
    if (sum != own * c->size)
        c->abort(c, "the processes computed different weights; run them on machines with "
                    "processors of one kind");
}

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    struct distributed_risk *r = of(risk);
    double own = fingerprint(w, risk->dimension), t = -INFINITY;
    double value = r->local->kind->evaluate(r->local, w, mu, gradient, &t);
    double sums[] = {value, t, own};
    if (gradient != NULL)
        communicator_sum(r->communicator, gradient, risk->dimension);
    communicator_sum_few(r->communicator, sums, 3);
    check_point(r->communicator, own, sums[2]);
    if (constant != NULL)
        *constant = sums[1];
    return sums[0];
}

static void lipschitz(const struct risk *risk, double *constant, double *slope) {
    struct distributed_risk *r = of(risk);
    r->local->kind->lipschitz(r->local, constant, slope);
    *constant = communicator_largest_real(r->communicator, *constant);
    *slope = communicator_largest_real(r->communicator, *slope);
}

static double norm_bound(const struct risk *risk) {
    struct distributed_risk *r = of(risk);
    return communicator_sum_one(r->communicator, r->local->kind->norm_bound(r->local));
}

/* The same of a scalar loss. */
static void scalar_squares(const struct distributed_risk *r, double *square) {
    const struct scalar_terms *terms = r->local->scalar;
    const struct dataset *data = terms->design->data;
    double bias = terms->design->bias;
    memset(square, 0, sizeof *square * (size_t)r->risk.dimension);
    for (int64_t i = 0; i < data->rows; i++) {
        const int32_t *column = dataset_columns(data, i);
        const double *value = dataset_values(data, i);
        double share = scalar_weight(terms, i) / terms->weight_sum;
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            square[column[k]] += share * (value == NULL ? 1 : value[k] * value[k]);
        if (bias >= 0)
            square[data->features] += share * bias * bias;
    }
    communicator_sum(r->communicator, square, r->risk.dimension);
}

static void squares(const struct risk *risk, double *square) {
    struct distributed_risk *r = of(risk);
    if (r->local->scalar != NULL)
        scalar_squares(r, square);
    else
        r->local->kind->squares(r->local, square); /* of all processes (items.c) */
}

/* D of a scalar loss with kinks: the mean of a^2/2 at the largest |a|. */
static double scalar_smoothing(const struct scalar_terms *terms) {
    double sum = 0;
    if (terms->loss->second != NULL)
        return 0;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double a = terms->loss->lipschitz(scalar_target(terms, i), &terms->parameters);
        sum += scalar_weight(terms, i) * a * a / 2;
    }
    return sum / terms->weight_sum;
}

static void find_smoothing(struct distributed_risk *r) {
    const struct scalar_terms *terms = r->local->scalar;
    double own = terms != NULL ? scalar_smoothing(terms) : r->local->smoothing;
    r->risk.smoothing = communicator_sum_one(r->communicator, own);
}

static int smooth(const struct risk *risk, struct error *e) {
    struct distributed_risk *r = of(risk);
    if (communicator_agree(r->communicator, risk_smooth(r->local, e), e) != 0)
        return -1;
    find_smoothing(r);
    return 0;
}

static double profile(const struct risk *risk, double *w, bool again, double slack,
                      double *gradient, double *constant) {
    (void)again; /* always from the last offset */
    (void)slack; /* it is found to rounding */
    return distributed_offset_profile(of(risk)->offset, risk, w, gradient, constant);
}

static void distributed_free(struct risk *risk) {
    distributed_offset_free(of(risk)->offset);
    risk_free(of(risk)->local);
    free(risk);
}

static struct risk_kind kind_of(const struct risk_kind *local) {
    return (struct risk_kind){.name = local->name,
                              .evaluate = evaluate,
                              .lipschitz = local->lipschitz == NULL ? NULL : lipschitz,
                              .norm_bound = local->norm_bound == NULL ? NULL : norm_bound,
                              .smooth = smooth,
                              .squares = squares,
                              .profile = profile,
                              .free = distributed_free};
}

struct risk *distributed_risk_new(struct risk *local, struct communicator *communicator,
                                  bool scores, struct error *e) {
    struct distributed_risk *r = memory_zeroed(1, sizeof *r, "the risk", e);
    if (r == NULL) {
        risk_free(local);
        return NULL;
    }
    r->local = local;
    r->communicator = communicator;
    r->kind = kind_of(local->kind);
    r->risk = (struct risk){
        .kind = &r->kind, .dimension = local->dimension, .regularized = local->regularized};
    r->risk.scalar = scores ? local->scalar : NULL;
    r->risk.hides_scores = !scores && local->scalar != NULL;
    find_smoothing(r);
    if (local->dimension == local->regularized || scores)
        return &r->risk;
    r->offset = distributed_offset_new(local->scalar, e);
    if (r->offset == NULL) {
        distributed_free(&r->risk);
        return NULL;
    }
    return &r->risk;
}
