/* f1_smooth.c - selects the terms (b, c) of Z, computes their weights, and the expected flips; see f1_smooth.h. */
#include "risk/multivariate/f1_smooth.h"

#include "io/memory.h"
#include "math/exponential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double log_tail = 60;             /* terms below exp(-log_tail) Z are left out */
static const double log_bound_gap = 4;         /* between the upper and the lower bound of F or G */
static const double negligible_weight = 1e-24; /* of a term in Z */

/* ---- the terms to sum */

static void set_gains(struct f1_smooth *s, const struct multivariate *m, double mu) {
    for (int k = 0; k < CLASSES; k++) {
        const struct multivariate_class *class = &m->class[k];
        for (int64_t j = 0; j < class->count; j++) {
            s->x[k][j] = -class->sorted[j].score / mu;
            s->sum[k][j + 1] = s->sum[k][j] + s->x[k][j];
        }
        subset_sums_begin(&s->sums[k], s->x[k], s->sum[k]);
    }
}

/* The c between the peak and END that is nearest to END with V(b, c) >= cut. */
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
        s->sums[POSITIVES].needed[b] = counts;
        s->from[b] = counts ? find_end(upper, b, c, 0, cut) : 0;
        s->to[b] = counts ? find_end(upper, b, c, upper->negatives, cut) : -1;
        if (counts) {
            s->cover[s->from[b]]++;
            s->cover[s->to[b] + 1]--;
        }
    }
    for (int64_t c = 0, covering = 0; c <= upper->negatives; c++) {
        covering += s->cover[c];
        s->sums[NEGATIVES].needed[c] = covering > 0;
    }
}

/* Refines the bounds of F and G and sets the intervals. Returns a lower bound of log Z. */
static double find_counts(struct f1_smooth *s, const struct multivariate *m, double mu) {
    struct subset_sums *missed = &s->sums[POSITIVES], *false_positive = &s->sums[NEGATIVES];
    const struct f1_sums upper = {1 / mu, m->class[POSITIVES].count, m->class[NEGATIVES].count,
                                  missed->upper, false_positive->upper};
    struct f1_sums lower = upper;
    lower.missed = missed->lower;
    lower.false_positive = false_positive->lower;
    for (;;) {
        double log_lower = f1_find_peak(&lower).value;
        set_intervals(s, &upper, log_lower - log_tail);
        bool refined = subset_sums_refine(missed, log_bound_gap);
        if (!subset_sums_refine(false_positive, log_bound_gap) && !refined)
            return log_lower;
    }
}

/* ---- the weights of the terms */

/* Adds the weights, divided by exp(top), of the terms with b missed positives. Returns the sum of weight * Delta. */
static double add_weights(struct f1_smooth *s, double mu, int64_t b, double top) {
    struct subset_sums *missed = &s->sums[POSITIVES], *false_positive = &s->sums[NEGATIVES];
    int64_t from = s->from[b], count = s->to[b] - from + 1;
    double *term = false_positive->work, sum = 0, delta = 0;
    for (int64_t j = 0; j < count; j++)
        term[j] = f1_delta(missed->n, b, from + j) / mu + missed->F[b] +
                  false_positive->F[from + j] - top;
    exponentials(term, count);
    for (int64_t j = 0; j < count; j++) {
        sum += term[j];
        false_positive->weight[from + j] += term[j];
        delta += term[j] * f1_delta(missed->n, b, from + j);
    }
    missed->weight[b] = sum;
    return delta;
}

/* Computes all weights, divided by their sum. Returns Z/exp(top). */
static double set_weights(struct f1_smooth *s, double mu, double top, double *delta) {
    struct subset_sums *missed = &s->sums[POSITIVES], *false_positive = &s->sums[NEGATIVES];
    double Z = 0, mean = 0;
    memset(false_positive->weight, 0,
           sizeof *false_positive->weight * (size_t)(false_positive->n + 1));
    for (int64_t b = 0; b <= missed->n; b++)
        if (missed->needed[b]) {
            mean += add_weights(s, mu, b, top);
            Z += missed->weight[b];
        }
    for (int k = 0; k < CLASSES; k++)
        for (int64_t b = 0; b <= s->sums[k].n; b++)
            if (s->sums[k].needed[b]) {
                s->sums[k].weight[b] /= Z;
                s->sums[k].needed[b] = s->sums[k].weight[b] > negligible_weight;
            }
    *delta = mean / Z;
    return Z;
}

double f1_smooth_value(struct f1_smooth *s, const struct multivariate *m, double mu, double *flip,
                       double *delta) {
    set_gains(s, m, mu);
    double top = find_counts(s, m, mu);
    for (int k = 0; k < CLASSES; k++)
        subset_sums_values(&s->sums[k]);
    double Z = set_weights(s, mu, top, delta);
    for (int k = 0; k < CLASSES && flip != NULL; k++) {
        subset_sums_marginals(&s->sums[k], s->marginal);
        for (int64_t j = 0; j < m->class[k].count; j++)
            flip[m->class[k].sorted[j].row] = s->marginal[j];
    }
    return mu * (log(Z) + top - (double)m->design.rows * log(2));
}

/* ---- memory */

double f1_smooth_bytes(const struct multivariate *m) {
    double bytes = 40 * (double)m->design.rows;
    for (int k = 0; k < CLASSES; k++)
        bytes += subset_sums_bytes(m->class[k].count);
    return bytes;
}

int f1_smooth_check(const struct multivariate *m, double limit, struct error *e) {
    double bytes = f1_smooth_bytes(m);
    if (bytes <= limit)
        return 0;
    return error_set(e,
                     "the smoothed -L f1 of %lld positives and %lld negatives needs %.0f MB, more "
                     "than half of this machine's memory (%.0f MB); -s bundle needs none of it, "
                     "with -r l2, elastic-net or entropy",
                     (long long)m->class[POSITIVES].count, (long long)m->class[NEGATIVES].count,
                     bytes / 1e6, limit / 1e6);
}

int f1_smooth_init(struct f1_smooth *s, const struct multivariate *m, struct error *e) {
    int64_t positives = m->class[POSITIVES].count, negatives = m->class[NEGATIVES].count;
    *s = (struct f1_smooth){0};
    s->x[POSITIVES] =
        memory_zeroed(3 * (m->design.rows + CLASSES), sizeof(double), "smoothed F1", e);
    s->from = memory_new(2 * (positives + 1) + negatives + 2, sizeof *s->from, "smoothed F1", e);
    if (s->x[POSITIVES] == NULL || s->from == NULL ||
        subset_sums_init(&s->sums[POSITIVES], positives, e) != 0 ||
        subset_sums_init(&s->sums[NEGATIVES], negatives, e) != 0)
        return -1;
    s->x[NEGATIVES] = s->x[POSITIVES] + positives;
    s->sum[POSITIVES] = s->x[NEGATIVES] + negatives;
    s->sum[NEGATIVES] = s->sum[POSITIVES] + positives + 1;
    s->marginal = s->sum[NEGATIVES] + negatives + 1;
    s->to = s->from + positives + 1;
    s->cover = s->to + positives + 1;
    return 0;
}

void f1_smooth_free(struct f1_smooth *s) {
    free(s->x[POSITIVES]);
    free(s->from);
    for (int k = 0; k < CLASSES; k++)
        subset_sums_free(&s->sums[k]);
}
