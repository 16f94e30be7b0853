/* planes.c - linearizations of the risk, with their Gram matrix in a cache of rows. */
#include "solvers/bundle/planes.h"

#include "io/memory.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 64,           /* slots */
    MIN_CACHED_ROWS = 2,           /* of the Gram matrix, whatever the cache's limit */
    SPARSE_FACTOR = 6,             /* a sparse vector is cheaper when less than 1/6 are nonzero */
    CHUNK_COORDINATES = 512,       /* coordinates that one thread sums at a time */
    MIN_PARALLEL_PRODUCTS = 100000 /* multiplications below which one thread is faster */
};

/* ---- the Gram matrix */

static bool is_working(const struct planes *planes, int slot) {
    return planes->plane[slot].state == PLANE_WORKING;
}

/* sum_i metric_i (a_ji - c_j) (a_ki - c_k), exactly symmetric in j and k */
static double metric_dot(const struct planes *planes, int j, int k) {
    const double *metric = planes->metric, *x = planes->plane[j].slope, *y = planes->plane[k].slope;
    double sum[4] = {0, 0, 0, 0}, cx = planes->centre[j], cy = planes->centre[k];
    int64_t i = 0;
    for (; i + 3 < planes->n; i += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += metric[i + lane] * ((x[i + lane] - cx) * (y[i + lane] - cy));
    for (; i < planes->n; i++)
        sum[0] += metric[i] * ((x[i] - cx) * (y[i] - cy));
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* <v, a_j> */
static double plane_dot(const struct planes *planes, const double *v, int j) {
    const struct plane *p = &planes->plane[j];
    return p->column == NULL ? vector_dot(v, p->slope, p->count)
                             : sparse_dot(v, p->column, p->slope, p->count);
}

/* <v, x> as one running sum. Entries of x where v is 0 do not change the sum, so the product of two sparse
 * vectors is the same to the last bit whichever of them is v. */
static double sparse_sparse_dot(const double *v, const struct plane *x) {
    double sum = 0;
    for (int64_t k = 0; k < x->count; k++)
        sum += v[x->column[k]] * x->slope[k];
    return sum;
}

/* <a_slot, a_j>, exactly symmetric; `dense` is a_slot as a dense vector. */
static double product(const struct planes *planes, int slot, const double *dense, int j) {
    const struct plane *x = &planes->plane[slot], *y = &planes->plane[j];
    if (planes->metric != NULL)
        return metric_dot(planes, slot, j);
    if (y->column == NULL)
        return plane_dot(planes, y->slope, slot);
    return x->column == NULL ? plane_dot(planes, dense, j) : sparse_sparse_dot(dense, y);
}

/* row[j] = H_slot,j for the working planes */
static void fill_row(const struct planes *planes, int slot, double *row) {
    const struct plane *p = &planes->plane[slot];
    double *dense = p->column == NULL ? p->slope : planes->dense;
    if (p->column != NULL)
        sparse_add(dense, 1, p->column, p->slope, p->count);
#pragma omp parallel for schedule(static) if (planes->working * p->count > MIN_PARALLEL_PRODUCTS)
    for (int j = 0; j < planes->slots; j++)
        if (is_working(planes, j))
            row[j] = product(planes, slot, dense, j);
    for (int64_t k = 0; p->column != NULL && k < p->count; k++)
        dense[p->column[k]] = 0;
}

/* Removes the least recently used row from the cache; returns its memory. */
static double *take_least_recent_row(struct planes *planes) {
    struct plane *oldest = NULL;
    for (int j = 0; j < planes->slots; j++) {
        struct plane *p = &planes->plane[j];
        if (p->row != NULL && (oldest == NULL || p->last_used < oldest->last_used))
            oldest = p;
    }
    double *row = oldest->row;
    oldest->row = NULL;
    return row;
}

/* How many rows of `capacity` slots the cache may have. */
static int64_t max_cached_rows(const struct planes *planes, int64_t capacity) {
    int64_t limit = planes->cache_bytes / ((int64_t)sizeof(double) * capacity);
    return limit > MIN_CACHED_ROWS ? limit : MIN_CACHED_ROWS;
}

static double *new_row(struct planes *planes, struct error *e) {
    if (planes->cached >= max_cached_rows(planes, planes->capacity))
        return take_least_recent_row(planes);
    double *row = memory_new(planes->capacity, sizeof *row, "a row of the Gram matrix", e);
    planes->cached += row != NULL;
    return row;
}

static const double *get_row(void *opaque, int slot, struct error *e) {
    struct planes *planes = opaque;
    struct plane *p = &planes->plane[slot];
    if (p->row == NULL) {
        double *row = new_row(planes, e);
        if (row == NULL)
            return NULL;
        p->row = row;
        p->stale = true;
    }
    if (p->stale)
        fill_row(planes, slot, p->row);
    p->stale = false;
    p->last_used = ++planes->row_requests;
    return p->row;
}

/* Adds the new plane's entries to the cached rows. With a metric, which changes from program to program, all
 * rows become stale instead. */
static int extend_cached_rows(struct planes *planes, int slot, struct error *e) {
    if (planes->metric != NULL) {
        for (int j = 0; j < planes->slots; j++)
            planes->plane[j].stale = true;
        return 0;
    }
    const double *row = get_row(planes, slot, e);
    if (row == NULL)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        if (is_working(planes, j) && planes->plane[j].row != NULL)
            planes->plane[j].row[slot] = row[j];
    return 0;
}

/* Adds the plane to the program and to the cached rows. */
static int join_program(struct planes *planes, int slot, struct error *e) {
    struct plane *p = &planes->plane[slot];
    p->state = PLANE_WORKING;
    p->idle = 0;
    planes->working++;
    if (extend_cached_rows(planes, slot, e) != 0)
        return -1;
    return simplex_qp_add(planes->qp, slot, p->block, p->offset, e);
}

/* ---- slots */

static void release_row(struct planes *planes, struct plane *p) {
    planes->cached -= p->row != NULL;
    free(p->row);
    p->row = NULL;
}

static int resize(void *pointer, int64_t count, size_t size, struct error *e) {
    return memory_resize(pointer, count, size, "planes", e);
}

static int grow(struct planes *planes, struct error *e) {
    int capacity = planes->capacity == 0 ? FIRST_CAPACITY : 2 * planes->capacity;
    while (planes->cached > max_cached_rows(planes, capacity)) {
        free(take_least_recent_row(planes));
        planes->cached--;
    }
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].row != NULL &&
            resize((void **)&planes->plane[j].row, capacity, sizeof(double), e) != 0)
            return -1;
    if (resize((void **)&planes->plane, capacity, sizeof *planes->plane, e) != 0 ||
        resize((void **)&planes->linear, capacity, sizeof *planes->linear, e) != 0 ||
        resize((void **)&planes->product, capacity, sizeof *planes->product, e) != 0 ||
        resize((void **)&planes->centre, capacity, sizeof *planes->centre, e) != 0)
        return -1;
    planes->capacity = capacity;
    return 0;
}

