/* ipm_kernels.c - loops over the rows' variables, written for the compiler to make vectors of. */
#include "solvers/interior_point/ipm_kernels.h"

#include "math/simd.h"
#include "math/vector.h"

static inline double larger(double x, double y) {
    return x > y ? x : y;
}

static inline double smaller(double x, double y) {
    return x < y ? x : y;
}

#define PARAMETERS                                                                                 \
    (const struct ipm_rows *rows, const struct ipm_side *side, const struct ipm_chunk *chunk,      \
     struct ipm_sums *sums)
#define KERNEL(name) SIMD_CLONES(void, name, PARAMETERS, (rows, side, chunk, sums))

/* A side's arrays at the chunk's rows. */
struct view {
    double *restrict below, *restrict above, *restrict s, *restrict x, *restrict r, *restrict d;
    double *restrict da, *restrict ds, *restrict dx;
};

static SIMD_BODY struct view view_of(const struct ipm_side *side, int64_t from) {
    return (struct view){side->below + from, side->above + from, side->s + from,
                         side->x + from,     side->r + from,     side->d + from,
                         side->da + from,    side->ds + from,    side->dx + from};
}

/* du += mix eu */
static SIMD_BODY void add_scores(const struct ipm_rows *rows, const struct ipm_chunk *chunk,
                                 double mix) {
    double *restrict du = rows->du + chunk->from;
    const double *restrict eu = rows->eu + chunk->from;
    for (int64_t k = 0; k < chunk->count; k++)
        du[k] += mix * eu[k];
}

static SIMD_BODY void ipm_advance_body PARAMETERS {
    struct view v = view_of(side, chunk->from);
    double loss = 0, product = 0, step = rows->step, kappa = side->kappa, sign = side->sign;
    double low = side->low, high = side->high, over_kappa = kappa > 0 ? 1 / kappa : 1;
    double kept = side->first ? 0 : 1; /* of what an earlier side wrote */
    const double *restrict weight = chunk->weight, *restrict turns = chunk->turn;
    const double *restrict du = rows->du + chunk->from;
    double *restrict curvature = rows->curvature + chunk->from;
    double *restrict push = rows->push + chunk->from, *restrict duals = rows->a + chunk->from;
#pragma omp simd reduction(+ : loss, product)
    for (int64_t k = 0; k < chunk->count; k++) {
        double c = weight[k], turn = sign * turns[k];
        double below = v.below[k] + step * v.da[k], above = v.above[k] - step * v.da[k];
        double s = v.s[k] + step * v.ds[k], x = v.x[k] + step * v.dx[k];
        double r = v.r[k] + step * sign * du[k], a = low + below;
        double d = 1 / (kappa + s / below + x / above);
        double best = kappa > 0 ? clip(r * over_kappa, low, high) : (r > 0 ? high : low);
        loss += c * (best * r - kappa / 2 * best * best);
        product += c * (below * s + above * x);
        v.below[k] = below;
        v.above[k] = above;
        v.s[k] = s;
        v.x[k] = x;
        v.r[k] = r;
        v.d[k] = d;
        curvature[k] = c * d + (kept != 0 ? curvature[k] : 0);
        push[k] = c * turn * (a + d * (r - kappa * a)) + (kept != 0 ? push[k] : 0);
        duals[k] = turn * a + (kept != 0 ? duals[k] : 0);
    }
    sums->loss += loss;
    sums->product += product;
}

static SIMD_BODY void ipm_predict_body PARAMETERS {
    struct view v = view_of(side, chunk->from);
    double reach = sums->reach[0], product = 0, kappa = side->kappa, sign = side->sign;
    double low = side->low;
    const double *restrict weight = chunk->weight, *restrict du = rows->du + chunk->from;
    double *restrict one = chunk->one, *restrict two = chunk->two;
#pragma omp simd reduction(+ : product) reduction(max : reach)
    for (int64_t k = 0; k < chunk->count; k++) {
        double over_below = 1 / v.below[k], over_above = 1 / v.above[k], d = v.d[k];
        double da = d * (sign * du[k] + v.r[k] - kappa * (low + v.below[k]));
        double down = -da * over_below, up = da * over_above;
        double ds = v.s[k] * (down - 1), dx = v.x[k] * (up - 1);
        reach = larger(larger(larger(down, 1 - down), larger(up, 1 - up)), reach);
        product += weight[k] * (da * ds - da * dx);
        v.da[k] = da;
        v.ds[k] = ds;
        v.dx[k] = dx;
        one[k] += sign * d * (over_below - over_above);
        two[k] -= sign * d * da * (ds * over_below + dx * over_above);
    }
    sums->reach[0] = reach;
    sums->product += product;
}

static SIMD_BODY void ipm_correct_body PARAMETERS {
    struct view v = view_of(side, chunk->from);
    double reach = sums->reach[0], target = rows->target, sign = side->sign;
    const double *restrict eu = rows->eu + chunk->from;
#pragma omp simd reduction(max : reach)
    for (int64_t k = 0; k < chunk->count; k++) {
        double over_below = 1 / v.below[k], over_above = 1 / v.above[k];
        double s = v.s[k], x = v.x[k], da = v.da[k], ds = v.ds[k], dx = v.dx[k];
        double qs = target - da * ds, qx = target + da * dx;
        double ea = v.d[k] * (sign * eu[k] + qs * over_below - qx * over_above);
        ds += (qs - s * ea) * over_below;
        dx += (qx + x * ea) * over_above;
        da += ea;
        reach = larger(larger(larger(-da * over_below, da * over_above), larger(-ds / s, -dx / x)),
                       reach);
        v.da[k] = da;
        v.ds[k] = ds;
        v.dx[k] = dx;
    }
    sums->reach[0] = reach;
    if (side->first)
        add_scores(rows, chunk, 1);
}

