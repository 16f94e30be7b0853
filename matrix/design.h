/* design.h - the matrix X whose rows are the examples with their constant features:
 *
 *     x_i = (row i of the data, bias, 1 for an unregularized offset)
 *
 * and its products with vectors. Sums over rows are cut into blocks, whose number depends on the data alone.
 * Threads work on blocks in any order, and the blocks' sums are added in block order: the same result for any
 * number of threads. The other files of matrix/ are column_subset.h and columns.h, copies of some columns and
 * by column, and gram.h, X' diag(d) X. */
#ifndef RRM_DESIGN_H
#define RRM_DESIGN_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/window.h"
#include "math/dense.h"
#include "math/float_rows.h"
#include "math/vector.h"

#include <stdbool.h>

enum { DESIGN_BLOCKS_MOST = 64 };

struct design {
    const struct dataset *data; /* the caller's */
    double bias;    /* the constant of column data->features; < 0: there is no such column */
    bool intercept; /* a last column of ones */
    int64_t rows;
    int64_t regularized; /* all columns but the intercept's */
    int64_t columns;
    bool threads; /* there are enough nonzeros for threads to pay */
    int blocks;
    double *partial; /* blocks x (columns + width): the sums of the blocks (design_partial) */

    /* Of a window, for products alone (io/dataset_window.h); 0 and NULL without one. */
    int64_t width;
    double *base_weights; /* width: B w of design_prepare */
    double *base_sum;     /* width: work */
};

/* 0, or -1 with the error set; to be freed in either case. */
int design_init(struct design *design, const struct dataset *data, double bias, bool intercept,
                struct error *e);
void design_free(struct design *design);

/* The first row of a block; `rows` for block = blocks. */
int64_t design_block_start(const struct design *design, int block);

/* The block's rows, to be read as window.h describes; and for products alone. */
struct window_rows design_block_rows(const struct design *design, int block);
struct window_rows design_block_products(const struct design *design, int block);

/* The sum of a block: `columns` numbers, then `width` for rows that are read for products alone. */
static inline double *design_partial(const struct design *design, int block) {
    return design->partial + block * (design->columns + design->width);
}

/* Before scores of rows that are read for products alone: at weights W. Not while other threads read such rows. */
void design_prepare(const struct design *design, const double *w);

/* ||x||^2 of row i with its constant feature; bias < 0: there is none. */
static inline double row_square(const struct dataset *data, int64_t i, double bias) {
    int64_t count = dataset_count(data, i);
    return (data->floats != NULL ? float_square(dataset_floats(data, i), count)
                                 : sparse_square(dataset_values(data, i), count)) +
           (bias >= 0 ? bias * bias : 0);
}

/* u = X w */
void design_scores(const struct design *design, const double *w, double *u);

/* g = X' c, over the rows of all processes (io/communicator.h); rows with c = 0 are not read. Uses the partial sums:
 * one call at a time. */
void design_combine(const struct design *design, const double *c, double *g);

/* The same over the rows of this process alone. */
void design_combine_own(const struct design *design, const double *c, double *g);

/* The same over rows from <= i < to, on the calling thread, into a partial sum (columns + width numbers). */
void design_combine_rows(const struct design *design, int64_t from, int64_t to, const double *c,
                         double *partial);

/* PARTIAL[0 .. columns - 1] += the share of the `width` numbers behind them. */
void design_finish_partial(const struct design *design, double *partial);

/* g_j = sum_i c_i x_ij^2, over the rows of all processes */
void design_combine_squares(const struct design *design, const double *c, double *g);

/* g = sum of this process's blocks' partial sums, in block order, times `scale`. */
void design_add_partials(const struct design *design, double scale, double *g);

/* <v, row i of the data>, and v += c row i, whose values are VALUE. */
static inline double row_dot(const double *v, const struct dataset *data, int64_t i,
                             const double *value) {
    return data->dense ? vector_dot_wide(v, value, data->features)
                       : sparse_dot(v, dataset_columns(data, i), value, dataset_count(data, i));
}

