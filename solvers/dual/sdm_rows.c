/* sdm_rows.c - the examples of `sdm`; see sdm_rows.h. */
#include "solvers/dual/sdm_rows.h"

#include "io/memory.h"
#include "math/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = SDM_TOGETHER }; /* classes whose products are made together */
/* Numbers: rows are copied in multiples of them, short rows of the second (math/dense.h). */
enum { VECTOR = 32, SHORT_VECTOR = 8 };

/* The share of nonzeros from which on dense products are faster; where all values are 1, a sparse row is a third as
 * large. */
static const double dense_share = 0.3, dense_share_of_ones = 0.5;

/* With more classes than features the scores of a row are one vector of all classes. */
static bool is_dense(const struct class_terms *terms, bool force) {
    const struct dataset *data = terms->data;
    double share = data->value == NULL ? dense_share_of_ones : dense_share;
    return force || data->dense ||
           (data->features >= terms->classes &&
            (double)data->nonzeros >= share * (double)data->rows * (double)data->features);
}

/* Whether the data's own values serve as dense rows. */
static bool has_dense_values(const struct class_terms *terms, bool force_dense) {
    return terms->data->dense && terms->data->value != NULL && !(force_dense && terms->bias >= 0);
}

static int64_t whole_vectors(int64_t n) {
    int64_t vector = n <= VECTOR ? SHORT_VECTOR : VECTOR;
    return (n + vector - 1) / vector * vector;
}

double sdm_rows_bytes(const struct class_terms *terms, bool force_dense) {
    const struct dataset *data = terms->data;
    double rows = (double)data->rows, copy = 0;
    if (is_dense(terms, force_dense) && !has_dense_values(terms, force_dense))
        copy = rows * (double)whole_vectors(data->features + (terms->bias >= 0));
    return sizeof(double) * (copy + 2 * rows);
}

static int copy_rows(struct sdm_rows *rows, bool whole, struct error *e) {
    const struct dataset *data = rows->terms->data;
    double bias = rows->bias;
    rows->width = rows->stride = whole ? whole_vectors(rows->features) : rows->features;
    rows->bias = -1;
    double *x = rows->copy =
        memory_zeroed(rows->count * rows->width, sizeof *x, "a dense copy of the examples", e);
    if (x == NULL)
        return -1;
    for (int64_t i = 0; i < rows->count; i++, x += rows->width) {
        sparse_add(x, 1, dataset_columns(data, i), dataset_values(data, i), dataset_count(data, i));
        if (bias >= 0)
            x[data->features] = bias;
    }
    return 0;
}

static int fill(struct sdm_rows *rows, double lambda, struct error *e) {
    const struct class_terms *terms = rows->terms;
    rows->square = memory_new(2 * rows->count, sizeof(double), "the examples' norms", e);
    if (rows->square == NULL)
        return -1;
    rows->cost = rows->square + rows->count;
    for (int64_t i = 0; i < rows->count; i++) {
        rows->square[i] = row_square(terms->data, i, terms->bias);
        rows->cost[i] =
            (terms->weight == NULL ? 1 : terms->weight[i]) / (lambda * terms->weight_sum);
        rows->products += sdm_nonzeros(rows, i);
    }
    rows->products = fmax(rows->products, 1); /* passes are products in units of them */
    return 0;
}

int sdm_rows_init(struct sdm_rows *rows, const struct class_terms *terms, double lambda,
                  bool force_dense, struct error *e) {
    const struct dataset *data = terms->data;
    *rows = (struct sdm_rows){.terms = terms,
                              .count = data->rows,
                              .classes = terms->classes,
                              .features = data->features + (terms->bias >= 0),
                              .stride = data->features + (terms->bias >= 0),
                              .width = data->features,
                              .bias = terms->bias,
                              .by_class = is_dense(terms, force_dense)};
    if (rows->by_class && !has_dense_values(terms, force_dense) &&
        copy_rows(rows, !force_dense, e) != 0)
        return -1;
    rows->dense = rows->copy != NULL ? rows->copy : data->value;
    return fill(rows, lambda, e);
}

void sdm_rows_free(struct sdm_rows *rows) {
    free(rows->copy);
    free(rows->square);
    *rows = (struct sdm_rows){0};
}

/* ---- several rows */

void sdm_add_together(const struct sdm_rows *rows, const int64_t *i, const double *c, double *u) {
    double *x[SDM_TOGETHER];
    for (int a = 0; a < SDM_TOGETHER; a++) {
        if (!rows->by_class) {
            sdm_add(rows, i[a], c[a], u);
            continue;
        }
        x[a] = (double *)rows->dense + i[a] * rows->width;
        if (rows->bias >= 0)
            u[rows->width] += c[a] * rows->bias;
    }
    if (rows->by_class)
        vector_adds_wide(u, c, x, rows->width);
}

void sdm_dot_together(const struct sdm_rows *rows, const int64_t *i, const double *u, double *s) {
    double *x[SDM_TOGETHER];
    for (int a = 0; a < SDM_TOGETHER; a++)
        if (rows->by_class)
            x[a] = (double *)rows->dense + i[a] * rows->width;
        else
            s[a] = sdm_dot(rows, i[a], u);
    if (!rows->by_class)
        return;
    vector_dots_wide(u, x, rows->width, s);
    for (int a = 0; a < SDM_TOGETHER && rows->bias >= 0; a++)
        s[a] += rows->bias * u[rows->width];
}

/* ---- class by class */

