/* smo_subproblem.c - gathering, solving and storing a subproblem. */
#include "solvers/kernel_machine/smo_subproblem.h"

#include "io/memory.h"
#include "math/float_rows.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_TOGETHER = 256,    /* rows of K that are got at a time */
    SCORES_TOGETHER = 1024, /* scores that a thread updates at a time */
    PARTS_SHARE = 2,        /* of rows longer than this times the block only a part is gathered */
    MIRROR_TILE = 16,       /* rows of the block that are copied together */
    VALUES_PER_POLL = 4000000, /* kernel values that steps read between two polls of the monitor */
    FIRST_STEPS_PER_VARIABLE = 50, /* steps of a solve, per variable, before Newton steps */
    OPERATIONS_PER_VALUE = 12,     /* of a pair, for each slot */
    STEPS_PER_VARIABLE = 200,      /* steps of a solve, per variable, after them */
    MAX_MULTIPLIER_ROUNDS = 20,    /* changes of eta in a solve */
    MIN_VALUES_FOR_THREADS = 20000
};

static const double first_gap_share = 0.1; /* of the first gap: where a solve ends */
static const double newton_accuracy = 0.1; /* of this gap: Newton steps reach it as easily */
static const double relative_snap = 1e-12; /* of the largest C */
static const double penalty_growth = 10;   /* of rho, if eta needed too many rounds */
static const double min_curvature = 1e-6;  /* of the mean of K's diagonal */

/* ---- memory */

static void free_slots(struct smo_subproblem *p) {
    smo_newton_free(&p->newton);
    smo_block_free(&p->block);
    free(p->variable);
    free(p->is_fresh);
    free(p->column);
    free(p->kept);
    free(p->row);
    free(p->change);
    free(p->value);
    free(p->part);
    p->variable = p->row = p->column = p->kept = NULL;
    p->is_fresh = NULL;
    p->change = NULL;
    p->value = NULL;
    p->part = NULL;
}

static double mean_diagonal(const struct smo_subproblem *p) {
    const double *diagonal = row_cache_diagonal(p->cache);
    double sum = 0;
    for (int64_t i = 0; i < p->s->c.rows; i++)
        sum += diagonal[i];
    return sum > 0 ? sum / (double)p->s->c.rows : 1;
}

static int allocate_slots(struct smo_subproblem *p, int64_t capacity, struct error *e) {
    int64_t slots = capacity + !p->m->paired;
    p->variable = memory_new(slots, sizeof *p->variable, "the subproblem", e);
    p->is_fresh = memory_zeroed(capacity, sizeof *p->is_fresh, "the subproblem", e);
    p->column = memory_zeroed(capacity, sizeof *p->column, "the subproblem", e);
    p->kept = memory_new(capacity, sizeof *p->kept, "the subproblem", e);
    p->row = memory_new(capacity, sizeof *p->row, "the subproblem", e);
    p->change = memory_zeroed(capacity, sizeof *p->change, "the subproblem", e);
    p->value = memory_new(ROWS_TOGETHER, sizeof *p->value, "the subproblem", e);
    p->part = memory_new(capacity, ROW_CACHE_VALUES * sizeof *p->part, "the subproblem", e);
    if (p->variable == NULL || p->is_fresh == NULL || p->column == NULL || p->kept == NULL ||
        p->row == NULL || p->change == NULL || p->value == NULL || p->part == NULL ||
        smo_block_init(&p->block, slots, canonical_has_two_sums(&p->s->c), e) != 0)
        return -1;
    for (int64_t s = 0; s < slots; s++)
        p->variable[s] = -1;
    p->block.snap = relative_snap * p->s->c.max_upper;
    smo_block_set_curvature(&p->block, (float)(min_curvature * mean_diagonal(p)));
    if (!p->m->paired) { /* the variable without bounds, in the last slot */
        p->block.lower[capacity] = -INFINITY;
        p->block.upper[capacity] = INFINITY;
        smo_block_bar(&p->block, capacity);
    }
    return 0;
}

