/* dcd_rows.c - coordinate steps on the dual, with shrinking, in blocks of rows. */
#include "solvers/dual/dcd_rows.h"

#include "io/memory.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 2,               /* rows that are fetched before their visit */
    LINE = 64,               /* bytes of a cache line */
    LINES_MOST = 16,         /* fetched of a row's columns and values */
    POLL = 1024,             /* rows between looks at the clock */
    SPLIT_NONZEROS = 1000000 /* data with so many are cut into blocks */
};

static const double exchange_work = 4; /* nonzeros between exchanges, in columns */

/* ---- one row */

static double score(const struct dcd_rows *rows, const double *w, int64_t i) {
    return design_score(rows->parts->design, w, 1, i);
}

/* Starts to fetch the row of place k of the order. */
static void fetch(const struct dcd_rows *rows, const struct dcd_block *block, int64_t k) {
    const struct dataset *data = rows->parts->design->data;
    if (k >= block->active)
        return;
    int64_t i = block->order[k], count = dataset_count(data, i);
    const char *column = (const char *)dataset_columns(data, i);
    const char *value = (const char *)dataset_values(data, i);
    __builtin_prefetch(&rows->row[i]);
    for (int64_t at = 0; !data->dense && at < count * 4 && at < LINES_MOST * LINE / 2; at += LINE)
        __builtin_prefetch(column + at);
    for (int64_t at = 0; value != NULL && at < count * 8 && at < LINES_MOST * LINE; at += LINE)
        __builtin_prefetch(value + at);
}

/* max over low <= beta <= high of beta v - tube |beta| - own beta^2/2, v = target - u: p l(u)/lambda. */
static double scaled_loss(const struct dcd_row *row, double tube, double v) {
    double inner = soft(v, tube);
    if (row->own == 0)
        return inner > 0 ? row->high * inner : inner < 0 ? row->low * inner : 0;
    double beta = clip(inner / row->own, row->low, row->high);
    return beta * inner - row->own * beta * beta / 2;
}

/* The slopes of F by beta to the right and to the left. */
struct slopes {
    double right, left;
};

static struct slopes slopes_at(const struct dcd_row *row, double tube, double slope) {
    return (struct slopes){.right = slope + (row->beta >= 0 ? tube : -tube),
                           .left = slope + (row->beta > 0 ? tube : -tube)};
}

/* What F falls by; 0 where the box or the kink holds beta. */
static double projected(const struct dcd_row *row, struct slopes s) {
    if (row->beta < row->high && s.right < 0)
        return s.right;
    return row->beta > row->low && s.left > 0 ? s.left : 0;
}

static bool is_settled(const struct dcd_rows *rows, const struct dcd_row *row, struct slopes s) {
    if (row->beta == row->low)
        return s.right > rows->shrink_above;
    if (row->beta == row->high)
        return s.left < rows->shrink_below;
    return rows->tube > 0 && row->beta == 0 && s.right > rows->shrink_above &&
           s.left < rows->shrink_below;
}

/* The minimizer of F over beta; slope: without the tube. */
static double minimizer(const struct dcd_row *row, double tube, double slope) {
    if (row->curvature == 0) { /* an empty row: F is linear but for the kink */
        double inner = soft(-slope, tube);
        return inner > 0 ? row->high : inner < 0 ? row->low : row->beta;
    }
    return clip(soft(row->beta - slope / row->curvature, tube / row->curvature), row->low,
                row->high);
}

/* Visits row i: a step, or false if it becomes inactive. */
static bool visit(const struct dcd_rows *rows, struct dcd_block *block, int64_t i) {
    struct dcd_row *row = &rows->row[i];
    double u = score(rows, block->w, i), slope = u + row->own * row->beta - row->target;
    struct slopes s = slopes_at(row, rows->tube, slope);
    block->nonzeros += (double)dataset_count(rows->parts->design->data, i);
    row->loss = scaled_loss(row, rows->tube, row->target - u);
    if (is_settled(rows, row, s))
        return false;
    double fall = projected(row, s);
    block->top = fmax(block->top, fall);
    block->bottom = fmin(block->bottom, fall);
    if (fall == 0)
        return true;
    double beta = minimizer(row, rows->tube, slope);
    if (beta != row->beta && isfinite(beta)) {
        design_add(rows->parts->design, block->w, beta - row->beta, i);
        row->beta = beta;
    }
    return true;
}

