/* dcd_rows.c - coordinate steps on the dual, with shrinking. */
#include "solvers/dual/dcd_rows.h"

#include "io/memory.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREFETCH_DISTANCE = 2, /* rows that are fetched before their visit */
    CACHE_LINE = 64,       /* bytes of a cache line */
    PREFETCH_LINES = 16,   /* fetched of a row's values; half as many of its columns */
    POLL_INTERVAL = 1024,  /* rows between looks at the clock */
    BLOCK_EPOCHS = 3,      /* of a block that is held */
    SCREEN_ROWS = 256,     /* that a thread takes at once */
    SCREEN_EPOCHS = 2,     /* that visit the rows which one look found */
    FRESH_PART = 4         /* where nothing is known, an epoch visits a quarter of the rows */
};

/* Of the last epoch's extreme slopes: a row that is held by less may move before the epoch ends, and is visited. */
static const double idle_slope_share = 0.02;

/* ---- one row */

/* Starts to fetch the k-th row of the order. */
static void fetch(const struct dcd_rows *rows, int64_t k) {
    const struct dataset *data = rows->terms->design->data;
    if (k >= rows->visits)
        return;
    int64_t i = rows->order[k], count = dataset_count(data, i);
    const char *column = (const char *)dataset_columns(data, i);
    size_t width = data->floats != NULL ? sizeof *data->floats : sizeof *data->value;
    const char *value = data->floats != NULL ? (const char *)dataset_floats(data, i)
                                             : (const char *)dataset_values(data, i);
    __builtin_prefetch(&rows->row[i - rows->first]);
    for (int64_t at = 0; !data->dense && at < count * 4 && at < PREFETCH_LINES * CACHE_LINE / 2;
         at += CACHE_LINE)
        __builtin_prefetch(column + at);
    for (int64_t at = 0;
         value != NULL && at < count * (int64_t)width && at < PREFETCH_LINES * CACHE_LINE;
         at += CACHE_LINE)
        __builtin_prefetch(value + at);
}