static void dense_scores_of(const struct sdm_rows *rows, int64_t i, const double *w,
                            const int32_t *class, int64_t count, double *s) {
    const double *x = rows->dense + i * rows->width;
    int64_t a = 0;
    for (; a + GROUP <= count; a += GROUP) {
        double *four[GROUP];
        for (int b = 0; b < GROUP; b++)
            four[b] = (double *)w + (class == NULL ? a + b : class[a + b]) * rows->stride;
        vector_dots_wide(x, four, rows->width, s + a);
    }
    for (; a < count; a++)
        s[a] = vector_dot_wide(x, w + (class == NULL ? a : class[a]) * rows->stride, rows->width);
    for (a = 0; a < count && rows->bias >= 0; a++)
        s[a] += rows->bias * w[(class == NULL ? a : class[a]) * rows->stride + rows->width];
}

/* ---- feature by feature */

static struct sparse_row row_of(const struct sdm_rows *rows, int64_t i) {
    const struct dataset *data = rows->terms->data;
    return (struct sparse_row){dataset_columns(data, i), dataset_values(data, i),
                               dataset_count(data, i)};
}

void sdm_score_outputs(const struct sdm_rows *rows, int64_t i, const double *w, int64_t outputs,
                       double *s) {
    struct sparse_row row = row_of(rows, i);
    memset(s, 0, sizeof *s * (size_t)outputs);
    outputs_score(&row, w, outputs, s);
    for (int64_t k = 0; k < outputs && rows->bias >= 0; k++)
        s[k] += rows->bias * w[rows->width * outputs + k];
}

void sdm_add_outputs(const struct sdm_rows *rows, int64_t i, double *w, int64_t outputs,
                     const double *a) {
    struct sparse_row row = row_of(rows, i);
    outputs_add(&row, w, outputs, a);
    for (int64_t k = 0; k < outputs && rows->bias >= 0; k++)
        w[rows->width * outputs + k] += rows->bias * a[k];
}

void sdm_scores(const struct sdm_rows *rows, int64_t i, const double *w, double *s) {
    if (rows->by_class)
        dense_scores_of(rows, i, w, NULL, rows->classes, s);
    else
        sdm_score_outputs(rows, i, w, rows->classes, s);
}

static inline __attribute__((always_inline)) void score_group(const struct sparse_row *row,
                                                              const double *w, int64_t classes,
                                                              const int32_t *class, int count,
                                                              double *s) {
    const double *column_of[GROUP];
    double sum[GROUP] = {0};
    for (int a = 0; a < count; a++)
        column_of[a] = w + class[a];
    for (int64_t j = 0; j < row->count; j++) {
        double x = row->value == NULL ? 1 : row->value[j];
        int64_t at = row->column[j] * classes;
        for (int a = 0; a < count; a++)
            sum[a] += x * column_of[a][at];
    }
    for (int a = 0; a < count; a++)
        s[a] = sum[a];
}

static inline __attribute__((always_inline)) void add_group(const struct sparse_row *row, double *w,
                                                            int64_t classes, const int32_t *class,
                                                            int count, const double *d) {
    for (int64_t j = 0; j < row->count; j++) {
        double x = row->value == NULL ? 1 : row->value[j], *at = w + row->column[j] * classes;
        for (int a = 0; a < count; a++)
            at[class[a]] += x * d[a];
    }
}

/* `call(n)` with the constant n = COUNT, 1 .. GROUP: code of its own for each. */
#define WITH_CONSTANT(count, call)                                                                 \
    switch (count) {                                                                               \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        call(2);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        call(3);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(GROUP);                                                                               \
    }

void sdm_scores_of(const struct sdm_rows *rows, int64_t i, const double *w, const int32_t *class,
                   int64_t count, double *s) {
    if (rows->by_class) {
        dense_scores_of(rows, i, w, class, count, s);
        return;
    }
    const struct sparse_row row = row_of(rows, i);
    for (int64_t a = 0; a < count; a += GROUP) {
#define SCORE(n) score_group(&row, w, rows->classes, class + a, n, s + a)
        WITH_CONSTANT(count - a, SCORE)
    }
    for (int64_t a = 0; a < count && rows->bias >= 0; a++)
        s[a] += rows->bias * w[rows->width * rows->classes + class[a]];
}

void sdm_add_to(const struct sdm_rows *rows, int64_t i, const int32_t *class, int64_t count,
                const double *d, double *w) {
    if (rows->by_class) {
        for (int64_t a = 0; a < count; a++)
            sdm_add(rows, i, d[a], w + rows->stride * class[a]);
        return;
    }
    const struct sparse_row row = row_of(rows, i);
    for (int64_t a = 0; a < count; a += GROUP) {
#define ADD(n) add_group(&row, w, rows->classes, class + a, n, d + a)
        WITH_CONSTANT(count - a, ADD)
    }
    for (int64_t a = 0; a < count && rows->bias >= 0; a++)
        w[rows->width * rows->classes + class[a]] += rows->bias * d[a];
}

void sdm_weights_out(const struct sdm_rows *rows, const double *w, double *out) {
    for (int64_t j = 0; j < rows->features && rows->by_class; j++)
        for (int64_t k = 0; k < rows->classes; k++)
            out[j * rows->classes + k] = w[k * rows->stride + j];
    if (!rows->by_class)
        memcpy(out, w, sizeof *w * (size_t)(rows->features * rows->classes));
}

void sdm_weights_in(const struct sdm_rows *rows, const double *in, double *w) {
    for (int64_t j = 0; j < rows->features && rows->by_class; j++)
        for (int64_t k = 0; k < rows->classes; k++)
            w[k * rows->stride + j] = in[j * rows->classes + k];
    if (!rows->by_class)
        memcpy(w, in, sizeof *w * (size_t)(rows->features * rows->classes));
}
