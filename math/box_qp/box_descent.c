/* box_descent.c - solves a piecewise quadratic program over a box, perhaps with kinks, by coordinate descent. */
#include "math/box_qp/box_descent.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 5 /* moves that are combined */, COLUMN_ARRAYS = WINDOW + 3, ROW_ARRAYS = 4 };

static const double ridge_of_trace =
    1e-10; /* added to the least-squares problem of the moves, relative to its trace */

struct state {
    const struct box_descent *p;
    double *e, *curvature;
    double *score, *slope; /* rows: v + A e, and Phi' there; the same array if no row is clipped */
    double *candidate_score, *candidate_slope;
    double *candidate; /* n: a candidate for e */
    double *past;      /* WINDOW + 1 points of the last sweeps */
    int64_t *list;     /* the components that a sweep visits */
    int64_t count;
    double steepest; /* the largest |slope_j| of the last sweep */
    double products; /* of entries of A, since the last call of `stop` */
};

static int reserve(struct box_descent_work *work, int64_t n, int64_t rows, struct error *e) {
    if (work->array != NULL && work->list != NULL && n <= work->columns && rows <= work->rows)
        return 0;
    free(work->array);
    free(work->list);
    work->columns = n + n / 2;
    work->rows = rows + rows / 2;
    work->array = memory_new(COLUMN_ARRAYS * work->columns + ROW_ARRAYS * work->rows,
                             sizeof *work->array, "coordinate descent", e);
    work->list = memory_new(work->columns, sizeof *work->list, "coordinate descent", e);
    return work->array == NULL || work->list == NULL ? -1 : 0;
}

void box_descent_free(struct box_descent_work *work) {
    free(work->array);
    free(work->list);
    *work = (struct box_descent_work){0};
}

/* ---- F */

/* A_j'Phi'(score) */
static double column_dot(struct state *s, int64_t j) {
    const struct box_descent *p = s->p;
    int64_t from = p->start[j], count = p->start[j + 1] - from;
    s->products += (double)count;
    return sparse_dot(s->slope, p->row + from, p->value + from, count);
}

/* e_j += step; updates the scores and their slopes. */
static void column_add(struct state *s, double step, int64_t j) {
    const struct box_descent *p = s->p;
    int64_t from = p->start[j], end = p->start[j + 1];
    s->products += (double)(end - from);
    if (p->bottom == NULL)
        sparse_add(s->score, step, p->row + from, p->value + from, end - from);
    for (int64_t k = from; p->bottom != NULL && k < end; k++) {
        int32_t i = p->row[k];
        s->score[i] += step * p->value[k];
        s->slope[i] = clip(s->score[i], p->bottom[i], p->top[i]);
    }
}

/* The scores v + A e and their slopes. */
static void find_scores(struct state *s, const double *e, double *score, double *slope) {
    const struct box_descent *p = s->p;
    memcpy(score, p->first, sizeof *score * (size_t)p->rows);
    for (int64_t j = 0; j < p->n; j++) {
        int64_t from = p->start[j], count = p->start[j + 1] - from;
        if (e[j] == 0)
            continue;
        sparse_add(score, e[j], p->row + from, p->value + from, count);
        s->products += (double)count;
    }
    for (int64_t i = 0; p->bottom != NULL && i < p->rows; i++)
        slope[i] = clip(score[i], p->bottom[i], p->top[i]);
}

/* Phi(v) */
static double row_value(const struct box_descent *p, int64_t i, double v) {
    double a = p->bottom == NULL ? v : clip(v, p->bottom[i], p->top[i]);
    return a * (v - a / 2);
}

static double value_at(const struct box_descent *p, const double *e, const double *score) {
    double sum = 0;
    for (int64_t j = 0; j < p->n; j++)
        sum += e[j] * (p->gradient[j] + p->diagonal[j] * e[j] / 2);
    for (int64_t j = 0; p->kink != NULL && j < p->n; j++)
        sum += p->kink[j] * (fabs(p->origin[j] + e[j]) - fabs(p->origin[j]));
    for (int64_t i = 0; i < p->rows; i++)
        sum += row_value(p, i, score[i]) - row_value(p, i, p->first[i]);
    return sum;
}

