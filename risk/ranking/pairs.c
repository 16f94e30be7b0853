/* pairs.c - the hinge over pairs of rows; see pairs.h. */
#include "risk/ranking/pairs.h"

#include "math/sort.h"

#include <math.h>
#include <stdbool.h>

/* ---- the pairs of one list with another */

/* A list by rising score. Mirrored: the negative scores in reverse order, which rise, too. 1 - (f_i - f_j) stays the
 * same if both lists are mirrored and swapped. */
struct list {
    const struct scored *at;
    int64_t count;
};

static inline const struct scored *entry(const struct list *list, bool mirrored, int64_t k) {
    return &list->at[mirrored ? list->count - 1 - k : k];
}

static inline double score(const struct list *list, bool mirrored, int64_t k) {
    double f = entry(list, mirrored, k)->score;
    return mirrored ? -f : f;
}

/* Sums of y_k - y_base and of its square over a part of a cell. The scores of a cell differ by at most mu, so a
 * window of width mu overlaps few cells. */
struct cell {
    int64_t base;
    double first, second;
};

struct cells {
    struct cell *at; /* of each entry: the sums over its cell's entries before it */
    struct cell *
        full; /* at each cell's base: the sums over the whole cell; `base` is that of the next cell */
};

static inline void make_cells(const struct list *y, bool mirrored, double mu,
                              const struct cells *cells) {
    struct cell sum = {0};
    for (int64_t k = 0; k < y->count; k++) {
        double distance = score(y, mirrored, k) - score(y, mirrored, sum.base);
        if (distance > mu) {
            cells->full[sum.base] = (struct cell){k, sum.first, sum.second};
            sum = (struct cell){k, 0, 0};
            distance = 0;
        }
        cells->at[k] = sum;
        sum.first += distance;
        sum.second += distance * distance;
    }
    cells->full[sum.base] = (struct cell){y->count, sum.first, sum.second};
}

struct sums {
    double a, h; /* sums of a and of a (h - mu a/2) */
};

/* Adds COUNT entries of a cell. H: the value of h at its base; h rises with the score. */
static inline void add_cell(double count, double first, double second, double h, double mu,
                            struct sums *sums) {
    sums->a += (count * h + first) / mu;
    sums->h += (count * h * h + 2 * h * first + second) / (2 * mu);
}

/* The sums over the pairs of a score x with the entries low <= k < high, which have 0 < h < mu. */
static inline struct sums add_window(const struct list *y, bool mirrored, const struct cells *cells,
                                     int64_t low, int64_t high, double x, double mu) {
    struct sums sums = {0, 0};
    while (low < high) {
        const struct cell *from = &cells->at[low], *full = &cells->full[from->base];
        bool full_cell = full->base <= high;
        int64_t end = full_cell ? full->base : high;
        const struct cell *to = full_cell ? full : &cells->at[high];
        double h = 1 - (x - score(y, mirrored, from->base));
        add_cell((double)(end - low), to->first - from->first, to->second - from->second, h, mu,
                 &sums);
        low = end;
    }
    sums.a = fmax(0, sums.a);
    sums.h = fmax(0, sums.h);
    return sums;
}

struct total {
    double a, value; /* sums of a and of a (h - mu a/2) over all pairs */
};

/* Adds, for each entry of X, the sum of a over its pairs with Y to the derivative of its row, with its sign;
 * BY_SCORE may be NULL. The value of pairs with a = 1, h - mu/2, is added half by the call for the upper and half by
 * the (mirrored) call for the lower list; all other sums by the call for the upper list. */
static inline __attribute__((always_inline)) void
add_pairs(const struct list *x, const struct list *y, const bool mirrored, double mu, double centre,
          const struct cells *cells, double *by_score, struct total *total) {
    const double sign = mirrored ? 1 : -1;
    int64_t low = 0, high = 0;
    if (mu > 0)
        make_cells(y, mirrored, mu, cells);
    for (int64_t i = 0; i < x->count; i++) {
        const struct scored *one = entry(x, mirrored, i);
        double f = score(x, mirrored, i);
        while (low < y->count && 1 - (f - score(y, mirrored, low)) <= 0)
            low++;
        high = high < low ? low : high;
        while (mu > 0 && high < y->count && 1 - (f - score(y, mirrored, high)) < mu)
            high++;
        double full = (double)(y->count - high), a = full;
        total->value += full * (sign * (one->score - centre) + (mirrored ? 0 : 1 - mu / 2));
        if (low < high) {
            struct sums window = add_window(y, mirrored, cells, low, high, f, mu);
            a += window.a;
            total->value += mirrored ? 0 : window.h;
        }
        total->a += mirrored ? 0 : a;
        if (by_score != NULL)
            by_score[one->row] += sign * a;
    }
}

/* ---- all grades */

struct work {
    struct scored *list, *sort_work; /* rows */
    struct cells cells;
};

size_t pairs_work_bytes(int64_t rows) {
    return (size_t)rows * (2 * sizeof(struct scored) + 2 * sizeof(struct cell));
}

static struct work work_of(void *work, int64_t rows) {
    struct scored *list = work;
    struct cell *cell = (struct cell *)(void *)(list + 2 * rows);
    return (struct work){list, list + rows, {cell, cell + rows}};
}

double pairs_count(const struct pairs *pairs) {
    double below = 0, count = 0;
    for (int64_t g = 0; g < pairs->grades; g++) {
        double rows = (double)(pairs->run[g + 1] - pairs->run[g]);
        count += rows * below;
        below += rows;
    }
    return count;
}

