/* offset.c - the best unregularized offset for given scores. */
#include "risk/offset.h"

#include "io/memory.h"
#include "math/rounding.h"

#include <math.h>
#include <stdlib.h>

int offset_init(struct offset *offset, const struct scalar_terms *terms, struct error *e) {
    int64_t m = terms->design->rows;
    *offset = (struct offset){.terms = terms, .last = NAN};
    if (!terms->loss->quadratic)
        return 0;
    offset->m = memory_new(2 * m, sizeof(double), "dual variables", e);
    if (offset->m == NULL || box_plane_work_init(&offset->work, m, e) != 0)
        return -1;
    offset->q = offset->m + m;
    return 0;
}

void offset_free(struct offset *offset) {
    free(offset->m);
    box_plane_work_free(&offset->work);
    *offset = (struct offset){0};
}

void offset_visit(struct offset *offset, struct state *state) {
    STATE_REALS(state, &offset->last);
}

/* ---- quadratic conjugates: the multiplier of the plane */

static bool has_kinks(const struct loss *loss, const struct smoothing *by) {
    return isinf(loss->curvature) && by->mu == 0;
}

/* The width W over which a kink is smoothed: 1e-12 of its distance from the current offset, so that only kinks at
 * that offset are affected, and at least the rounding error of its position. */
static double kink_width(double distance, double size) {
    static const double relative_width = 1e-12, min_width = 1e-150;
    return relative_width * fabs(distance) + rounding_of_terms * size + min_width;
}

/* The coordinates of the box-plane problem; the unknown is the offset minus `centre`. */
static void fill_rows(struct offset *offset, const double *u, const struct smoothing *by,
                      double centre) {
    const struct scalar_terms *terms = offset->terms;
    double flat = 1 / terms->loss->curvature;
    bool kinks = has_kinks(terms->loss, by);
#pragma omp parallel for schedule(static) if (terms->design->threads)
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double width = flat + (by->each == NULL ? by->mu : by->mu * by->each[i]);
        double c = scalar_weight(terms, i), y = scalar_target(terms, i), at = u[i] - y + centre;
        if (kinks)
            width = kink_width(at, fabs(u[i]) + fabs(y) + fabs(centre));
        offset->m[i] = at / width;
        offset->q[i] = c > 0 ? c * width : 1;
    }
}

/* Returns the offset. GUESS: an estimate of the offset minus `centre`; not-a-number: none. */
static double find_multiplier(struct offset *offset, const double *u, const struct smoothing *by,
                              double centre, double guess) {
    const struct scalar_terms *terms = offset->terms;
    fill_rows(offset, u, by, centre);
    const struct box_plane plane = {.n = terms->design->rows,
                                    .q = offset->q,
                                    .m = offset->m,
                                    .g = terms->weight,
                                    .low = by->low,
                                    .high = by->high};
    return centre - box_plane_multiplier(&plane, -guess, &offset->work);
}

/* A weighted quantile, in two steps: from the last result, then from the first step's result, so that the kinks'
 * widths are 1e-12 of the first step's error, or rounding. */
static double find_among_kinks(struct offset *offset, const double *u, const struct smoothing *by) {
    double b = isnan(offset->last) ? 0 : offset->last, guess = isnan(offset->last) ? NAN : 0;
    b = find_multiplier(offset, u, by, b, guess);
    return isfinite(b) ? find_multiplier(offset, u, by, b, 0) : b;
}

/* ---- any loss: the zero of the derivative */

/* sum_i p_i a_i, and of |p_i a_i|, a_i = l_mu'(u_i + b). */
struct slope {
    double sum, size;
};

static struct slope slope_block(const struct scalar_terms *terms, const double *u,
                                const struct smoothing *by, double b, int block) {
    const struct loss *loss = terms->loss;
    int64_t end = design_block_start(terms->design, block + 1);
    struct slope slope = {0};
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double a, c = scalar_weight(terms, i), y = scalar_target(terms, i);
        double mu = by->each == NULL ? by->mu : by->mu * by->each[i];
        if (c == 0)
            continue;
        if (mu > 0)
            loss->smooth(u[i] + b, y, mu, &terms->parameters, &a);
        else
            loss->value(u[i] + b, y, &terms->parameters, &a);
        slope.sum += c * a;
        slope.size += c * fabs(a);
    }
    return slope;
}

static struct slope slope_at(const struct scalar_terms *terms, const double *u,
                             const struct smoothing *by, double b) {
    const struct design *design = terms->design;
    struct slope block_slope[DESIGN_BLOCKS_MOST], slope = {0};
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_slope[block] = slope_block(terms, u, by, b, block);
    for (int block = 0; block < design->blocks; block++) {
        slope.sum += block_slope[block].sum / terms->weight_sum;
        slope.size += block_slope[block].size / terms->weight_sum;
    }
    double sums[] = {slope.sum, slope.size};
    communicator_sum_few(design->data->communicator, sums, 2);
    return (struct slope){sums[0], sums[1]};
}