/* ---- sweeps */

static void find_curvatures(struct state *s) {
    const struct box_descent *p = s->p;
    for (int64_t j = 0; j < p->n; j++)
        s->curvature[j] =
            p->diagonal[j] + sparse_square(p->value + p->start[j], p->start[j + 1] - p->start[j]);
}

static void list_all(struct state *s) {
    s->count = 0;
    for (int64_t j = 0; j < s->p->n; j++)
        if (s->p->low[j] < s->p->high[j] && s->curvature[j] > 0)
            s->list[s->count++] = j;
}

/* The slope of component j and its best value. With a kink the slope is that from the present value to the best one.
 * False: the component stays at its bound or its kink. */
static bool find_best(const struct state *s, int64_t j, double *slope, double *to) {
    const struct box_descent *p = s->p;
    double at = s->e[j], curvature = s->curvature[j];
    if ((at <= p->low[j] && *slope >= 0) || (at >= p->high[j] && *slope <= 0))
        return false;
    *to = at - *slope / curvature;
    if (p->kink != NULL) {
        double origin = p->origin[j];
        if (at == -origin && fabs(*slope) <= p->kink[j])
            return false;
        *to = soft(origin + *to, p->kink[j] / curvature) - origin;
        *slope = curvature * (at - *to);
    }
    *to = clip(*to, p->low[j], p->high[j]);
    return true;
}

/* Minimizes over component j. Returns its squared slope divided by the curvature; -1: it stays where it is. */
static double minimize_component(struct state *s, int64_t j) {
    const struct box_descent *p = s->p;
    double at = s->e[j], slope = p->gradient[j] + p->diagonal[j] * at + column_dot(s, j), to;
    if (!find_best(s, j, &slope, &to))
        return -1;
    if (to != at)
        column_add(s, to - at, j);
    s->e[j] = to;
    s->steepest = fmax(s->steepest, fabs(slope));
    return slope * slope / s->curvature[j];
}

/* Visits the components of the list; removes those that stay where they are. Returns the length of the slope in the
 * metric of the inverse curvatures. */
static double sweep(struct state *s) {
    double sum = 0;
    int64_t kept = 0;
    s->steepest = 0;
    for (int64_t k = 0; k < s->count; k++) {
        double square = minimize_component(s, s->list[k]);
        if (square < 0)
            continue;
        sum += square;
        s->list[kept++] = s->list[k];
    }
    s->count = kept;
    return sqrt(sum);
}

/* ---- acceleration */

/* <move a, move b> in the metric of the curvatures; move a is from past point a to a + 1. */
static double move_product(const struct state *s, int a, int b) {
    int64_t n = s->p->n;
    const double *from = s->past + a * n, *candidate = s->past + b * n;
    double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += s->curvature[j] * (from[n + j] - from[j]) * (candidate[n + j] - candidate[j]);
    return sum;
}

/* Minimizes ||sum_a c_a move_a||^2 plus the ridge over c with sum 1. False: all moves are 0. */
static bool find_weights(const struct state *s, double *c) {
    double m[WINDOW][WINDOW], trace = 0, sum = 0;
    for (int a = 0; a < WINDOW; a++) {
        for (int b = 0; b <= a; b++)
            m[a][b] = m[b][a] = move_product(s, a, b);
        trace += m[a][a];
        c[a] = 1;
    }
    if (!(trace > 0) || isinf(trace))
        return false;
    for (int a = 0; a < WINDOW; a++)
        m[a][a] += ridge_of_trace * trace;
    for (int a = 0; a < WINDOW; a++) /* positive definite: Gauss without pivots */
        for (int b = a + 1; b < WINDOW; b++) {
            double factor = m[b][a] / m[a][a];
            for (int k = a; k < WINDOW; k++)
                m[b][k] -= factor * m[a][k];
            c[b] -= factor * c[a];
        }
    for (int a = WINDOW - 1; a >= 0; a--) {
        for (int b = a + 1; b < WINDOW; b++)
            c[a] -= m[a][b] * c[b];
        c[a] /= m[a][a];
    }
    for (int a = 0; a < WINDOW; a++)
        sum += c[a];
    for (int a = 0; a < WINDOW; a++)
        c[a] /= sum;
    return isfinite(sum) && sum != 0;
}

