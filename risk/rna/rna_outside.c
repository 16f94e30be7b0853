/* rna_outside.c - what the best structure has, or all have on the average: the derivative of rna_inside, row by
 * row from the first; see rna_fold_parts.h.
 *
 * Each value passes its share on to the alternatives that it is the sum of, each by exp(alternative - sum); a
 * maximum passes all to the first that attains it. Shares are probabilities. */
#include "math/exponential.h"
#include "math/log_sum.h"
#include "risk/rna/rna_fold_parts.h"

#include <math.h>
#include <string.h>

/* A pair with less than this is left out: all of them together are below rounding. */
static const double negligible_probability = 1e-25;

struct outside {
    struct rna_tables tables;
    struct rna_terms *counts;
    double wrong;
    int32_t *partner;
};

/* ---- rows */

static void back_most(const struct rna_tables *tables, int64_t j, double a, double sum) {
    for (int64_t k = 0; k < tables->sources; k++) {
        const struct rna_source *s = &tables->source[k];
        if (j < s->from || s->value[j - s->from] + s->c != sum)
            continue;
        s->part[j - s->from] += a;
        if (s->total != NULL)
            *s->total += a;
        return;
    }
}

static void back_sums(const struct rna_tables *tables, int64_t from, const double *a,
                      const double *sum) {
    int64_t n = tables->n;
    for (int64_t j = from; j < n; j++)
        tables->shift[j] = sum[j] == -INFINITY ? INFINITY : sum[j];
    for (int64_t k = 0; k < tables->sources; k++) {
        const struct rna_source *s = &tables->source[k];
        double total = log_rows_part(s->part, a + s->from, s->value, s->c, tables->shift + s->from,
                                     tables->work, n - s->from);
        if (s->total != NULL)
            *s->total += total;
    }
}

/* The shares a[j] of the row of sums, to the sources listed. */
static void back_row(const struct rna_tables *tables, int64_t from, const double *a,
                     const double *sum) {
    int64_t first = from;
    while (first < tables->n && a[first] == 0)
        first++;
    if (first >= tables->n)
        return;
    if (tables->fold->soft) {
        back_sums(tables, from, a, sum);
        return;
    }
    for (int64_t j = first; j < tables->n; j++)
        if (a[j] != 0)
            back_most(tables, j, a[j], sum[j]);
}

/* What of a goes to x[0] where x[0] and x[1] make the sum. */
static double first_of_two(const struct rna_tables *tables, double a, const double *x, double sum) {
    if (!tables->fold->soft)
        return x[0] == sum ? a : 0;
    return a * exp(x[0] - sum);
}

static void back_reach(struct rna_tables *tables, int64_t i) {
    const double *q = tables->q + rna_at(tables, i, 0);
    double *by_q = tables->by_q + rna_at(tables, i, 0);
    for (int64_t c = tables->n - 1; c > i; c--) {
        double a = tables->by_reach[c], pair[2] = {tables->reach[c - 1], q[c]};
        double first = a == 0 ? 0 : first_of_two(tables, a, pair, tables->reach[c]);
        tables->by_reach[c - 1] += first;
        by_q[c] += a - first;
    }
}

static void back_next(struct outside *o, int64_t i) {
    struct rna_tables *tables = &o->tables;
    const struct rna_terms *terms = tables->fold->terms;
    for (int64_t j = tables->n - 1; j > i; j--) {
        double a = tables->by_next[j], pair[2] = {tables->next[j - 1] + terms->multi_unpaired, 0};
        double first = a == 0 ? 0 : first_of_two(tables, a, pair, tables->next[j]);
        tables->by_next[j - 1] += first;
        tables->by_branch[j] += a - first;
        o->counts->multi_unpaired += first;
    }
}

/* ---- the external loop */

