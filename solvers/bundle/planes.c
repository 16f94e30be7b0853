/* planes.c - linearizations of the risk in slots, with their Gram matrix in a cache of rows. */
#include "solvers/bundle/planes.h"

#include "io/memory.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 64,
    ROWS_LEAST = 2,
    SPARSE_SHARE = 6,      /* a sparse vector pays below 1/6 of nonzeros */
    CHUNK = 512,           /* coordinates that one thread sums at a time */
    WORTH_THREADS = 100000 /* multiplications below which one thread is done first */
};

/* ---- the Gram matrix */

static bool works(const struct planes *planes, int slot) {
    return planes->plane[slot].state == PLANE_WORKING;
}

/* sum_i metric_i (a_ji - c_j) (a_ki - c_k), exactly symmetric in j and k */
static double measured_dot(const struct planes *planes, int j, int k) {
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

/* <v, x> in one running sum: entries of x where v is 0 do not change it, so that the product of two
 * sparse vectors is the same from either side, to the last bit. */
static double meeting_dot(const double *v, const struct plane *x) {
    double sum = 0;
    for (int64_t k = 0; k < x->count; k++)
        sum += v[x->column[k]] * x->slope[k];
    return sum;
}

/* <a_slot, a_j>, exactly symmetric; `dense` is a_slot as a dense vector. */
static double product(const struct planes *planes, int slot, const double *dense, int j) {
    const struct plane *x = &planes->plane[slot], *y = &planes->plane[j];
    if (planes->metric != NULL)
        return measured_dot(planes, slot, j);
    if (y->column == NULL)
        return plane_dot(planes, y->slope, slot);
    return x->column == NULL ? plane_dot(planes, dense, j) : meeting_dot(dense, y);
}

/* row[j] = H_slot,j for the working planes */
static void fill_row(const struct planes *planes, int slot, double *row) {
    const struct plane *p = &planes->plane[slot];
    double *dense = p->column == NULL ? p->slope : planes->dense;
    if (p->column != NULL)
        sparse_add(dense, 1, p->column, p->slope, p->count);
#pragma omp parallel for schedule(static) if (planes->working * p->count > WORTH_THREADS)
    for (int j = 0; j < planes->slots; j++)
        if (works(planes, j))
            row[j] = product(planes, slot, dense, j);
    for (int64_t k = 0; p->column != NULL && k < p->count; k++)
        dense[p->column[k]] = 0;
}

/* The buffer of the least recently used row, taken from its plane. */
static double *take_oldest(struct planes *planes) {
    struct plane *oldest = NULL;
    for (int j = 0; j < planes->slots; j++) {
        struct plane *p = &planes->plane[j];
        if (p->row != NULL && (oldest == NULL || p->used < oldest->used))
            oldest = p;
    }
    double *row = oldest->row;
    oldest->row = NULL;
    return row;
}

/* Rows of so many slots that the cache may hold. */
static int64_t rows_most(const struct planes *planes, int64_t room) {
    int64_t most = planes->cache_bytes / ((int64_t)sizeof(double) * room);
    return most > ROWS_LEAST ? most : ROWS_LEAST;
}

static double *new_row(struct planes *planes, struct error *e) {
    if (planes->cached >= rows_most(planes, planes->room))
        return take_oldest(planes);
    double *row = memory_new(planes->room, sizeof *row, "a row of the Gram matrix", e);
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
    p->used = ++planes->clock;
    return p->row;
}

/* The entries of a new plane in the cached rows. In a metric, which changes from program to program,
 * they are not worth it. */
static int enter_rows(struct planes *planes, int slot, struct error *e) {
    if (planes->metric != NULL) {
        for (int j = 0; j < planes->slots; j++)
            planes->plane[j].stale = true;
        return 0;
    }
    const double *row = get_row(planes, slot, e);
    if (row == NULL)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        if (works(planes, j) && planes->plane[j].row != NULL)
            planes->plane[j].row[slot] = row[j];
    return 0;
}

/* The plane joins the program, and the cached rows. */
static int enter(struct planes *planes, int slot, struct error *e) {
    struct plane *p = &planes->plane[slot];
    p->state = PLANE_WORKING;
    p->idle = 0;
    planes->working++;
    if (enter_rows(planes, slot, e) != 0)
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
    int room = planes->room == 0 ? FIRST_ROOM : 2 * planes->room;
    while (planes->cached > rows_most(planes, room)) {
        free(take_oldest(planes));
        planes->cached--;
    }
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].row != NULL &&
            resize((void **)&planes->plane[j].row, room, sizeof(double), e) != 0)
            return -1;
    if (resize((void **)&planes->plane, room, sizeof *planes->plane, e) != 0 ||
        resize((void **)&planes->linear, room, sizeof *planes->linear, e) != 0 ||
        resize((void **)&planes->product, room, sizeof *planes->product, e) != 0 ||
        resize((void **)&planes->centre, room, sizeof *planes->centre, e) != 0)
        return -1;
    planes->room = room;
    return 0;
}