int smo_subproblem_init(struct smo_subproblem *p, int64_t capacity, struct error *e) {
    int64_t count = p->s->c.count, rows = p->s->c.rows;
    p->slot = memory_new(count, sizeof *p->slot, "the working set", e);
    p->position = memory_new(rows, sizeof *p->position, "the working set", e);
    if (p->slot == NULL || p->position == NULL ||
        smo_working_set_init(&p->set, count, capacity, p->s->c.work, e) != 0 ||
        allocate_slots(p, capacity, e) != 0)
        return -1;
    memset(p->slot, -1, sizeof *p->slot * (size_t)count);
    memset(p->position, -1, sizeof *p->position * (size_t)rows);
    return 0;
}

void smo_subproblem_free(struct smo_subproblem *p) {
    free_slots(p);
    smo_working_set_free(&p->set);
    free(p->slot);
    free(p->position);
}

int smo_subproblem_grow(struct smo_subproblem *p, int64_t capacity, struct error *e) {
    for (int64_t k = 0; k < p->set.size; k++)
        p->slot[p->set.member[k]] = -1;
    free_slots(p);
    if (smo_working_set_grow(&p->set, capacity, e) != 0)
        return -1;
    return allocate_slots(p, capacity, e);
}

/* The slots of the set's variables: each variable of a slot is a member. */
static void visit_slots(struct smo_subproblem *p, struct state *state) {
    state_integers(state, p->variable, p->set.capacity, -1, p->s->c.count - 1);
    for (int64_t s = 0; s < p->set.capacity; s++) {
        int64_t t = p->variable[s];
        p->column[s] = t < 0 ? 0 : t % p->s->c.rows;
        if (t < 0)
            continue;
        if (state_reads(state) && p->slot[t] >= 0)
            state_fail(state); /* twice */
        p->slot[t] = (int32_t)s;
    }
    for (int64_t k = 0; k < p->set.size; k++)
        if (p->slot[p->set.member[k]] < 0)
            state_fail(state);
}

void smo_subproblem_visit(struct smo_subproblem *p, struct state *state) {
    int64_t capacity = state_integer(state, p->set.capacity, p->set.capacity, p->s->c.count);
    if (capacity > p->set.capacity && smo_subproblem_grow(p, capacity, state_cause(state)) != 0) {
        state_fail(state);
        return;
    }
    row_cache_visit(p->cache, state);
    smo_working_set_visit(&p->set, state);
    visit_slots(p, state);
    smo_block_visit(&p->block, state);
    p->stale = state_flag(state, p->stale);
    STATE_REALS(state, &p->operations);
}

/* ---- rows of K */

/* Lists the distinct rows of the set's first COUNT variables in `row`. Returns their number. */
static int64_t list_rows(struct smo_subproblem *p, int64_t count) {
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = p->set.member[k] % p->s->c.rows;
        if (p->position[i] < 0) {
            p->position[i] = (int32_t)found;
            p->row[found++] = i;
        }
    }
    return found;
}

static void forget_rows(struct smo_subproblem *p, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        p->position[p->row[k]] = -1;
}

/* How many of COUNT rows are got together from number FROM on. */
static int64_t part_of_rows(const struct smo_subproblem *p, int64_t from, int64_t count) {
    int64_t slots = row_cache_slots(p->cache);
    int64_t limit = slots < ROWS_TOGETHER ? slots : ROWS_TOGETHER;
    return count - from < limit ? count - from : limit;
}

/* ---- gathering */

/* Empties the slots of variables that left the set, and all if their kernel values are stale. */
static void empty_slots(struct smo_subproblem *p) {
    for (int64_t s = 0; s < p->set.capacity; s++) {
        int64_t t = p->variable[s];
        p->is_fresh[s] = false;
        if (t < 0 || (p->set.is_member[t] && !p->stale))
            continue;
        p->variable[s] = p->slot[t] = -1;
        p->column[s] = 0;
        smo_block_clear(&p->block, s);
    }
    p->stale = false;
}