static void back_external(struct outside *o, int64_t i) {
    struct rna_tables *tables = &o->tables;
    const struct rna_terms *terms = tables->fold->terms;
    double a = tables->by_e[i], sum = tables->e[i];
    double x = tables->e[i + 1] + terms->external_unpaired;
    double left = a, share = first_of_two(tables, a, &x, sum);
    tables->by_e[i + 1] += share;
    o->counts->external_unpaired += share;
    left -= share;
    for (int64_t j = i + 1; j < tables->n && left > 0; j++) {
        if (tables->branch[j] == -INFINITY)
            continue;
        x = tables->branch[j] + terms->external_pair + tables->e[j + 1];
        share = first_of_two(tables, tables->fold->soft ? a : left, &x, sum);
        tables->by_branch[j] += share;
        tables->by_e[j + 1] += share;
        o->counts->external_pair += share;
        left -= tables->fold->soft ? 0 : share;
    }
}

/* ---- pairs */

/* Share a[x] of each loop of the pair, in tables->loop. */
static void add_loops(struct outside *o, const struct rna_loops *loops, int64_t i, int64_t j) {
    struct rna_tables *tables = &o->tables;
    const int8_t *base = tables->fold->sequence.base;
    for (int k = 0; k < loops->segments; k++) {
        const struct rna_segment *s = &loops->segment[k];
        const double *a = tables->loop + s->begin;
        double *by_q = tables->by_q + rna_at(tables, s->k, s->low),
               *by_gap = tables->by_gap + s->gap;
        for (int64_t x = 0; x < s->count; x++) {
            by_q[x] += a[x];
            by_gap[x] += a[x];
        }
        if (k == 0 && s->count > 1)
            o->counts->bulged[base[j - 1]] += a[s->count - 2];
        if (k == 1)
            o->counts->bulged[base[i + 1]] += a[s->count - 1];
        if (k == 1 && s->count > 1)
            o->counts->opposed[base[i + 1] * RNA_CODES + base[j - 1]] += a[s->count - 2];
    }
}

/* Turns the values of the ways in tables->loop (all loops, hairpin, long) and in way (stack, multi-branch) into
 * shares of a; the first such are less by `face` than the second. */
static void share_soft(const struct rna_tables *tables, int64_t count, double face, double rest,
                       double a, double *way) {
    double shift = face - rest;
    for (int64_t x = 0; x < count; x++)
        tables->loop[x] += shift;
    exponentials(tables->loop, count);
    for (int64_t x = 0; x < count; x++)
        tables->loop[x] *= a;
    for (int k = 0; k < 2; k++)
        way[k] = a * exp(way[k] - rest);
}

static void share_most(const struct rna_tables *tables, int64_t count, double face, double a,
                       double *way) {
    double most = log_most(tables->loop, count), loop = most + face;
    bool stacks = way[0] > loop && way[0] >= way[1], branches = !stacks && way[1] > loop;
    bool found = stacks || branches;
    way[0] = stacks ? a : 0;
    way[1] = branches ? a : 0;
    for (int64_t x = 0; x < count; x++) {
        bool is = !found && tables->loop[x] == most;
        tables->loop[x] = is ? a : 0;
        found = found || is;
    }
}

/* How a pair goes on; loop: its hairpin and all with one inner pair but a stack. */
struct ways {
    double loop, hairpin, far, stack, branches;
};

/* The shares of the loops with gaps 0x1, 1x0, 1x1. */
static void add_close(struct outside *o, int64_t i, int64_t j, const double *a) {
    struct rna_tables *tables = &o->tables;
    const int8_t *base = tables->fold->sequence.base;
    if (j - i > 3) {
        tables->by_q[rna_at(tables, i + 1, j - 2)] += a[0];
        tables->by_q[rna_at(tables, i + 2, j - 1)] += a[1];
        o->counts->bulged[base[j - 1]] += a[0];
        o->counts->bulged[base[i + 1]] += a[1];
        o->counts->gap[1] += a[0];
        o->counts->gap[RNA_SEGMENTS] += a[1];
    }
    if (j - i > 4) {
        tables->by_q[rna_at(tables, i + 2, j - 2)] += a[2];
        o->counts->gap[RNA_SEGMENTS + 1] += a[2];
        o->counts->opposed[base[i + 1] * RNA_CODES + base[j - 1]] += a[2];
    }
}

/* The ways' shares of a by the sums of rna_scaled.c; false, and nothing is done, where these say nothing. REST: what
 * the ways make, FACE is of it where a loop is. */
