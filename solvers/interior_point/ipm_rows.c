/* ipm_rows.c - the dual variables of the rows: memory, start, and sweeps by blocks and chunks.
 *
 * A chunk's rows stay in the processor's cache between their scores and their sums. */
#include "solvers/interior_point/ipm_rows.h"

#include "io/memory.h"
#include "solvers/interior_point/ipm_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARRAYS_PER_DUAL = 9,
    ARRAYS_PER_ROW = 2,
    EXCHANGE_ROOM = IPM_SHARES + 3 + COMMUNICATOR_ROOM
};

static bool has_classes(const struct ipm_rows *rows) {
    return rows->terms->loss->task == TASK_CLASSIFICATION;
}

/* Cuts an infinite box off at the limit. */
static void cut_box(struct ipm_duals *duals, double limit) {
    duals->end_low = duals->low;
    duals->end_high = duals->high;
    duals->low = fmax(duals->low, -limit);
    duals->high = fmin(duals->high, limit);
}

/* Sets the boxes and the number of duals from the loss. */
static void set_box(struct ipm_rows *rows, double limit) {
    const struct loss *loss = rows->terms->loss;
    struct loss_box box = loss_box(loss, &rows->terms->parameters, has_classes(rows) ? -1 : 1);
    struct ipm_duals duals = {.sign = 1, .kappa = 1 / loss->curvature};
    rows->tube = box.tube;
    rows->duals_per_row = loss->tube == NULL ? 1 : 2;
    rows->duals[0] = rows->duals[1] = duals;
    rows->duals[0].is_first = true;
    rows->duals[0].low = rows->duals_per_row == 2 ? 0 : box.low;
    rows->duals[0].high = box.high;
    rows->duals[1].sign = -1;
    rows->duals[1].high = -box.low;
    for (int k = 0; k < IPM_MAX_DUALS; k++)
        cut_box(&rows->duals[k], limit);
}

/* Sets the duals of the 1-norm, which lie in the arrays of the first dual. */
static void set_l1_terms(struct ipm_rows *rows, double l1) {
    double count = (double)dataset_whole_rows(rows->design->data);
    rows->l1_terms = l1 > 0 ? rows->design->regularized : 0;
    rows->l1_duals = rows->duals[0];
    rows->l1_duals.kappa = 0;
    rows->l1_duals.high = l1 * count;
    rows->l1_duals.low = -rows->l1_duals.high;
    cut_box(&rows->l1_duals, INFINITY);
    rows->l1_weight = rows->terms->weight_sum / count;
}

static int64_t count_doubles(const struct ipm_rows *rows, bool dense) {
    const struct design *design = rows->design;
    int64_t copy = dense && ipm_dense_pays(design) ? design->columns : 0;
    return design->rows * (ARRAYS_PER_DUAL * rows->duals_per_row + ARRAYS_PER_ROW + copy) +
           design->regularized * (ARRAYS_PER_DUAL + ARRAYS_PER_ROW) +
           2 * design->blocks * design->columns + EXCHANGE_ROOM;
}

double ipm_rows_bytes(const struct scalar_terms *terms, bool dense) {
    struct ipm_rows rows = {.terms = terms, .design = terms->design};
    set_box(&rows, INFINITY);
    return (double)count_doubles(&rows, dense) * sizeof(double);
}

static double *next_array(double **next, int64_t count) {
    double *taken = *next;
    *next += count;
    return taken;
}

/* The number of rows of the chunk that begins at `from`, in a block that ends at `end`. Chunks end at the multiples of
 * IPM_CHUNK_ROWS, as those of a window do that has larger ones (io/cache/cache_window.h). */
static int64_t chunk_rows(int64_t from, int64_t end) {
    int64_t next = (from / IPM_CHUNK_ROWS + 1) * IPM_CHUNK_ROWS;
    return (next < end ? next : end) - from;
}

static void fill_dense(const struct ipm_rows *rows) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1), count;
        for (int64_t i = design_block_start(design, block); i < end; i += count) {
            count = chunk_rows(i, end);
            ipm_dense_fill(design, i, count, rows->dense + i * design->columns);
        }
    }
}

