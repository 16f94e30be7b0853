/* rna_inside.c - the inside pass: the best score, or the log sum of exp(score) over all structures. The tables are
 * filled row by row from the last; see rna_fold_parts.h. */
#include "math/log_sum.h"
#include "risk/rna/rna_fold_parts.h"

#include <math.h>
#include <string.h>

enum { TABLES = 12, ROWS = 9, MIN_LONG_GAP = RNA_GAP + 1, GAPS = RNA_SEGMENTS * RNA_SEGMENTS };
enum { SCALED_GAPS = RNA_SEGMENTS * RNA_SCALED_ROW };

/* ---- memory of the tables */

static int64_t work_size(int64_t n) {
    return n > RNA_MAX_LOOPS + 4 ? n : RNA_MAX_LOOPS + 4;
}

/* Numbers of an (n + 1) x n table. The last row's last block of columns ends behind the table. */
static int64_t table_size(int64_t n) {
    return n * (n + 1) + RNA_BLOCK;
}

static int64_t blocks_of(int64_t n) {
    return n / RNA_BLOCK + 1;
}

static int64_t total_size(int64_t n) {
    return TABLES * table_size(n) + (ROWS + 2) * (n + 1) + 2 * work_size(n) + 2 * GAPS +
           2 * SCALED_GAPS + (n + 2 + RNA_BLOCK) * blocks_of(n);
}

/* A multiple of 64 bytes, so that the workspaces of several threads stay aligned in one array. */
size_t rna_fold_bytes(int64_t n) {
    size_t bytes = sizeof(double) * (size_t)total_size(n) +
                   sizeof(struct rna_source) * (size_t)(n + RNA_SEGMENTS + 4);
    return (bytes + 63) / 64 * 64;
}

static double *next_array(double **at, int64_t count) {
    double *array = *at;
    *at += count;
    return array;
}

void rna_tables_init(struct rna_tables *tables, const struct rna_fold *fold) {
    int64_t n = fold->sequence.length;
    double *at = fold->work;
    *tables = (struct rna_tables){.fold = fold, .n = n};
    double **table[TABLES] = {&tables->p,    &tables->q,     &tables->m,    &tables->m2,
                              &tables->t,    &tables->h,     &tables->by_p, &tables->by_q,
                              &tables->by_m, &tables->by_m2, &tables->by_h, &tables->scaled.exp_q};
    double **row[ROWS + 2] = {&tables->e,       &tables->by_e,        &tables->branch,
                              &tables->next,    &tables->prefix_q,    &tables->by_branch,
                              &tables->by_next, &tables->by_prefix_q, &tables->by_t,
                              &tables->sum,     &tables->shift};
    for (int k = 0; k < TABLES; k++)
        *table[k] = next_array(&at, table_size(n));
    for (int k = 0; k < ROWS + 2; k++)
        *row[k] = next_array(&at, n + 1);
    tables->work = next_array(&at, work_size(n));
    tables->loop = next_array(&at, work_size(n));
    tables->gap = next_array(&at, GAPS);
    tables->by_gap = next_array(&at, GAPS);
    tables->scaled.max_gap = rna_scaled_max_gap(fold->terms);
    tables->scaled.blocks = blocks_of(n);
    tables->scaled.gap = next_array(&at, SCALED_GAPS);
    tables->scaled.by_gap = next_array(&at, SCALED_GAPS);
    tables->scaled.scale = next_array(&at, (n + 1) * blocks_of(n));
    tables->scaled.top = next_array(&at, blocks_of(n));
    tables->scaled.factor = next_array(&at, blocks_of(n) * RNA_BLOCK);
    tables->source = (struct rna_source *)at;
}

/* ---- rows of sums */

double rna_sum(const struct rna_tables *tables, double *x, int64_t n) {
    return tables->fold->soft ? log_sum(x, n) : log_max(x, n);
}

static void add_source(struct rna_tables *tables, const double *value, double *by_value, double c,
                       int64_t from, double *total) {
    if (from < tables->n && c != -INFINITY)
        tables->source[tables->sources++] = (struct rna_source){value, by_value, total, c, from};
}