static bool share_by_parts(struct outside *o, int64_t i, int64_t j, double a, double face,
                           double rest, struct ways *ways) {
    enum { CLOSE = RNA_CLOSE, WAYS = CLOSE + 5 };
    struct rna_tables *tables = &o->tables;
    struct rna_scaled_parts parts;
    double x[WAYS], near = rna_scaled_open(tables, i, j, &parts);
    if (isnan(near))
        return false;
    rna_close_open(tables, i, j, x);
    x[CLOSE] = rna_hairpin(tables, i, j);
    x[CLOSE + 1] = rna_long(tables, i, j);
    x[CLOSE + 2] = near == -INFINITY ? near : parts.top;
    x[CLOSE + 3] = rna_stack(tables, i, j) - face;
    x[CLOSE + 4] = rna_multi(tables, i, j) - face;
    for (int k = 0; k < WAYS; k++)
        x[k] -= rest - face;
    exponentials(x, WAYS);
    for (int k = 0; k < WAYS; k++)
        x[k] *= a;
    *ways = (struct ways){
        .hairpin = x[CLOSE], .far = x[CLOSE + 1], .stack = x[CLOSE + 3], .branches = x[CLOSE + 4]};
    ways->loop = x[0] + x[1] + x[2] + ways->hairpin + ways->far;
    if (near != -INFINITY)
        ways->loop += rna_scaled_share(tables, i, j, x[CLOSE + 2], &parts);
    add_close(o, i, j, x);
    return true;
}

/* The same by all loops one by one. */
static void share_one_by_one(struct outside *o, int64_t i, int64_t j, double a, double face,
                             double rest, struct ways *ways) {
    struct rna_tables *tables = &o->tables;
    struct rna_loops loops;
    double way[2] = {rna_stack(tables, i, j), rna_multi(tables, i, j)};
    rna_loops_open(tables, i, j, &loops);
    double *more = tables->loop + loops.count;
    int64_t count = loops.count + 2;
    more[0] = rna_hairpin(tables, i, j);
    more[1] = rna_long(tables, i, j);
    if (tables->fold->soft)
        share_soft(tables, count, face, rest, a, way);
    else
        share_most(tables, count, face, a, way);
    *ways = (struct ways){.hairpin = more[0], .far = more[1], .stack = way[0], .branches = way[1]};
    for (int64_t x = 0; x < count; x++)
        ways->loop += tables->loop[x];
    add_loops(o, &loops, i, j);
}

/* The shares of the ways in which the pair goes on. */
static void back_ways(struct outside *o, int64_t i, int64_t j, int type, double a, double own) {
    struct rna_tables *tables = &o->tables;
    const struct rna_sequence *s = &tables->fold->sequence;
    struct ways ways;
    int at = rna_face(s, i, j);
    int64_t length = j - i - 1, inside = rna_at(tables, i + 1, j - 1);
    double face = tables->fold->terms->face[at], rest = tables->p[rna_at(tables, i, j)] - own;
    if (!tables->fold->soft || !share_by_parts(o, i, j, a, face, rest, &ways))
        share_one_by_one(o, i, j, a, face, rest, &ways);
    o->counts->face[at] += ways.loop;
    o->counts->hairpin[length < RNA_GAP ? length : RNA_GAP] += ways.hairpin;
    o->counts->long_gap += ways.far;
    o->counts->multi_loop += ways.branches;
    o->counts->multi_pair += ways.branches;
    o->counts->branch[at] += ways.branches;
    tables->by_h[inside] += ways.far;
    tables->by_m2[inside] += ways.branches;
    if (ways.stack > 0) {
        o->counts->stack[type * RNA_TYPES + rna_type(s, i + 1, j - 1)] += ways.stack;
        tables->by_p[inside] += ways.stack;
    }
}