/* candidate = the combination of the last points, clipped to the box; computes its scores. */
static void combine(struct state *s, const double *c) {
    const struct box_descent *p = s->p;
    int64_t n = p->n;
    for (int64_t j = 0; j < n; j++) {
        double to = 0;
        for (int a = 0; a < WINDOW; a++)
            to += c[a] * s->past[(a + 1) * n + j];
        s->candidate[j] = clip(to, p->low[j], p->high[j]);
    }
    find_scores(s, s->candidate, s->candidate_score, s->candidate_slope);
}

static void extrapolate(struct state *s) {
    const struct box_descent *p = s->p;
    double c[WINDOW];
    if (!find_weights(s, c))
        return;
    combine(s, c);
    if (!(value_at(p, s->candidate, s->candidate_score) < value_at(p, s->e, s->score)))
        return;
    memcpy(s->e, s->candidate, sizeof *s->e * (size_t)p->n);
    memcpy(s->score, s->candidate_score, sizeof *s->score * (size_t)p->rows);
    if (p->bottom != NULL)
        memcpy(s->slope, s->candidate_slope, sizeof *s->slope * (size_t)p->rows);
}

/* ---- the loop */

/* Computes the scores at e. If F(e) >= 0 = F(0), starts at 0 instead. */
static void start_descent(struct state *s) {
    const struct box_descent *p = s->p;
    find_scores(s, s->e, s->score, s->slope);
    if (value_at(p, s->e, s->score) < 0)
        return;
    memset(s->e, 0, sizeof *s->e * (size_t)p->n);
    find_scores(s, s->e, s->score, s->slope);
}

static int64_t descend(struct state *s) {
    const struct box_descent *p = s->p;
    double tolerated_length = 0;
    bool all_listed = true;
    list_all(s);
    for (int64_t sweeps = 1;; sweeps++) {
        double length = sweep(s);
        if (sweeps == 1)
            tolerated_length = p->tolerance * length;
        bool converged = length <= tolerated_length || s->steepest <= p->max_slope,
             stopped = p->stop != NULL && p->stop(p->opaque, s->products);
        s->products = 0;
        if ((converged && all_listed) || stopped || sweeps >= p->max_sweeps)
            return sweeps;
        all_listed = converged;
        if (all_listed)
            list_all(s);
        int64_t at = (sweeps - 1) % (WINDOW + 1);
        memcpy(s->past + at * p->n, s->e, sizeof *s->e * (size_t)p->n);
        if (at == WINDOW)
            extrapolate(s);
    }
}

int64_t box_descent_solve(const struct box_descent *p, struct box_descent_work *work, double *e,
                          double *value, struct error *error) {
    if (reserve(work, p->n, p->rows, error) != 0)
        return -1;
    double *rows = work->array + COLUMN_ARRAYS * work->columns;
    struct state s = {.p = p,
                      .e = e,
                      .curvature = work->array,
                      .candidate = work->array + work->columns,
                      .past = work->array + 2 * work->columns,
                      .score = rows,
                      .slope = p->bottom == NULL ? rows : rows + work->rows,
                      .candidate_score = rows + 2 * work->rows,
                      .candidate_slope = rows + 3 * work->rows,
                      .list = work->list};
    start_descent(&s);
    find_curvatures(&s);
    int64_t sweeps = descend(&s);
    *value = value_at(p, e, s.score);
    return sweeps;
}