/* How far a product after the step should move. */
static SIMD_BODY double wanted(double product, double target) {
    return larger(clip(product, 0.1 * target, 10 * target) - product, -10 * target);
}

static SIMD_BODY void ipm_centre_body PARAMETERS {
    struct view v = view_of(side, chunk->from);
    double step = rows->ahead, target = rows->target, sign = side->sign;
    double *restrict one = chunk->one;
    (void)sums;
#pragma omp simd
    for (int64_t k = 0; k < chunk->count; k++) {
        double below = v.below[k], above = v.above[k], da = v.da[k];
        double qs = wanted((below + step * da) * (v.s[k] + step * v.ds[k]), target);
        double qx = wanted((above - step * da) * (v.x[k] + step * v.dx[k]), target);
        one[k] += sign * v.d[k] * (qs / below - qx / above);
    }
}

/* The corrector of one row. */
struct corrector {
    double a, s, x;
};

static SIMD_BODY struct corrector corrector_of(const struct view *v, int64_t k, double step,
                                               double target, double score, double over_below,
                                               double over_above) {
    double da = v->da[k], s = v->s[k], x = v->x[k];
    double qs = wanted((v->below[k] + step * da) * (s + step * v->ds[k]), target);
    double qx = wanted((v->above[k] - step * da) * (x + step * v->dx[k]), target);
    double ea = v->d[k] * (score + qs * over_below - qx * over_above);
    return (struct corrector){ea, (qs - s * ea) * over_below, (qx + x * ea) * over_above};
}

static SIMD_BODY void ipm_measure_mixes_body PARAMETERS {
    /* Four ratios of a row, each linear in the share. */
    double base[4][IPM_CHUNK], more[4][IPM_CHUNK];
    struct view v = view_of(side, chunk->from);
    double step = rows->ahead, target = rows->target, sign = side->sign;
    const double *restrict eu = rows->eu + chunk->from;
#pragma omp simd
    for (int64_t k = 0; k < chunk->count; k++) {
        double over_below = 1 / v.below[k], over_above = 1 / v.above[k];
        double over_s = 1 / v.s[k], over_x = 1 / v.x[k];
        struct corrector e =
            corrector_of(&v, k, step, target, sign * eu[k], over_below, over_above);
        base[0][k] = -v.da[k] * over_below;
        base[1][k] = v.da[k] * over_above;
        base[2][k] = -v.ds[k] * over_s;
        base[3][k] = -v.dx[k] * over_x;
        more[0][k] = -e.a * over_below;
        more[1][k] = e.a * over_above;
        more[2][k] = -e.s * over_s;
        more[3][k] = -e.x * over_x;
    }
    for (int j = 0; j < IPM_MIXES; j++) {
        double mix = ipm_mix(rows->mix, j), reach = sums->reach[j];
#pragma omp simd reduction(max : reach)
        for (int64_t k = 0; k < chunk->count; k++) {
            double one = larger(base[0][k] + mix * more[0][k], base[1][k] + mix * more[1][k]);
            double two = larger(base[2][k] + mix * more[2][k], base[3][k] + mix * more[3][k]);
            reach = larger(larger(one, two), reach);
        }
        sums->reach[j] = reach;
    }
}

static SIMD_BODY void add_mix PARAMETERS {
    struct view v = view_of(side, chunk->from);
    double mix = rows->mix, step = rows->past, target = rows->target, sign = side->sign;
    const double *restrict eu = rows->eu + chunk->from;
    (void)sums;
#pragma omp simd
    for (int64_t k = 0; k < chunk->count; k++) {
        struct corrector e =
            corrector_of(&v, k, step, target, sign * eu[k], 1 / v.below[k], 1 / v.above[k]);
        v.da[k] += mix * e.a;
        v.ds[k] += mix * e.s;
        v.dx[k] += mix * e.x;
    }
    if (side->first)
        add_scores(rows, chunk, mix);
}

static SIMD_BODY void ipm_try_step_body PARAMETERS {
    struct view v = view_of(side, chunk->from);
    double step = rows->step, least = sums->least, product = 0;
    const double *restrict weight = chunk->weight;
#pragma omp simd reduction(+ : product) reduction(min : least)
    for (int64_t k = 0; k < chunk->count; k++) {
        double da = v.da[k];
        double low = (v.below[k] + step * da) * (v.s[k] + step * v.ds[k]);
        double high = (v.above[k] - step * da) * (v.x[k] + step * v.dx[k]);
        product += weight[k] * (low + high);
        least = smaller(smaller(low, high), least);
    }
    sums->product += product;
    sums->least = least;
}

static SIMD_BODY void ipm_mix_and_centre_body PARAMETERS {
    add_mix(rows, side, chunk, sums);
    ipm_centre_body(rows, side, chunk, sums);
}

static SIMD_BODY void ipm_mix_and_try_step_body PARAMETERS {
    add_mix(rows, side, chunk, sums);
    ipm_try_step_body(rows, side, chunk, sums);
}

KERNEL(ipm_advance)
KERNEL(ipm_predict)
KERNEL(ipm_correct)
KERNEL(ipm_centre)
KERNEL(ipm_measure_mixes)
KERNEL(ipm_try_step)
KERNEL(ipm_mix_and_centre)
KERNEL(ipm_mix_and_try_step)
