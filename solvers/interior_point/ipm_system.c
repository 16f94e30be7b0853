/* ipm_system.c - the Newton systems of both methods, and the test at the end of an iteration. */
#include "solvers/interior_point/ipm_system.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ipm_shape ipm_whole = {.wide = false};

static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

static struct ipm_system system_of(const struct batch *batch) {
    const struct scalar_terms *terms = batch->problem->risk->scalar;
    return (struct ipm_system){.ridge =
                                   problem_penalty_parts(batch->problem).l2 * terms->weight_sum,
                               .pivot = terms->weight_sum,
                               .kept = batch->problem->kept};
}

static int init_wide(struct ipm_system *system, const struct batch *batch, struct error *e) {
    const struct design *design = batch->problem->risk->scalar->design;
    bool even = !(problem_penalty_parts(batch->problem).l1 > 0);
    system->wide = memory_zeroed(1, sizeof *system->wide, "the system", e);
    if (system->wide == NULL || ipm_wide_init(system->wide, design, even, e) != 0)
        return -1;
    ipm_wide_take(system->wide, system->kept);
    system->wide->gram.stop = is_stopped;
    system->wide->gram.opaque = batch->monitor;
    system->gram = (struct gram){
        .design = design, .n = design->columns, .work = even ? 0 : system->wide->gram.work};
    return 0;
}

static int init_whole(struct ipm_system *system, const struct batch *batch, struct error *e) {
    if (gram_init(&system->gram, batch->problem->risk->scalar->design, e) != 0)
        return -1;
    system->gram.stop = is_stopped;
    system->gram.opaque = batch->monitor;
    system->gradient = memory_new(2 * system->gram.n + cholesky_work_size(system->gram.n),
                                  sizeof(double), "the factor", e);
    if (system->gradient == NULL)
        return -1;
    system->diagonal = system->gradient + system->gram.n;
    return 0;
}

int ipm_system_init(struct ipm_system *system, const struct batch *batch,
                    const struct ipm_shape *shape, struct error *e) {
    *system = system_of(batch);
    system->shape = *shape;
    return shape->wide ? init_wide(system, batch, e) : init_whole(system, batch, e);
}

void ipm_system_free(struct ipm_system *system) {
    if (system->wide != NULL) {
        ipm_wide_leave(system->wide, system->kept);
        ipm_wide_free(system->wide);
    }
    free(system->wide);
    gram_free(&system->gram);
    free(system->gradient);
}

int ipm_system_leave_wide(struct ipm_system *system, const struct batch *batch, struct error *e) {
    system->kept = NULL; /* of the kernel, whose memory H takes */
    ipm_system_free(system);
    int status = ipm_system_init(system, batch, &ipm_whole, e);
    system->left_wide = true;
    return status;
}

double ipm_system_work(const struct ipm_system *system) {
    static const double factor_speed =
        16; /* operations of the factorization in the time of a scattered product */
    double n = (double)(system->wide != NULL ? system->gram.design->rows : system->gram.n);
    return system->gram.work + n * n * n / (3 * factor_speed);
}

bool ipm_system_form(struct ipm_system *system, const double *d, const double *c) {
    system->summed = gram_compute_own(&system->gram, d, c, system->gradient);
    return system->summed;
}

void ipm_system_sum(struct ipm_system *system, const double *d, const double *c, double *more,
                    int64_t count) {
    struct gram *gram = &system->gram;
    if (gram->design->data->communicator == NULL)
        return;
    ipm_system_form(system, d, c);
    gram_sum(gram, system->gradient, more, count);
}

/* H of a wide system is not computed. */
static int factor_wide(struct ipm_system *system, const double *d, const double *c, int64_t terms,
                       double *g) {
    const struct design *design = system->gram.design;
    design_combine(design, c, g);
    for (int64_t j = 0; j < terms; j++)
        g[j] += c[design->rows + j];
    return ipm_wide_factor(system->wide, system->ridge, terms > 0 ? d + design->rows : NULL, d);
}

int ipm_system_factor(struct ipm_system *system, const double *d, const double *c, int64_t terms,
                      double *g) {
    struct gram *gram = &system->gram;
    int64_t m = gram->design->rows;
    if (system->wide != NULL)
        return factor_wide(system, d, c, terms, g);
    if (system->summed)
        memcpy(g, system->gradient, sizeof *g * (size_t)gram->n);
    else if (!gram_compute(gram, d, c, g))
        return -1;
    system->summed = false;
    for (int64_t j = 0; j < gram->design->regularized; j++)
        gram->matrix[j * gram->n + j] += system->ridge;
    for (int64_t j = gram->design->regularized; j < gram->n; j++)
        if (gram->matrix[j * gram->n + j] == 0)
            gram->matrix[j * gram->n + j] = system->pivot;
    for (int64_t j = 0; j < terms; j++) {
        gram->matrix[j * gram->n + j] += d[m + j];
        g[j] += c[m + j];
    }
    return cholesky_factor(gram->matrix, system->diagonal, gram->n, system->diagonal + gram->n,
                           &(struct interruption){gram->stop, gram->opaque});
}

int ipm_system_least_passes(const struct ipm_system *system) {
    return system->wide != NULL ? IPM_WIDE_LEAST_PASSES : 0;
}

int64_t ipm_system_passes(const struct ipm_system *system) {
    return system->wide != NULL ? system->wide->passes : 0;
}

bool ipm_system_is_lost(const struct ipm_system *system) {
    static const double most = 1e-4;
    return system->wide != NULL && !(system->wide->error <= most);
}

int ipm_system_solve(const struct ipm_system *system, double *v, double passes) {
    double sum = 0;
    if (system->wide != NULL)
        return ipm_wide_solve(system->wide, v, passes);
    cholesky_solve(system->gram.matrix, system->diagonal, v, system->diagonal + system->gram.n,
                   system->gram.n);
    for (int64_t j = 0; j < system->gram.n; j++)
        sum += v[j];
    return isfinite(sum) ? 0 : -1;
}

void ipm_system_multiply(const struct ipm_system *system, const double *v, double *out) {
    const struct gram *gram = &system->gram;
    int64_t n = gram->n;
    for (int64_t i = 0; i < n; i++) {
        const double *row = gram->matrix + i * n;
        double ridge = i < gram->design->regularized ? system->ridge : 0;
        out[i] = vector_dot(row, v, i) + (system->diagonal[i] - ridge) * v[i];
        vector_add(out, v[i], row, i);
    }
}

static bool gap_is_closed(const struct batch *batch) {
    return monitor_closes(batch->monitor, batch->objective, batch->bound);
}

bool ipm_end_iteration(struct batch *batch, bool *inexact) {
    *inexact = false;
    if (gap_is_closed(batch)) {
        batch->objective = problem_objective(batch->problem, batch->best);
        batch_count(batch, 1);
        *inexact = !gap_is_closed(batch);
    }
    return batch_report(batch);
}

bool ipm_gap_is_rounding(const struct batch *batch) {
    return batch->objective - batch->bound <= 4 * DBL_EPSILON * batch->objective;
}
