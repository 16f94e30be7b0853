/* rna_outside.c - the outside pass: the terms of the best structure, or the expected terms under exp(score);
 * see rna_fold_parts.h.
 *
 * It is the derivative of rna_inside, computed backwards, row by row from the first. Each table entry has a
 * probability (arrays by_...): that a structure drawn by exp(score) uses it. An entry that is a log sum passes the
 * fraction exp(alternative - sum) of its probability to each alternative; an entry that is a maximum passes all to
 * the first alternative that attains it. */
#include "math/exponential.h"
#include "math/log_sum.h"
#include "risk/rna/rna_fold_parts.h"

#include <math.h>
#include <string.h>

/* Pairs of smaller probability are left out: together they are below rounding. */
static const double negligible_probability = 1e-25;

struct outside {
    struct rna_tables tables;
    struct rna_terms *counts;
    double wrong;
    int32_t *partner;
};

/* ---- rows */

/* Passes the probability a of entry j of a row of maxima to the first alternative that attains it. */
static void back_best(const struct rna_tables *tables, int64_t j, double a, double sum) {
    for (int64_t k = 0; k < tables->sources; k++) {
        const struct rna_source *s = &tables->source[k];
        if (j < s->from || s->value[j - s->from] + s->c != sum)
            continue;
        s->by_value[j - s->from] += a;
        if (s->total != NULL)
            *s->total += a;
        return;
    }
}

/* Passes the probabilities a[j] of a row of log sums to all alternatives. */
static void back_sums(const struct rna_tables *tables, int64_t from, const double *a,
                      const double *sum) {
    int64_t n = tables->n;
    for (int64_t j = from; j < n; j++)
        tables->shift[j] = sum[j] == -INFINITY ? INFINITY : sum[j];
    for (int64_t k = 0; k < tables->sources; k++) {
        const struct rna_source *s = &tables->source[k];
        double total = log_rows_share(s->by_value, a + s->from, s->value, s->c,
                                      tables->shift + s->from, tables->work, n - s->from);
        if (s->total != NULL)
            *s->total += total;
    }
}

/* Passes the probabilities a[j] of a row to the alternatives in tables->source. */
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
            back_best(tables, j, a[j], sum[j]);
}

/* The part of the probability a that the first of two alternatives x receives. */
static double first_of_two(const struct rna_tables *tables, double a, const double *x, double sum) {
    if (!tables->fold->soft)
        return x[0] == sum ? a : 0;
    return a * exp(x[0] - sum);
}

/* From R of row i to Q. */
static void back_prefix_q(struct rna_tables *tables, int64_t i) {
    const double *q = tables->q + rna_at(tables, i, 0);
    double *by_q = tables->by_q + rna_at(tables, i, 0);
    for (int64_t c = tables->n - 1; c > i; c--) {
        double a = tables->by_prefix_q[c], pair[2] = {tables->prefix_q[c - 1], q[c]};
        double first = a == 0 ? 0 : first_of_two(tables, a, pair, tables->prefix_q[c]);
        tables->by_prefix_q[c - 1] += first;
        by_q[c] += a - first;
    }
}

/* From N of row i to B. */
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

/* From E(i) to E(i+1), or to B(j) and E(j+1). */
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

/* Adds the probabilities of all loops of the pair, in tables->loop, to the inner pairs and to the counts. */
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

/* Replaces the scores in tables->loop (loops one by one, hairpin, long loops; without the face of the pair) and in
 * `other` (stack, multi-branch) by their probabilities, whose sum is a. LOG_TOTAL: their log sum. */
static void split_soft(const struct rna_tables *tables, int64_t count, double face,
                       double log_total, double a, double *other) {
    double shift = face - log_total;
    for (int64_t x = 0; x < count; x++)
        tables->loop[x] += shift;
    exponentials(tables->loop, count);
    for (int64_t x = 0; x < count; x++)
        tables->loop[x] *= a;
    for (int k = 0; k < 2; k++)
        other[k] = a * exp(other[k] - log_total);
}

