/* ipm_kernels.c - loops over the rows' dual variables, written so that the compiler vectorizes them. */
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
    (const struct ipm_rows *rows, const struct ipm_duals *duals, const struct ipm_chunk *chunk,    \
     struct ipm_sums *sums)
#define KERNEL(name) SIMD_CLONES(void, name, PARAMETERS, (rows, duals, chunk, sums))

/* The arrays of the duals, from the chunk's first row on. */
struct view {
    double *restrict below, *restrict above, *restrict s, *restrict x, *restrict r, *restrict d;
    double *restrict da, *restrict ds, *restrict dx;
};

static SIMD_BODY struct view view_of(const struct ipm_duals *duals, int64_t from) {
    return (struct view){duals->below + from, duals->above + from, duals->s + from,
                         duals->x + from,     duals->r + from,     duals->d + from,
                         duals->da + from,    duals->ds + from,    duals->dx + from};
}

/* du += share eu */
static SIMD_BODY void add_scores(const struct ipm_rows *rows, const struct ipm_chunk *chunk,
                                 double share) {
    double *restrict du = rows->du + chunk->from;
    const double *restrict eu = rows->eu + chunk->from;
    for (int64_t k = 0; k < chunk->count; k++)
        du[k] += share * eu[k];
}

static SIMD_BODY void ipm_advance_body PARAMETERS {
    struct view v = view_of(duals, chunk->from);
    double loss = 0, product = 0, step = rows->step, kappa = duals->kappa, sign = duals->sign;
    double low = duals->low, over_kappa = kappa > 0 ? 1 / kappa : 1;
    double end_low = duals->end_low, end_high = duals->end_high; /* of the loss */
    double adds = duals->is_first ? 0 : 1; /* whether to add to the sums of the row's first dual */
    const double *restrict weight = chunk->weight, *restrict turns = chunk->turn;
    const double *restrict du = rows->du + chunk->from;
    double *restrict right_side = rows->right_side + chunk->from;
    double *curvature = duals->is_first ? v.da : rows->curvature + chunk->from;
    double *signed_a = duals->is_first ? v.ds : rows->a + chunk->from;
#pragma omp simd reduction(+ : loss, product)
    for (int64_t k = 0; k < chunk->count; k++) {
        double c = weight[k], turn = sign * turns[k];
        double below = v.below[k] + step * v.da[k], above = v.above[k] - step * v.da[k];
        double s = v.s[k] + step * v.ds[k], x = v.x[k] + step * v.dx[k];
        double r = v.r[k] + step * sign * du[k], a = low + below;
        double d = 1 / (kappa + s / below + x / above);
        double best =
            kappa > 0 ? clip(r * over_kappa, end_low, end_high) : (r > 0 ? end_high : end_low);
        loss += c * (best * r - kappa / 2 * best * best);
        product += c * (below * s + above * x);
        v.below[k] = below;
        v.above[k] = above;
        v.s[k] = s;
        v.x[k] = x;
        v.r[k] = r;
        v.d[k] = d;
        curvature[k] = c * d + (adds != 0 ? curvature[k] : 0);
        right_side[k] = c * turn * (a + d * (r - kappa * a)) + (adds != 0 ? right_side[k] : 0);
        signed_a[k] = turn * a + (adds != 0 ? signed_a[k] : 0);
    }
    sums->loss += loss;
    sums->product += product;
}

static SIMD_BODY void ipm_predict_body PARAMETERS {
    struct view v = view_of(duals, chunk->from);
    double inverse_step = sums->inverse_step[0], product = 0, kappa = duals->kappa,
           sign = duals->sign;
    double low = duals->low;
    const double *restrict weight = chunk->weight, *restrict du = rows->du + chunk->from;
    double *restrict one = chunk->one, *restrict two = chunk->two;
#pragma omp simd reduction(+ : product) reduction(max : inverse_step)
    for (int64_t k = 0; k < chunk->count; k++) {
        double over_below = 1 / v.below[k], over_above = 1 / v.above[k], d = v.d[k];
        double da = d * (sign * du[k] + v.r[k] - kappa * (low + v.below[k]));
        double down = -da * over_below, up = da * over_above;
        double ds = v.s[k] * (down - 1), dx = v.x[k] * (up - 1);
        inverse_step = larger(larger(larger(down, 1 - down), larger(up, 1 - up)), inverse_step);
        product += weight[k] * (da * ds - da * dx);
        v.da[k] = da;
        v.ds[k] = ds;
        v.dx[k] = dx;
        one[k] += sign * d * (over_below - over_above);
        two[k] -= sign * d * da * (ds * over_below + dx * over_above);
    }
    sums->inverse_step[0] = inverse_step;
    sums->product += product;
}

static SIMD_BODY void ipm_correct_body PARAMETERS {
    struct view v = view_of(duals, chunk->from);
    double inverse_step = sums->inverse_step[0], target = rows->target, sign = duals->sign;
    const double *restrict eu = rows->eu + chunk->from;
#pragma omp simd reduction(max : inverse_step)
    for (int64_t k = 0; k < chunk->count; k++) {
        double over_below = 1 / v.below[k], over_above = 1 / v.above[k];
        double s = v.s[k], x = v.x[k], da = v.da[k], ds = v.ds[k], dx = v.dx[k];
        double qs = target - da * ds, qx = target + da * dx;
        double ea = v.d[k] * (sign * eu[k] + qs * over_below - qx * over_above);
        ds += (qs - s * ea) * over_below;
        dx += (qx + x * ea) * over_above;
        da += ea;
        inverse_step =
            larger(larger(larger(-da * over_below, da * over_above), larger(-ds / s, -dx / x)),
                   inverse_step);
        v.da[k] = da;
        v.ds[k] = ds;
        v.dx[k] = dx;
    }
    sums->inverse_step[0] = inverse_step;
    if (duals->is_first)
        add_scores(rows, chunk, 1);
}