/* An empty slot, or -1 with the error set. */
static int find_slot(struct planes *planes, struct error *e) {
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_EMPTY)
            return j;
    if (planes->slots == planes->capacity && grow(planes, e) != 0)
        return -1;
    planes->plane[planes->slots] = (struct plane){.state = PLANE_EMPTY};
    planes->linear[planes->slots] = planes->centre[planes->slots] = 0;
    return planes->slots++;
}

/* Copies the slope: its nonzeros when they are few, else all of it. */
static int copy_slope(const struct planes *planes, const double *slope, struct plane *p,
                      struct error *e) {
    int64_t nonzeros = planes->sparse ? vector_nonzeros(slope, planes->n) : planes->n;
    bool sparse = nonzeros < planes->n / SPARSE_FACTOR;
    p->count = sparse ? nonzeros : planes->n;
    p->column = sparse ? memory_new(nonzeros, sizeof *p->column, "a plane", e) : NULL;
    p->slope = memory_new(p->count, sizeof *p->slope, "a plane", e);
    if (p->slope == NULL || (sparse && p->column == NULL))
        return -1;
    if (!sparse) {
        memcpy(p->slope, slope, sizeof *slope * (size_t)planes->n);
        return 0;
    }
    for (int64_t j = 0, k = 0; j < planes->n; j++)
        if (slope[j] != 0) {
            p->column[k] = (int32_t)j;
            p->slope[k++] = slope[j];
        }
    return 0;
}

