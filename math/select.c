/* select.c - introselect: pivots by samples, by medians of medians where these fail. */
#include "math/select.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAMPLE_SIZE = 31, MEDIAN_GROUP = 5, MAX_INSERTION_SORT = 12 };

static const double max_left =
    0.8; /* fraction of the numbers: if a pivot leaves more, the next is a median of medians */

static void swap(double *x, int64_t i, int64_t j) {
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

static void sort(double *x, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        double moved = x[i];
        int64_t j = i;
        for (; j > 0 && x[j - 1] > moved; j--)
            x[j] = x[j - 1];
        x[j] = moved;
    }
}

/* Swaps that may be with itself, in place of branches that cannot be foretold. */
static int64_t split_below(double *x, int64_t n, double pivot) {
    int64_t smaller = 0;
    for (int64_t i = 0; i < n; i++) {
        double moved = x[i];
        x[i] = x[smaller];
        x[smaller] = moved;
        smaller += moved < pivot;
    }
    return smaller;
}

static int64_t split_equal(double *x, int64_t n, double pivot) {
    int64_t equal = 0;
    for (int64_t i = 0; i < n; i++)
        if (x[i] == pivot)
            swap(x, i, equal++);
    return equal;
}

void select_split(double *x, int64_t n, double pivot, int64_t *smaller, int64_t *equal) {
    *smaller = split_below(x, n, pivot);
    *equal = split_equal(x + *smaller, n - *smaller, pivot);
}

/* The number of rank `part` (0 to 1) in a sample of x. */
static double sample_rank(const double *x, int64_t n, double part) {
    double sample[SAMPLE_SIZE];
    uint64_t bits = SELECT_SEED ^ (uint64_t)n;
    int64_t size = n < SAMPLE_SIZE ? n : SAMPLE_SIZE;
    for (int64_t i = 0; i < size; i++)
        sample[i] = n <= SAMPLE_SIZE ? x[i] : x[select_place(&bits, n)];
    sort(sample, size);
    return sample[(int64_t)floor(part * (double)(size - 1) + 0.5)];
}

double select_sample(const double *x, int64_t n) {
    return sample_rank(x, n, 0.5);
}

/* At least about 3/10 of the numbers are no larger, and as many no smaller. */
static double median_of_medians(double *x, int64_t n, int64_t *touched) {
    int64_t groups = n / MEDIAN_GROUP;
    for (int64_t i = 0; i < groups; i++) {
        sort(x + MEDIAN_GROUP * i, MEDIAN_GROUP);
        swap(x, i, MEDIAN_GROUP * i + MEDIAN_GROUP / 2);
    }
    *touched += n;
    return select_smallest(x, groups, groups / 2, touched);
}

double select_smallest(double *x, int64_t n, int64_t k, int64_t *touched) {
    int64_t unread = 0, smaller, equal;
    bool failed = false;
    touched = touched == NULL ? &unread : touched;
    while (n > MAX_INSERTION_SORT) {
        double pivot = failed ? median_of_medians(x, n, touched)
                              : sample_rank(x, n, (double)k / (double)(n - 1));
        int64_t before = n;
        select_split(x, n, pivot, &smaller, &equal);
        *touched += n;
        if (k < smaller) {
            n = smaller;
        } else if (k < smaller + equal) {
            return pivot;
        } else {
            x += smaller + equal;
            k -= smaller + equal;
            n -= smaller + equal;
        }
        failed = (double)n > max_left * (double)before;
    }
    sort(x, n);
    *touched += n;
    return x[k];
}