static inline void row_add(double *v, double c, const struct dataset *data, int64_t i,
                           const double *value) {
    if (data->dense)
        vector_add_wide(v, c, value, data->features);
    else
        sparse_add(v, c, dataset_columns(data, i), value, dataset_count(data, i));
}

/* The same for a row that is held (window.h), of doubles or floats. */
static inline double held_dot(const double *v, const struct dataset *data, int64_t i) {
    if (data->floats == NULL)
        return row_dot(v, data, i, dataset_values(data, i));
    const float *value = dataset_floats(data, i);
    return data->dense
               ? float_dot(value, v, data->features)
               : sparse_dot_floats(v, dataset_columns(data, i), value, dataset_count(data, i));
}

static inline void held_add(double *v, double c, const struct dataset *data, int64_t i) {
    if (data->floats == NULL)
        row_add(v, c, data, i, dataset_values(data, i));
    else if (data->dense)
        float_add(v, c, dataset_floats(data, i), data->features);
    else
        sparse_add_floats(v, c, dataset_columns(data, i), dataset_floats(data, i),
                          dataset_count(data, i));
}

/* <w, x_i> with w = scale v, except for the offset's weight, which is not scaled; DOT is <v, row i>. */
static inline double design_score_at(const struct design *design, const double *v, double scale,
                                     double dot) {
    double u = dot;
    if (design->bias >= 0)
        u += design->bias * v[design->data->features];
    u *= scale;
    if (design->intercept)
        u += v[design->regularized];
    return u;
}

/* The same of row i, whose values are VALUE. */
static inline double design_score_of(const struct design *design, const double *v, double scale,
                                     int64_t i, const double *value) {
    return design_score_at(design, v, scale, row_dot(v, design->data, i, value));
}

/* The same for a row that is held. */
static inline double design_score(const struct design *design, const double *v, double scale,
                                  int64_t i) {
    return design_score_at(design, v, scale, held_dot(v, design->data, i));
}

/* g += c times the constant features of a row. */
static inline void design_add_constants(const struct design *design, double *g, double c) {
    if (design->bias >= 0)
        g[design->data->features] += c * design->bias;
    if (design->intercept)
        g[design->regularized] += c;
}

/* g += c x_i; row i's values are VALUE. */
static inline void design_add_of(const struct design *design, double *g, double c, int64_t i,
                                 const double *value) {
    row_add(g, c, design->data, i, value);
    design_add_constants(design, g, c);
}

/* The same for a row that is held. */
static inline void design_add(const struct design *design, double *g, double c, int64_t i) {
    held_add(g, c, design->data, i);
    design_add_constants(design, g, c);
}

/* <w, x_i> of a row that is read for products alone, after design_prepare(w). */
static inline double design_product(const struct design *design, const struct window_rows *at,
                                    const double *w, int64_t i) {
    double u;
    if (at->base != NULL)
        u = vector_dot_wide(design->base_weights, at->base + (i - at->from) * design->width,
                            design->width);
    else if (at->floats != NULL)
        u = float_dot(at->floats + (i - at->from) * design->data->features, w,
                      design->data->features);
    else
        u = held_dot(w, design->data, i);
    return design_score_at(design, w, 1, u);
}

/* The partial sum += c x_i of such a row. */
static inline void design_add_product(const struct design *design, const struct window_rows *at,
                                      double *partial, double c, int64_t i) {
    if (at->base != NULL)
        vector_add_wide(partial + design->columns, c, at->base + (i - at->from) * design->width,
                        design->width);
    else if (at->floats != NULL)
        float_add(partial, c, at->floats + (i - at->from) * design->data->features,
                  design->data->features);
    else
        held_add(partial, c, design->data, i);
    design_add_constants(design, partial, c);
}

#endif
