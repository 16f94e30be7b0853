/* spectrum.c - the largest eigenvalue of X' diag(q) X by power iteration, and an upper bound of it. */
#include "solvers/accelerated/spectrum.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/random/random.h"
#include "math/rounding.h"

#include <stdlib.h>
#include <string.h>

static const double converged_change = 1e-9; /* relative change at which an iteration ends */

/* A matrix-vector product with X'QX, or with |X|'Q|X|. */
struct product {
    const struct scalar_terms *terms;
    const double *each;
    bool absolute; /* |X| */
    double *v;     /* of length 1; the intercept's entry is 0 */
    double *Mv;
    double *u; /* rows: X v; NULL: not needed */
    double passes;
};

/* ---- the product: scores and their combination in one pass */

static double absolute_score(const struct design *design, const double *v, int64_t i) {
    const struct dataset *data = design->data;
    double u = design->bias >= 0 ? design->bias * v[data->features] : 0;
    for (int64_t k = 0; k < dataset_count(data, i); k++)
        u += fabs(dataset_entry(data, dataset_start(data, i) + k)) * v[dataset_columns(data, i)[k]];
    return u;
}

static void add_absolute(const struct design *design, double *g, double c, int64_t i) {
    const struct dataset *data = design->data;
    for (int64_t k = 0; k < dataset_count(data, i); k++)
        g[dataset_columns(data, i)[k]] += c * fabs(dataset_entry(data, dataset_start(data, i) + k));
    if (design->bias >= 0)
        g[data->features] += c * design->bias;
}

static void multiply_rows(const struct product *product, const struct window_rows *at, double *g) {
    const struct scalar_terms *terms = product->terms;
    const struct design *design = terms->design;
    for (int64_t i = at->from; i < at->to; i++) {
        double q = scalar_weight(terms, i) * (product->each == NULL ? 1 : product->each[i]);
        double u = product->absolute ? absolute_score(design, product->v, i)
                                     : design_product(design, at, product->v, i);
        if (product->u != NULL)
            product->u[i] = u;
        if (q > 0 && product->absolute)
            add_absolute(design, g, q * u, i);
        else if (q > 0)
            design_add_product(design, at, g, q * u, i);
    }
}

static void multiply_block(const struct product *product, int block) {
    const struct design *design = product->terms->design;
    double *g = design_partial(design, block);
    struct window_rows at =
        product->absolute ? design_block_rows(design, block) : design_block_products(design, block);
    memset(g, 0, sizeof *g * (size_t)(design->columns + design->width));
    while (window_next(&at))
        multiply_rows(product, &at, g);
}

static void multiply(struct product *product) {
    const struct design *design = product->terms->design;
    design_prepare(design, product->v);
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        multiply_block(product, block);
    design_add_partials(design, 1 / product->terms->weight_sum, product->Mv);
    if (design->intercept)
        product->Mv[design->regularized] = 0;
    product->passes++;
}

/* ---- the iterations */

/* max_j (M v)_j / v_j over the columns with (M v)_j > 0; infinite if such a v_j has underflowed to 0. */
static double collatz(const struct product *product) {
    double largest = 0;
    for (int64_t j = 0; j < product->terms->design->regularized; j++)
        if (product->Mv[j] > 0)
            largest = fmax(largest, product->Mv[j] / product->v[j]);
    return largest * (1 + rounding_of_results);
}

/* v = M v / ||M v||; false if the norm is 0 or not finite. */
static bool advance(struct product *product) {
    int64_t n = product->terms->design->regularized;
    double length = sqrt(long_dot(NULL, product->Mv, product->Mv, n));
    if (!(length > 0) || !isfinite(length))
        return false;
    for (int64_t j = 0; j < n; j++)
        product->v[j] = product->Mv[j] / length;
    return true;
}

static bool has_changed(double value, double before) {
    return !(fabs(value - before) <= converged_change * fabs(value));
}

