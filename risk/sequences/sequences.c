/* sequences.c - maximum-margin Markov networks and conditional random fields; see sequences.h. */
#include "risk/sequences/sequences.h"

#include "math/lambert.h"
#include "risk/items.h"
#include "risk/sequences/chain.h"
#include "risk/sequences/sequence_offsets.h"

#include <math.h>
#include <string.h>

struct sequences_risk {
    struct items items; /* first */
    struct chain chain;
    struct sequence_offsets offsets; /* zeroed without offsets */
};

static const struct chain *chain_of(const struct items *items) {
    return &((const struct sequences_risk *)items)->chain;
}

/* ---- one sequence */

struct sequence {
    int64_t length, labels;
    const double *y;  /* length */
    double *marginal; /* length x labels */
    int32_t *best;    /* length */
    void *work;       /* of the chain */
};

static int64_t length_of(const struct items *items, int64_t i) {
    return items_end(items, i) - items_first(items, i);
}

static struct sequence sequence_of(const struct items *items, int64_t i, void *work) {
    int64_t length = length_of(items, i);
    struct sequence s = {.length = length,
                         .labels = items->width,
                         .y = items->target + items_first(items, i),
                         .marginal = work};
    s.work = s.marginal + length * s.labels;
    s.best = (int32_t *)((char *)s.work + chain_work_bytes(s.labels, length));
    return s;
}

/* s(y), summed in the order of chain_best, so that the score of the best sequence is equal to the bit. */
static double score(const struct sequence *s, const double *u, const double *v) {
    int64_t before = (int64_t)s->y[0];
    double sum = u[before];
    for (int64_t t = 1; t < s->length; t++) {
        int64_t k = (int64_t)s->y[t];
        sum = (sum + v[before * s->labels + k]) + u[t * s->labels + k];
        before = k;
    }
    return sum;
}

/* Subtracts phi(y) of the true labels from the derivatives. */
static void subtract_true(const struct sequence *s, double *by_node, double *by_edge) {
    int64_t before = 0;
    for (int64_t t = 0; t < s->length; t++) {
        int64_t k = (int64_t)s->y[t];
        by_node[t * s->labels + k] -= 1;
        if (t > 0)
            by_edge[before * s->labels + k] -= 1;
        before = k;
    }
}

/* Adds 1 to u_t(k) for every k that is not the row's label. */
static void add_mistakes(const struct sequence *s, double *u) {
    for (int64_t t = 0; t < s->length; t++, u += s->labels) {
        double true_score = u[(int64_t)s->y[t]];
        for (int64_t k = 0; k < s->labels; k++)
            u[k] += 1;
        u[(int64_t)s->y[t]] = true_score;
    }
}

/* The offsets, stored behind the transitions; NULL: none. */
static const double *offsets_of(const struct items *items, const double *v) {
    int64_t transitions = sequences_shared(items->width);
    return items->shared > transitions ? v + transitions : NULL;
}

/* u_t += the offsets */
static void add_offsets(const struct items *items, const struct sequence *s, double *u,
                        const double *v) {
    const double *b = offsets_of(items, v);
    for (int64_t t = 0; b != NULL && t < s->length; t++)
        for (int64_t k = 0; k < s->labels; k++)
            u[t * s->labels + k] += b[k];
}

/* Adds the derivatives by the offsets: the sums of those by the rows' scores. */
static void add_offset_derivatives(const struct items *items, const struct sequence *s,
                                   const double *u, double *by_shared) {
    double *b = (double *)offsets_of(items, by_shared);
    for (int64_t t = 0; b != NULL && t < s->length; t++)
        for (int64_t k = 0; k < s->labels; k++)
            b[k] += u[t * s->labels + k];
}

/* ---- the losses */

static double crf_value(const struct items *items, int64_t i, double *u, const double *v, double mu,
                        double *by_shared, double *constant, void *work) {
    const struct sequence s = sequence_of(items, i, work);
    (void)mu;
    (void)constant;
    add_offsets(items, &s, u, v);
    double *marginal = by_shared == NULL ? NULL : s.marginal;
    double value = chain_sum(chain_of(items), u, s.length, marginal, by_shared, s.work);
    value -= score(&s, u, v);
    if (by_shared != NULL) {
        memcpy(u, marginal, sizeof *u * (size_t)(s.length * s.labels));
        subtract_true(&s, u, by_shared);
        add_offset_derivatives(items, &s, u, by_shared);
    }
    return value;
}

/* Overwrites the scores with the indicators of the best sequence, and counts its transitions. */
static void set_best(const struct sequence *s, double *u, double *by_shared) {
    memset(u, 0, sizeof *u * (size_t)(s->length * s->labels));
    for (int64_t t = 0; t < s->length; t++) {
        u[t * s->labels + s->best[t]] = 1;
        if (t > 0)
            by_shared[s->best[t - 1] * s->labels + s->best[t]] += 1;
    }
}

static double m3n_exact(const struct items *items, const struct sequence *s, double *u,
                        const double *v, double *by_shared) {
    double best, true_score = score(s, u, v);
    add_mistakes(s, u);
    chain_best(chain_of(items), u, s->length, s->best, &best, s->work);
    if (by_shared != NULL) {
        set_best(s, u, by_shared);
        subtract_true(s, u, by_shared);
    }
    return best - true_score;
}

