/* sdm_rows.h - the examples of `sdm`, and products of one of them with the weights of some classes or all.
 *
 * Sparse rows have their weights feature by feature, w[j * classes + k], so that a feature brings the weights of all
 * classes into the cache. Dense rows, and those that are dense enough to be copied, have them class by class,
 * w[k * stride + j], and products by vectors. */
#ifndef RRM_SDM_ROWS_H
#define RRM_SDM_ROWS_H

#include "matrix/design.h"
#include "risk/risk.h"

struct sdm_rows {
    const struct class_terms *terms;
    int64_t count;
    int64_t classes, features; /* features with the constant one */
    bool by_class;             /* the rows are dense, and so the weights class by class */
    int64_t stride;            /* numbers of a class then, >= features, so that vectors are whole */
    const double *dense;       /* by_class: the rows, `width` numbers each */
    double *copy;              /* of them, if made here: with the constant feature */
    int64_t width;             /* features without the constant one, unless that is in `dense` */
    double bias;               /* of the constant feature behind these; < 0: there is none */
    double *square;            /* ||x_i||^2 */
    double *cost;    /* C_i = c_i/(lambda sum c): what the dual variables of row i sum to */
    double products; /* nonzeros: what a class costs, for all rows */
};

/* FORCE_DENSE: the rows become dense in any case, with the constant feature in `dense` and without padding. 0, or -1
 * with the error set; to be freed in either case. */
int sdm_rows_init(struct sdm_rows *rows, const struct class_terms *terms, double lambda,
                  bool force_dense, struct error *e);
void sdm_rows_free(struct sdm_rows *rows);

/* Bytes that they will take. */
double sdm_rows_bytes(const struct class_terms *terms, bool force_dense);

/* y_i */
static inline int32_t sdm_class(const struct sdm_rows *rows, int64_t i) {
    return (int32_t)rows->terms->target[i];
}

/* Nonzeros of row i, with the constant feature. */
static inline double sdm_nonzeros(const struct sdm_rows *rows, int64_t i) {
    int64_t count = rows->by_class ? rows->width : dataset_count(rows->terms->data, i);
    return (double)(count + (rows->bias >= 0));
}

/* Numbers of W. */
static inline int64_t sdm_size(const struct sdm_rows *rows) {
    return rows->stride * rows->classes;
}

/* <x_i, u> and u += c x_i, for `stride` numbers u. */
static inline double sdm_dot(const struct sdm_rows *rows, int64_t i, const double *u) {
    const struct dataset *data = rows->terms->data;
    double constant = rows->bias >= 0 ? rows->bias * u[rows->width] : 0;
    if (rows->by_class)
        return constant + vector_dot_wide(rows->dense + i * rows->width, u, rows->width);
    return constant +
           sparse_dot(u, dataset_columns(data, i), dataset_values(data, i), dataset_count(data, i));
}

static inline void sdm_add(const struct sdm_rows *rows, int64_t i, double c, double *u) {
    const struct dataset *data = rows->terms->data;
    if (rows->by_class)
        vector_add_wide(u, c, rows->dense + i * rows->width, rows->width);
    else
        sparse_add(u, c, dataset_columns(data, i), dataset_values(data, i), dataset_count(data, i));
    if (rows->bias >= 0)
        u[rows->width] += c * rows->bias;
}

/* u += sum_a c[a] x_(i[a]), and s[a] = <x_(i[a]), u>, a < SDM_TOGETHER: for dense rows in less time. */
enum { SDM_TOGETHER = 4 };
void sdm_add_together(const struct sdm_rows *rows, const int64_t *i, const double *c, double *u);
void sdm_dot_together(const struct sdm_rows *rows, const int64_t *i, const double *u, double *s);

/* s[k] = <x_i, w_k> for all classes. */
void sdm_scores(const struct sdm_rows *rows, int64_t i, const double *w, double *s);

/* Sparse rows times weights of several outputs, which lie side by side for each feature: s[k] = <x_i, w_k> for all of
 * them, and w_k += a[k] x_i. sdm_scores is the first one for W. */
void sdm_score_outputs(const struct sdm_rows *rows, int64_t i, const double *w, int64_t outputs,
                       double *s);
void sdm_add_outputs(const struct sdm_rows *rows, int64_t i, double *w, int64_t outputs,
                     const double *a);

/* s[a] = <x_i, w_k>, k = class[a], for the COUNT classes of CLASS; and w_k += d[a] x_i for them. */
void sdm_scores_of(const struct sdm_rows *rows, int64_t i, const double *w, const int32_t *class,
                   int64_t count, double *s);
void sdm_add_to(const struct sdm_rows *rows, int64_t i, const int32_t *class, int64_t count,
                const double *d, double *w);

/* The weights in the order of the risk: feature by feature; and back. */
void sdm_weights_out(const struct sdm_rows *rows, const double *w, double *out);
void sdm_weights_in(const struct sdm_rows *rows, const double *in, double *w);

#endif