static void free_slope(struct plane *p) {
    free(p->slope);
    free(p->column);
}

int planes_add(struct planes *planes, const double *slope, double constant, int block,
               struct error *e) {
    int slot = find_slot(planes, e);
    if (slot < 0)
        return -1;
    struct plane *p = &planes->plane[slot];
    if (copy_slope(planes, slope, p, e) != 0) {
        free_slope(p);
        *p = (struct plane){.state = PLANE_EMPTY};
        return -1;
    }
    p->constant = constant;
    p->offset = planes->offset ? slope[planes->n] : 0;
    p->block = block;
    return join_program(planes, slot, e) == 0 ? slot : -1;
}

void planes_set_aside(struct planes *planes, int slot) {
    if (!is_working(planes, slot))
        return;
    simplex_qp_drop(planes->qp, slot);
    release_row(planes, &planes->plane[slot]);
    planes->plane[slot].state = PLANE_ASIDE;
    planes->working--;
}

void planes_drop(struct planes *planes, int slot) {
    planes_set_aside(planes, slot);
    free_slope(&planes->plane[slot]);
    planes->plane[slot] = (struct plane){.state = PLANE_EMPTY};
}

int planes_recall(struct planes *planes, int slot, struct error *e) {
    return planes->plane[slot].state == PLANE_ASIDE ? join_program(planes, slot, e) : 0;
}

/* ---- the program */

/* Removes the plane from the program and adds it again, since the program keeps factors of H. */
static int rejoin_program(struct planes *planes, int slot, struct error *e) {
    const struct plane *p = &planes->plane[slot];
    simplex_qp_drop(planes->qp, slot);
    return simplex_qp_add(planes->qp, slot, p->block, p->offset, e);
}

int planes_set_metric(struct planes *planes, const double *metric, bool centred, struct error *e) {
    planes->metric = metric;
    for (int j = 0; j < planes->slots; j++) {
        planes->plane[j].stale = true;
        planes->centre[j] = centred ? planes->product[j] : 0;
        if (is_working(planes, j) && rejoin_program(planes, j, e) != 0)
            return -1;
    }
    return 0;
}

int planes_solve(struct planes *planes, double tolerance, struct simplex_qp_result *result,
                 struct error *e) {
    if (simplex_qp_solve(planes->qp, planes->linear, planes->cap, tolerance, result, e) != 0)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        if (is_working(planes, j))
            planes->plane[j].idle = planes_weight(planes, j) > 0 ? 0 : planes->plane[j].idle + 1;
    return 0;
}

double planes_weight(const struct planes *planes, int slot) {
    return is_working(planes, slot) ? simplex_qp_weight(planes->qp, slot) : 0;
}

/* ---- sums and products */

/* s[from..to) = scale * sum_j weight_j a_j over the dense planes */
static void combine_chunk(const struct planes *planes, double scale, int64_t from, int64_t to,
                          double *s) {
    memset(s + from, 0, sizeof *s * (size_t)(to - from));
    for (int j = 0; j < planes->slots; j++) {
        double c = scale * planes_weight(planes, j);
        const double *a = planes->plane[j].slope;
        if (c == 0 || planes->plane[j].column != NULL)
            continue;
        for (int64_t i = from; i < to; i++)
            s[i] += c * a[i];
    }
}