static double m3n_smooth(const struct items *items, const struct sequence *s, double *u,
                         const double *v, double mu, double *by_shared, double *constant) {
    double true_score = score(s, u, v), sum = 0;
    double *marginal = by_shared == NULL ? NULL : s->marginal;
    add_mistakes(s, u);
    double best = chain_sum(chain_of(items), u, s->length, marginal, by_shared, s->work);
    if (by_shared != NULL) {
        memcpy(u, marginal, sizeof *u * (size_t)(s->length * s->labels));
        for (int64_t t = 0; t < s->length; t++)
            for (int64_t k = 0; k < s->labels; k++)
                sum += k == (int64_t)s->y[t] ? 0 : u[t * s->labels + k];
        *constant = sum;
        subtract_true(s, u, by_shared);
    }
    return best - mu * (double)s->length * log((double)s->labels) - true_score;
}

static double m3n_value(const struct items *items, int64_t i, double *u, const double *v, double mu,
                        double *by_shared, double *constant, void *work) {
    const struct sequence s = sequence_of(items, i, work);
    add_offsets(items, &s, u, v);
    double value = mu > 0 ? m3n_smooth(items, &s, u, v, mu, by_shared, constant)
                          : m3n_exact(items, &s, u, v, by_shared);
    if (by_shared != NULL)
        add_offset_derivatives(items, &s, u, by_shared);
    return value;
}

/* ---- constants */

/* log K^length */
static double entropy(const struct items *items, int64_t i) {
    return (double)length_of(items, i) * log((double)items->width);
}

static double lipschitz(const struct items *items, int64_t i) {
    double sum = 0, edges = (double)length_of(items, i) - 1;
    double free = items->shared > sequences_shared(items->width); /* the offset's feature is 1 */
    for (int64_t r = items_first(items, i); r < items_end(items, i); r++)
        sum += sqrt(items_row_square(items, r) + free);
    return sqrt(2 * (sum * sum + edges * edges));
}

static double m3n_norm_bound(const struct items *items, int64_t i) {
    return (double)length_of(items, i);
}

static double crf_norm_bound(const struct items *items, int64_t i) {
    double log_count = entropy(items, i);
    return lambert_of_exp(log_count + log1p(-exp(-log_count)) - 1);
}

static void m3n_prepare(struct items *items, const double *v, double mu) {
    chain_set(&((struct sequences_risk *)items)->chain, v, mu);
}

static void crf_prepare(struct items *items, const double *v, double mu) {
    (void)mu;
    chain_set(&((struct sequences_risk *)items)->chain, v, 1);
}

static double profile(struct items *items, double *w, bool again, double slack, double *gradient,
                      double *constant) {
    return sequence_offsets_profile(&((struct sequences_risk *)items)->offsets, w, again, slack,
                                    gradient, constant);
}

static void visit(struct items *items, struct state *state) {
    struct sequence_offsets *offsets = &((struct sequences_risk *)items)->offsets;
    if (offsets->items != NULL) /* there are any */
        sequence_offsets_visit(offsets, state);
}

static void free_sequences(struct items *items) {
    chain_free(&((struct sequences_risk *)items)->chain);
    sequence_offsets_free(&((struct sequences_risk *)items)->offsets);
}

/* ---- the risks */

static const struct item_loss m3n = {
    .name = "m3n",
    .prepare = m3n_prepare,
    .value = m3n_value,
    .lipschitz = lipschitz,
    .norm_bound = m3n_norm_bound,
    .smoothing = entropy,
    .profile = profile,
    .visit = visit,
    .free = free_sequences,
};

static const struct item_loss crf = {
    .name = "crf",
    .prepare = crf_prepare,
    .value = crf_value,
    .lipschitz = lipschitz,
    .norm_bound = crf_norm_bound,
    .profile = profile,
    .visit = visit,
    .free = free_sequences,
};

int64_t sequences_shared(int64_t labels) {
    return labels * labels;
}

static struct risk *make(const struct item_loss *loss, const struct risk_settings *settings,
                         struct error *e) {
    int64_t labels = settings->labels, length = dataset_largest_group(settings->scalar.data);
    struct sequences_risk *r = items_new(sizeof *r, loss, e);
    if (r == NULL)
        return NULL;
    int64_t offsets = settings->scalar.intercept ? labels : 0;
    struct items_settings items = {
        .scalar = &settings->scalar,
        .loss = loss,
        .grouped = true,
        .attested = settings->state_features == STATE_FEATURES_ATTESTED,
        .width = labels,
        .shared = sequences_shared(labels) + offsets,
        .offsets = offsets,
        .work_bytes = chain_work_bytes(labels, length) +
                      (size_t)length * (sizeof(double) * (size_t)labels + sizeof(int32_t))};
    if (chain_init(&r->chain, labels, e) != 0 || items_init(&r->items, &items, e) != 0 ||
        (offsets > 0 &&
         sequence_offsets_init(&r->offsets, &r->items, loss->smoothing != NULL, e) != 0)) {
        risk_free(&r->items.risk);
        return NULL;
    }
    return &r->items.risk;
}

struct risk *m3n_risk_new(const struct risk_settings *settings, struct error *e) {
    return make(&m3n, settings, e);
}

struct risk *crf_risk_new(const struct risk_settings *settings, struct error *e) {
    return make(&crf, settings, e);
}