/* The same for maxima: the first best alternative receives a. */
static void split_best(const struct rna_tables *tables, int64_t count, double face, double a,
                       double *other) {
    double best = log_max(tables->loop, count), loop = best + face;
    bool stacks = other[0] > loop && other[0] >= other[1], branches = !stacks && other[1] > loop;
    bool found = stacks || branches;
    other[0] = stacks ? a : 0;
    other[1] = branches ? a : 0;
    for (int64_t x = 0; x < count; x++) {
        bool is = !found && tables->loop[x] == best;
        tables->loop[x] = is ? a : 0;
        found = found || is;
    }
}

/* Probabilities of what a pair encloses; loop: a hairpin or any loop with one inner pair that is not a stack. */
struct alternatives {
    double loop, hairpin, long_loop, stack, branches;
};

/* Adds the probabilities of the loops with gaps 0x1, 1x0, 1x1. */
static void add_small_loops(struct outside *o, int64_t i, int64_t j, const double *a) {
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

/* Splits the probability a of the pair by the sums of rna_scaled.c. Returns false and does nothing if these are
 * too small to be accurate. LOG_TOTAL: the log sum of all alternatives, of which loops include FACE. */
static bool split_scaled(struct outside *o, int64_t i, int64_t j, double a, double face,
                         double log_total, struct alternatives *alternatives) {
    enum { SMALL = RNA_SMALL_LOOPS, ALTERNATIVES = SMALL + 5 };
    struct rna_tables *tables = &o->tables;
    struct rna_block_sums sums;
    double x[ALTERNATIVES], short_loops = rna_scaled_sum(tables, i, j, &sums);
    if (isnan(short_loops))
        return false;
    rna_small_loops(tables, i, j, x);
    x[SMALL] = rna_hairpin(tables, i, j);
    x[SMALL + 1] = rna_long(tables, i, j);
    x[SMALL + 2] = short_loops == -INFINITY ? short_loops : sums.top;
    x[SMALL + 3] = rna_stack(tables, i, j) - face;
    x[SMALL + 4] = rna_multi(tables, i, j) - face;
    for (int k = 0; k < ALTERNATIVES; k++)
        x[k] -= log_total - face;
    exponentials(x, ALTERNATIVES);
    for (int k = 0; k < ALTERNATIVES; k++)
        x[k] *= a;
    *alternatives = (struct alternatives){.hairpin = x[SMALL],
                                          .long_loop = x[SMALL + 1],
                                          .stack = x[SMALL + 3],
                                          .branches = x[SMALL + 4]};
    alternatives->loop = x[0] + x[1] + x[2] + alternatives->hairpin + alternatives->long_loop;
    if (short_loops != -INFINITY)
        alternatives->loop += rna_scaled_share(tables, i, j, x[SMALL + 2], &sums);
    add_small_loops(o, i, j, x);
    return true;
}

/* The same with an exponential for each loop. */
static void split_one_by_one(struct outside *o, int64_t i, int64_t j, double a, double face,
                             double log_total, struct alternatives *alternatives) {
    struct rna_tables *tables = &o->tables;
    struct rna_loops loops;
    double other[2] = {rna_stack(tables, i, j), rna_multi(tables, i, j)};
    rna_list_loops(tables, i, j, &loops);
    double *others = tables->loop + loops.count;
    int64_t count = loops.count + 2;
    others[0] = rna_hairpin(tables, i, j);
    others[1] = rna_long(tables, i, j);
    if (tables->fold->soft)
        split_soft(tables, count, face, log_total, a, other);
    else
        split_best(tables, count, face, a, other);
    *alternatives = (struct alternatives){
        .hairpin = others[0], .long_loop = others[1], .stack = other[0], .branches = other[1]};
    for (int64_t x = 0; x < count; x++)
        alternatives->loop += tables->loop[x];
    add_loops(o, &loops, i, j);
}

/* Splits the probability a of the pair (i, j) among what it may enclose, and adds the parts to tables and counts. */
static void back_alternatives(struct outside *o, int64_t i, int64_t j, int type, double a,
                              double pair_score) {
    struct rna_tables *tables = &o->tables;
    const struct rna_sequence *s = &tables->fold->sequence;
    struct alternatives alternatives;
    int at = rna_face(s, i, j);
    int64_t length = j - i - 1, inside = rna_at(tables, i + 1, j - 1);
    double face = tables->fold->terms->face[at],
           log_total = tables->p[rna_at(tables, i, j)] - pair_score;
    if (!tables->fold->soft || !split_scaled(o, i, j, a, face, log_total, &alternatives))
        split_one_by_one(o, i, j, a, face, log_total, &alternatives);
    o->counts->face[at] += alternatives.loop;
    o->counts->hairpin[length < RNA_GAP ? length : RNA_GAP] += alternatives.hairpin;
    o->counts->long_gap += alternatives.long_loop;
    o->counts->multi_loop += alternatives.branches;
    o->counts->multi_pair += alternatives.branches;
    o->counts->branch[at] += alternatives.branches;
    tables->by_h[inside] += alternatives.long_loop;
    tables->by_m2[inside] += alternatives.branches;
    if (alternatives.stack > 0) {
        o->counts->stack[type * RNA_TYPES + rna_type(s, i + 1, j - 1)] += alternatives.stack;
        tables->by_p[inside] += alternatives.stack;
    }
}

/* From P(i,j), Q(i,j) and B(j) to what the pair encloses. */
static void back_pair(struct outside *o, int64_t i, int64_t j, int type) {
    struct rna_tables *tables = &o->tables;
    const struct rna_fold *fold = tables->fold;
    double in_loop = tables->by_q[rna_at(tables, i, j)], in_branch = tables->by_branch[j];
    double a = tables->by_p[rna_at(tables, i, j)] + in_loop + in_branch;
    double wrong = rna_pair_cost(fold, i, j);
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
    back_alternatives(o, i, j, type, a, fold->terms->pair[type] + fold->cost * wrong);
}

/* ---- all rows */

static void clear_row(struct rna_tables *tables) {
    double *row[] = {tables->by_branch, tables->by_next, tables->by_prefix_q, tables->by_t};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        memset(row[k], 0, sizeof(double) * (size_t)(tables->n + 1));
}

static void clear_probabilities(struct rna_tables *tables) {
    int64_t n = tables->n;
    double *square[] = {tables->by_p, tables->by_q, tables->by_m, tables->by_m2, tables->by_h};
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        memset(square[k], 0, sizeof(double) * (size_t)(n * (n + 1) + RNA_BLOCK));
    memset(tables->by_e, 0, sizeof(double) * (size_t)(n + 1));
    memset(tables->by_gap, 0, sizeof(double) * RNA_SEGMENTS * RNA_SEGMENTS);
    memset(tables->scaled.by_gap, 0, sizeof(double) * RNA_SEGMENTS * RNA_SCALED_ROW);
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
    clear_row(tables);
    if (tables->fold->soft)
        rna_scaled_loops(tables, i);
    rna_row_branch(tables, i);
    rna_row_prefix_q(tables, i);
    rna_sources_h(tables, i);
    back_row(tables, i + RNA_GAP + 2, tables->by_h + row, tables->h + row);
    back_prefix_q(tables, i);
    back_branches(o, i);
    back_external(o, i);
    for (int64_t j = i + 1; j < tables->n; j++) {
        int type = rna_type(&tables->fold->sequence, i, j);
        if (type >= 0)
            back_pair(o, i, j, type);
    }
}

/* Adds the expected gaps of both methods to the counts. */
static void add_gaps(struct outside *o) {
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = 0; left + right <= RNA_GAP; right++)
            o->counts->gap[left * RNA_SEGMENTS + right] +=
                o->tables.by_gap[left * RNA_SEGMENTS + RNA_GAP - left - right] +
                o->tables.scaled.by_gap[left * RNA_SCALED_ROW + RNA_BLOCK + RNA_GAP - left - right];
}

double rna_outside(const struct rna_fold *fold, struct rna_terms *counts, int32_t *partner) {
    struct rna_terms unused = {0};
    struct outside o = {.counts = counts == NULL ? &unused : counts, .partner = partner};
    rna_tables_init(&o.tables, fold);
    clear_probabilities(&o.tables);
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