/* out[j] = the sum (or maximum) at column j of the alternatives in tables->source, for from <= j < n. */
static void sum_sources(struct rna_tables *tables, int64_t from, double *out) {
    int64_t n = tables->n;
    for (int64_t j = from; j < n; j++)
        out[j] = -INFINITY;
    for (int64_t k = 0; k < tables->sources; k++) {
        const struct rna_source *s = &tables->source[k];
        log_rows_max(out + s->from, s->value, s->c, n - s->from);
    }
    if (!tables->fold->soft)
        return;
    for (int64_t j = from; j < n; j++) {
        tables->shift[j] = out[j] == -INFINITY ? 0 : out[j];
        tables->sum[j] = 0;
    }
    for (int64_t k = 0; k < tables->sources; k++) {
        const struct rna_source *s = &tables->source[k];
        log_rows_add(tables->sum + s->from, s->value, s->c, tables->shift + s->from, tables->work,
                     n - s->from);
    }
    for (int64_t j = from; j < n; j++)
        out[j] += log(tables->sum[j]);
}

void rna_sources_t(struct rna_tables *tables, int64_t i) {
    tables->sources = 0;
    for (int64_t l = i + 1; l < tables->n; l++) {
        int64_t at = rna_at(tables, l + 1, l + 1);
        add_source(tables, tables->m + at, tables->by_m + at,
                   tables->branch[l] + tables->fold->terms->multi_pair, l + 1,
                   tables->by_branch + l);
    }
}

/* The two alternatives that M and M2 share: base i unpaired, and T. */
static void add_unpaired(struct rna_tables *tables, double *value, double *by_value, int64_t i,
                         double *unpaired) {
    int64_t next = rna_at(tables, i + 1, i + 1), row = rna_at(tables, i, i + 1);
    add_source(tables, value + next, by_value + next, tables->fold->terms->multi_unpaired, i + 1,
               unpaired);
    add_source(tables, tables->t + row, tables->by_t + i + 1, 0, i + 1, NULL);
}

void rna_sources_m(struct rna_tables *tables, int64_t i, double *unpaired) {
    tables->sources = 0;
    add_unpaired(tables, tables->m, tables->by_m, i, unpaired);
    add_source(tables, tables->next + i + 1, tables->by_next + i + 1, 0, i + 1, NULL);
}

void rna_sources_m2(struct rna_tables *tables, int64_t i, double *unpaired) {
    tables->sources = 0;
    add_unpaired(tables, tables->m2, tables->by_m2, i, unpaired);
}

void rna_sources_h(struct rna_tables *tables, int64_t i) {
    int64_t from = i + MIN_LONG_GAP + 1, next = rna_at(tables, i + 1, from);
    tables->sources = 0;
    add_source(tables, tables->h + next, tables->by_h + next, 0, from, NULL);
    add_source(tables, tables->prefix_q + i + 1, tables->by_prefix_q + i + 1, 0, from, NULL);
    for (int64_t x = 0; x <= RNA_GAP; x++) {
        int64_t at = rna_at(tables, i + 1 + x, from - RNA_GAP + x);
        add_source(tables, tables->q + at, tables->by_q + at, 0, from, NULL);
    }
}

void rna_row_branch(struct rna_tables *tables, int64_t i) {
    const struct rna_fold *fold = tables->fold;
    for (int64_t l = i + 1; l < tables->n; l++) {
        double p = tables->p[rna_at(tables, i, l)];
        tables->branch[l] =
            p == -INFINITY ? p : p + fold->terms->branch[rna_face(&fold->sequence, l, i)];
    }
}

void rna_row_next(struct rna_tables *tables, int64_t i) {
    const struct rna_terms *terms = tables->fold->terms;
    tables->next[i] = -INFINITY;
    for (int64_t j = i + 1; j < tables->n; j++) {
        double pair[2] = {tables->next[j - 1] + terms->multi_unpaired,
                          tables->branch[j] + terms->multi_pair};
        tables->next[j] = pair[1] == -INFINITY ? pair[0] : rna_sum(tables, pair, 2);
    }
}

void rna_row_prefix_q(struct rna_tables *tables, int64_t i) {
    const double *q = tables->q + rna_at(tables, i, 0);
    tables->prefix_q[i] = -INFINITY;
    for (int64_t c = i + 1; c < tables->n; c++) {
        double pair[2] = {tables->prefix_q[c - 1], q[c]};
        tables->prefix_q[c] = pair[1] == -INFINITY ? pair[0] : rna_sum(tables, pair, 2);
    }
}

/* ---- a pair */

double rna_pair_cost(const struct rna_fold *fold, int64_t i, int64_t j) {
    if (fold->truth == NULL)
        return 0;
    /* compared with the structure without pairs, in which all paired positions of the truth are wrong */
    return 2 * (fold->truth[i] != j) - (fold->truth[i] >= 0) - (fold->truth[j] >= 0);
}

