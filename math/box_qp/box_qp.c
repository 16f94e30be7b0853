/* box_qp.c - a convex quadratic program over a box, by steps on the free components. */
#include "math/box_qp/box_qp.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 7, MAX_SHORTENINGS = 20, MAX_ITERATIONS = 50 };

/* Conjugate gradients end at this fraction of the initial gradient's norm; or, while the box still cuts steps (the
 * free components are not final), when an iteration's decrease is below a fraction of the decrease so far. */
static const double residual_reduction = 0.01, armijo_slope = 0.1;
static const double step_cut =
    0.2; /* a step that does not lower the model, from one try to the next */
static const double least_pivot =
    1e-13; /* relative to the diagonal entry; below, a pivot is rounding */

struct state {
    const struct box_qp *qp;
    struct box_qp_work *work;
    double *e, *slope; /* e, and g + H e */
    double *step, *product, *trial, *residual, *search, *image;
    int64_t free;
    int64_t products;
    int64_t block; /* the component at which the step meets the box; -1: none */
    bool cut;      /* the last step was cut by the box */
};

int box_qp_reserve(struct box_qp_work *work, int64_t n, struct error *e) {
    if (n <= work->capacity && work->array != NULL)
        return 0;
    int64_t capacity = n + n / 2;
    free(work->array);
    free(work->free);
    work->capacity = capacity;
    work->array = memory_new(ARRAYS * capacity, sizeof *work->array, "a quadratic program", e);
    work->free = memory_new(capacity, sizeof *work->free, "a quadratic program", e);
    return work->array == NULL || work->free == NULL ? -1 : 0;
}

void box_qp_free(struct box_qp_work *work) {
    free(work->array);
    free(work->free);
    cholesky_set_free(&work->factor);
    *work = (struct box_qp_work){0};
}

/* y = H x by the lower triangle. */
static void multiply(const double *matrix, int64_t n, const double *x, double *y) {
    for (int64_t i = 0; i < n; i++) {
        const double *row = matrix + i * n;
        double at = x[i];
        y[i] = vector_dot(row, x, i) + row[i] * at;
        if (at != 0)
            for (int64_t j = 0; j < i; j++)
                y[j] += row[j] * at;
    }
}

static bool is_over(const struct state *s) {
    const struct box_qp *qp = s->qp;
    return s->products >= qp->products_most || (qp->stop != NULL && qp->stop(qp->opaque));
}

static void apply(struct state *s, const double *x, double *y) {
    const struct box_qp *qp = s->qp;
    s->products++;
    if (qp->matrix == NULL)
        qp->multiply(qp->opaque, x, y);
    else
        multiply(qp->matrix, qp->n, x, y);
}

/* Lists the components that are free to move to where the model falls; returns the slope's length
 * there, in the metric of the inverse diagonal. */
static double find_free(struct state *s) {
    const struct box_qp *qp = s->qp;
    double sum = 0;
    s->free = 0;
    for (int64_t j = 0; j < qp->n; j++) {
        double r = s->slope[j];
        bool fixed = (s->e[j] <= qp->low[j] && r >= 0) || (s->e[j] >= qp->high[j] && r <= 0);
        if (fixed || qp->low[j] == qp->high[j])
            continue;
        s->work->free[s->free++] = j;
        sum += r * r / qp->diagonal[j];
    }
    return sqrt(sum);
}

/* step = -H_FF^-1 slope by a factor. */
static int solve_directly(struct state *s, struct error *error) {
    const struct box_qp *qp = s->qp;
    struct cholesky_set *factor = &s->work->factor;
    const int64_t *free = s->work->free;
    factor->size = 0;
    if (cholesky_set_reserve(factor, s->free, error) != 0)
        return -1;
    for (int64_t k = 0; k < s->free; k++) {
        const double *row = qp->matrix + free[k] * qp->n;
        for (int64_t l = 0; l < k; l++)
            s->search[l] = row[free[l]];
        double diagonal = row[free[k]], pivot = cholesky_set_pivot(factor, s->search, diagonal);
        cholesky_set_append(factor, s->search, fmax(pivot, least_pivot * diagonal));
    }
    for (int64_t k = 0; k < s->free; k++)
        s->search[k] = -s->slope[free[k]];
    cholesky_set_forward(factor, s->search);
    cholesky_set_backward(factor, s->search);
    for (int64_t k = 0; k < s->free; k++)
        s->step[free[k]] = s->search[k];
    return 0;
}

/* The same by conjugate gradients, preconditioned by the diagonal, until the residual is at most
 * `target` long. */