/* ---- a block's share of an epoch */

static void swap(int64_t *order, int64_t a, int64_t b) {
    int64_t i = order[a];
    order[a] = order[b];
    order[b] = i;
}

static void begin_epoch(struct dcd_block *block) {
    block->visited = 0;
    block->nonzeros = 0;
    block->top = -INFINITY;
    block->bottom = INFINITY;
    for (int64_t k = 0; k + 1 < block->active; k++)
        swap(block->order, k,
             k + (int64_t)random_below(&block->random, (uint64_t)(block->active - k)));
}

/* Visits until `limit` nonzeros of the epoch are done, or all rows, or the monitor says to stop. */
static void visit_block(const struct dcd_rows *rows, struct dcd_block *block, double limit) {
    for (int64_t steps = 1; block->visited < block->active && block->nonzeros < limit; steps++) {
        fetch(rows, block, block->visited + AHEAD);
        if (visit(rows, block, block->order[block->visited]))
            block->visited++;
        else
            swap(block->order, block->visited, --block->active);
        if (steps % POLL == 0 && monitor_poll(rows->monitor) != VERDICT_GO_ON)
            break;
    }
}

/* ---- the exchange between blocks */

/* F along sum_b t_b (the changes of block b): linear't + t'square t/2, but for a constant. */
struct exchange {
    double linear[DCD_BLOCKS_MOST], square[DCD_BLOCKS_MOST][DCD_BLOCKS_MOST];
    double t[DCD_BLOCKS_MOST];
};

/* Leaves the change of w in block->w, and adds up the parts of F along it. The kink's part, which is convex, is
 * bounded by the line between its ends. */
static void measure_change(const struct dcd_rows *rows, int b, struct exchange *x) {
    const struct dcd_block *block = &rows->block[b];
    int64_t n = rows->parts->design->columns;
    for (int64_t k = 0; k < block->rows; k++) {
        const struct dcd_row *row = &rows->row[block->all[k]];
        double old = block->before[k], change = row->beta - old;
        x->linear[b] +=
            (row->own * old - row->target) * change + rows->tube * (fabs(row->beta) - fabs(old));
        x->square[b][b] += row->own * change * change;
    }
    for (int64_t j = 0; j < n; j++)
        block->w[j] -= rows->w[j];
    x->linear[b] += vector_dot(block->w, rows->w, n);
    x->square[b][b] += vector_dot(block->w, block->w, n);
}

/* t by coordinate steps from (1, 1), within [0, 1]. */
static void solve_exchange(const struct dcd_rows *rows, struct exchange *x) {
    enum { SWEEPS = 100 };
    for (int b = 0; b < rows->blocks; b++)
        x->t[b] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int b = 0; b < rows->blocks; b++) {
            double slope = x->linear[b];
            for (int c = 0; c < rows->blocks; c++)
                slope += x->square[b][c] * x->t[c];
            if (x->square[b][b] > 0)
                x->t[b] = clip(x->t[b] - slope / x->square[b][b], 0, 1);
        }
}

static void move_block(const struct dcd_rows *rows, int b, double t) {
    const struct dcd_block *block = &rows->block[b];
    for (int64_t k = 0; k < block->rows; k++) {
        struct dcd_row *row = &rows->row[block->all[k]];
        if (t < 1)
            row->beta = block->before[k] + t * (row->beta - block->before[k]);
        block->before[k] = row->beta;
    }
}

/* Adds the blocks' changes, by the best factors, and gives each the new w. */
static void exchange(struct dcd_rows *rows) {
    struct exchange x = {0};
    int64_t n = rows->parts->design->columns;
    int blocks = rows->blocks;
#pragma omp parallel for schedule(static, 1)
    for (int b = 0; b < blocks; b++)
        measure_change(rows, b, &x);
    for (int b = 0; b < blocks; b++)
        for (int c = 0; c < b; c++)
            x.square[b][c] = x.square[c][b] = vector_dot(rows->block[b].w, rows->block[c].w, n);
    solve_exchange(rows, &x);
#pragma omp parallel for schedule(static, 1)
    for (int b = 0; b < blocks; b++)
        move_block(rows, b, x.t[b]);
    for (int64_t j = 0; j < n; j++) {
        for (int b = 0; b < blocks; b++)
            rows->w[j] += x.t[b] * rows->block[b].w[j];
        for (int b = 0; b < blocks; b++)
            rows->block[b].w[j] = rows->w[j];
    }
}