void rna_list_loops(const struct rna_tables *tables, int64_t i, int64_t j,
                    struct rna_loops *loops) {
    const struct rna_fold *fold = tables->fold;
    const int8_t *base = fold->sequence.base;
    double *out = tables->loop;
    loops->segments = 0;
    loops->count = 0;
    for (int64_t left = 0; left <= RNA_GAP && i + left + 2 < j; left++) {
        int64_t k = i + 1 + left, first_column = j - 1 - (RNA_GAP - left);
        int64_t low = first_column > k ? first_column : k + 1,
                gap = left * RNA_SEGMENTS + (low - first_column);
        struct rna_segment segment = {k, low, j - low, loops->count, gap};
        const double *q = tables->q + rna_at(tables, k, low), *term = tables->gap + gap;
        for (int64_t x = 0; x < segment.count; x++)
            out[x] = q[x] + term[x];
        if (left == 0 && segment.count > 1)
            out[segment.count - 2] += fold->terms->bulged[base[j - 1]];
        if (left == 1)
            out[segment.count - 1] += fold->terms->bulged[base[i + 1]];
        if (left == 1 && segment.count > 1)
            out[segment.count - 2] += fold->terms->opposed[base[i + 1] * RNA_CODES + base[j - 1]];
        loops->segment[loops->segments++] = segment;
        loops->count += segment.count;
        out += segment.count;
    }
}

double rna_stack(const struct rna_tables *tables, int64_t i, int64_t j) {
    const struct rna_sequence *s = &tables->fold->sequence;
    int inner = i + 1 < j - 1 ? rna_type(s, i + 1, j - 1) : -1;
    return inner < 0 ? -INFINITY
                     : tables->p[rna_at(tables, i + 1, j - 1)] +
                           tables->fold->terms->stack[rna_type(s, i, j) * RNA_TYPES + inner];
}

double rna_multi(const struct rna_tables *tables, int64_t i, int64_t j) {
    const struct rna_terms *terms = tables->fold->terms;
    return tables->m2[rna_at(tables, i + 1, j - 1)] + terms->multi_loop + terms->multi_pair +
           terms->branch[rna_face(&tables->fold->sequence, i, j)];
}

double rna_hairpin(const struct rna_tables *tables, int64_t i, int64_t j) {
    int64_t length = j - i - 1;
    return tables->fold->terms->hairpin[length < RNA_GAP ? length : RNA_GAP];
}

double rna_long(const struct rna_tables *tables, int64_t i, int64_t j) {
    return tables->h[rna_at(tables, i + 1, j - 1)] + tables->fold->terms->long_gap;
}

void rna_small_loops(const struct rna_tables *tables, int64_t i, int64_t j, double *value) {
    const struct rna_terms *terms = tables->fold->terms;
    const int8_t *base = tables->fold->sequence.base;
    bool fits_bulge = j - i > 3, fits_one_by_one = j - i > 4;
    value[0] = value[1] = value[2] = -INFINITY;
    if (fits_bulge) {
        value[0] =
            tables->q[rna_at(tables, i + 1, j - 2)] + terms->gap[1] + terms->bulged[base[j - 1]];
        value[1] = tables->q[rna_at(tables, i + 2, j - 1)] + terms->gap[RNA_SEGMENTS] +
                   terms->bulged[base[i + 1]];
    }
    if (fits_one_by_one)
        value[2] = tables->q[rna_at(tables, i + 2, j - 2)] + terms->gap[RNA_SEGMENTS + 1] +
                   terms->opposed[base[i + 1] * RNA_CODES + base[j - 1]];
}

/* The log sum over all that a pair may enclose, by rna_scaled.c; not-a-number if that is not accurate. */
static double sum_scaled(const struct rna_tables *tables, int64_t i, int64_t j, double face) {
    struct rna_block_sums sums;
    double alternative[RNA_SMALL_LOOPS + 5], loops = rna_scaled_sum(tables, i, j, &sums);
    if (isnan(loops))
        return loops;
    rna_small_loops(tables, i, j, alternative);
    alternative[RNA_SMALL_LOOPS] = loops;
    alternative[RNA_SMALL_LOOPS + 1] = rna_hairpin(tables, i, j);
    alternative[RNA_SMALL_LOOPS + 2] = rna_long(tables, i, j);
    for (int k = 0; k < RNA_SMALL_LOOPS + 3; k++)
        alternative[k] += face;
    alternative[RNA_SMALL_LOOPS + 3] = rna_stack(tables, i, j);
    alternative[RNA_SMALL_LOOPS + 4] = rna_multi(tables, i, j);
    return log_sum(alternative, RNA_SMALL_LOOPS + 5);
}