/* Variables without a slot get one. They are the first of the set, or all of it. */
static void assign_slots(struct smo_subproblem *p) {
    int64_t s = 0;
    p->fresh = 0;
    for (int64_t k = 0; k < p->set.size; k++) {
        int64_t t = p->set.member[k];
        if (p->slot[t] >= 0)
            continue;
        while (p->variable[s] >= 0)
            s++;
        p->variable[s] = t;
        p->slot[t] = (int32_t)s;
        p->column[s] = t % p->s->c.rows;
        p->is_fresh[s] = true;
        p->fresh = k + 1;
    }
}

/* The row of the block that belongs to the set's k-th variable, from its row of K, or from the values of the slots'
 * columns alone. */
static void gather_row(struct smo_subproblem *p, int64_t k, const float *value, bool is_part) {
    struct smo_block *block = &p->block;
    int64_t t = p->set.member[k], rows = p->s->c.rows, s = p->slot[t];
    float *to = block->kernel + s * block->stride;
    for (int64_t u = 0; u < p->set.capacity; u++)
        to[u] = value[is_part ? u : p->column[u]];
    for (int64_t u = 0; u < p->set.capacity && p->m->functions > 0; u++)
        if (p->variable[u] >= 0)
            to[u] += (float)smo_multipliers_curvature(p->m, t % rows, p->variable[u] % rows);
    block->pairs.diagonal[s] = to[s];
}

/* The columns of the fresh variables in the rows of the others: K is symmetric, to the bit. */
static void mirror_columns(struct smo_subproblem *p) {
    struct smo_block *block = &p->block;
    int64_t kept = 0;
    for (int64_t s = 0; s < p->set.capacity; s++)
        if (p->variable[s] >= 0 && !p->is_fresh[s])
            p->kept[kept++] = s;
#pragma omp parallel for schedule(static) if (kept * p->fresh > MIN_VALUES_FOR_THREADS)
    for (int64_t from = 0; from < kept; from += MIRROR_TILE) {
        int64_t to = from + MIRROR_TILE < kept ? from + MIRROR_TILE : kept;
        for (int64_t k = 0; k < p->fresh; k++) {
            int64_t s = p->slot[p->set.member[k]];
            const float *row = block->kernel + s * block->stride;
            for (int64_t u = from; u < to; u++)
                block->kernel[p->kept[u] * block->stride + s] = row[p->kept[u]];
        }
    }
}

/* Gets the values of rows FROM <= k < FROM + PART of `row`: whole rows of K, or those of the slots' columns. */
static int get_values(struct smo_subproblem *p, int64_t from, int64_t part, bool is_part,
                      struct error *e) {
    float *out[ROW_CACHE_VALUES];
    if (!is_part)
        return row_cache_get(p->cache, p->row + from, part, p->value, e);
    for (int64_t k = 0; k < part; k++)
        p->value[k] = out[k] = p->part + k * p->set.capacity;
    return row_cache_values(p->cache, p->row + from, part, p->column, p->set.capacity, out, e);
}

/* Gathers the rows of the block of those fresh variables whose rows are numbers FROM <= k < TO of `row`. Returns 1; 0
 * if the monitor ended it; -1 with the error set. */
static int gather_rows(struct smo_subproblem *p, int64_t from, int64_t to, bool is_part,
                       struct error *e) {
    for (int64_t part; from < to; from += part) {
        part = part_of_rows(p, from, to);
        part = is_part && part > ROW_CACHE_VALUES ? ROW_CACHE_VALUES : part;
        if (get_values(p, from, part, is_part, e) != 0)
            return -1;
#pragma omp parallel for schedule(static) if (part * p->set.size > MIN_VALUES_FOR_THREADS)
        for (int64_t k = 0; k < p->fresh; k++) {
            int64_t at = p->position[p->set.member[k] % p->s->c.rows] - from;
            if (at >= 0 && at < part)
                gather_row(p, k, p->value[at], is_part);
        }
        if (monitor_poll(p->monitor) != VERDICT_GO_ON)
            return 0;
    }
    return 1;
}