int ipm_rows_init(struct ipm_rows *rows, const struct scalar_terms *terms, double l1, double limit,
                  bool dense, struct error *e) {
    *rows = (struct ipm_rows){.terms = terms, .design = terms->design};
    set_box(rows, limit);
    int64_t m = rows->design->rows, all = m + rows->design->regularized;
    double *next = rows->memory =
        memory_new(count_doubles(rows, dense), sizeof(double), "the rows' dual variables", e);
    if (next == NULL)
        return -1;
    for (int k = 0; k < rows->duals_per_row; k++) {
        struct ipm_duals *duals = &rows->duals[k];
        double **arrays[ARRAYS_PER_DUAL] = {&duals->below, &duals->above, &duals->s,
                                            &duals->x,     &duals->r,     &duals->d,
                                            &duals->da,    &duals->ds,    &duals->dx};
        for (int i = 0; i < ARRAYS_PER_DUAL; i++)
            *arrays[i] = next_array(&next, k == 0 ? all : m);
    }
    set_l1_terms(rows, l1);
    rows->du = next_array(&next, all);
    rows->eu = rows->right_side = next_array(&next, all);
    rows->curvature = rows->duals[0].da;
    rows->a = rows->duals[0].ds;
    rows->partial =
        next_array(&next, 2 * rows->design->blocks * rows->design->columns + EXCHANGE_ROOM);
    if (dense && ipm_dense_pays(rows->design)) {
        rows->dense = next;
        fill_dense(rows);
    }
    return 0;
}

void ipm_rows_free(struct ipm_rows *rows) {
    free(rows->memory);
    *rows = (struct ipm_rows){0};
}

/* The arrays before `partial` lie one behind the other. */
void ipm_rows_visit(struct ipm_rows *rows, struct state *state) {
    state_doubles(state, rows->memory, rows->partial - rows->memory);
    STATE_REALS(state, &rows->step, &rows->trial_step, &rows->last_trial_step, &rows->target,
                &rows->share);
}

static bool is_l1_term(const struct ipm_rows *rows, int64_t i) {
    return i >= rows->design->rows;
}

static double weight_of(const struct ipm_rows *rows, int64_t i) {
    return is_l1_term(rows, i) ? rows->l1_weight : scalar_weight(rows->terms, i);
}

static double turn_of(const struct ipm_rows *rows, int64_t i) {
    if (is_l1_term(rows, i))
        return 1;
    if (scalar_weight(rows->terms, i) == 0)
        return 0;
    return has_classes(rows) ? -scalar_target(rows->terms, i) : 1;
}

/* The target of r = sign turn u - target. */
static double target_of(const struct ipm_rows *rows, const struct ipm_duals *duals, int64_t i) {
    double turn = turn_of(rows, i);
    return turn == 0 || is_l1_term(rows, i)
               ? 0
               : duals->sign * turn * scalar_target(rows->terms, i) + rows->tube;
}

/* Kernel: r = sign turn u - target, with turn u in du. */
static void start_scores(const struct ipm_rows *rows, const struct ipm_duals *duals,
                         const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    for (int64_t i = chunk->from; i < chunk->from + chunk->count; i++) {
        duals->r[i] = duals->sign * rows->du[i] - target_of(rows, duals, i);
        sums->product += weight_of(rows, i) * fabs(duals->r[i]);
    }
}

/* Kernel: starts a in the middle of the box with multipliers s, x such that r - kappa a = x - s. The smaller of
 * the two is `target`, scaled by the widths of the boxes so that all products get the same minimum. */
static void start_multipliers(const struct ipm_rows *rows, const struct ipm_duals *duals,
                              const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double half = (duals->high - duals->low) / 2, middle = duals->low + half;
    double smallest = rows->target * (rows->duals[0].high - rows->duals[0].low) / (2 * half);
    (void)sums;
    for (int64_t i = chunk->from; i < chunk->from + chunk->count; i++) {
        double v = duals->r[i] - duals->kappa * middle;
        duals->below[i] = duals->above[i] = half;
        duals->s[i] = smallest + fmax(0, -v);
        duals->x[i] = smallest + fmax(0, v);
        duals->da[i] = duals->ds[i] = duals->dx[i] = 0;
    }
}

void ipm_rows_start(struct ipm_rows *rows) {
    memset(rows->du, 0, sizeof *rows->du * (size_t)(rows->design->rows + rows->l1_terms));
    struct ipm_sums sums = ipm_sweep(rows, start_scores, NULL, NULL, NULL, NULL);
    rows->target = sums.product / (rows->terms->weight_sum * rows->duals_per_row);
    if (!(rows->target > 0))
        rows->target = 1;
    ipm_sweep(rows, start_multipliers, NULL, NULL, NULL, NULL);
}

void ipm_rows_refresh(struct ipm_rows *rows, const double *w) {
    ipm_sweep(rows, start_scores, w, rows->du, NULL, NULL);
}

double ipm_rows_products(const struct ipm_rows *rows) {
    return 2 * (rows->duals_per_row * rows->terms->weight_sum +
                (double)rows->l1_terms * rows->l1_weight);
}

double ipm_rows_slack(const struct ipm_rows *rows, int64_t j) {
    int64_t i = rows->design->rows + j;
    return fmin(rows->l1_duals.below[i], rows->l1_duals.above[i]) / rows->l1_duals.high;
}

