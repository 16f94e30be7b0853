/* dcd_free_rows.c - the free rows, their copy by column, and products with them. */
#include "solvers/dual/dcd_free_rows.h"

#include "io/ascending.h"
#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SORTED_ENTRIES = 256, /* entries of a column: longer ones are not sorted by length */
    COLUMN_COST = 4,          /* of a column that is read, in entries */
    SAMPLE_STEP = 8,          /* every eighth row tells where the middle column is */
    ALWAYS_COPIED = 1 << 20,  /* entries */
    COPIED_PART = 8           /* of all entries, if these are more */
};

double free_rows_part_of_pass(const struct free_rows *free) {
    const struct dataset *data = free->rows->terms->design->data;
    if (free->rows->copies)
        return 0;
    return free->nonzeros / fmax(1, (double)dataset_whole_nonzeros(data));
}

struct communicator *free_rows_processes(const struct free_rows *free) {
    return free->rows->terms->design->data->communicator;
}

/* The first of the columns that are read of range r: to read a range costs about as much as any other. */
static int64_t column_range(const struct free_rows *free, int r) {
    int64_t low = 0, high = free->shared, cost = free->start[high] + COLUMN_COST * high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (free->start[middle] + COLUMN_COST * middle < cost / DCD_RANGES * r)
            low = middle + 1;
        else
            high = middle;
    }
    return r == DCD_RANGES ? free->shared : low;
}

bool free_rows_threads(const struct free_rows *free) {
    return free->rows->terms->design->threads;
}

/* ---- the free rows */

void free_rows_collect(struct free_rows *free) {
    const struct dcd_rows *rows = free->rows;
    const struct dataset *data = rows->terms->design->data;
    free->count = 0;
    free->nonzeros = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        const struct dcd_row *row = &rows->row[i];
        double low, high;
        if (!dcd_row_is_free(rows, row, &low, &high))
            continue;
        int64_t k = free->count++;
        free->index[k] = i;
        free->own[k] = row->ridge;
        free->nonzeros += (double)dataset_count(data, i);
    }
    free->entries = (int64_t)free->nonzeros + (rows->terms->design->bias >= 0 ? free->count : 0);
    free->copied = free->entries <= free->copy_limit;
    free->nonzeros = communicator_sum_one(free_rows_processes(free), free->nonzeros);
}

static void put(const struct free_rows *free, int64_t column, int64_t k, double value) {
    int64_t at = free->cursor[column]++;
    free->entry[at] = (int32_t)k;
    if (free->value != NULL)
        free->value[at] = value;
    else if (free->floats != NULL)
        free->floats[at] = (float)value;
}

/* The mean of the middle columns of some rows. */
static int64_t middle_column(const struct free_rows *free) {
    const struct dataset *data = free->rows->terms->design->data;
    double sum = 0, rows = 0;
    for (int64_t k = 0; k < free->count; k += SAMPLE_STEP) {
        int64_t count = dataset_count(data, free->index[k]);
        if (count == 0)
            continue;
        sum += dataset_columns(data, free->index[k])[count / 2];
        rows++;
    }
    return rows > 0 ? (int64_t)(sum / rows) : 0;
}

static void split_rows(struct free_rows *free) {
    const struct dataset *data = free->rows->terms->design->data;
    free->middle = middle_column(free);
#pragma omp parallel for schedule(static) if (free_rows_threads(free))
    for (int64_t k = 0; k < free->count; k++)
        free->split[k] = first_not_below(dataset_columns(data, free->index[k]), 0,
                                         dataset_count(data, free->index[k]), free->middle);
}

/* The part of free row k that lies in a half. */
struct piece {
    const int32_t *column;
    int64_t first, count; /* its entries */
};

static struct piece piece_of(const struct free_rows *free, int64_t k, int half) {
    const struct dataset *data = free->rows->terms->design->data;
    int64_t i = free->index[k], from = half == 0 ? 0 : free->split[k];
    return (struct piece){dataset_columns(data, i) + from, dataset_start(data, i) + from,
                          half == 0 ? free->split[k] : dataset_count(data, i) - from};
}

static int64_t half_start(const struct free_rows *free, int half) {
    return half == 0 ? 0 : half == 1 ? free->middle : free->rows->terms->design->columns;
}