/* The change that moves a product into [0.1, 10] target, at least -10 target. */
static SIMD_BODY double product_change(double product, double target) {
    return larger(clip(product, 0.1 * target, 10 * target) - product, -10 * target);
}

static SIMD_BODY void ipm_centre_body PARAMETERS {
    struct view v = view_of(duals, chunk->from);
    double step = rows->trial_step, target = rows->target, sign = duals->sign;
    double *restrict one = chunk->one;
    (void)sums;
#pragma omp simd
    for (int64_t k = 0; k < chunk->count; k++) {
        double below = v.below[k], above = v.above[k], da = v.da[k];
        double qs = product_change((below + step * da) * (v.s[k] + step * v.ds[k]), target);
        double qx = product_change((above - step * da) * (v.x[k] + step * v.dx[k]), target);
        one[k] += sign * v.d[k] * (qs / below - qx / above);
    }
}

/* The corrector of one dual variable: the changes of a, s and x. */
struct corrector {
    double a, s, x;
};

static SIMD_BODY struct corrector corrector_of(const struct view *v, int64_t k, double step,
                                               double target, double score, double over_below,
                                               double over_above) {
    double da = v->da[k], s = v->s[k], x = v->x[k];
    double qs = product_change((v->below[k] + step * da) * (s + step * v->ds[k]), target);
    double qx = product_change((v->above[k] - step * da) * (x + step * v->dx[k]), target);
    double ea = v->d[k] * (score + qs * over_below - qx * over_above);
    return (struct corrector){ea, (qs - s * ea) * over_below, (qx + x * ea) * over_above};
}

static SIMD_BODY void ipm_measure_shares_body PARAMETERS {
    /* Four ratios -change/variable of each row, linear in the share: base + share change. */
    double base[4][IPM_CHUNK_ROWS], change[4][IPM_CHUNK_ROWS];
    struct view v = view_of(duals, chunk->from);
    double step = rows->trial_step, target = rows->target, sign = duals->sign;
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
        change[0][k] = -e.a * over_below;
        change[1][k] = e.a * over_above;
        change[2][k] = -e.s * over_s;
        change[3][k] = -e.x * over_x;
    }
    for (int j = 0; j < IPM_SHARES; j++) {
        double share = ipm_share(rows->share, j), inverse_step = sums->inverse_step[j];
#pragma omp simd reduction(max : inverse_step)
        for (int64_t k = 0; k < chunk->count; k++) {
            double one =
                larger(base[0][k] + share * change[0][k], base[1][k] + share * change[1][k]);
            double two =
                larger(base[2][k] + share * change[2][k], base[3][k] + share * change[3][k]);
            inverse_step = larger(larger(one, two), inverse_step);
        }
        sums->inverse_step[j] = inverse_step;
    }
}

static SIMD_BODY void add_share PARAMETERS {
    struct view v = view_of(duals, chunk->from);
    double share = rows->share, step = rows->last_trial_step, target = rows->target,
           sign = duals->sign;
    const double *restrict eu = rows->eu + chunk->from;
    (void)sums;
#pragma omp simd
    for (int64_t k = 0; k < chunk->count; k++) {
        struct corrector e =
            corrector_of(&v, k, step, target, sign * eu[k], 1 / v.below[k], 1 / v.above[k]);
        v.da[k] += share * e.a;
        v.ds[k] += share * e.s;
        v.dx[k] += share * e.x;
    }
    if (duals->is_first)
        add_scores(rows, chunk, share);
}

static SIMD_BODY void ipm_try_step_body PARAMETERS {
    struct view v = view_of(duals, chunk->from);
    double step = rows->step, smallest = sums->min_product, product = 0;
    const double *restrict weight = chunk->weight;
#pragma omp simd reduction(+ : product) reduction(min : smallest)
    for (int64_t k = 0; k < chunk->count; k++) {
        double da = v.da[k];
        double product_below = (v.below[k] + step * da) * (v.s[k] + step * v.ds[k]);
        double product_above = (v.above[k] - step * da) * (v.x[k] + step * v.dx[k]);
        product += weight[k] * (product_below + product_above);
        smallest = smaller(smaller(product_below, product_above), smallest);
    }
    sums->product += product;
    sums->min_product = smallest;
}

static SIMD_BODY void ipm_add_share_and_centre_body PARAMETERS {
    add_share(rows, duals, chunk, sums);
    ipm_centre_body(rows, duals, chunk, sums);
}

static SIMD_BODY void ipm_add_share_and_try_step_body PARAMETERS {
    add_share(rows, duals, chunk, sums);
    ipm_try_step_body(rows, duals, chunk, sums);
}

KERNEL(ipm_advance)
KERNEL(ipm_predict)
KERNEL(ipm_correct)
KERNEL(ipm_centre)
KERNEL(ipm_measure_shares)
KERNEL(ipm_try_step)
KERNEL(ipm_add_share_and_centre)
KERNEL(ipm_add_share_and_try_step)
