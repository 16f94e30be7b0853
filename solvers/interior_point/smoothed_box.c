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

enum { CHUNK_ROWS = 256 };

/* The rows of a chunk: r = turn (u - y), and their weights. */
struct chunk {
    double r[CHUNK_ROWS], turn[CHUNK_ROWS], weight[CHUNK_ROWS];
};

/* What the loops read: the boxes of the two dual variables, the second one's empty where there is one. */
struct boxes {
    double low, high, other, middle, tube, kappa, mu;
    double end;        /* the lower one of both boxes in one: of the loss itself */
    double inverse;    /* 1/(kappa + mu) */
    double over_kappa; /* 1/kappa, or so large that a quotient is at an end of its box */
    double has_other;  /* 1 or 0 */
};

static SIMD_BODY struct boxes boxes_of(const struct smoothed_box *smoothed) {
    static const double most_over_kappa = 1e300;
    const struct loss_box *box = &smoothed->box;
    bool two = smoothed->terms->loss->tube != NULL;
    double low = two ? 0 : box->low;
    return (struct boxes){.low = low,
                          .high = box->high,
                          .other = two ? -box->low : 0,
                          .end = box->low,
                          .middle = (low + box->high) / 2,
                          .tube = box->tube,
                          .kappa = smoothed->kappa,
                          .mu = smoothed->mu,
                          .inverse = 1 / (smoothed->kappa + smoothed->mu),
                          .over_kappa = smoothed->kappa > 0 ? 1 / smoothed->kappa : most_over_kappa,
                          .has_other = two};
}

/* The rows FROM and on at the scores U + STEP DU, in loops without conditions that hinder vectors. */
static SIMD_BODY void fill_chunk(const struct scalar_terms *terms, int64_t from, int64_t count,
                                 const double *u, double step, const double *du,
                                 struct chunk *chunk) {
    const double *target = terms->target + from, *weight = terms->weight;
    for (int64_t k = 0; k < count; k++)
        chunk->r[k] = u[from + k] + step * du[from + k];
    for (int64_t k = 0; k < count; k++)
        chunk->weight[k] = weight != NULL ? weight[from + k] : 1;
    if (terms->loss->task != TASK_CLASSIFICATION) {
        for (int64_t k = 0; k < count; k++) {
            chunk->turn[k] = 1;
            chunk->r[k] -= target[k];
        }
        return;
    }
    for (int64_t k = 0; k < count; k++)
        chunk->turn[k] = -target_from(target[k], terms->positive);
    for (int64_t k = 0; k < count; k++)
        chunk->r[k] = chunk->turn[k] * (chunk->r[k] + chunk->turn[k]);
}

/* The number of rows of the chunk that begins at FROM. */
static SIMD_BODY int64_t chunk_rows(int64_t from, int64_t end) {
    return end - from < CHUNK_ROWS ? end - from : CHUNK_ROWS;
}

/* x within [low, high]. Two selections, and not one within the other, which would keep the loops from being vectors. */
static SIMD_BODY double within(double x, double low, double high) {
    double above = x > low ? x : low;
    return above < high ? above : high;
}

/* The dual variables of a row, if nothing bounded them. */
static SIMD_BODY double first_of(const struct boxes *b, double r) {
    return (r - b->tube + b->mu * b->middle) * b->inverse;
}

static SIMD_BODY double other_of(const struct boxes *b, double r) {
    return (-r - b->tube + b->mu * (b->other / 2)) * b->inverse;
}

/* A row: its smoothed loss, and its a less that of the second dual variable. */
struct row {
    double a, value;
};

static SIMD_BODY struct row row_at(const struct boxes *b, double r) {
    double half = b->other / 2, rest = -r - b->tube;
    double a = within(first_of(b, r), b->low, b->high), o = within(other_of(b, r), 0, b->other);
    double away = a - b->middle, from = o - half;
    return (struct row){.a = a - o,
                        .value = a * (r - b->tube) - (b->kappa * a * a + b->mu * away * away) / 2 +
                                 o * rest - (b->kappa * o * o + b->mu * from * from) / 2};
}

