/* f1_smooth.c - which counts matter, their weights, and the flips under these. */
#include "risk/multivariate/f1_smooth.h"

#include "io/memory.h"
#include "math/exponential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double log_tail = 60; /* exp(-log_tail) of Z is left out at most a few times */
static const double log_slack = 4; /* between bounds */
static const double negligible_weight = 1e-24; /* a weight */

/* ---- the counts that matter */

static void begin(struct f1_smooth *s, const struct multivariate *m, double mu) {
    for (int k = 0; k < SIDES; k++) {
        const struct multivariate_side *side = &m->side[k];
        for (int64_t j = 0; j < side->count; j++) {
            s->x[k][j] = -side->sorted[j].score / mu;
            s->sum[k][j + 1] = s->sum[k][j] + s->x[k][j];
        }
        subset_sums_begin(&s->sums[k], s->x[k], s->sum[k]);
    }
}

/* The least c from which, or the largest up to which, V(b, c) >= cut, on either side of the peak c. */
static int64_t find_end(const struct f1_sums *sums, int64_t b, int64_t peak, int64_t end,
                        double cut) {
    int64_t inside = peak, outside = end;
    if (f1_value(sums, b, end) >= cut)
        return end;
    while (inside - outside > 1 || outside - inside > 1) {
        int64_t middle = inside + (outside - inside) / 2;
        if (f1_value(sums, b, middle) >= cut)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

static void set_intervals(struct f1_smooth *s, const struct f1_sums *upper, double cut) {
    memset(s->cover, 0, sizeof *s->cover * (size_t)(upper->negatives + 2));
    for (int64_t b = 0, c = upper->negatives; b <= upper->positives; b++) {
        c = f1_best_false(upper, b, c);
        bool counts = f1_value(upper, b, c) >= cut;
        s->sums[MISSED].wanted[b] = counts;
        s->from[b] = counts ? find_end(upper, b, c, 0, cut) : 0;
        s->to[b] = counts ? find_end(upper, b, c, upper->negatives, cut) : -1;
        if (counts) {
            s->cover[s->from[b]]++;
            s->cover[s->to[b] + 1]--;
        }
    }
    for (int64_t c = 0, over = 0; c <= upper->negatives; c++) {
        over += s->cover[c];
        s->sums[FALSE].wanted[c] = over > 0;
    }
}

/* Returns a lower bound of log Z. */
static double find_counts(struct f1_smooth *s, const struct multivariate *m, double mu) {
    struct subset_sums *missed = &s->sums[MISSED], *wrong = &s->sums[FALSE];
    const struct f1_sums upper = {1 / mu, m->side[MISSED].count, m->side[FALSE].count,
                                  missed->upper, wrong->upper};
    struct f1_sums lower = upper;
    lower.missed = missed->lower;
    lower.wrong = wrong->lower;
    for (;;) {
        double least = f1_find_peak(&lower).value;
        set_intervals(s, &upper, least - log_tail);
        bool refined = subset_sums_refine(missed, log_slack);
        if (!subset_sums_refine(wrong, log_slack) && !refined)
            return least;
    }
}

/* ---- their weights */

/* Adds the weights of the counts with b missed, over exp(top); their mean Delta times their sum. */
static double add_weights(struct f1_smooth *s, double mu, int64_t b, double top) {
    struct subset_sums *missed = &s->sums[MISSED], *wrong = &s->sums[FALSE];
    int64_t from = s->from[b], count = s->to[b] - from + 1;
    double *term = wrong->work, sum = 0, delta = 0;
    for (int64_t j = 0; j < count; j++)
        term[j] = f1_delta(missed->n, b, from + j) / mu + missed->F[b] + wrong->F[from + j] - top;
    exponentials(term, count);
    for (int64_t j = 0; j < count; j++) {
        sum += term[j];
        wrong->weight[from + j] += term[j];
        delta += term[j] * f1_delta(missed->n, b, from + j);
    }
    missed->weight[b] = sum;
    return delta;
}

/* Z over exp(top), to which the weights are scaled. */
static double set_weights(struct f1_smooth *s, double mu, double top, double *delta) {
    struct subset_sums *missed = &s->sums[MISSED], *wrong = &s->sums[FALSE];
    double Z = 0, mean = 0;
    memset(wrong->weight, 0, sizeof *wrong->weight * (size_t)(wrong->n + 1));
    for (int64_t b = 0; b <= missed->n; b++)
        if (missed->wanted[b]) {
            mean += add_weights(s, mu, b, top);
            Z += missed->weight[b];
        }
    for (int k = 0; k < SIDES; k++)
        for (int64_t b = 0; b <= s->sums[k].n; b++)
            if (s->sums[k].wanted[b]) {
                s->sums[k].weight[b] /= Z;
                s->sums[k].wanted[b] = s->sums[k].weight[b] > negligible_weight;
            }
    *delta = mean / Z;
    return Z;
}

double f1_smooth_value(struct f1_smooth *s, const struct multivariate *m, double mu, double *flip,
                       double *delta) {
    begin(s, m, mu);
    double top = find_counts(s, m, mu);
    for (int k = 0; k < SIDES; k++)
        subset_sums_values(&s->sums[k]);
    double Z = set_weights(s, mu, top, delta);
    for (int k = 0; k < SIDES && flip != NULL; k++) {
        subset_sums_marginals(&s->sums[k], s->marginal);
        for (int64_t j = 0; j < m->side[k].count; j++)
            flip[m->side[k].sorted[j].row] = s->marginal[j];
    }
    return mu * (log(Z) + top - (double)m->design.rows * log(2));
}

/* ---- memory */

double f1_smooth_bytes(const struct multivariate *m) {
    double bytes = 40 * (double)m->design.rows;
    for (int k = 0; k < SIDES; k++)
        bytes += subset_sums_bytes(m->side[k].count);
    return bytes;
}

int f1_smooth_check(const struct multivariate *m, double limit, struct error *e) {
    double bytes = f1_smooth_bytes(m);
    if (bytes <= limit)
        return 0;
    return error_set(e,
                     "the smoothed -L f1 of %lld positives and %lld negatives needs %.0f MB, more "
                     "than half of this machine's memory (%.0f MB); -s bundle needs none of it",
                     (long long)m->side[MISSED].count, (long long)m->side[FALSE].count, bytes / 1e6,
                     limit / 1e6);
}

int f1_smooth_init(struct f1_smooth *s, const struct multivariate *m, struct error *e) {
    int64_t positives = m->side[MISSED].count, negatives = m->side[FALSE].count;
    *s = (struct f1_smooth){0};
    s->x[MISSED] = memory_zeroed(3 * (m->design.rows + SIDES), sizeof(double), "smoothed F1", e);
    s->from = memory_new(2 * (positives + 1) + negatives + 2, sizeof *s->from, "smoothed F1", e);
    if (s->x[MISSED] == NULL || s->from == NULL ||
        subset_sums_init(&s->sums[MISSED], positives, e) != 0 ||
        subset_sums_init(&s->sums[FALSE], negatives, e) != 0)
        return -1;
    s->x[FALSE] = s->x[MISSED] + positives;
    s->sum[MISSED] = s->x[FALSE] + negatives;
    s->sum[FALSE] = s->sum[MISSED] + positives + 1;
    s->marginal = s->sum[FALSE] + negatives + 1;
    s->to = s->from + positives + 1;
    s->cover = s->to + positives + 1;
    return 0;
}

void f1_smooth_free(struct f1_smooth *s) {
    free(s->x[MISSED]);
    free(s->from);
    for (int k = 0; k < SIDES; k++)
        subset_sums_free(&s->sums[k]);
}