/* Scratch memory of a block, on the stack. */
struct chunk_memory {
    double turn[IPM_CHUNK_ROWS], weight[IPM_CHUNK_ROWS], one[IPM_CHUNK_ROWS], two[IPM_CHUNK_ROWS];
};

static void fill_chunk(const struct ipm_rows *rows, struct ipm_chunk *chunk,
                       struct chunk_memory *memory) {
    for (int64_t k = 0; k < chunk->count; k++) {
        memory->turn[k] = turn_of(rows, chunk->from + k);
        memory->weight[k] = weight_of(rows, chunk->from + k);
        memory->one[k] = memory->two[k] = 0;
    }
}

static void score_chunk(const struct ipm_rows *rows, const struct ipm_chunk *chunk, const double *w,
                        double *scores) {
    int64_t n = rows->design->columns;
    scores += chunk->from;
    if (rows->dense != NULL)
        ipm_dense_scores(rows->dense + chunk->from * n, chunk->count, n, w, scores);
    for (int64_t k = 0; k < chunk->count; k++)
        scores[k] =
            chunk->turn[k] *
            (rows->dense != NULL ? scores[k] : design_score(rows->design, w, 1, chunk->from + k));
}

/* g += X' of the coefficients, after they are multiplied by weight and turn in place. */
static void add_rows(const struct ipm_rows *rows, const struct ipm_chunk *chunk,
                     double *coefficient, double *g) {
    int64_t n = rows->design->columns;
    for (int64_t k = 0; k < chunk->count; k++)
        coefficient[k] *= chunk->weight[k] * chunk->turn[k];
    if (rows->dense != NULL)
        ipm_dense_add(rows->dense + chunk->from * n, chunk->count, n, coefficient, g);
    for (int64_t k = 0; k < chunk->count && rows->dense == NULL; k++)
        if (coefficient[k] != 0)
            design_add(rows->design, g, coefficient[k], chunk->from + k);
}

/* A sweep: its kernel, and its vectors as in ipm_sweep; those of the sums may be a block's. */
struct sweep {
    ipm_kernel *kernel;
    const double *w;
    double *scores, *g_one, *g_two;
};

/* Rows from <= i < end, whose values are held if the sweep needs them. */
static void sweep_rows(struct ipm_rows *rows, const struct sweep *sweep, int64_t from, int64_t end,
                       struct ipm_sums *sums) {
    struct chunk_memory memory;
    while (from < end) {
        struct ipm_chunk chunk = {
            from, chunk_rows(from, end), memory.turn, memory.weight, memory.one, memory.two};
        fill_chunk(rows, &chunk, &memory);
        if (sweep->w != NULL)
            score_chunk(rows, &chunk, sweep->w, sweep->scores);
        for (int k = 0; k < rows->duals_per_row; k++)
            sweep->kernel(rows, &rows->duals[k], &chunk, sums);
        if (sweep->g_one != NULL)
            add_rows(rows, &chunk, chunk.one, sweep->g_one);
        if (sweep->g_two != NULL)
            add_rows(rows, &chunk, chunk.two, sweep->g_two);
        from += chunk.count;
    }
}

static struct ipm_sums sweep_block(struct ipm_rows *rows, int block, const struct sweep *sweep) {
    const struct design *design = rows->design;
    struct ipm_sums sums = {.min_product = INFINITY};
    size_t bytes = sizeof(double) * (size_t)design->columns;
    if (sweep->g_one != NULL)
        memset(sweep->g_one, 0, bytes);
    if (sweep->g_two != NULL)
        memset(sweep->g_two, 0, bytes);
    if (sweep->w == NULL && sweep->g_one == NULL && sweep->g_two == NULL) {
        sweep_rows(rows, sweep, design_block_start(design, block),
                   design_block_start(design, block + 1), &sums);
        return sums;
    }
    struct window_rows at = design_block_rows(design, block);
    while (window_next(&at))
        sweep_rows(rows, sweep, at.from, at.to, &sums);
    return sums;
}

static void add_l1_terms(const struct ipm_chunk *chunk, const double *coefficient, double *g) {
    for (int64_t k = 0; g != NULL && k < chunk->count; k++)
        g[k] += chunk->weight[k] * coefficient[k];
}