/* max over low <= beta <= high of beta v - tube |beta| - ridge beta^2/2, v = target - u: p l(u)/lambda. */
static double scaled_loss(const struct dcd_row *row, double tube, double v) {
    double inner = soft(v, tube);
    if (row->ridge == 0)
        return inner > 0 ? row->high * inner : inner < 0 ? row->low * inner : 0;
    double beta = clip(inner / row->ridge, row->low, row->high);
    return beta * inner - row->ridge * beta * beta / 2;
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

/* Whether the box or the kink holds beta by more than SHARE of the last epoch's extreme slopes. */
static bool is_held(const struct dcd_rows *rows, const struct dcd_row *row, struct slopes s,
                    double share) {
    double above = share * rows->shrink_above, below = share * rows->shrink_below;
    if (row->beta == row->low)
        return s.right > above;
    if (row->beta == row->high)
        return s.left < below;
    return rows->tube > 0 && row->beta == 0 && s.right > above && s.left < below;
}

/* The minimizer of F over beta; slope: without the tube. */
static double minimizer(const struct dcd_row *row, double tube, double curvature, double slope) {
    if (curvature == 0) { /* an empty row: F is linear but for the kink */
        double inner = soft(-slope, tube);
        return inner > 0 ? row->high : inner < 0 ? row->low : row->beta;
    }
    return clip(soft(row->beta - slope / curvature, tube / curvature), row->low, row->high);
}

/* w += step x_i, in the metric. */
static void move_weights(const struct dcd_rows *rows, double step, int64_t i) {
    const struct design *design = rows->terms->design;
    const struct dataset *data = design->data;
    const int32_t *column = dataset_columns(data, i);
    const double *metric = rows->metric;
    if (metric == NULL) {
        design_add(design, rows->w, step, i);
        return;
    }
    step *= rows->sigma;
    for (int64_t k = 0; k < dataset_count(data, i); k++)
        rows->w[column[k]] +=
            step * metric[column[k]] * dataset_entry(data, dataset_start(data, i) + k);
    if (design->bias >= 0)
        rows->w[data->features] += step * metric[data->features] * design->bias;
}

/* The slope of F by the variable of row i, without the tube; notes the loss. */
static double slope_of(const struct dcd_rows *rows, int64_t i, const struct dcd_row *row) {
    double u = design_score(rows->terms->design, rows->w, 1, i);
    rows->losses[i - rows->first] = scaled_loss(row, rows->tube, row->target - u);
    return u + row->ridge * row->beta - row->target;
}

/* Visits row i: a step, or false if it becomes inactive. */
static bool visit(struct dcd_rows *rows, int64_t i) {
    struct dcd_row *row = &rows->row[i - rows->first];
    double slope = slope_of(rows, i, row);
    struct slopes s = slopes_at(row, rows->tube, slope);
    if (is_held(rows, row, s, 1))
        return false;
    double fall = projected(row, s);
    if (fall > rows->top)
        rows->top = fall;
    if (fall < rows->bottom)
        rows->bottom = fall;
    if (fall == 0) {
        rows->idle++;
        return rows->beta == NULL; /* of a block the further epochs visit what moves */
    }
    double curvature =
        rows->metric == NULL ? row->curvature : rows->sigma * rows->length[i] + row->ridge;
    double beta = minimizer(row, rows->tube, curvature, slope);
    if (beta != row->beta && isfinite(beta)) {
        move_weights(rows, beta - row->beta, i);
        row->beta = beta;
    }
    return true;
}

/* ---- blocks of rows */

/* What is known of row i without its values; beta is 0. */
static struct dcd_row limits_of(const struct dcd_rows *rows, int64_t i) {
    const struct scalar_terms *terms = rows->terms;
    double p = scalar_weight(terms, i) / terms->weight_sum, low, high;
    struct dcd_row row = {.target = scalar_target(terms, i)};
    if (p == 0)
        return row;
    terms->loss->domain(scalar_target(terms, i), &terms->parameters, &low, &high);
    row.low = -p * high / rows->problem->lambda;
    row.high = -p * low / rows->problem->lambda;
    row.ridge = rows->problem->lambda / (p * terms->loss->curvature);
    return row;
}

struct dcd_row dcd_rows_row(const struct dcd_rows *rows, int64_t i) {
    if (rows->beta == NULL)
        return rows->row[i];
    struct dcd_row row = limits_of(rows, i);
    row.beta = rows->beta[i];
    return row;
}

void dcd_rows_set_beta(struct dcd_rows *rows, int64_t i, double beta) {
    if (rows->beta == NULL)
        rows->row[i].beta = beta;
    else
        rows->beta[i] = beta;
}

double dcd_rows_beta(const struct dcd_rows *rows, int64_t i) {
    return rows->beta == NULL ? rows->row[i].beta : rows->beta[i];
}

/* Makes rows from <= i < to the block; they are held. Of blocks it notes their scores. */
static void set_block(struct dcd_rows *rows, int64_t from, int64_t to) {
    const struct design *design = rows->terms->design;
    rows->first = from;
    rows->count = 0;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = from; i < to; i++) {
        struct dcd_row *row = &rows->row[i - from];
        *row = limits_of(rows, i);
        row->curvature = row_square(design->data, i, design->bias) + row->ridge;
        if (rows->beta != NULL) {
            row->beta = rows->beta[i];
            rows->score[i] = design_score(design, rows->asked, 1, i);
        }
        rows->losses[i - from] = 0;
    }
    for (int64_t i = from; i < to; i++)
        if (rows->row[i - from].high > rows->row[i - from].low)
            rows->order[rows->count++] = i;
    dcd_rows_activate(rows);
}

/* ---- screening */

/* What is to be done with a row of the block. ABSENT: it has no weight. */
enum { ABSENT, INACTIVE, IDLE, MOVES };

/* Whether row i, which is active, stays so, and would move or nearly so. */
static signed char screen_row(const struct dcd_rows *rows, int64_t i) {
    const struct dcd_row *row = &rows->row[i];
    struct slopes s = slopes_at(row, rows->tube, slope_of(rows, i, row));
    return is_held(rows, row, s, 1)                  ? INACTIVE
           : is_held(rows, row, s, idle_slope_share) ? IDLE
                                                     : MOVES;
}