double planes_combine(const struct planes *planes, double scale, double *s) {
    int64_t n = planes->n, chunks = (n + CHUNK_COORDINATES - 1) / CHUNK_COORDINATES;
    double constant = 0;
#pragma omp parallel for schedule(static) if (planes->working * n > MIN_PARALLEL_PRODUCTS)
    for (int64_t c = 0; c < chunks; c++)
        combine_chunk(planes, scale, c * CHUNK_COORDINATES,
                      c + 1 < chunks ? (c + 1) * CHUNK_COORDINATES : n, s);
    for (int j = 0; j < planes->slots; j++) {
        const struct plane *p = &planes->plane[j];
        double c = scale * planes_weight(planes, j);
        constant += c * p->constant;
        if (c != 0 && p->column != NULL)
            sparse_add(s, c, p->column, p->slope, p->count);
    }
    return constant;
}

void planes_multiply(struct planes *planes, const double *v) {
#pragma omp parallel for schedule(static) if (planes->slots * planes->n > MIN_PARALLEL_PRODUCTS)
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state != PLANE_EMPTY)
            planes->product[j] = plane_dot(planes, v, j);
}

int planes_multiply_combination(struct planes *planes, double *sum, struct error *e) {
    memset(sum, 0, sizeof *sum * (size_t)planes->slots);
    for (int j = 0; j < planes->slots; j++) {
        double weight = planes_weight(planes, j);
        if (weight == 0)
            continue;
        const double *row = get_row(planes, j, e);
        if (row == NULL)
            return -1;
        for (int k = 0; k < planes->slots; k++)
            if (is_working(planes, k))
                sum[k] += weight * row[k];
    }
    return 0;
}

/* ---- a list */

/* Lists a slope, for which memory is allocated if it is read. */
static void visit_slope(const struct planes *planes, struct plane *p, struct state *state) {
    bool sparse = state_flag(state, p->column != NULL);
    p->count = state_integer(state, p->count, 0, planes->n);
    if (state_reads(state)) {
        struct error *e = state_cause(state);
        p->column = sparse ? memory_new(p->count, sizeof *p->column, "a plane", e) : NULL;
        p->slope = memory_new(p->count, sizeof *p->slope, "a plane", e);
        if (p->slope == NULL || (sparse && p->column == NULL) ||
            (!sparse && p->count != planes->n)) {
            state_fail(state);
            return;
        }
    }
    state_doubles(state, p->slope, p->count);
    if (sparse)
        state_ints(state, p->column, p->count, 0, (int)(planes->n - 1));
}

static void visit_plane(const struct planes *planes, struct plane *p, struct state *state) {
    p->state = (enum plane_state)state_integer(state, p->state, PLANE_EMPTY, PLANE_ASIDE);
    if (p->state == PLANE_EMPTY)
        return;
    p->block = (int)state_integer(state, p->block, 0, planes->blocks - 1);
    p->idle = (int)state_integer(state, p->idle, 0, INT32_MAX);
    STATE_REALS(state, &p->constant, &p->offset);
    visit_slope(planes, p, state);
}

/* Takes the place of planes with none, for a list that is read. */
static int renew(struct planes *planes, struct error *e) {
    struct planes old = *planes;
    int status = planes_init(planes, old.n, old.blocks, old.offset, old.sparse, old.cache_bytes, e);
    planes->metric = old.metric;
    planes->stop = old.stop;
    planes->opaque = old.opaque;
    planes_free(&old);
    return status;
}

/* The rows of H are not listed: they are computed again to the same numbers. */
void planes_visit(struct planes *planes, struct state *state) {
    if (state_reads(state) && planes->slots > 0 && renew(planes, state_cause(state)) != 0) {
        state_fail(state);
        return;
    }
    int slots = (int)state_integer(state, planes->slots, 0, INT32_MAX / 8);
    if (!state_holds(state, slots, sizeof(int64_t)))
        return;
    while (planes->capacity < slots)
        if (grow(planes, state_cause(state)) != 0) {
            state_fail(state);
            return;
        }
    while (planes->slots < slots)
        planes->plane[planes->slots++] = (struct plane){.state = PLANE_EMPTY};
    planes->working = 0;
    for (int j = 0; j < slots; j++) {
        visit_plane(planes, &planes->plane[j], state);
        planes->working += is_working(planes, j);
    }
    state_doubles(state, planes->linear, slots);
    state_doubles(state, planes->product, slots);
    state_doubles(state, planes->centre, slots);
    simplex_qp_visit(planes->qp, state);
    for (int j = 0; j < slots; j++)
        if (is_working(planes, j) != simplex_qp_has(planes->qp, j))
            state_fail(state);
}