/* The same over the terms of the 1-norm, whose value is not part of the loss. */
static struct ipm_sums sweep_l1_terms(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                                      double *scores, double *g_one, double *g_two) {
    struct chunk_memory memory;
    struct ipm_sums sums = {.min_product = INFINITY};
    int64_t m = rows->design->rows;
    for (int64_t j = 0; j < rows->l1_terms; j += IPM_CHUNK_ROWS) {
        struct ipm_chunk chunk = {m + j,       chunk_rows(j, rows->l1_terms),
                                  memory.turn, memory.weight,
                                  memory.one,  memory.two};
        fill_chunk(rows, &chunk, &memory);
        if (w != NULL)
            memcpy(scores + m + j, w + j, sizeof *w * (size_t)chunk.count);
        kernel(rows, &rows->l1_duals, &chunk, &sums);
        add_l1_terms(&chunk, memory.one, g_one == NULL ? NULL : g_one + j);
        add_l1_terms(&chunk, memory.two, g_two == NULL ? NULL : g_two + j);
    }
    sums.loss = 0;
    return sums;
}

static void merge(struct ipm_sums *sums, const struct ipm_sums *other) {
    sums->loss += other->loss;
    sums->product += other->product;
    sums->min_product = fmin(sums->min_product, other->min_product);
    for (int k = 0; k < IPM_SHARES; k++)
        sums->inverse_step[k] = fmax(sums->inverse_step[k], other->inverse_step[k]);
}

/* g = the sum of the blocks' sums, in block order. */
static void add_blocks(const struct ipm_rows *rows, const double *partial, double *g) {
    int64_t n = rows->design->columns;
    for (int64_t j = 0; g != NULL && j < n; j++) {
        g[j] = 0;
        for (int block = 0; block < rows->design->blocks; block++)
            g[j] += partial[block * n + j];
    }
}

/* Moves COUNT numbers to or from *AT, which it advances; NULL: none. */
static void pack(double **at, double *x, int64_t count, bool back) {
    if (x == NULL)
        return;
    memcpy(back ? x : *at, back ? *at : x, sizeof *x * (size_t)count);
    *at += count;
}

/* Between the sums and their place in an exchange, the largest ones last: the number of sums. */
static int64_t pack_all(struct ipm_rows *rows, struct ipm_sums *sums, double *g_one, double *g_two,
                        bool back) {
    double *at = rows->partial;
    pack(&at, g_one, rows->design->columns, back);
    pack(&at, g_two, rows->design->columns, back);
    pack(&at, &sums->loss, 1, back);
    pack(&at, &sums->product, 1, back);
    int64_t count = at - rows->partial;
    pack(&at, &sums->min_product, 1, back);
    pack(&at, sums->inverse_step, IPM_SHARES, back);
    return count;
}

/* The sums and maxima of all processes. */
static void merge_processes(struct ipm_rows *rows, struct ipm_sums *sums, double *g_one,
                            double *g_two) {
    struct communicator *c = rows->design->data->communicator;
    if (c == NULL)
        return;
    sums->min_product = -sums->min_product;
    communicator_combine(c, rows->partial, pack_all(rows, sums, g_one, g_two, false),
                         IPM_SHARES + 1);
    pack_all(rows, sums, g_one, g_two, true);
    sums->min_product = -sums->min_product;
}

/* Over the rows of this process. */
static struct ipm_sums sweep_own(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                                 double *scores, double *g_one, double *g_two) {
    const struct design *design = rows->design;
    struct ipm_sums block_sums[DESIGN_BLOCKS_MOST], sums = {.min_product = INFINITY};
    double *one = rows->partial, *two = one + design->blocks * design->columns;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        const struct sweep sweep = {.kernel = kernel,
                                    .w = w,
                                    .scores = scores,
                                    .g_one = g_one == NULL ? NULL : one + block * design->columns,
                                    .g_two = g_two == NULL ? NULL : two + block * design->columns};
        block_sums[block] = sweep_block(rows, block, &sweep);
    }
    for (int block = 0; block < design->blocks; block++)
        merge(&sums, &block_sums[block]);
    add_blocks(rows, one, g_one);
    add_blocks(rows, two, g_two);
    return sums;
}

struct ipm_sums ipm_sweep_own(struct ipm_rows *rows, ipm_kernel *kernel) {
    return sweep_own(rows, kernel, NULL, NULL, NULL, NULL);
}

void ipm_sweep_terms(struct ipm_rows *rows, ipm_kernel *kernel, struct ipm_sums *sums) {
    struct ipm_sums terms = sweep_l1_terms(rows, kernel, NULL, NULL, NULL, NULL);
    merge(sums, &terms);
}

struct ipm_sums ipm_sweep(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                          double *scores, double *g_one, double *g_two) {
    struct ipm_sums sums = sweep_own(rows, kernel, w, scores, g_one, g_two);
    merge_processes(rows, &sums, g_one, g_two);
    struct ipm_sums terms = sweep_l1_terms(rows, kernel, w, scores, g_one, g_two);
    merge(&sums, &terms);
    return sums;
}