static void back_pair(struct outside *o, int64_t i, int64_t j, int type) {
    struct rna_tables *tables = &o->tables;
    const struct rna_fold *fold = tables->fold;
    double in_loop = tables->by_q[rna_at(tables, i, j)], in_branch = tables->by_branch[j];
    double a = tables->by_p[rna_at(tables, i, j)] + in_loop + in_branch;
    double wrong = rna_pair_wrong(fold, i, j);
    if (a < negligible_probability)
        return;
    int at = rna_face(&fold->sequence, j, i);
    o->counts->face[at] += in_loop;
    o->counts->branch[at] += in_branch;
    o->counts->pair[type] += a;
    o->wrong += a * wrong;
    if (o->partner != NULL && a > negligible_probability) {
        o->partner[i] = (int32_t)j;
        o->partner[j] = (int32_t)i;
    }
    back_ways(o, i, j, type, a, fold->terms->pair[type] + fold->cost * wrong);
}

/* ---- all rows */

static void zero_row(struct rna_tables *tables) {
    double *row[] = {tables->by_branch, tables->by_next, tables->by_reach, tables->by_t};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        memset(row[k], 0, sizeof(double) * (size_t)(tables->n + 1));
}

static void zero_shares(struct rna_tables *tables) {
    int64_t n = tables->n;
    double *square[] = {tables->by_p, tables->by_q, tables->by_m, tables->by_m2, tables->by_h};
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        memset(square[k], 0, sizeof(double) * (size_t)(n * (n + 1) + RNA_BLOCK));
    memset(tables->by_e, 0, sizeof(double) * (size_t)(n + 1));
    memset(tables->by_gap, 0, sizeof(double) * RNA_SEGMENTS * RNA_SEGMENTS);
    memset(tables->near.by_gap, 0, sizeof(double) * RNA_SEGMENTS * RNA_SCALED_ROW);
    tables->by_e[0] = 1;
}

static void back_branches(struct outside *o, int64_t i) {
    struct rna_tables *tables = &o->tables;
    int64_t row = rna_at(tables, i, 0);
    double unpaired = 0;
    rna_sources_m2(tables, i, &unpaired);
    back_row(tables, i + 1, tables->by_m2 + row, tables->m2 + row);
    rna_row_next(tables, i);
    rna_sources_m(tables, i, &unpaired);
    back_row(tables, i + 1, tables->by_m + row, tables->m + row);
    o->counts->multi_unpaired += unpaired;
    back_next(o, i);
    rna_sources_t(tables, i);
    back_row(tables, i + 1, tables->by_t, tables->t + row);
    for (int64_t j = i + 1; j < tables->n; j++)
        o->counts->multi_pair += tables->by_branch[j];
}

static void back_of_row(struct outside *o, int64_t i) {
    struct rna_tables *tables = &o->tables;
    int64_t row = rna_at(tables, i, 0);
    zero_row(tables);
    if (tables->fold->soft)
        rna_scaled_loops(tables, i);
    rna_row_branch(tables, i);
    rna_row_reach(tables, i);
    rna_sources_h(tables, i);
    back_row(tables, i + RNA_GAP + 2, tables->by_h + row, tables->h + row);
    back_reach(tables, i);
    back_branches(o, i);
    back_external(o, i);
    for (int64_t j = i + 1; j < tables->n; j++) {
        int type = rna_type(&tables->fold->sequence, i, j);
        if (type >= 0)
            back_pair(o, i, j, type);
    }
}

static void add_gaps(struct outside *o) {
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = 0; left + right <= RNA_GAP; right++)
            o->counts->gap[left * RNA_SEGMENTS + right] +=
                o->tables.by_gap[left * RNA_SEGMENTS + RNA_GAP - left - right] +
                o->tables.near.by_gap[left * RNA_SCALED_ROW + RNA_BLOCK + RNA_GAP - left - right];
}

double rna_outside(const struct rna_fold *fold, struct rna_terms *counts, int32_t *partner) {
    struct rna_terms own = {0};
    struct outside o = {.counts = counts == NULL ? &own : counts, .partner = partner};
    rna_tables_open(&o.tables, fold);
    zero_shares(&o.tables);
    for (int64_t i = 0; i < o.tables.n; i++) {
        o.wrong += fold->truth != NULL && fold->truth[i] >= 0;
        if (partner != NULL)
            partner[i] = -1;
    }
    for (int64_t i = 0; i < o.tables.n; i++) {
        if (interruption_came(fold->interrupted))
            return NAN;
        back_of_row(&o, i);
    }
    add_gaps(&o);
    return o.wrong;
}