/* Brings the rows of which the cache lacks more than the block needs behind the others. Returns how many others. */
static int64_t order_rows(struct smo_subproblem *p, int64_t count) {
    int64_t whole = 0;
    if (PARTS_SHARE * p->set.capacity > p->s->c.rows)
        return count;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = p->row[k];
        if (row_cache_lacks(p->cache, i))
            continue;
        p->row[k] = p->row[whole];
        p->position[p->row[k]] = (int32_t)k;
        p->row[whole] = i;
        p->position[i] = (int32_t)whole++;
    }
    return whole;
}

/* Gathers the rows of the block of the fresh variables. Most of these do not move: of a row that is not cached only the
 * values of the block are computed, if it is much longer than the block. Returns 1; 0 if the monitor ended it; -1 with
 * the error set. */
static int gather(struct smo_subproblem *p, struct error *e) {
    int64_t distinct = list_rows(p, p->fresh), whole = order_rows(p, distinct);
    row_cache_touch(p->cache, p->row, whole);
    int status = gather_rows(p, 0, whole, false, e);
    if (status == 1)
        status = gather_rows(p, whole, distinct, true, e);
    forget_rows(p, distinct);
    if (status == 1)
        mirror_columns(p);
    return status;
}

/* g, less the middle of its extremes, beta and the bounds of all slots. */
static void load_slots(struct smo_subproblem *p, const double *g, double middle) {
    const struct canonical *c = &p->s->c;
    struct smo_block *block = &p->block;
    p->g = g;
    p->middle = middle;
    for (int64_t k = 0; k < p->set.size; k++) {
        int64_t t = p->set.member[k], s = p->slot[t];
        bool rises = c->sign[t] > 0;
        block->beta[s] = c->sign[t] * p->s->z[t];
        block->lower[s] = rises ? 0 : -c->upper[t];
        block->upper[s] = rises ? c->upper[t] : 0;
        block->second[s] = !rises && canonical_has_two_sums(c);
        block->pairs.g[s] = (float)(g[t] - middle);
        smo_block_bar(block, s);
    }
    if (!p->m->paired)
        block->pairs.g[p->set.capacity] = (float)-middle;
}

int smo_subproblem_load(struct smo_subproblem *p, const double *g, const uint8_t *moves,
                        double highest, double lowest, struct error *e) {
    smo_working_set_choose(&p->set, g, moves, highest, lowest);
    empty_slots(p);
    assign_slots(p);
    int status = gather(p, e);
    if (status == 1)
        load_slots(p, g, p->m->paired ? highest / 2 + lowest / 2 : 0);
    return status;
}

/* ---- solving */

bool smo_subproblem_refine(struct smo_subproblem *p) {
    bool refined = row_cache_refine(p->cache);
    p->stale |= refined;
    return refined;
}

/* Up to `left` steps towards the gap, with polls of the monitor. Returns whether the gap was reached. */
static bool take_pairs(struct smo_subproblem *p, double gap, int64_t left) {
    int64_t steps = VALUES_PER_POLL / p->block.stride;
    double first;
    smo_block_start(&p->block);
    for (; left > 0; left -= steps) {
        if (smo_block_solve(&p->block, gap, steps < left ? steps : left, &first))
            return true;
        if (monitor_poll(p->monitor) != VERDICT_GO_ON)
            return false;
    }
    return false;
}

/* The gap of the block as it is. */
static double find_gap(struct smo_subproblem *p) {
    double first;
    smo_block_start(&p->block);
    smo_block_solve(&p->block, INFINITY, 0, &first);
    return first;
}

