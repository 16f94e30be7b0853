/* ipm_rows.c - the rows' variables: memory, start, and sweeps in blocks and chunks.
 *
 * A chunk's rows stay in the cache between their scores and their sums. */
#include "solvers/interior_point/ipm_rows.h"

#include "io/memory.h"
#include "solvers/interior_point/ipm_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_ARRAYS = 9, ROW_ARRAYS = 5 };

static bool has_classes(const struct ipm_rows *rows) {
    return rows->parts->loss->task == TASK_CLASSIFICATION;
}

/* Boxes and sides by the loss. */
static void set_box(struct ipm_rows *rows) {
    const struct loss *loss = rows->parts->loss;
    struct loss_box box = loss_box(loss, &rows->parts->parameters, has_classes(rows) ? -1 : 1);
    struct ipm_side side = {.sign = 1, .kappa = 1 / loss->curvature};
    rows->tube = box.tube;
    rows->sides = loss->tube == NULL ? 1 : 2;
    rows->side[0] = rows->side[1] = side;
    rows->side[0].first = true;
    rows->side[0].low = rows->sides == 2 ? 0 : box.low;
    rows->side[0].high = box.high;
    rows->side[1].sign = -1;
    rows->side[1].high = -box.low;
}

/* The variables of the 1-norm, in the arrays of the first side. */
static void set_terms(struct ipm_rows *rows, double l1) {
    double count = (double)rows->design->rows;
    rows->terms = l1 > 0 ? rows->design->regularized : 0;
    rows->term = rows->side[0];
    rows->term.kappa = 0;
    rows->term.high = l1 * count;
    rows->term.low = -rows->term.high;
    rows->term_weight = rows->parts->weight_sum / count;
}

static int64_t doubles(const struct ipm_rows *rows, bool dense) {
    const struct design *design = rows->design;
    int64_t copy = dense && ipm_dense_pays(design) ? design->columns : 0;
    return design->rows * (SIDE_ARRAYS * rows->sides + ROW_ARRAYS + copy) +
           design->regularized * (SIDE_ARRAYS + ROW_ARRAYS) + 2 * design->blocks * design->columns;
}

double ipm_rows_bytes(const struct scalar_parts *parts, bool dense) {
    struct ipm_rows rows = {.parts = parts, .design = parts->design};
    set_box(&rows);
    return (double)doubles(&rows, dense) * sizeof(double);
}

static double *take(double **next, int64_t count) {
    double *taken = *next;
    *next += count;
    return taken;
}

/* The rows of the chunk that begins at `from`, in a block that ends at `end`. */
static int64_t chunk_rows(int64_t from, int64_t end) {
    return end - from < IPM_CHUNK ? end - from : IPM_CHUNK;
}

static void fill_dense(const struct ipm_rows *rows) {
    const struct design *design = rows->design;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        for (int64_t i = design_block_start(design, block); i < end; i += IPM_CHUNK)
            ipm_dense_fill(design, i, chunk_rows(i, end), rows->dense + i * design->columns);
    }
}