/* Power iteration: raises out->largest, and lowers out->bound where no entry of M is negative. */
static void iterate(struct product *product, bool nonnegative, int iterations,
                    struct spectrum *out) {
    int64_t n = product->terms->design->regularized;
    for (int k = 0; k < iterations; k++) {
        double largest = out->largest, bound = out->bound;
        multiply(product);
        if (!product->absolute)
            out->largest = fmax(largest, long_dot(NULL, product->v, product->Mv, n));
        if (nonnegative)
            out->bound = fmin(bound, collatz(product));
        bool rises = !product->absolute && has_changed(out->largest, largest);
        bool falls = nonnegative && has_changed(out->bound, bound);
        if (k + 1 == iterations || (!rises && !falls) || !advance(product))
            return;
    }
}

/* A start in which every column takes part. With entries of both signs the signs are random, so that it is not
 * orthogonal to the eigenvector. */
static void start(struct product *product, bool nonnegative) {
    struct random random;
    int64_t n = product->terms->design->regularized;
    double each = 1 / sqrt(fmax(1, (double)n));
    random_seed(&random, 1, 0);
    memset(product->v, 0, sizeof(double) * (size_t)product->terms->design->columns);
    for (int64_t j = 0; j < n; j++)
        product->v[j] = nonnegative || random_unit(&random) < 0.5 ? each : -each;
}

/* ---- both bounds */

static bool has_no_negative(const struct design *design) {
    const struct dataset *data = design->data;
    bool none = true;
    if (!dataset_has_values(data))
        return true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : none) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        struct window_rows at = design_block_rows(design, block);
        while (window_next(&at))
            for (int64_t k = dataset_start(data, at.from); k < dataset_start(data, at.to); k++)
                none &= dataset_entry(data, k) >= 0;
    }
    return none;
}

void spectrum_diagonal(const struct scalar_terms *terms, const double *each, double *work,
                       double *diagonal) {
    const struct design *design = terms->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        work[i] = scalar_weight(terms, i) / terms->weight_sum * (each == NULL ? 1 : each[i]);
    design_combine_squares(design, work, diagonal);
}

/* The trace of X' diag(q) X, an upper bound. */
static double trace(const struct product *product, double *work) {
    double sum = 0;
    spectrum_diagonal(product->terms, product->each, work, product->Mv);
    for (int64_t j = 0; j < product->terms->design->regularized; j++)
        sum += product->Mv[j];
    return isfinite(sum) ? sum * (1 + rounding_of_results) : INFINITY;
}

static void normalize(double *x, int64_t n) {
    double length = sqrt(long_dot(NULL, x, x, n));
    for (int64_t i = 0; length > 0 && i < n; i++)
        x[i] /= length;
}

int spectrum_find(const struct scalar_terms *terms, const double *each, int iterations, double *top,
                  struct spectrum *out, struct error *e) {
    const struct design *design = terms->design;
    int64_t n = design->columns, m = design->rows;
    bool nonnegative = has_no_negative(design);
    double *work = memory_zeroed(2 * n + m, sizeof *work, "eigenvectors", e);
    if (work == NULL)
        return -1;
    struct product product = {
        .terms = terms, .each = each, .v = work, .Mv = work + n, .u = work + 2 * n};
    *out = (struct spectrum){.bound = trace(&product, product.u)};
    memset(product.u, 0, sizeof *work * (size_t)m);
    start(&product, nonnegative);
    if (isfinite(out->bound))
        iterate(&product, nonnegative, iterations, out);
    if (top != NULL) {
        memcpy(top, product.u, sizeof *top * (size_t)m);
        normalize(top, m);
    }
    if (!nonnegative && isfinite(out->bound)) {
        product.absolute = true;
        product.u = NULL;
        start(&product, true);
        iterate(&product, true, iterations, out);
    }
    out->passes = product.passes + 1;
    free(work);
    return 0;
}
