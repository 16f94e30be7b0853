/* smoothed_box.c - losses smoothed at their kinks: loops over rows, written so that the compiler vectorizes them. */
#include "solvers/interior_point/smoothed_box.h"

#include "math/simd.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>

void smoothed_box_init(struct smoothed_box *smoothed, const struct scalar_terms *terms) {
    double side = terms->loss->task == TASK_CLASSIFICATION ? -1 : 1;
    *smoothed = (struct smoothed_box){.terms = terms,
                                      .box = loss_box(terms->loss, &terms->parameters, side),
                                      .kappa = 1 / terms->loss->curvature};
}

/* What the loops read: the boxes of the two dual variables, the second one's empty where there is one. */
struct boxes {
    double low, high, other, middle, tube, kappa, mu, inverse; /* 1/(kappa + mu) */
    double has_other, is_class;                                /* 1 or 0 */
    const double *target, *positive, *weight;
};

static SIMD_BODY struct boxes boxes_of(const struct smoothed_box *smoothed) {
    const struct scalar_terms *terms = smoothed->terms;
    const struct loss_box *box = &smoothed->box;
    bool two = terms->loss->tube != NULL;
    double low = two ? 0 : box->low;
    return (struct boxes){.low = low,
                          .high = box->high,
                          .other = two ? -box->low : 0,
                          .middle = (low + box->high) / 2,
                          .tube = box->tube,
                          .kappa = smoothed->kappa,
                          .mu = smoothed->mu,
                          .inverse = 1 / (smoothed->kappa + smoothed->mu),
                          .has_other = two,
                          .is_class = terms->loss->task == TASK_CLASSIFICATION,
                          .target = terms->target,
                          .positive = terms->positive,
                          .weight = terms->weight};
}

static SIMD_BODY double weight_at(const struct boxes *b, int64_t i) {
    return b->weight != NULL ? b->weight[i] : 1;
}

static SIMD_BODY double target_at(const struct boxes *b, int64_t i) {
    return target_from(b->target[i], b->positive);
}

/* t, where r = t (u - y). */
static SIMD_BODY double turn_at(const struct boxes *b, int64_t i) {
    return b->is_class != 0 ? -target_at(b, i) : 1;
}

/* A row: its smoothed loss, and its a less that of the second dual variable. */
struct row {
    double a, value, second;
};

static SIMD_BODY struct row row_at(const struct boxes *b, double r) {
    double half = b->other / 2, rest = -r - b->tube;
    double up = (r - b->tube + b->mu * b->middle) * b->inverse;
    double down = (rest + b->mu * half) * b->inverse;
    double a = clip(up, b->low, b->high), o = clip(down, 0, b->other);
    double away = a - b->middle, from = o - half;
    return (struct row){.a = a - o,
                        .value = a * (r - b->tube) - (b->kappa * a * a + b->mu * away * away) / 2 +
                                 o * rest - (b->kappa * o * o + b->mu * from * from) / 2,
                        .second =
                            b->inverse * ((a == up ? 1 : 0) + (o == down ? b->has_other : 0))};
}

/* l, as the best a of the loss itself gives it. */
static SIMD_BODY double loss_at(const struct boxes *b, double r) {
    double q = r - clip(r, -b->tube, b->tube), low = b->has_other != 0 ? -b->other : b->low;
    double best = b->kappa > 0 ? clip(q / b->kappa, low, b->high) : q > 0 ? b->high : low;
    return best * q - b->kappa / 2 * best * best;
}

/* l(u) + l*(a) - a u */
static SIMD_BODY double gap_at(const struct boxes *b, double r) {
    double a = row_at(b, r).a;
    return loss_at(b, r) + b->tube * (a < 0 ? -a : a) + b->kappa / 2 * a * a - a * r;
}