/* change_j = by how much the solve so far has changed r_j. */
static void sum_changes(struct smo_subproblem *p) {
    struct smo_multipliers *m = p->m;
    const struct canonical *c = &p->s->c;
    memset(m->change, 0, sizeof *m->change * (size_t)m->functions);
    for (int64_t k = 0; k < p->set.size; k++) {
        int64_t t = p->set.member[k];
        double change = p->block.beta[p->slot[t]] - c->sign[t] * p->s->z[t];
        for (int64_t j = 0; j < m->functions && change != 0; j++)
            m->change[j] += change * m->psi[t % c->rows * m->functions + j];
    }
}

/* eta += rho (r + change), and g with it. */
static void shift_multipliers(struct smo_subproblem *p) {
    struct smo_multipliers *m = p->m;
    for (int64_t j = 0; j < m->functions; j++)
        m->work[j] = m->rho * (m->r[j] + m->change[j]);
    for (int64_t j = 0; j < m->functions; j++) {
        m->eta[j] += m->work[j];
        m->shift[j] += m->work[j];
    }
    for (int64_t k = 0; k < p->set.size; k++) {
        int64_t t = p->set.member[k];
        p->block.pairs.g[p->slot[t]] -=
            (float)vector_dot(m->psi + t % p->s->c.rows * m->functions, m->work, m->functions);
    }
}

static bool is_stopped(void *opaque) {
    const struct smo_subproblem *p = opaque;
    return monitor_poll(p->monitor) != VERDICT_GO_ON;
}

/* Newton steps from where the pairs are. 1: the conditions hold within the gap, and the equations; 0: they do not, and
 * rows of K are computed in doubles from the next load on; -1 with the error set. */
static int take_newton_steps(struct smo_subproblem *p, double gap, struct error *e) {
    const struct canonical *c = &p->s->c;
    struct smo_newton *n = &p->newton;
    if (c->learned != LEARNS_NOTHING) /* whose equation the program does not have */
        return 0;
    if (n->block == NULL && smo_newton_init(n, &p->block, p->set.capacity, p->m, e) != 0)
        return -1;
    n->program.stop = is_stopped;
    n->program.stop_opaque = p;
    smo_newton_clear(n);
    for (int64_t k = 0; k < p->set.size; k++) {
        int64_t t = p->set.member[k];
        smo_newton_load(n, p->m, p->slot[t], t % c->rows, c->sign[t], c->sign[t] * p->s->z[t],
                        p->g[t] - p->middle);
    }
    if (!smo_newton_fits(n))
        return 0;
    sum_changes(p);
    int status = smo_newton_solve(n, p->m, newton_accuracy * gap, e);
    smo_newton_store(n, &p->block, p->m);
    if (status == 0 && monitor_poll(p->monitor) == VERDICT_GO_ON)
        smo_subproblem_refine(p);
    return status;
}

/* Pairs up to the gap; if they are slow, Newton steps, and more pairs. 2: Newton steps ended it; 1: pairs; 0: not
 * reached; -1 with the error set. */
static int solve_pairs(struct smo_subproblem *p, double gap, struct error *e) {
    int64_t stride = p->block.stride;
    if (take_pairs(p, gap, FIRST_STEPS_PER_VARIABLE * stride))
        return 1;
    if (monitor_poll(p->monitor) != VERDICT_GO_ON)
        return 0;
    int status = take_newton_steps(p, gap, e);
    if (status != 0)
        return status < 0 ? -1 : 2;
    return !p->stale &&
           take_pairs(p, gap, (STEPS_PER_VARIABLE - FIRST_STEPS_PER_VARIABLE) * stride);
}