/* P(i,j) */
static double pair_value(const struct rna_tables *tables, int64_t i, int64_t j, int type) {
    const struct rna_fold *fold = tables->fold;
    struct rna_loops loops;
    double pair_score = fold->terms->pair[type] + fold->cost * rna_pair_cost(fold, i, j);
    double face = fold->terms->face[rna_face(&fold->sequence, i, j)];
    double sum = fold->soft ? sum_scaled(tables, i, j, face) : NAN;
    if (!isnan(sum))
        return pair_score + sum;
    rna_list_loops(tables, i, j, &loops);
    double *others = tables->loop + loops.count;
    others[0] = rna_hairpin(tables, i, j);
    others[1] = rna_long(tables, i, j);
    double alternative[3] = {rna_sum(tables, tables->loop, loops.count + 2) + face,
                             rna_stack(tables, i, j), rna_multi(tables, i, j)};
    return pair_score + rna_sum(tables, alternative, 3);
}

/* P and Q of row i. */
static void fill_pairs(struct rna_tables *tables, int64_t i) {
    const struct rna_fold *fold = tables->fold;
    double *p = tables->p + rna_at(tables, i, 0), *q = tables->q + rna_at(tables, i, 0);
    for (int64_t j = i + 1; j < tables->n; j++) {
        int type = rna_type(&fold->sequence, i, j);
        p[j] = q[j] = -INFINITY;
        if (type < 0)
            continue;
        p[j] = pair_value(tables, i, j, type);
        q[j] = p[j] + fold->terms->face[rna_face(&fold->sequence, j, i)];
    }
}

/* ---- all rows */

/* tables->gap: the gap terms in the order of the inner pair's last column. */
static void reverse_gaps(struct rna_tables *tables) {
    const double *gap = tables->fold->terms->gap;
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = 0; left + right <= RNA_GAP; right++)
            tables->gap[left * RNA_SEGMENTS + RNA_GAP - left - right] =
                left + right == 0 ? -INFINITY : gap[left * RNA_SEGMENTS + right];
}

/* Sets a row to -infinity: the value of empty intervals, of the row behind the last, and of the first entries
 * of T and H. */
static void clear_row(struct rna_tables *tables, int64_t i) {
    double *row[] = {tables->p, tables->q, tables->m, tables->m2, tables->t, tables->h};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (int64_t j = 0; j < tables->n; j++)
            row[k][rna_at(tables, i, j)] = -INFINITY;
}

/* E(i) */
static void fill_external(struct rna_tables *tables, int64_t i) {
    const struct rna_terms *terms = tables->fold->terms;
    double *x = tables->work;
    int64_t count = 0;
    x[count++] = tables->e[i + 1] + terms->external_unpaired;
    for (int64_t j = i + 1; j < tables->n; j++)
        if (tables->branch[j] != -INFINITY)
            x[count++] = tables->branch[j] + terms->external_pair + tables->e[j + 1];
    tables->e[i] = rna_sum(tables, x, count);
}

/* All tables of row i from those of the rows behind it. */
static void fill_row(struct rna_tables *tables, int64_t i) {
    bool soft = tables->fold->soft;
    clear_row(tables, i);
    if (soft)
        rna_scaled_loops(tables, i);
    fill_pairs(tables, i);
    if (soft)
        rna_scaled_row(tables, i);
    rna_row_branch(tables, i);
    rna_row_next(tables, i);
    rna_row_prefix_q(tables, i);
    rna_sources_t(tables, i);
    sum_sources(tables, i + 1, tables->t + rna_at(tables, i, 0));
    rna_sources_m(tables, i, NULL);
    sum_sources(tables, i + 1, tables->m + rna_at(tables, i, 0));
    rna_sources_m2(tables, i, NULL);
    sum_sources(tables, i + 1, tables->m2 + rna_at(tables, i, 0));
    rna_sources_h(tables, i);
    sum_sources(tables, i + MIN_LONG_GAP + 1, tables->h + rna_at(tables, i, 0));
    fill_external(tables, i);
}

double rna_inside(const struct rna_fold *fold) {
    struct rna_tables tables;
    rna_tables_init(&tables, fold);
    reverse_gaps(&tables);
    if (fold->soft)
        rna_scaled_start(&tables);
    clear_row(&tables, tables.n);
    tables.e[tables.n] = 0;
    for (int64_t i = tables.n - 1; i >= 0; i--) {
        if (interruption_came(fold->interrupted))
            return NAN;
        fill_row(&tables, i);
    }
    double wrong = 0;
    for (int64_t i = 0; i < tables.n && fold->truth != NULL; i++)
        wrong += fold->truth[i] >= 0;
    return tables.e[0] + fold->cost * wrong;
}