/* Each block begins with the common w and knows its betas. */
static void share(const struct dcd_rows *rows) {
    for (int b = 0; b < rows->blocks; b++) {
        const struct dcd_block *block = &rows->block[b];
        memcpy(block->w, rows->w, sizeof *rows->w * (size_t)rows->parts->design->columns);
        for (int64_t k = 0; k < block->rows; k++)
            block->before[k] = rows->row[block->all[k]].beta;
    }
}

static bool is_visited(const struct dcd_rows *rows) {
    for (int b = 0; b < rows->blocks; b++)
        if (rows->block[b].visited < rows->block[b].active)
            return false;
    return true;
}

static void visit_blocks(struct dcd_rows *rows) {
    double step = exchange_work * (double)rows->parts->design->columns;
    share(rows);
    for (double limit = step; !is_visited(rows) && monitor_poll(rows->monitor) == VERDICT_GO_ON;
         limit += step) {
#pragma omp parallel for schedule(static, 1)
        for (int b = 0; b < rows->blocks; b++)
            visit_block(rows, &rows->block[b], limit);
        exchange(rows);
    }
}

/* ---- epochs */

/* From the extreme slopes of this epoch the limits of the next. */
static double end_epoch(struct dcd_rows *rows) {
    double top = -INFINITY, bottom = INFINITY, nonzeros = 0;
    for (int b = 0; b < rows->blocks; b++) {
        top = fmax(top, rows->block[b].top);
        bottom = fmin(bottom, rows->block[b].bottom);
        nonzeros += rows->block[b].nonzeros;
    }
    rows->shrink_above = top > 0 ? top : INFINITY;
    rows->shrink_below = bottom < 0 ? bottom : -INFINITY;
    return nonzeros / fmax(1, (double)rows->parts->design->data->nonzeros);
}

double dcd_rows_epoch(struct dcd_rows *rows) {
    for (int b = 0; b < rows->blocks; b++)
        begin_epoch(&rows->block[b]);
    if (rows->blocks == 1)
        visit_block(rows, &rows->block[0], INFINITY);
    else
        visit_blocks(rows);
    return end_epoch(rows);
}

void dcd_rows_activate(struct dcd_rows *rows) {
    rows->shrink_above = INFINITY;
    rows->shrink_below = -INFINITY;
    for (int b = 0; b < rows->blocks; b++)
        rows->block[b].active = rows->block[b].rows;
}

double dcd_rows_bound(const struct dcd_rows *rows) {
    double sum = 0;
    for (int64_t i = 0; i < rows->parts->design->rows; i++) {
        const struct dcd_row *row = &rows->row[i];
        sum += row->beta * (row->target - row->own * row->beta / 2) - rows->tube * fabs(row->beta);
    }
    return rows->problem->lambda *
           (sum - vector_dot(rows->w, rows->w, rows->parts->design->columns) / 2);
}

double dcd_rows_estimate(const struct dcd_rows *rows) {
    double sum = vector_dot(rows->w, rows->w, rows->parts->design->columns) / 2;
    for (int64_t i = 0; i < rows->parts->design->rows; i++)
        sum += rows->row[i].loss;
    return rows->problem->lambda * sum;
}

/* ---- a start */

/* beta times the factor in [0, 1] with the least F; w has to fit. */
static void scale_start(struct dcd_rows *rows) {
    int64_t n = rows->parts->design->columns;
    double linear = 0, square = vector_dot(rows->w, rows->w, n);
    for (int64_t i = 0; i < rows->parts->design->rows; i++) {
        const struct dcd_row *row = &rows->row[i];
        linear += row->target * row->beta - rows->tube * fabs(row->beta);
        square += row->own * row->beta * row->beta;
    }
    double factor = square > 0 && isfinite(linear / square) ? clip(linear / square, 0, 1) : 0;
    for (int64_t i = 0; i < rows->parts->design->rows; i++)
        rows->row[i].beta *= factor;
    for (int64_t j = 0; j < n; j++)
        rows->w[j] = factor > 0 ? factor * rows->w[j] : 0;
}