/* An empty slot, or -1 with the error set. */
static int find_slot(struct planes *planes, struct error *e) {
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_EMPTY)
            return j;
    if (planes->slots == planes->room && grow(planes, e) != 0)
        return -1;
    planes->plane[planes->slots] = (struct plane){.state = PLANE_EMPTY};
    planes->linear[planes->slots] = planes->centre[planes->slots] = 0;
    return planes->slots++;
}

/* A copy as it is, or of the nonzeros when they are few. */
static int copy_slope(const struct planes *planes, const double *slope, struct plane *p,
                      struct error *e) {
    int64_t nonzeros = planes->sparse ? vector_nonzeros(slope, planes->n) : planes->n;
    bool sparse = nonzeros < planes->n / SPARSE_SHARE;
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
    return enter(planes, slot, e) == 0 ? slot : -1;
}

void planes_set_aside(struct planes *planes, int slot) {
    if (!works(planes, slot))
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
    return planes->plane[slot].state == PLANE_ASIDE ? enter(planes, slot, e) : 0;
}

/* ---- the program */

/* The program remembers factors of H: its variables enter anew. */
static int enter_anew(struct planes *planes, int slot, struct error *e) {
    const struct plane *p = &planes->plane[slot];
    simplex_qp_drop(planes->qp, slot);
    return simplex_qp_add(planes->qp, slot, p->block, p->offset, e);
}

int planes_measure(struct planes *planes, const double *metric, bool centred, struct error *e) {
    planes->metric = metric;
    for (int j = 0; j < planes->slots; j++) {
        planes->plane[j].stale = true;
        planes->centre[j] = centred ? planes->product[j] : 0;
        if (works(planes, j) && enter_anew(planes, j, e) != 0)
            return -1;
    }
    return 0;
}

int planes_solve(struct planes *planes, double tolerance, struct simplex_qp_result *result,
                 struct error *e) {
    if (simplex_qp_solve(planes->qp, planes->linear, planes->cap, tolerance, result, e) != 0)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        if (works(planes, j))
            planes->plane[j].idle = planes_weight(planes, j) > 0 ? 0 : planes->plane[j].idle + 1;
    return 0;
}

double planes_weight(const struct planes *planes, int slot) {
    return works(planes, slot) ? simplex_qp_weight(planes->qp, slot) : 0;
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
    int64_t n = planes->n, chunks = (n + CHUNK - 1) / CHUNK;
    double constant = 0;
#pragma omp parallel for schedule(static) if (planes->working * n > WORTH_THREADS)
    for (int64_t c = 0; c < chunks; c++)
        combine_chunk(planes, scale, c * CHUNK, c + 1 < chunks ? (c + 1) * CHUNK : n, s);
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
#pragma omp parallel for schedule(static) if (planes->slots * planes->n > WORTH_THREADS)
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state != PLANE_EMPTY)
            planes->product[j] = plane_dot(planes, v, j);
}

int planes_correlate(struct planes *planes, double *sum, struct error *e) {
    memset(sum, 0, sizeof *sum * (size_t)planes->slots);
    for (int j = 0; j < planes->slots; j++) {
        double weight = planes_weight(planes, j);
        if (weight == 0)
            continue;
        const double *row = get_row(planes, j, e);
        if (row == NULL)
            return -1;
        for (int k = 0; k < planes->slots; k++)
            if (works(planes, k))
                sum[k] += weight * row[k];
    }
    return 0;
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
    planes->level = memory_new(blocks, sizeof *planes->level, "blocks", e);
    planes->dense = memory_zeroed(n, sizeof *planes->dense, "a plane", e);
    if (planes->cap == NULL || planes->level == NULL || planes->qp == NULL ||
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
    free(planes->level);
    *planes = (struct planes){0};
}