/* How many columns there are of each length and how many entries these have; then where they begin. */
struct lengths {
    int64_t columns[MAX_SORTED_ENTRIES + 1], entries[MAX_SORTED_ENTRIES + 1];
};

static int64_t length_of(int64_t entries) {
    return entries < MAX_SORTED_ENTRIES ? entries : MAX_SORTED_ENTRIES;
}

static void count_half(const struct free_rows *free, int half, struct lengths *lengths) {
    const struct design *design = free->rows->terms->design;
    int64_t from = half_start(free, half), to = half_start(free, half + 1);
    *lengths = (struct lengths){{0}, {0}};
    memset(free->cursor + from, 0, sizeof *free->cursor * (size_t)(to - from));
    for (int64_t k = 0; k < free->count; k++) {
        struct piece piece = piece_of(free, k, half);
        for (int64_t at = 0; at < piece.count; at++)
            free->cursor[piece.column[at]]++;
    }
    if (design->bias >= 0 && half == DCD_HALVES - 1)
        free->cursor[design->data->features] = free->count;
    for (int64_t j = from; j < to; j++) {
        int64_t length = length_of(free->cursor[j]);
        lengths->columns[length]++;
        lengths->entries[length] += free->cursor[j];
    }
}

/* The longest columns come first; the empty ones are left out. */
static void sort_lengths(struct free_rows *free, struct lengths *lengths) {
    int64_t columns = 0, entries = 0;
    for (int length = MAX_SORTED_ENTRIES; length > 0; length--) {
        if (length == 1)
            free->shared = columns;
        for (int half = 0; half < DCD_HALVES; half++) {
            int64_t some = lengths[half].columns[length], theirs = lengths[half].entries[length];
            lengths[half].columns[length] = columns;
            lengths[half].entries[length] = entries;
            columns += some;
            entries += theirs;
        }
    }
    if (free->image != NULL)
        free->shared = columns;
    free->columns = columns;
    free->start[columns] = entries;
}

static double value_of(const struct free_rows *free, int64_t at) {
    return free->value != NULL    ? free->value[at]
           : free->floats != NULL ? (double)free->floats[at]
                                  : 1;
}

/* Lays the columns of a half out and copies their entries. */
static void fill_half(const struct free_rows *free, int half, struct lengths *next) {
    const struct design *design = free->rows->terms->design;
    int64_t to = half_start(free, half + 1);
    for (int64_t j = half_start(free, half); j < to; j++) {
        int64_t entries = free->cursor[j], length = length_of(entries);
        if (entries == 0)
            continue;
        int64_t c = next->columns[length]++;
        free->column[c] = (int32_t)j;
        free->start[c] = free->cursor[j] = next->entries[length];
        next->entries[length] += entries;
    }
    for (int64_t k = 0; k < free->count; k++) {
        struct piece piece = piece_of(free, k, half);
        for (int64_t at = 0; at < piece.count; at++)
            put(free, piece.column[at], k, dataset_entry(design->data, piece.first + at));
        if (design->bias >= 0 && half == DCD_HALVES - 1)
            put(free, design->data->features, k, design->bias);
    }
}

static void transpose_rows(struct free_rows *free) {
    struct lengths lengths[DCD_HALVES];
    split_rows(free);
#pragma omp parallel for schedule(static, 1) if (free_rows_threads(free))
    for (int half = 0; half < DCD_HALVES; half++)
        count_half(free, half, &lengths[half]);
    sort_lengths(free, lengths);
#pragma omp parallel for schedule(static, 1) if (free_rows_threads(free))
    for (int half = 0; half < DCD_HALVES; half++)
        fill_half(free, half, &lengths[half]);
    for (int64_t at = free->start[free->shared]; at < free->start[free->columns]; at++)
        free->own[free->entry[at]] += value_of(free, at) * value_of(free, at);
}

void free_rows_prepare(struct free_rows *free) {
    if (free->copied)
        transpose_rows(free);
    else
        for (int r = 1; r < DCD_RANGES; r++)
            memset(free->product[r], 0, sizeof *free->product[r] * (size_t)free->count);
}

/* ---- products */