/* Two points and the derivatives there: at_low < 0, at_high > 0. */
struct bracket {
    double low, high, at_low, at_high;
};

/* The next point in the bracket by the Illinois variant of regula falsi: the zero of the line between its ends, where
 * the derivative of an end that was kept twice is halved; the middle of the bracket if that is not inside. */
static double next_point(struct bracket *k, int rounds_kept) {
    if (rounds_kept >= 2)
        k->at_high /= 2;
    if (rounds_kept <= -2)
        k->at_low /= 2;
    double next = k->low + (k->high - k->low) * (k->at_low / (k->at_low - k->at_high));
    return next > k->low && next < k->high ? next : k->low + (k->high - k->low) / 2;
}

/* The mean of -u (for regression of y - u), and the mean distance from it. */
struct spread {
    double centre, size;
};

/* The sum over a block of c times -u or y - u, or of c times its distance from a centre. */
static double centre_block(const struct scalar_terms *terms, const double *u, const double *centre,
                           int block) {
    bool regression = terms->loss->task == TASK_REGRESSION;
    int64_t end = design_block_start(terms->design, block + 1);
    double sum = 0;
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double c = scalar_weight(terms, i), at = (regression ? scalar_target(terms, i) : 0) - u[i];
        if (c > 0)
            sum += c * (centre == NULL ? at : fabs(at - *centre));
    }
    return sum;
}

static double mean_centre(const struct scalar_terms *terms, const double *u, const double *centre) {
    const struct design *design = terms->design;
    double block_slope[DESIGN_BLOCKS_MOST], sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_slope[block] = centre_block(terms, u, centre, block);
    for (int block = 0; block < design->blocks; block++)
        sum += block_slope[block];
    return communicator_sum_one(design->data->communicator, sum) / terms->weight_sum;
}

/* The last result, or the mean if that is far from it. */
static double first_point(const struct offset *offset, const double *u) {
    static const double max_distance = 16;
    struct spread spread = {mean_centre(offset->terms, u, NULL), 0};
    spread.size = mean_centre(offset->terms, u, &spread.centre);
    if (!isfinite(spread.centre))
        return isnan(offset->last) ? 0 : offset->last;
    return fabs(offset->last - spread.centre) <= max_distance * (1 + spread.size) ? offset->last
                                                                                  : spread.centre;
}

/* Where the derivative is 0 both ends of *bracket are the result. */
static double find_zero(struct offset *offset, const double *u, const struct smoothing *by,
                        struct bracket *bracket) {
    enum { MAX_STEPS = 200 };
    static const double tolerance = 1e-15; /* relative to the terms of the sum, and to b */
    static const double zero_size = 1e-16; /* of the terms' sum: the risk has no minimum */
    const struct scalar_terms *terms = offset->terms;
    struct bracket k = {-INFINITY, INFINITY, 0, 0};
    double b = first_point(offset, u), stride = 0;
    int rounds_kept = 0;
    for (int i = 0; i < MAX_STEPS; i++) {
        struct slope found = slope_at(terms, u, by, b);
        double slope = found.sum;
        bool is_zero = fabs(slope) <= tolerance * found.size || found.size <= zero_size;
        if (is_zero)
            k.low = k.high = b;
        if (is_zero || k.high - k.low <= tolerance * (1 + fabs(b)))
            break;
        rounds_kept = slope > 0         ? (rounds_kept < 0 ? rounds_kept - 1 : -1)
                      : rounds_kept > 0 ? rounds_kept + 1
                                        : 1;
        *(slope > 0 ? &k.high : &k.low) = b;
        *(slope > 0 ? &k.at_high : &k.at_low) = slope;
        /* the zero is at least |slope|/curvature away; without a bracket the stride grows fourfold */
        stride = fmax(4 * stride, fabs(slope) / fmin(terms->loss->curvature, 1e3));
        b = isinf(k.low)    ? k.high - stride
            : isinf(k.high) ? k.low + stride
                            : next_point(&k, rounds_kept);
    }
    *bracket = k;
    return b;
}

double offset_search(struct offset *offset, const double *u, double *low, double *high) {
    static const struct smoothing exact;
    struct bracket k;
    double b = find_zero(offset, u, &exact, &k);
    offset->last = isfinite(b) ? b : 0;
    *low = isfinite(k.low) ? k.low : offset->last;
    *high = isfinite(k.high) ? k.high : offset->last;
    return offset->last;
}

double offset_find(struct offset *offset, const double *u, const struct smoothing *by) {
    const struct loss *loss = offset->terms->loss;
    struct bracket k;
    bool together = offset->terms->design->data->communicator != NULL;
    double b = !loss->quadratic || together ? find_zero(offset, u, by, &k)
               : has_kinks(loss, by)        ? find_among_kinks(offset, u, by)
                                            : find_multiplier(offset, u, by, 0, offset->last);
    if (isfinite(b))
        offset->last = b;
    return isfinite(b) ? b : isnan(offset->last) ? 0 : offset->last;
}