int ipm_rows_init(struct ipm_rows *rows, const struct scalar_parts *parts, double l1, bool dense,
                  struct error *e) {
    *rows = (struct ipm_rows){.parts = parts, .design = parts->design};
    set_box(rows);
    int64_t m = rows->design->rows, all = m + rows->design->regularized;
    double *next = rows->memory =
        memory_new(doubles(rows, dense), sizeof(double), "the rows' dual variables", e);
    if (next == NULL)
        return -1;
    for (int k = 0; k < rows->sides; k++) {
        struct ipm_side *side = &rows->side[k];
        double **arrays[SIDE_ARRAYS] = {&side->below, &side->above, &side->s,  &side->x, &side->r,
                                        &side->d,     &side->da,    &side->ds, &side->dx};
        for (int i = 0; i < SIDE_ARRAYS; i++)
            *arrays[i] = take(&next, k == 0 ? all : m);
    }
    set_terms(rows, l1);
    rows->du = take(&next, all);
    rows->eu = take(&next, all);
    rows->curvature = take(&next, all);
    rows->push = take(&next, all);
    rows->a = take(&next, all);
    rows->partial = take(&next, 2 * rows->design->blocks * rows->design->columns);
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

static bool is_term(const struct ipm_rows *rows, int64_t i) {
    return i >= rows->design->rows;
}

static double weight_of(const struct ipm_rows *rows, int64_t i) {
    return is_term(rows, i) ? rows->term_weight : scalar_weight(rows->parts, i);
}

static double turn_of(const struct ipm_rows *rows, int64_t i) {
    if (is_term(rows, i))
        return 1;
    if (scalar_weight(rows->parts, i) == 0)
        return 0;
    return has_classes(rows) ? -rows->parts->target[i] : 1;
}

/* r + target = sign turn u */
static double target_of(const struct ipm_rows *rows, const struct ipm_side *side, int64_t i) {
    double turn = turn_of(rows, i);
    return turn == 0 || is_term(rows, i) ? 0
                                         : side->sign * turn * rows->parts->target[i] + rows->tube;
}

/* sign turn u - target at the start, with the scores in du. */
static void start_scores(const struct ipm_rows *rows, const struct ipm_side *side,
                         const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    for (int64_t i = chunk->from; i < chunk->from + chunk->count; i++) {
        side->r[i] = side->sign * rows->du[i] - target_of(rows, side, i);
        sums->product += weight_of(rows, i) * fabs(side->r[i]);
    }
}

/* Multipliers of at least `target`, in boxes of other widths of as much less, so that r - kappa a = x -
 * s. */
static void start_multipliers(const struct ipm_rows *rows, const struct ipm_side *side,
                              const struct ipm_chunk *chunk, struct ipm_sums *sums) {
    double half = (side->high - side->low) / 2, middle = side->low + half;
    double least = rows->target * (rows->side[0].high - rows->side[0].low) / (2 * half);
    (void)sums;
    for (int64_t i = chunk->from; i < chunk->from + chunk->count; i++) {
        double v = side->r[i] - side->kappa * middle;
        side->below[i] = side->above[i] = half;
        side->s[i] = least + fmax(0, -v);
        side->x[i] = least + fmax(0, v);
        side->da[i] = side->ds[i] = side->dx[i] = 0;
    }
}

void ipm_rows_start(struct ipm_rows *rows) {
    memset(rows->du, 0, sizeof *rows->du * (size_t)(rows->design->rows + rows->terms));
    struct ipm_sums sums = ipm_sweep(rows, start_scores, NULL, NULL, NULL, NULL);
    rows->target = sums.product / (rows->parts->weight_sum * rows->sides);
    if (!(rows->target > 0))
        rows->target = 1;
    ipm_sweep(rows, start_multipliers, NULL, NULL, NULL, NULL);
}

void ipm_rows_refresh(struct ipm_rows *rows, const double *w) {
    ipm_sweep(rows, start_scores, w, rows->du, NULL, NULL);
}

double ipm_rows_products(const struct ipm_rows *rows) {
    return 2 * (rows->sides * rows->parts->weight_sum + (double)rows->terms * rows->term_weight);
}

double ipm_rows_slack(const struct ipm_rows *rows, int64_t j) {
    int64_t i = rows->design->rows + j;
    return fmin(rows->term.below[i], rows->term.above[i]) / rows->term.high;
}

/* What a block needs of the stack. */
struct room {
    double turn[IPM_CHUNK], weight[IPM_CHUNK], one[IPM_CHUNK], two[IPM_CHUNK];
};

static void fill(const struct ipm_rows *rows, struct ipm_chunk *chunk, struct room *room) {
    for (int64_t k = 0; k < chunk->count; k++) {
        room->turn[k] = turn_of(rows, chunk->from + k);
        room->weight[k] = weight_of(rows, chunk->from + k);
        room->one[k] = room->two[k] = 0;
    }
}

static void score(const struct ipm_rows *rows, const struct ipm_chunk *chunk, const double *w,
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

/* g += X' of the coefficients, which are weighted and turned in place. */
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

static struct ipm_sums sweep_block(struct ipm_rows *rows, int block, ipm_kernel *kernel,
                                   const double *w, double *scores, double *g_one, double *g_two) {
    struct room room;
    struct ipm_sums sums = {.least = INFINITY};
    int64_t end = design_block_start(rows->design, block + 1), n = rows->design->columns;
    if (g_one != NULL)
        memset(g_one, 0, sizeof *g_one * (size_t)n);
    if (g_two != NULL)
        memset(g_two, 0, sizeof *g_two * (size_t)n);
    for (int64_t from = design_block_start(rows->design, block); from < end; from += IPM_CHUNK) {
        struct ipm_chunk chunk = {from,    chunk_rows(from, end), room.turn, room.weight, room.one,
                                  room.two};
        fill(rows, &chunk, &room);
        if (w != NULL)
            score(rows, &chunk, w, scores);
        for (int k = 0; k < rows->sides; k++)
            kernel(rows, &rows->side[k], &chunk, &sums);
        if (g_one != NULL)
            add_rows(rows, &chunk, chunk.one, g_one);
        if (g_two != NULL)
            add_rows(rows, &chunk, chunk.two, g_two);
    }
    return sums;
}

static void add_terms(const struct ipm_chunk *chunk, const double *coefficient, double *g) {
    for (int64_t k = 0; g != NULL && k < chunk->count; k++)
        g[k] += chunk->weight[k] * coefficient[k];
}

/* The same for the 1-norm, whose value the sums leave out. */
static struct ipm_sums sweep_terms(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                                   double *scores, double *g_one, double *g_two) {
    struct room room;
    struct ipm_sums sums = {.least = INFINITY};
    int64_t m = rows->design->rows;
    for (int64_t j = 0; j < rows->terms; j += IPM_CHUNK) {
        struct ipm_chunk chunk = {
            m + j, chunk_rows(j, rows->terms), room.turn, room.weight, room.one, room.two};
        fill(rows, &chunk, &room);
        if (w != NULL)
            memcpy(scores + m + j, w + j, sizeof *w * (size_t)chunk.count);
        kernel(rows, &rows->term, &chunk, &sums);
        add_terms(&chunk, room.one, g_one == NULL ? NULL : g_one + j);
        add_terms(&chunk, room.two, g_two == NULL ? NULL : g_two + j);
    }
    sums.loss = 0;
    return sums;
}

static void merge(struct ipm_sums *sums, const struct ipm_sums *part) {
    sums->loss += part->loss;
    sums->product += part->product;
    sums->least = fmin(sums->least, part->least);
    for (int k = 0; k < IPM_MIXES; k++)
        sums->reach[k] = fmax(sums->reach[k], part->reach[k]);
}

/* g = the blocks' sums, in order. */
static void add_blocks(const struct ipm_rows *rows, const double *partial, double *g) {
    int64_t n = rows->design->columns;
    for (int64_t j = 0; g != NULL && j < n; j++) {
        g[j] = 0;
        for (int block = 0; block < rows->design->blocks; block++)
            g[j] += partial[block * n + j];
    }
}

struct ipm_sums ipm_sweep(struct ipm_rows *rows, ipm_kernel *kernel, const double *w,
                          double *scores, double *g_one, double *g_two) {
    const struct design *design = rows->design;
    struct ipm_sums part[DESIGN_BLOCKS_MOST], sums = {.least = INFINITY};
    double *one = rows->partial, *two = one + design->blocks * design->columns;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        part[block] = sweep_block(rows, block, kernel, w, scores,
                                  g_one == NULL ? NULL : one + block * design->columns,
                                  g_two == NULL ? NULL : two + block * design->columns);
    for (int block = 0; block < design->blocks; block++)
        merge(&sums, &part[block]);
    add_blocks(rows, one, g_one);
    add_blocks(rows, two, g_two);
    struct ipm_sums terms = sweep_terms(rows, kernel, w, scores, g_one, g_two);
    merge(&sums, &terms);
    return sums;
}