/* <column c, v> */
static double column_dot(const struct free_rows *free, int64_t c, const double *v) {
    int64_t from = free->start[c];
    int64_t count = free->start[c + 1] - from;
    return free->floats != NULL
               ? sparse_dot_floats(v, free->entry + from, free->floats + from, count)
               : sparse_dot(v, free->entry + from, free->value == NULL ? NULL : free->value + from,
                            count);
}

/* v += k times column c */
static void column_add(const struct free_rows *free, int64_t c, double k, double *v) {
    int64_t from = free->start[c], count = free->start[c + 1] - from;
    if (free->floats != NULL)
        sparse_add_floats(v, k, free->entry + from, free->floats + from, count);
    else
        sparse_add(v, k, free->entry + from, free->value == NULL ? NULL : free->value + from,
                   count);
}

/* image = X_F' v over the rows of all processes. */
static void sum_image(const struct free_rows *free, const double *v) {
    int64_t n = free->rows->terms->design->columns;
    memset(free->image, 0, sizeof *free->image * (size_t)n);
#pragma omp parallel for schedule(static) if (free_rows_threads(free))
    for (int64_t c = 0; c < free->columns; c++)
        free->image[free->column[c]] = column_dot(free, c, v);
    communicator_sum(free_rows_processes(free), free->image, n);
}

/* The part of X_F X_F' p by range r of columns; returns its part of ||X_F' p||^2, or 0 where
 * the image already gives it. */
static double multiply_range(const struct free_rows *free, const double *direction, int r) {
    double *product = free->product[r], squares = 0;
    int64_t end = column_range(free, r + 1);
    memset(product, 0, sizeof *product * (size_t)free->count);
    for (int64_t c = column_range(free, r); c < end; c++) {
        double dot =
            free->image != NULL ? free->image[free->column[c]] : column_dot(free, c, direction);
        squares += dot * dot;
        column_add(free, c, dot, product);
    }
    return free->image == NULL ? squares : 0;
}

/* The first free row of range r. */
static int64_t row_range(const struct free_rows *free, int r) {
    return free->count * r / DCD_RANGES;
}

/* The direction's own curvature in range r of the free rows. */
static double own_range(const struct free_rows *free, const double *direction, int r) {
    double sum = 0;
    for (int64_t k = row_range(free, r); k < row_range(free, r + 1); k++)
        sum += free->own[k] * direction[k] * direction[k];
    return sum;
}

/* sum = X_F' v, of rows that are read where they are. */
static void sum_rows(const struct free_rows *free, const double *v) {
    const struct design *design = free->rows->terms->design;
    int64_t n = design->columns;
#pragma omp parallel for schedule(static, 1) if (free_rows_threads(free))
    for (int r = 0; r < DCD_RANGES; r++) {
        double *sum = free->sum + r * n;
        memset(sum, 0, sizeof *sum * (size_t)n);
        for (int64_t k = row_range(free, r); k < row_range(free, r + 1); k++)
            design_add(design, sum, v[k], free->index[k]);
    }
    for (int r = 1; r < DCD_RANGES; r++)
        vector_add(free->sum, 1, free->sum + r * n, n);
}

/* The part of multiply by range r of rows that are read where they are, when their sum is known. */
static double multiply_rows(const struct free_rows *free, const double *direction, int r) {
    for (int64_t k = row_range(free, r); k < row_range(free, r + 1); k++)
        free->product[0][k] = design_score(free->rows->terms->design, free->sum, 1, free->index[k]);
    return own_range(free, direction, r);
}

double free_rows_multiply(const struct free_rows *free, const double *direction) {
    double curvature[DCD_RANGES], sum = 0;
    int64_t n = free->rows->terms->design->columns;
    if (!free->copied)
        sum_rows(free, direction);
    else if (free->image != NULL)
        sum_image(free, direction);
#pragma omp parallel for schedule(static, 1) if (free_rows_threads(free))
    for (int r = 0; r < DCD_RANGES; r++)
        curvature[r] = free->copied
                           ? multiply_range(free, direction, r) + own_range(free, direction, r)
                           : multiply_rows(free, direction, r);
    for (int r = 0; r < DCD_RANGES; r++)
        sum += curvature[r];
    if (!free->copied)
        return sum + vector_dot(free->sum, free->sum, n);
    if (free->image == NULL)
        return sum;
    return communicator_sum_one(free_rows_processes(free), sum) +
           vector_dot(free->image, free->image, n);
}