static SIMD_BODY double is_within(double x, double low, double high) {
    return (x >= low ? 1 : 0) * (double)(x <= high ? 1 : 0);
}

static SIMD_BODY double second_at(const struct boxes *b, double r) {
    return b->inverse * (is_within(first_of(b, r), b->low, b->high) +
                         b->has_other * is_within(other_of(b, r), 0, b->other));
}

/* l, as the best a of the loss itself gives it. */
static SIMD_BODY double loss_at(const struct boxes *b, double r) {
    double q = r - (fabs(r + b->tube) - fabs(r - b->tube)) / 2; /* r less what is within the tube */
    double best = within(q * b->over_kappa, b->end, b->high);
    return best * q - b->kappa / 2 * best * best;
}

/* l(u) + l*(a) - a u */
static SIMD_BODY double gap_at(const struct boxes *b, double r) {
    double a = row_at(b, r).a;
    return loss_at(b, r) + b->tube * fabs(a) + b->kappa / 2 * a * a - a * r;
}

static SIMD_BODY void smoothed_box_gap_body(const struct smoothed_box *smoothed, int block,
                                            const double *u, struct smoothed_sums *sums) {
    const struct boxes b = boxes_of(smoothed);
    const struct design *design = smoothed->terms->design;
    int64_t end = design_block_start(design, block + 1), count;
    double gap = 0;
    for (int64_t from = design_block_start(design, block); from < end; from += count) {
        struct chunk chunk;
        count = chunk_rows(from, end);
        fill_chunk(smoothed->terms, from, count, u, 0, u, &chunk);
#pragma omp simd reduction(+ : gap)
        for (int64_t k = 0; k < count; k++)
            gap += chunk.weight[k] * gap_at(&b, chunk.r[k]);
    }
    sums->gap = gap;
}

static SIMD_BODY void smoothed_box_derivatives_body(const struct smoothed_box *smoothed, int block,
                                                    const double *u, double *a, double *second,
                                                    struct smoothed_sums *sums) {
    const struct boxes b = boxes_of(smoothed);
    const struct design *design = smoothed->terms->design;
    int64_t end = design_block_start(design, block + 1), count;
    double loss = 0;
    for (int64_t from = design_block_start(design, block); from < end; from += count) {
        struct chunk chunk;
        count = chunk_rows(from, end);
        fill_chunk(smoothed->terms, from, count, u, 0, u, &chunk);
#pragma omp simd reduction(+ : loss)
        for (int64_t k = 0; k < count; k++) {
            struct row row = row_at(&b, chunk.r[k]);
            a[from + k] = chunk.turn[k] * row.a;
            loss += chunk.weight[k] * loss_at(&b, chunk.r[k]);
        }
#pragma omp simd
        for (int64_t k = 0; k < count; k++)
            second[from + k] = second_at(&b, chunk.r[k]);
    }
    sums->loss = loss;
}

static SIMD_BODY void smoothed_box_along_body(const struct smoothed_box *smoothed, int block,
                                              const double *u, double step, const double *du,
                                              struct smoothed_sums *sums) {
    const struct boxes b = boxes_of(smoothed);
    const struct design *design = smoothed->terms->design;
    int64_t end = design_block_start(design, block + 1), count;
    double value = 0, slope = 0;
    for (int64_t from = design_block_start(design, block); from < end; from += count) {
        struct chunk chunk;
        count = chunk_rows(from, end);
        fill_chunk(smoothed->terms, from, count, u, step, du, &chunk);
#pragma omp simd reduction(+ : value, slope)
        for (int64_t k = 0; k < count; k++) {
            struct row row = row_at(&b, chunk.r[k]);
            value += chunk.weight[k] * row.value;
            slope += chunk.weight[k] * chunk.turn[k] * row.a * du[from + k];
        }
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