/* The order by states: the rows that move, the other active ones, the inactive ones. */
static void sort_states(struct dcd_rows *rows) {
    int64_t next[] = {
        [MOVES] = 0, [IDLE] = rows->visits, [INACTIVE] = rows->active, [ABSENT] = rows->count};
    for (int64_t i = 0; i < rows->block; i++)
        rows->order[next[rows->state[i]]++] = i;
}

/* Looks at all active rows at the present w. Returns the nonzeros that it read. */
static double screen(struct dcd_rows *rows) {
    const struct design *design = rows->terms->design;
    int64_t nonzeros = 0, moves = 0, idle = 0;
    memset(rows->state, ABSENT, (size_t)rows->block);
    for (int64_t k = 0; k < rows->count; k++)
        rows->state[rows->order[k]] = k < rows->active ? IDLE : INACTIVE;
#pragma omp parallel for schedule(static, SCREEN_ROWS) if (design->threads) \
    reduction(+ : nonzeros, moves, idle)
    for (int64_t i = 0; i < rows->block; i++) {
        if (rows->state[i] != IDLE)
            continue;
        nonzeros += dataset_count(design->data, i);
        rows->state[i] = screen_row(rows, i);
        moves += rows->state[i] == MOVES;
        idle += rows->state[i] == IDLE;
    }
    rows->visits = moves;
    rows->active = moves + idle;
    sort_states(rows);
    return (double)nonzeros;
}

/* Most active rows do not move; a row that would is read twice. */
static bool is_worth_screening(const struct dcd_rows *rows) {
    return rows->screens && 2 * rows->idle > rows->active;
}

/* ---- epochs */

static void swap(int64_t *order, int64_t a, int64_t b) {
    int64_t i = order[a];
    order[a] = order[b];
    order[b] = i;
}

/* Whether no slopes are known, so that some rows are enough before a look at all. */
static bool is_fresh(const struct dcd_rows *rows) {
    return rows->screens && isinf(rows->shrink_above) && isinf(rows->shrink_below);
}

/* Chooses the rows to visit, and their order. Returns the nonzeros that it read. */
static double choose_rows(struct dcd_rows *rows) {
    double nonzeros = 0;
    bool anew = rows->visits == rows->active || ++rows->screened >= SCREEN_EPOCHS;
    bool screens = anew && is_worth_screening(rows);
    if (anew) {
        rows->visits = rows->active;
        rows->screened = 0;
        rows->unseen = false;
    }
    if (screens)
        nonzeros = screen(rows);
    random_shuffle(&rows->random, rows->order, rows->visits);
    if (anew && !screens && is_fresh(rows)) {
        rows->visits = (rows->active + FRESH_PART - 1) / FRESH_PART;
        rows->screened = SCREEN_EPOCHS;
        rows->unseen = rows->visits < rows->active;
    }
    return nonzeros;
}

/* Returns the nonzeros that it read. */
static double begin_epoch(struct dcd_rows *rows) {
    double nonzeros = choose_rows(rows);
    rows->idle = rows->active - rows->visits;
    rows->top = -INFINITY;
    rows->bottom = INFINITY;
    return nonzeros;
}

/* The k-th of the rows to visit becomes inactive. */
static void retire(struct dcd_rows *rows, int64_t k) {
    swap(rows->order, k, --rows->visits);
    swap(rows->order, rows->visits, --rows->active);
}

/* An epoch over the block. Returns the nonzeros that it read. */
static double block_epoch(struct dcd_rows *rows) {
    const struct dataset *data = rows->terms->design->data;
    double nonzeros = begin_epoch(rows);
    for (int64_t k = 0, steps = 1; k < rows->visits; steps++) {
        int64_t i = rows->order[k];
        fetch(rows, k + PREFETCH_DISTANCE);
        nonzeros += (double)dataset_count(data, i);
        if (visit(rows, i))
            k++;
        else
            retire(rows, k);
        if (steps % POLL_INTERVAL == 0 && monitor_poll(rows->monitor) != VERDICT_GO_ON)
            break;
    }
    rows->shrink_above = rows->top > 0 ? rows->top : INFINITY;
    rows->shrink_below = rows->bottom < 0 ? rows->bottom : -INFINITY;
    return nonzeros;
}