void free_rows_move(const struct free_rows *free, const double *change, double *w) {
    int64_t n = free->rows->terms->design->columns;
    if (!free->copied) {
        sum_rows(free, change);
        vector_add(w, 1, free->sum, n);
        return;
    }
    if (free->image != NULL) {
        sum_image(free, change);
        vector_add(w, 1, free->image, n);
        return;
    }
#pragma omp parallel for schedule(static) if (free_rows_threads(free))
    for (int64_t c = 0; c < free->columns; c++)
        w[free->column[c]] += column_dot(free, c, change);
}

/* ---- begin and end */

/* Memory for MOST values, the rows' and the constant feature's, of the smallest type that has them. 0, or -1 with the
 * error set. */
static int allocate_values(struct free_rows *f, int64_t entries, struct error *e) {
    static const char what[] = "the free rows";
    const struct design *design = f->rows->terms->design;
    double constant = design->bias >= 0 ? design->bias : 1;
    bool varies = f->rows->problem->risk->dimension > f->rows->problem->risk->regularized;
    if (constant == 1 && !varies && !dataset_has_values(design->data))
        return 0;
    if (design->data->value == NULL && (double)(float)constant == constant)
        f->floats = memory_new(entries, sizeof *f->floats, what, e);
    else
        f->value = memory_new(entries, sizeof *f->value, what, e);
    return f->floats == NULL && f->value == NULL ? -1 : 0;
}

/* How many entries are copied at most: of several processes, which sum by column, all; of dense rows, whose products
 * need no columns, and of copies none; else few beside the data. */
static int64_t copy_limit(const struct dcd_rows *rows) {
    const struct design *design = rows->terms->design;
    const struct dataset *data = design->data;
    int64_t all = data->nonzeros + design->rows, some = all / COPIED_PART;
    if (data->communicator != NULL)
        return all;
    if (data->dense || rows->copies)
        return 0;
    some = some > ALWAYS_COPIED ? some : ALWAYS_COPIED;
    return some < all ? some : all;
}

int free_rows_init(struct free_rows *f, const struct dcd_rows *rows, struct error *e) {
    static const char what[] = "the free rows";
    const struct design *design = rows->terms->design;
    int64_t m = design->rows, n = design->columns, entries = copy_limit(rows);
    bool all_copied = entries == design->data->nonzeros + m;
    *f = (struct free_rows){.rows = rows};
    f->index = memory_new(m, sizeof *f->index, what, e);
    f->own = memory_new((1 + DCD_RANGES) * m, sizeof *f->own, what, e);
    f->column = memory_new(n, sizeof *f->column, what, e);
    f->start = memory_new(n + 1, sizeof *f->start, what, e);
    f->cursor = memory_new(n, sizeof *f->cursor, what, e);
    f->split = memory_new(m, sizeof *f->split, what, e);
    f->entry = memory_new(entries, sizeof *f->entry, what, e);
    f->image = design->data->communicator == NULL ? NULL : memory_new(n, sizeof *f->image, what, e);
    f->copy_limit = entries;
    f->sum = all_copied ? NULL : memory_new(DCD_RANGES * n, sizeof *f->sum, what, e);
    if ((f->image == NULL && design->data->communicator != NULL) || (f->sum == NULL && !all_copied))
        return -1;
    for (int r = 0; r < DCD_RANGES && f->own != NULL; r++)
        f->product[r] = f->own + (1 + r) * m;
    return f->index == NULL || f->own == NULL || f->column == NULL || f->start == NULL ||
                   f->cursor == NULL || f->split == NULL || f->entry == NULL
               ? -1
               : allocate_values(f, entries, e);
}

void free_rows_free(struct free_rows *f) {
    free(f->index);
    free(f->own);
    free(f->column);
    free(f->start);
    free(f->cursor);
    free(f->split);
    free(f->entry);
    free(f->value);
    free(f->floats);
    free(f->image);
    free(f->sum);
}
