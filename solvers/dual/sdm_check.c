/* sdm_check.c - a look of `sdm` at all rows and classes: J, the bound, and which classes are active. */
#include "solvers/dual/sdm.h"

#include "math/rounding.h"
#include "math/vector.h"
#include "solvers/linearization.h"

#include <math.h>
#include <string.h>

/* Of the bound by rounding of W after many steps, relative to its terms. */
static const double rounding_moved = 1e-11;

/* Sums over the rows, in units of lambda. */
struct sums {
    double risk, gap, linear;
    double active; /* C_i of the rows with several active classes */
    struct sdm_stretches stretches;
};

void sdm_count(struct sdm *s) {
    s->batch.passes = s->touched / sdm_pass(s);
}

bool sdm_is_stopped(struct sdm *s) {
    sdm_count(s);
    return monitor_poll(s->batch.monitor) != VERDICT_GO_ON || !batch_affords(&s->batch, 0);
}

bool sdm_affords(struct sdm *s, double products, bool and_check) {
    sdm_count(s);
    return batch_affords(&s->batch, products / sdm_pass(s) + (and_check ? 1 : 0));
}

/* Row i's dual variables for all classes. */
static void spread_beta(const struct sdm *s, int64_t i, double *beta) {
    int64_t first = s->duals.first[i], end = first + s->duals.count[i];
    memset(beta, 0, sizeof *beta * (size_t)s->rows.classes);
    for (int64_t a = first; a < end; a++)
        beta[s->duals.class[a]] = s->duals.beta[a];
}

/* Row i's active classes at its e + s; `best` is where that is largest, OTHERS the sum of beta but for the true one. */
static void choose_active(struct sdm *s, int64_t i, const double *beta, const double *gradient,
                          int64_t best, double others) {
    int64_t classes = s->rows.classes, own = sdm_class(&s->rows, i);
    double *v = s->work + classes, *work = v + classes, step = sdm_step(&s->rows, i);
    for (int64_t k = 0; k < classes; k++)
        v[k] = (k == own ? -others : beta[k]) + step * gradient[k];
    sdm_project(v, classes, own, s->rows.cost[i], work);
    for (int64_t k = 0; k < classes; k++)
        if (beta[k] > 0 || v[k] > (k == own ? -s->rows.cost[i] : 0) || k == best)
            sdm_duals_append(&s->next, i, (int32_t)k, beta[k]);
}

/* Adds row i with the scores U to the sums, and writes its new list. */
static void check_row(struct sdm *s, int64_t i, double *u, struct sums *sums) {
    const struct sdm_rows *rows = &s->rows;
    int64_t label = sdm_class(rows, i), best = label;
    double *beta = s->work, cost = rows->cost[i], score = u[label], mean = 0, others = 0;
    spread_beta(s, i, beta);
    for (int64_t k = 0; k < rows->classes; k++) {
        u[k] += k == label ? 0 : rows->terms->margin;
        best = u[k] > u[best] ? k : best;
        mean += k == label ? 0 : beta[k] * (u[k] - score);
        others += k == label ? 0 : beta[k];
    }
    sums->risk += cost * (u[best] - score);
    sums->gap += cost * (u[best] - score) - mean;
    sums->linear += rows->terms->margin * others; /* C_i - beta_iy would lose digits */
    if (best != label)
        sdm_stretch_row(s, i, u, &sums->stretches);
    int64_t used = s->next.entries;
    choose_active(s, i, beta, u, best, others);
    sums->active += s->next.entries - used > 1 ? cost : 0;
}

static void score_chunk(const struct sdm *s, int64_t from, int64_t to) {
    const struct sdm_rows *rows = &s->rows;
    bool threads =
        (double)(to - from) / (double)rows->count * rows->products * (double)rows->classes > 50000;
#pragma omp parallel for schedule(static) if (threads)
    for (int64_t i = from; i < to; i++)
        if (rows->cost[i] > 0)
            sdm_scores(rows, i, s->w, s->score + (i - from) * rows->classes);
}