/* ---- begin and end */

static bool stopped(void *opaque) {
    const struct planes *planes = opaque;
    return planes->stop != NULL && planes->stop(planes->opaque);
}

int planes_init(struct planes *planes, int64_t n, int blocks, bool offset, bool sparse,
                int64_t cache_bytes, struct error *e) {
    *planes = (struct planes){.n = n, .blocks = blocks, .offset = offset, .sparse = sparse};
    planes->cap = memory_new(blocks, sizeof *planes->cap, "blocks", e);
    planes->qp = simplex_qp_new(
        &(struct simplex_qp_settings){
            .blocks = blocks, .offset = offset, .row = get_row, .matrix = planes, .stop = stopped},
        e);
    planes->max_value = memory_new(blocks, sizeof *planes->max_value, "blocks", e);
    planes->dense = memory_zeroed(n, sizeof *planes->dense, "a plane", e);
    if (planes->cap == NULL || planes->max_value == NULL || planes->qp == NULL ||
        planes->dense == NULL || grow(planes, e) != 0)
        return -1;
    for (int k = 0; k < blocks; k++)
        planes->cap[k] = 1;
    planes->cache_bytes = cache_bytes;
    return 0;
}

void planes_free(struct planes *planes) {
    for (int j = 0; j < planes->slots; j++) {
        free_slope(&planes->plane[j]);
        free(planes->plane[j].row);
    }
    planes->qp = simplex_qp_free(planes->qp);
    free(planes->plane);
    free(planes->linear);
    free(planes->product);
    free(planes->centre);
    free(planes->dense);
    free(planes->cap);
    free(planes->max_value);
    *planes = (struct planes){0};
}

/* ---- from one run to the next */

static void free_kept(void *state) {
    planes_free(state);
    free(state);
}

/* Planes over the regularized coordinates. */
static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct planes *planes = *state;
    int blocks = (int)state_integer(list, planes == NULL ? 0 : planes->blocks, 1, INT32_MAX / 8);
    bool offset = state_flag(list, planes != NULL && planes->offset);
    bool sparse = state_flag(list, planes != NULL && planes->sparse);
    int64_t bytes = state_integer(list, planes == NULL ? 0 : planes->cache_bytes, 0, INT64_MAX);
    if (!state_holds(list, blocks, 1))
        return;
    if (planes == NULL) {
        struct error *e = state_cause(list);
        *state = planes = memory_zeroed(1, sizeof *planes, "the planes", e);
        if (planes == NULL || planes_init(planes, problem->risk->regularized, blocks, offset,
                                          sparse, bytes, e) != 0) {
            state_fail(list);
            return;
        }
    }
    planes_visit(planes, list);
}

static const struct kept_kind kept_planes = {.free = free_kept, .visit = visit_kept};
const struct kept_kind *const planes_keeps[] = {&kept_planes, NULL};

int planes_take(struct planes *planes, struct kept *kept, int64_t n, int blocks, bool offset,
                bool sparse, int64_t cache_bytes, struct error *e) {
    if (kept == NULL || kept->state == NULL)
        return planes_init(planes, n, blocks, offset, sparse, cache_bytes, e);
    *planes = *(struct planes *)kept->state;
    simplex_qp_move(planes->qp, planes);
    free(kept->state);
    *kept = (struct kept){0};
    return 0;
}

int planes_keep(struct planes *planes, struct kept *kept, struct error *e) {
    struct planes *copy = kept == NULL ? NULL : memory_new(1, sizeof *copy, "the planes", e);
    if (copy == NULL) {
        planes_free(planes);
        return kept == NULL ? 0 : -1;
    }
    *copy = *planes;
    copy->stop = NULL;
    *kept = (struct kept){.state = copy, .kind = &kept_planes};
    return 0;
}
