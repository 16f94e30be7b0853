/* ipm_kernels.c - loops over the rows' variables, written for the compiler to make vectors of. */
#include "solvers/ipm_kernels.h"

#include <math.h>

static inline double larger(double x, double y) {
    return x > y ? x : y;
}

static inline double smaller(double x, double y) {
    return x < y ? x : y;
}

static inline double clip(double x, double low, double high) {
    return smaller(larger(x, low), high);
}

/* du += mix eu */
static void add_scores(const struct ipm_rows *rows, const struct ipm_chunk *chunk, double mix) {
    for (int64_t i = chunk->from; i < chunk->from + chunk->count; i++)
        rows->du[i] += mix * rows->eu[i];
}

void ipm_advance(const struct ipm_rows *rows, const struct ipm_side *side,
                 const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double loss = 0, product = 0, step = rows->step, kappa = rows->kappa;
    bool first = side == rows->side;
    for (int64_t k = 0; k < chunk->count; k++) {
        int64_t i = chunk->from + k;
        double c = chunk->weight[k];
        double below = side->below[i] + step * side->da[i];
        double above = side->above[i] - step * side->da[i];
        double s = side->s[i] + step * side->ds[i], x = side->x[i] + step * side->dx[i];
        double r = side->r[i] + step * side->sign * rows->du[i], a = rows->low + below;
        double d = 1 / (kappa + s / below + x / above);
        double best =
            kappa > 0 ? clip(r / kappa, rows->low, rows->high) : (r > 0 ? rows->high : rows->low);
        loss += c * (best * r - kappa / 2 * best * best);
        product += c * (below * s + above * x);
        side->below[i] = below;
        side->above[i] = above;
        side->s[i] = s;
        side->x[i] = x;
        side->r[i] = r;
        side->d[i] = d;
        double turn = side->sign * chunk->turn[k];
        double push = c * turn * (a + d * (r - kappa * a));
        rows->curvature[i] = c * d + (first ? 0 : rows->curvature[i]);
        rows->push[i] = push + (first ? 0 : rows->push[i]);
        rows->a[i] = turn * a + (first ? 0 : rows->a[i]);
    }
    sums->loss += loss;
    sums->product += product;
}

void ipm_predict(const struct ipm_rows *rows, const struct ipm_side *side,
                 const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double reach = sums->reach[0], product = 0, kappa = rows->kappa;
    for (int64_t k = 0; k < chunk->count; k++) {
        int64_t i = chunk->from + k;
        double over_below = 1 / side->below[i], over_above = 1 / side->above[i], d = side->d[i];
        double a = rows->low + side->below[i], v = side->r[i] - kappa * a;
        double da = d * (side->sign * rows->du[i] + v);
        double down = -da * over_below, up = da * over_above;
        double ds = side->s[i] * (down - 1), dx = side->x[i] * (up - 1);
        reach = larger(reach, larger(larger(down, 1 - down), larger(up, 1 - up)));
        product += chunk->weight[k] * (da * ds - da * dx);
        side->da[i] = da;
        side->ds[i] = ds;
        side->dx[i] = dx;
        chunk->one[k] += side->sign * d * (over_below - over_above);
        chunk->two[k] -= side->sign * d * da * (ds * over_below + dx * over_above);
    }
    sums->reach[0] = reach;
    sums->product += product;
}

void ipm_correct(const struct ipm_rows *rows, const struct ipm_side *side,
                 const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double reach = sums->reach[0], target = rows->target;
    for (int64_t k = 0; k < chunk->count; k++) {
        int64_t i = chunk->from + k;
        double over_below = 1 / side->below[i], over_above = 1 / side->above[i];
        double s = side->s[i], x = side->x[i], da = side->da[i], ds = side->ds[i];
        double dx = side->dx[i];
        double qs = target - da * ds, qx = target + da * dx;
        double ea = side->d[i] * (side->sign * rows->eu[i] + qs * over_below - qx * over_above);
        ds += (qs - s * ea) * over_below;
        dx += (qx + x * ea) * over_above;
        da += ea;
        reach = larger(reach,
                       larger(larger(-da * over_below, da * over_above), larger(-ds / s, -dx / x)));
        side->da[i] = da;
        side->ds[i] = ds;
        side->dx[i] = dx;
    }
    sums->reach[0] = reach;
    if (side == rows->side)
        add_scores(rows, chunk, 1);
}