/* Holds a block for its epochs. A limit leaves later blocks as they are: beta and w belong together at any time. */
static void work_on_block(struct dcd_rows *rows, int64_t from, int64_t to) {
    const struct dataset *data = rows->terms->design->data;
    struct dataset_window *window = data->window;
    int64_t chunk = window->chunk;
    for (int64_t k = from / chunk; k * chunk < to; k++)
        window->hold(window, k, data->rows);
    if (monitor_poll(rows->monitor) == VERDICT_GO_ON) {
        set_block(rows, from, to);
        for (int epoch = 0; epoch < BLOCK_EPOCHS; epoch++)
            block_epoch(rows);
        for (int64_t i = from; i < to; i++)
            rows->beta[i] = rows->row[i - from].beta;
        rows->after_block(rows->context, from, to);
    } else {
        rows->whole = false;
    }
    for (int64_t k = from / chunk; k * chunk < to; k++)
        window->release(window, k);
}

double dcd_rows_epoch(struct dcd_rows *rows) {
    const struct dataset *data = rows->terms->design->data;
    if (rows->beta == NULL)
        return block_epoch(rows) / fmax(1, (double)data->nonzeros);
    rows->whole = true;
    for (int64_t from = 0; from < data->rows; from += rows->block)
        work_on_block(rows, from,
                      from + rows->block < data->rows ? from + rows->block : data->rows);
    return 1;
}

void dcd_rows_activate(struct dcd_rows *rows) {
    rows->shrink_above = INFINITY;
    rows->shrink_below = -INFINITY;
    rows->visits = rows->active = rows->count;
    rows->idle = 0;
}

void dcd_rows_reopen(struct dcd_rows *rows) {
    rows->idle += rows->count - rows->active;
    rows->visits = rows->active = rows->count;
}

double dcd_rows_descend(struct dcd_rows *rows, int epochs, double tolerance) {
    double passes = 0, largest = INFINITY;
    dcd_rows_activate(rows);
    for (int i = 0; i < epochs && largest > tolerance; i++) {
        passes += dcd_rows_epoch(rows);
        largest = fmax(rows->top, -rows->bottom);
    }
    return passes;
}

double dcd_rows_gain(const struct dcd_rows *rows, int64_t i, double u) {
    const struct dcd_row *row = &rows->row[i];
    double slope = u + row->ridge * row->beta - row->target;
    double fall = projected(row, slopes_at(row, rows->tube, slope));
    double way = fall < 0 ? row->high - row->beta : row->beta - row->low;
    return fall == 0 ? 0 : fabs(fall) * fmin(way, fabs(fall) / row->ridge);
}

double dcd_rows_linear(const struct dcd_rows *rows) {
    double sum = 0;
    for (int64_t i = 0; i < rows->terms->design->rows; i++) {
        struct dcd_row row = dcd_rows_row(rows, i);
        sum += row.beta * (row.target - row.ridge * row.beta / 2) - rows->tube * fabs(row.beta);
    }
    return sum;
}

double dcd_rows_bound(const struct dcd_rows *rows) {
    const struct design *design = rows->terms->design;
    double sum = communicator_sum_one(design->data->communicator, dcd_rows_linear(rows));
    return rows->problem->lambda *
           (sum - vector_dot(rows->w, rows->w, rows->problem->risk->regularized) / 2);
}

double dcd_rows_estimate(const struct dcd_rows *rows) {
    if (rows->unseen)
        return INFINITY;
    double sum = vector_dot(rows->w, rows->w, rows->problem->risk->regularized) / 2;
    for (int64_t i = 0; i < rows->terms->design->rows; i++)
        sum += rows->losses[i];
    return rows->problem->lambda * sum;
}

/* ---- a start */