static void solve_by_gradients(struct state *s, double target) {
    const struct box_qp *qp = s->qp;
    const int64_t *free = s->work->free;
    double rho = 0, before = 0, largest = 0;
    memset(s->search, 0, sizeof(double) * (size_t)qp->n);
    for (int64_t k = 0; k < s->free; k++)
        s->residual[free[k]] = -s->slope[free[k]];
    for (int i = 0; i == 0 || !is_over(s); i++) {
        double curvature = 0;
        rho = 0;
        for (int64_t k = 0; k < s->free; k++) {
            double r = s->residual[free[k]];
            rho += r * r / qp->diagonal[free[k]];
        }
        if (!(rho > target * target))
            break;
        double beta = i == 0 ? 0 : rho / before;
        for (int64_t k = 0; k < s->free; k++) {
            int64_t j = free[k];
            s->search[j] = s->residual[j] / qp->diagonal[j] + beta * s->search[j];
        }
        apply(s, s->search, s->image);
        for (int64_t k = 0; k < s->free; k++)
            curvature += s->search[free[k]] * s->image[free[k]];
        if (!(curvature > 0))
            break;
        double alpha = rho / curvature;
        for (int64_t k = 0; k < s->free; k++) {
            s->step[free[k]] += alpha * s->search[free[k]];
            s->residual[free[k]] -= alpha * s->image[free[k]];
        }
        before = rho;
        largest = fmax(largest, alpha * rho);
        if (s->cut && alpha * rho <= armijo_slope * largest)
            break;
    }
}

/* The step on the free components. Components at a bound that would leave the box are fixed, and the step is
 * computed again. */
static int find_step(struct state *s, double target, struct error *error) {
    const struct box_qp *qp = s->qp;
    for (int64_t left = -1; left != s->free && (left < 0 || !is_over(s));) {
        memset(s->step, 0, sizeof(double) * (size_t)qp->n);
        if (s->free <= qp->direct_most) {
            if (solve_directly(s, error) != 0)
                return -1;
        } else {
            solve_by_gradients(s, target);
        }
        left = s->free;
        s->free = 0;
        for (int64_t k = 0; k < left; k++) {
            int64_t j = s->work->free[k];
            bool out = (s->e[j] <= qp->low[j] && s->step[j] < 0) ||
                       (s->e[j] >= qp->high[j] && s->step[j] > 0);
            if (!out)
                s->work->free[s->free++] = j;
        }
    }
    return 0;
}

/* The longest t <= 1 for which e + t step is in the box. */
static double work(struct state *s) {
    const struct box_qp *qp = s->qp;
    double t = 1;
    s->block = -1;
    for (int64_t k = 0; k < s->free; k++) {
        int64_t j = s->work->free[k];
        double d = s->step[j], space = d > 0 ? qp->high[j] - s->e[j] : s->e[j] - qp->low[j];
        if (fabs(d) * t > space) {
            t = space / fabs(d);
            s->block = j;
        }
    }
    return t;
}

/* trial = the projection of e + t step, less e; product = H trial. Returns the change of the model. */
static double try_step(struct state *s, double t) {
    const struct box_qp *qp = s->qp;
    for (int64_t j = 0; j < qp->n; j++) {
        double to = s->e[j] + t * s->step[j];
        s->trial[j] = fmin(fmax(to, qp->low[j]), qp->high[j]) - s->e[j];
    }
    apply(s, s->trial, s->product);
    return vector_dot(s->slope, s->trial, qp->n) + vector_dot(s->trial, s->product, qp->n) / 2;
}

/* The projected step, shortened until the objective falls; at last the longest step within the box, which decreases
 * it. False if the decrease is only rounding. */
static bool move(struct state *s) {
    const struct box_qp *qp = s->qp;
    double inside = work(s), t = 1, change = try_step(s, t);
    for (int i = 1; !(change < 0) && t > inside && i <= MAX_SHORTENINGS; i++) {
        t = i < MAX_SHORTENINGS && !is_over(s) ? fmax(step_cut * t, inside) : inside;
        change = try_step(s, t);
    }
    s->cut = t > inside;
    if (!(change < 0))
        return false;
    for (int64_t j = 0; j < qp->n; j++) {
        double to = s->e[j] + t * s->step[j];
        s->e[j] = fmin(fmax(to, qp->low[j]), qp->high[j]);
        s->slope[j] += s->product[j];
    }
    if (t == inside && s->block >= 0)
        s->e[s->block] = s->step[s->block] > 0 ? qp->high[s->block] : qp->low[s->block];
    return true;
}

int64_t box_qp_solve(const struct box_qp *qp, struct box_qp_work *work, double *e,
                     struct error *error) {
    if (box_qp_reserve(work, qp->n, error) != 0)
        return -1;
    double *array[ARRAYS];
    for (int i = 0; i < ARRAYS; i++)
        array[i] = work->array + i * work->capacity;
    struct state s = {.qp = qp,
                      .work = work,
                      .e = e,
                      .slope = array[0],
                      .step = array[1],
                      .product = array[2],
                      .trial = array[3],
                      .residual = array[4],
                      .search = array[5],
                      .image = array[6]};
    memset(e, 0, sizeof *e * (size_t)qp->n);
    memcpy(s.slope, qp->gradient, sizeof *e * (size_t)qp->n);
    s.cut = true;
    double length = find_free(&s), target = qp->tolerance * length;
    for (int i = 0; i < MAX_ITERATIONS && length > target && !is_over(&s); i++) {
        if (find_step(&s, fmax(residual_reduction * length, target / 2), error) != 0)
            return -1;
        if (!move(&s))
            break;
        length = find_free(&s);
    }
    return s.products;
}