/* Rounds to a multiple of 2^-52 (scores of 1 or more are one already), so that differences of up to 2 are exact.
 * Then h and a = h/mu of a pair are the same in the call for the upper and for the lower list, for any mu. */
static double rounded(double score) {
    return fabs(score) < 1 ? score + 3 - 3 : score;
}

/* Each grade's rows by rising score. */
static void sort_grades(const struct pairs *pairs, const double *f, bool round, struct work *work) {
    for (int64_t g = 0; g < pairs->grades; g++) {
        int64_t from = pairs->run[g], to = pairs->run[g + 1];
        for (int64_t k = from; k < to; k++) {
            double score = f[pairs->order[k]];
            work->list[k] = (struct scored){round ? rounded(score) : score, pairs->order[k]};
        }
        sort_scored(work->list + from, work->sort_work + from, to - from);
    }
}

typedef void pair_function(const struct list *upper, const struct list *lower, void *state);

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Calls ADD_LISTS for the lower and the upper list of each merge: each pair of grades occurs once. */
static void merge_grades(const struct pairs *pairs, struct work *work, pair_function *add_lists,
                         void *state) {
    int64_t grades = pairs->grades;
    const int64_t *run = pairs->run;
    for (int64_t step = 1; step < grades; step *= 2) {
        for (int64_t g = 0; g < grades; g += 2 * step) {
            int64_t from = run[g], middle = run[smaller(g + step, grades)];
            int64_t end = run[smaller(g + 2 * step, grades)];
            struct list lower = {work->list + from, middle - from};
            struct list upper = {work->list + middle, end - middle};
            if (upper.count > 0)
                add_lists(&upper, &lower, state);
            if (2 * step < grades)
                sort_merge(lower.at, lower.count, upper.at, upper.count, work->sort_work + from);
        }
        struct scored *swap = work->list;
        work->list = work->sort_work;
        work->sort_work = swap;
    }
}

struct hinge {
    double mu, centre;
    const struct cells *cells;
    double *by_score;
    struct total total;
};

static void add_hinge(const struct list *upper, const struct list *lower, void *state) {
    struct hinge *h = state;
    add_pairs(upper, lower, false, h->mu, h->centre, h->cells, h->by_score, &h->total);
    add_pairs(lower, upper, true, h->mu, h->centre, h->cells, h->by_score, &h->total);
}

/* The middle of the scores. */
static double centre_of(const struct pairs *pairs, const struct work *work) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t g = 0; g < pairs->grades; g++)
        if (pairs->run[g] < pairs->run[g + 1]) {
            low = fmin(low, work->list[pairs->run[g]].score);
            high = fmax(high, work->list[pairs->run[g + 1] - 1].score);
        }
    return low <= high ? low / 2 + high / 2 : 0;
}

struct pairs_sum pairs_hinge(const struct pairs *pairs, const double *f, double mu,
                             double *by_score, void *memory) {
    int64_t rows = pairs->run[pairs->grades];
    struct work work = work_of(memory, rows);
    double count = pairs_count(pairs);
    if (count > 0)
        sort_grades(pairs, f, mu > 0, &work);
    for (int64_t i = 0; by_score != NULL && i < rows; i++)
        by_score[i] = 0;
    if (count == 0)
        return (struct pairs_sum){0, 0};
    struct hinge hinge = {
        .mu = mu, .centre = centre_of(pairs, &work), .cells = &work.cells, .by_score = by_score};
    merge_grades(pairs, &work, add_hinge, &hinge);
    for (int64_t i = 0; by_score != NULL && i < rows; i++)
        by_score[i] /= count;
    return (struct pairs_sum){fmax(0, hinge.total.value / count), hinge.total.a / count};
}

/* ---- pairs in the wrong order */

/* Adds twice the pairs with f_i < f_j, and those with f_i = f_j. */
static void count_wrong(const struct list *upper, const struct list *lower, void *state) {
    double *doubled_count = state;
    int64_t below = 0, upto = 0;
    for (int64_t i = 0; i < upper->count; i++) {
        double f = upper->at[i].score;
        while (below < lower->count && lower->at[below].score < f)
            below++;
        while (upto < lower->count && lower->at[upto].score <= f)
            upto++;
        *doubled_count += (double)(lower->count - below) + (double)(lower->count - upto);
    }
}

double pairs_error(const struct pairs *pairs, const double *f, void *memory) {
    struct work work = work_of(memory, pairs->run[pairs->grades]);
    double count = pairs_count(pairs), doubled_count = 0;
    if (count == 0)
        return 0;
    sort_grades(pairs, f, false, &work);
    merge_grades(pairs, &work, count_wrong, &doubled_count);
    return doubled_count / 2 / count;
}

/* ---- grades */

int64_t pairs_order(const double *label, int64_t rows, int64_t *order, int64_t *run, void *memory) {
    struct work work = work_of(memory, rows);
    int64_t grades = 0;
    for (int64_t i = 0; i < rows; i++)
        work.list[i] = (struct scored){label[i], i};
    sort_scored(work.list, work.sort_work, rows);
    for (int64_t k = 0; k < rows; k++) {
        order[k] = work.list[k].row;
        if (k == 0 || work.list[k].score != work.list[k - 1].score)
            run[grades++] = k;
    }
    run[grades] = rows;
    return grades;
}