static SIMD_BODY void smoothed_box_gap_body(const struct smoothed_box *smoothed, int block,
                                            const double *u, struct smoothed_sums *sums) {
    struct boxes b = boxes_of(smoothed);
    const struct design *design = smoothed->terms->design;
    int64_t end = design_block_start(design, block + 1);
    double gap = 0;
#pragma omp simd reduction(+ : gap)
    for (int64_t i = design_block_start(design, block); i < end; i++)
        gap += weight_at(&b, i) * gap_at(&b, turn_at(&b, i) * (u[i] - target_at(&b, i)));
    sums->gap = gap;
}

static SIMD_BODY void smoothed_box_derivatives_body(const struct smoothed_box *smoothed, int block,
                                                    const double *u, double *a, double *second,
                                                    struct smoothed_sums *sums) {
    struct boxes b = boxes_of(smoothed);
    const struct design *design = smoothed->terms->design;
    int64_t end = design_block_start(design, block + 1);
    double loss = 0;
#pragma omp simd reduction(+ : loss)
    for (int64_t i = design_block_start(design, block); i < end; i++) {
        double turn = turn_at(&b, i), r = turn * (u[i] - target_at(&b, i));
        struct row row = row_at(&b, r);
        a[i] = turn * row.a;
        second[i] = row.second;
        loss += weight_at(&b, i) * loss_at(&b, r);
    }
    sums->loss = loss;
}

static SIMD_BODY void smoothed_box_along_body(const struct smoothed_box *smoothed, int block,
                                              const double *u, double step, const double *du,
                                              struct smoothed_sums *sums) {
    struct boxes b = boxes_of(smoothed);
    const struct design *design = smoothed->terms->design;
    int64_t end = design_block_start(design, block + 1);
    double value = 0, slope = 0;
#pragma omp simd reduction(+ : value, slope)
    for (int64_t i = design_block_start(design, block); i < end; i++) {
        double c = weight_at(&b, i), turn = turn_at(&b, i);
        struct row row = row_at(&b, turn * (u[i] + step * du[i] - target_at(&b, i)));
        value += c * row.value;
        slope += c * turn * row.a * du[i];
    }
    sums->value = value;
    sums->slope = slope;
}

SIMD_CLONES(void, smoothed_box_gap,
            (const struct smoothed_box *smoothed, int block, const double *u,
             struct smoothed_sums *sums),
            (smoothed, block, u, sums))

SIMD_CLONES(void, smoothed_box_derivatives,
            (const struct smoothed_box *smoothed, int block, const double *u, double *a,
             double *second, struct smoothed_sums *sums),
            (smoothed, block, u, a, second, sums))

SIMD_CLONES(void, smoothed_box_along,
            (const struct smoothed_box *smoothed, int block, const double *u, double step,
             const double *du, struct smoothed_sums *sums),
            (smoothed, block, u, step, du, sums))

/* The gap that MU leaves. */
static double gap_of(struct smoothed_box *smoothed, const double *u, double mu) {
    const struct design *design = smoothed->terms->design;
    struct smoothed_sums block_sums[DESIGN_BLOCKS_MOST];
    double sum = 0;
    smoothed->mu = mu;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        smoothed_box_gap(smoothed, block, u, &block_sums[block]);
    for (int block = 0; block < design->blocks; block++)
        sum += block_sums[block].gap;
    return communicator_sum_one(design->data->communicator, sum);
}

void smoothed_box_choose(struct smoothed_box *smoothed, const double *u, double gap) {
    enum { MOST_TRIALS = 30 };
    static const double near_enough = 1.6, farthest = 16, middle = 0.9;
    static const double power = 0.75; /* the gap is between linear and square in mu */
    double mu = smoothed->mu > 0 ? smoothed->mu : gap, low = 0, high = INFINITY;
    for (int k = 0; k < MOST_TRIALS; k++) {
        double ratio = gap / fmax(gap_of(smoothed, u, mu), DBL_MIN);
        if (ratio >= 1 && ratio <= near_enough)
            return;
        *(ratio >= 1 ? &low : &high) = mu;
        mu *= clip(middle * pow(ratio, power), 1 / farthest, farthest);
        if (!(mu > low && mu < high))
            mu = low > 0 ? sqrt(low) * sqrt(high) : high / 2;
    }
    smoothed->mu = low > 0 ? low : mu;
}