static int check_chunk(struct sdm *s, int64_t from, int64_t to, struct sums *sums,
                       struct error *e) {
    if (sdm_duals_reserve(&s->next, (to - from) * s->rows.classes, e) != 0)
        return -1;
    score_chunk(s, from, to);
    for (int64_t i = from; i < to; i++) {
        sdm_duals_begin(&s->next, i);
        if (s->rows.cost[i] > 0)
            check_row(s, i, s->score + (i - from) * s->rows.classes, sums);
    }
    return 0;
}

void sdm_raise(struct sdm *s, const double *w, double linear) {
    double bound = s->lambda * (linear - vector_dot(w, w, sdm_size(&s->rows)) / 2);
    if (s->batch.problem->linearization != NULL) {
        sdm_weights_out(&s->rows, w, s->point);
        linearization_offer(s->batch.problem, -s->lambda, s->point, -linear, bound);
    }
    batch_raise(&s->batch, bound);
}

int sdm_check(struct sdm *s, struct error *e) {
    const struct sdm_rows *rows = &s->rows;
    struct sums sums = {0};
    s->next.entries = 0;
    sdm_stretch_begin(s, &sums.stretches);
    for (int64_t from = 0; from < rows->count; from += SDM_CHUNK) {
        int64_t to = from + SDM_CHUNK < rows->count ? from + SDM_CHUNK : rows->count;
        if (monitor_poll(s->batch.monitor) != VERDICT_GO_ON)
            return 0; /* the lists stay as they are */
        if (check_chunk(s, from, to, &sums, e) != 0)
            return -1;
    }
    sdm_swap(s);
    sdm_touch(s, rows->products * (double)rows->classes);
    double half = vector_dot(s->w, s->w, sdm_size(rows)) / 2;
    double objective = s->lambda * (half + sums.risk);
    s->gap = sums.gap;
    sdm_count(s);
    if (objective < s->batch.objective) {
        sdm_weights_out(rows, s->w, s->point);
        batch_offer(&s->batch, s->point, objective);
    }
    sdm_stretch_offer(s, &sums.stretches, half);
    s->slack = sums.active > 0 ? sums.gap / sums.active : 0;
    double rounding = (s->rebuilt ? rounding_of_terms : rounding_moved) * (sums.linear + half);
    sdm_raise(s, s->w, sums.linear - rounding);
    s->rebuilt = false;
    return 0;
}

/* W += the part of row i; `changes`: scratch memory of classes + 1. */
static void add_row(struct sdm *s, int64_t i, double *changes) {
    int64_t first = s->duals.first[i], end = first + s->duals.count[i], count = 1;
    s->selected[0] = sdm_class(&s->rows, i);
    changes[0] = 0; /* C_i - beta_iy, without losing digits */
    for (int64_t a = first; a < end; a++) {
        if (s->duals.class[a] != s->selected[0] && s->duals.beta[a] > 0) {
            changes[0] += s->duals.beta[a];
            s->selected[count] = s->duals.class[a];
            changes[count++] = -s->duals.beta[a];
        }
    }
    if (count == 1)
        return;
    sdm_add_to(&s->rows, i, s->selected, count, changes, s->w);
    sdm_touch(s, sdm_nonzeros(&s->rows, i) * (double)count);
}

double sdm_rebuild_products(const struct sdm *s) {
    double sum = 0;
    for (int64_t i = 0; i < s->rows.count; i++)
        if (s->duals.count[i] > 1 ||
            (s->duals.count[i] == 1 && s->duals.class[s->duals.first[i]] != sdm_class(&s->rows, i)))
            sum += sdm_nonzeros(&s->rows, i) * (double)(s->duals.count[i] + 1);
    return sum;
}

void sdm_rebuild(struct sdm *s) {
    const struct sdm_rows *rows = &s->rows;
    memset(s->w, 0, sizeof *s->w * (size_t)sdm_size(rows));
    for (int64_t i = 0; i < rows->count; i++)
        if (rows->cost[i] > 0)
            add_row(s, i, s->work);
    s->rebuilt = true;
}