void dcd_rows_start(struct dcd_rows *rows, double *a) {
    const struct scalar_parts *parts = rows->parts;
    double factor = -1 / (rows->problem->lambda * parts->weight_sum);
    for (int64_t i = 0; i < parts->design->rows; i++) {
        struct dcd_row *row = &rows->row[i];
        double beta = factor * scalar_weight(parts, i) * a[i];
        a[i] = row->beta = isfinite(beta) ? clip(beta, row->low, row->high) : 0;
    }
    design_combine(parts->design, a, rows->w);
    scale_start(rows);
}

/* ---- begin and end */

static double square_of(const struct design *design, int64_t i) {
    double square = sparse_square(dataset_values(design->data, i), dataset_count(design->data, i));
    return square + (design->bias >= 0 ? design->bias * design->bias : 0);
}

static void set_row(struct dcd_rows *rows, int64_t i) {
    const struct scalar_parts *parts = rows->parts;
    double p = scalar_weight(parts, i) / parts->weight_sum, low, high;
    struct dcd_row *row = &rows->row[i];
    *row = (struct dcd_row){.target = parts->target[i]};
    if (p == 0)
        return;
    parts->loss->domain(parts->target[i], &parts->parameters, &low, &high);
    row->low = -p * high / rows->problem->lambda;
    row->high = -p * low / rows->problem->lambda;
    row->own = rows->problem->lambda / (p * parts->loss->curvature);
    row->curvature = square_of(parts->design, i) + row->own;
}

/* The rows of block b: about as many nonzeros as of the others. */
static void set_order(struct dcd_rows *rows, int b) {
    const struct dataset *data = rows->parts->design->data;
    struct dcd_block *block = &rows->block[b];
    double share = (double)data->nonzeros / rows->blocks;
    for (int64_t i = 0; i < data->rows; i++) {
        double middle = (double)(data->start[i] + data->start[i + 1]) / 2;
        int of = (int)(middle / fmax(share, 1));
        if ((of < rows->blocks ? of : rows->blocks - 1) == b &&
            rows->row[i].high > rows->row[i].low)
            block->order[block->rows++] = i;
    }
    if (block->all != NULL)
        memcpy(block->all, block->order, sizeof *block->all * (size_t)block->rows);
}

static int block_init(struct dcd_rows *rows, int b, const struct run_settings *run,
                      struct error *e) {
    const struct design *design = rows->parts->design;
    struct dcd_block *block = &rows->block[b];
    bool several = rows->blocks > 1;
    random_seed(&block->random, run->seed, run->stream + ((uint64_t)b << 32));
    block->order = memory_new(design->rows, sizeof *block->order, "the order of rows", e);
    block->w =
        several ? memory_new(design->columns, sizeof *block->w, "a block's weights", e) : rows->w;
    block->all = several ? memory_new(design->rows, sizeof *block->all, "a block's rows", e) : NULL;
    block->before =
        several ? memory_new(design->rows, sizeof *block->before, "a block's start", e) : NULL;
    if (block->order == NULL || block->w == NULL ||
        (several && (block->all == NULL || block->before == NULL)))
        return -1;
    set_order(rows, b);
    return 0;
}

int dcd_rows_init(struct dcd_rows *rows, const struct problem *problem,
                  const struct run_settings *run, const struct monitor *monitor, double *w,
                  struct error *e) {
    const struct scalar_parts *parts = problem->risk->scalar;
    const struct design *design = parts->design;
    *rows = (struct dcd_rows){.problem = problem, .parts = parts, .monitor = monitor, .w = w};
    rows->tube = parts->loss->tube == NULL ? 0 : parts->loss->tube(&parts->parameters);
    rows->row = memory_new(design->rows, sizeof *rows->row, "the dual variables", e);
    if (rows->row == NULL)
        return -1;
    memset(w, 0, sizeof *w * (size_t)design->columns);
    for (int64_t i = 0; i < design->rows; i++)
        set_row(rows, i);
    rows->blocks = design->data->nonzeros < SPLIT_NONZEROS ? 1 : DCD_BLOCKS_MOST;
    for (int b = 0; b < rows->blocks; b++)
        if (block_init(rows, b, run, e) != 0)
            return -1;
    dcd_rows_activate(rows);
    return 0;
}

void dcd_rows_free(struct dcd_rows *rows) {
    for (int b = 0; b < rows->blocks; b++) {
        free(rows->block[b].order);
        free(rows->block[b].all);
        free(rows->block[b].before);
        if (rows->block[b].w != rows->w)
            free(rows->block[b].w);
    }
    free(rows->row);
}