/* Pairs and multipliers in turn. If they do not agree, Newton steps, or a larger rho. 0, or -1 with the error set. */
static int solve_with_multipliers(struct smo_subproblem *p, double epsilon, struct error *e) {
    double gap = fmax(epsilon / 2, first_gap_share * find_gap(p));
    memset(p->m->shift, 0, sizeof *p->m->shift * (size_t)p->m->functions);
    for (int round = 0; round < MAX_MULTIPLIER_ROUNDS; round++) {
        int status = solve_pairs(p, gap, e);
        if (status != 1)
            return status < 0 ? -1 : 0;
        sum_changes(p);
        if (smo_multipliers_violation(p->m) <= gap)
            return 0;
        shift_multipliers(p);
    }
    int status = take_newton_steps(p, gap, e);
    if (status != 0)
        return status < 0 ? -1 : 0;
    take_pairs(p, gap, FIRST_STEPS_PER_VARIABLE * p->block.stride);
    p->stale |= p->m->rho < p->m->max_rho;
    p->m->rho = fmin(penalty_growth * p->m->rho, p->m->max_rho);
    return 0;
}

/* Takes z from the slots; change[k] = the change of theta at the k-th distinct row. */
static void store_variables(struct smo_subproblem *p) {
    const struct canonical *c = &p->s->c;
    for (int64_t k = 0; k < p->set.size; k++) {
        int64_t t = p->set.member[k];
        double z = c->sign[t] * p->block.beta[p->slot[t]];
        p->change[p->position[t % c->rows]] += c->sign[t] * (z - p->s->z[t]);
        p->s->z[t] = z;
    }
}

/* f += K change */
static int update_scores(struct smo_subproblem *p, int64_t count, struct error *e) {
    int64_t rows = p->s->c.rows, size = SCORES_TOGETHER;
    row_cache_touch(p->cache, p->row, count);
    for (int64_t from = 0, part; from < count; from += part) {
        part = part_of_rows(p, from, count);
        if (row_cache_get(p->cache, p->row + from, part, p->value, e) != 0)
            return -1;
#pragma omp parallel for schedule(static) if (rows * part > MIN_VALUES_FOR_THREADS)
        for (int64_t i = 0; i < rows; i += size)
            float_add_rows(p->s->f, p->change + from, p->value, part, i,
                           i + size < rows ? i + size : rows);
    }
    p->s->passes += (double)count / (double)rows;
    p->operations += 2 * (double)count * (double)rows;
    p->s->exact &= count == 0;
    return 0;
}

/* The rows with a change, at the front; the others are forgotten. Returns their number. */
static int64_t keep_changed(struct smo_subproblem *p, int64_t distinct) {
    int64_t count = 0;
    forget_rows(p, distinct);
    for (int64_t k = 0; k < distinct; k++) {
        double change = p->change[k];
        p->change[k] = 0;
        if (change == 0)
            continue;
        p->row[count] = p->row[k];
        p->change[count++] = change;
    }
    return count;
}

/* Of the pairs and Newton steps with this block. */
static double operations_of_block(const struct smo_subproblem *p) {
    return OPERATIONS_PER_VALUE * (double)p->block.steps * (double)p->block.stride +
           p->newton.free_set.operations;
}

int smo_subproblem_solve(struct smo_subproblem *p, double epsilon, struct error *e) {
    double before = operations_of_block(p);
    if (solve_with_multipliers(p, epsilon, e) != 0)
        return -1;
    p->operations += operations_of_block(p) - before;
    int64_t distinct = list_rows(p, p->set.size);
    store_variables(p);
    int64_t count = keep_changed(p, distinct);
    int status = update_scores(p, count, e);
    memset(p->change, 0, sizeof *p->change * (size_t)count);
    return status;
}

int smo_subproblem_scores(struct smo_subproblem *p, struct error *e) {
    struct solution *s = p->s;
    int64_t count = 0;
    int status = 0;
    memset(s->f, 0, sizeof *s->f * (size_t)s->c.rows);
    canonical_theta(&s->c, s->z, s->theta);
    for (int64_t i = 0; i < s->c.rows && status == 0; i++) {
        if (s->theta[i] != 0) {
            p->row[count] = i;
            p->change[count++] = s->theta[i];
        }
        if (count == p->set.capacity || (i + 1 == s->c.rows && count > 0)) {
            status = update_scores(p, count, e);
            memset(p->change, 0, sizeof *p->change * (size_t)count);
            count = 0;
        }
    }
    return status;
}