/* How far a product after the step should move. */
static inline double wanted(double product, double target) {
    return larger(clip(product, 0.1 * target, 10 * target) - product, -10 * target);
}

void ipm_centre(const struct ipm_rows *rows, const struct ipm_side *side,
                const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double step = rows->step, target = rows->target;
    (void)sums;
    for (int64_t k = 0; k < chunk->count; k++) {
        int64_t i = chunk->from + k;
        double below = side->below[i], above = side->above[i], da = side->da[i];
        double qs = wanted((below + step * da) * (side->s[i] + step * side->ds[i]), target);
        double qx = wanted((above - step * da) * (side->x[i] + step * side->dx[i]), target);
        side->es[i] = qs;
        side->ex[i] = qx;
        chunk->one[k] += side->sign * side->d[i] * (qs / below - qx / above);
    }
}

void ipm_measure_mixes(const struct ipm_rows *rows, const struct ipm_side *side,
                       const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double mix[IPM_MIXES], reach[IPM_MIXES];
    for (int j = 0; j < IPM_MIXES; j++) {
        mix[j] = ipm_mix(rows->mix, j);
        reach[j] = sums->reach[j];
    }
    for (int64_t k = 0; k < chunk->count; k++) {
        int64_t i = chunk->from + k;
        double over_below = 1 / side->below[i], over_above = 1 / side->above[i];
        double over_s = 1 / side->s[i], over_x = 1 / side->x[i];
        double qs = side->es[i], qx = side->ex[i];
        double ea = side->d[i] * (side->sign * rows->eu[i] + qs * over_below - qx * over_above);
        double es = (qs - side->s[i] * ea) * over_below, ex = (qx + side->x[i] * ea) * over_above;
        double down = -side->da[i] * over_below, up = side->da[i] * over_above;
        double low = -side->ds[i] * over_s, high = -side->dx[i] * over_x;
        double more_down = -ea * over_below, more_up = ea * over_above;
        double more_low = -es * over_s, more_high = -ex * over_x;
        side->ea[i] = ea;
        side->es[i] = es;
        side->ex[i] = ex;
        for (int j = 0; j < IPM_MIXES; j++) {
            double one = larger(down + mix[j] * more_down, up + mix[j] * more_up);
            double two = larger(low + mix[j] * more_low, high + mix[j] * more_high);
            reach[j] = larger(reach[j], larger(one, two));
        }
    }
    for (int j = 0; j < IPM_MIXES; j++)
        sums->reach[j] = reach[j];
}

void ipm_add_mix(const struct ipm_rows *rows, const struct ipm_side *side,
                 const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double mix = rows->mix;
    (void)sums;
    for (int64_t i = chunk->from; i < chunk->from + chunk->count; i++) {
        side->da[i] += mix * side->ea[i];
        side->ds[i] += mix * side->es[i];
        side->dx[i] += mix * side->ex[i];
    }
    if (side == rows->side)
        add_scores(rows, chunk, mix);
}

void ipm_try_step(const struct ipm_rows *rows, const struct ipm_side *side,
                  const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double step = rows->step, least = sums->least, product = 0;
    for (int64_t k = 0; k < chunk->count; k++) {
        int64_t i = chunk->from + k;
        double da = side->da[i];
        double low = (side->below[i] + step * da) * (side->s[i] + step * side->ds[i]);
        double high = (side->above[i] - step * da) * (side->x[i] + step * side->dx[i]);
        product += chunk->weight[k] * (low + high);
        least = smaller(least, smaller(low, high));
    }
    sums->product += product;
    sums->least = least;
}