/* beta times the factor in [0, 1] with the least F; w has to fit. */
static void scale_start(struct dcd_rows *rows) {
    int64_t n = rows->problem->risk->regularized;
    double sums[] = {0, 0};
    for (int64_t i = 0; i < rows->terms->design->rows; i++) {
        struct dcd_row row = dcd_rows_row(rows, i);
        sums[0] += row.target * row.beta - rows->tube * fabs(row.beta);
        sums[1] += row.ridge * row.beta * row.beta;
    }
    communicator_sum_few(rows->terms->design->data->communicator, sums, 2);
    double linear = sums[0], square = sums[1] + vector_dot(rows->w, rows->w, n);
    double factor = square > 0 && isfinite(linear / square) ? clip(linear / square, 0, 1) : 0;
    for (int64_t i = 0; i < rows->terms->design->rows; i++)
        dcd_rows_set_beta(rows, i, factor * dcd_rows_beta(rows, i));
    for (int64_t j = 0; j < n; j++)
        rows->w[j] = factor > 0 ? factor * rows->w[j] : 0;
}

void dcd_rows_start(struct dcd_rows *rows, double *a, bool summed) {
    const struct scalar_terms *terms = rows->terms;
    double factor = -1 / (rows->problem->lambda * terms->weight_sum);
    for (int64_t i = 0; i < terms->design->rows; i++) {
        struct dcd_row row = dcd_rows_row(rows, i);
        double beta = factor * scalar_weight(terms, i) * a[i];
        a[i] = isfinite(beta) ? clip(beta, row.low, row.high) : 0;
        dcd_rows_set_beta(rows, i, a[i]);
    }
    if (!summed)
        design_combine(terms->design, a, rows->w);
    scale_start(rows);
}

/* ---- from one run to the next */

void dcd_rows_visit(struct dcd_rows *rows, struct state *state) {
    const struct design *design = rows->terms->design;
    state_doubles(state, rows->w, design->columns);
    random_visit(&rows->random, state);
    if (rows->beta != NULL) { /* blocks begin anew in each epoch */
        state_doubles(state, rows->beta, design->rows);
        return;
    }
    for (int64_t i = 0; i < design->rows; i++)
        STATE_REALS(state, &rows->row[i].beta, &rows->losses[i]);
    state_integers(state, rows->order, rows->count, 0, design->rows - 1);
    rows->active = state_integer(state, rows->active, 0, rows->count);
    rows->visits = state_integer(state, rows->visits, 0, rows->active);
    rows->idle = state_integer(state, rows->idle, 0, rows->count);
    rows->screened = state_integer(state, rows->screened, 0, SCREEN_EPOCHS);
    rows->unseen = state_integer(state, rows->unseen, 0, 1) == 1;
    STATE_REALS(state, &rows->shrink_above, &rows->shrink_below);
}

/* ---- begin and end */

int dcd_rows_init(struct dcd_rows *rows, const struct problem *problem,
                  const struct scalar_terms *terms, const struct run_settings *run,
                  const struct monitor *monitor, double *w, struct error *e) {
    const struct design *design = terms->design;
    *rows = (struct dcd_rows){.problem = problem, .terms = terms, .monitor = monitor, .w = w};
    rows->tube = terms->loss->tube == NULL ? 0 : terms->loss->tube(&terms->parameters);
    const struct dataset_window *window = design->data->window;
    rows->block = window == NULL ? design->rows : window->chunk * window->together;
    rows->block = rows->block < design->rows ? rows->block : design->rows;
    rows->row = memory_new(rows->block, sizeof *rows->row, "the dual variables", e);
    rows->losses = memory_new(rows->block, sizeof *rows->losses, "losses", e);
    rows->order = memory_new(rows->block, sizeof *rows->order, "the order of rows", e);
    rows->state = memory_new(rows->block, sizeof *rows->state, "the states of rows", e);
    if (rows->row == NULL || rows->losses == NULL || rows->order == NULL || rows->state == NULL)
        return -1;
    random_seed(&rows->random, run->seed, run->stream);
    memset(w, 0, sizeof *w * (size_t)design->columns);
    if (window == NULL) {
        set_block(rows, 0, design->rows);
        return 0;
    }
    rows->beta = memory_zeroed(design->rows, sizeof *rows->beta, "the dual variables", e);
    rows->score = memory_new(design->rows, sizeof *rows->score, "scores", e);
    return rows->beta == NULL || rows->score == NULL ? -1 : 0;
}

void dcd_rows_free(struct dcd_rows *rows) {
    free(rows->row);
    free(rows->losses);
    free(rows->order);
    free(rows->state);
    free(rows->beta);
    free(rows->score);
}
