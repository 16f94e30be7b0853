/* lps_choice.c - which components lps moves next: those that are not 0, the offset, and of the others,
 * as far as they were looked at, those that violate optimality.
 *
 * With a fraction, all of these (Lee 2011, section 2.6.3; Wright 2012). Without, as many as there are
 * nonzero components, those that violate most: the sets grow with the solution, and hardly hold more
 * than it. */
#include "solvers/lps/lps_choice.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHOICE = 100 };

static const double subset_violation =
    0.5; /* of all violation: less on the subset ends the restriction to it */

int lps_choice_init(struct lps_choice *choice, const struct problem *problem, double fraction,
                    const bool *subset, const struct run_settings *run, struct error *e) {
    int64_t n = problem->risk->dimension;
    *choice = (struct lps_choice){.problem = problem,
                                  .subset = subset,
                                  .restricted = subset != NULL,
                                  .fraction = fraction < 1 ? fraction : 0,
                                  .largest_only = fraction == 0};
    random_seed(&choice->random, run->seed, run->stream);
    choice->violation = memory_new(n, sizeof *choice->violation, "violations", e);
    choice->column = memory_new(n, sizeof *choice->column, "a choice of columns", e);
    if (choice->violation == NULL || choice->column == NULL)
        return -1;
    if (choice->fraction == 0)
        return 0;
    choice->looked = memory_zeroed(n, sizeof *choice->looked, "a choice of columns", e);
    return choice->looked == NULL
               ? -1
               : columns_init(&choice->columns, problem->risk->scalar->design, e);
}

void lps_choice_free(struct lps_choice *choice) {
    columns_free(&choice->columns);
    free(choice->looked);
    free(choice->violation);
    free(choice->column);
    *choice = (struct lps_choice){0};
}

/* ---- looking */

static bool is_offset(const struct lps_choice *choice, int64_t j) {
    return j >= choice->problem->risk->regularized;
}

/* Whether the component may leave 0. */
static bool may_enter(const struct lps_choice *choice, int64_t j) {
    return (!choice->restricted || choice->subset[j]) &&
           (choice->looked == NULL || choice->looked[j]);
}

static double violation(const struct lps_choice *choice, const struct penalty *penalty,
                        const double *w, const double *gradient, int64_t j) {
    if (is_offset(choice, j))
        return fabs(gradient[j]);
    return w[j] != 0 || may_enter(choice, j) ? optimality_violation(penalty, w[j], gradient[j]) : 0;
}

double lps_choice_largest(const struct lps_choice *choice, const struct penalty *penalty,
                          const double *w, const double *gradient) {
    double largest = 0;
    for (int64_t j = 0; j < choice->problem->risk->regularized; j++)
        largest = fmax(largest, violation(choice, penalty, w, gradient, j));
    return largest;
}

void lps_choice_look_at_all(struct lps_choice *choice, const struct problem *problem,
                            const double *w, const double *gradient) {
    struct penalty penalty = problem_penalty_parts(problem);
    int64_t n = problem->risk->dimension;
    double sum = 0;
    for (int64_t j = 0; choice->looked != NULL && j < n; j++)
        choice->looked[j] = true;
    if (!choice->restricted)
        return;
    for (int64_t j = 0; j < n; j++) {
        double d = violation(choice, &penalty, w, gradient, j);
        sum += d * d;
    }
    double whole = optimality_delta(problem, w, gradient);
    choice->restricted = sum > subset_violation * subset_violation * whole * whole * (double)n;
}

int lps_choice_parts(const struct lps_choice *choice) {
    static const double most = 1e6;
    return choice->fraction > 0 ? (int)fmin(ceil(1 / choice->fraction), most) : 1;
}

/* The nonzero components and a random part of the others. */
static void sample(struct lps_choice *choice, const double *w) {
    int64_t n = choice->problem->risk->dimension;
    double in = (double)vector_nonzeros(w, n), wanted = choice->fraction * (double)n - in;
    double chance = (double)n > in ? wanted / ((double)n - in) : 0;
    for (int64_t j = 0; j < n; j++)
        choice->looked[j] =
            w[j] != 0 || is_offset(choice, j) || random_unit(&choice->random) < chance;
}

double lps_choice_look(struct lps_choice *choice, const struct lps_point *point, double *gradient) {
    const struct risk *risk = choice->problem->risk;
    const int64_t *start = choice->columns.start;
    int64_t features = risk->scalar->design->data->features, nonzeros = 0;
    sample(choice, point->w);
    choice->count = 0;
    for (int64_t j = 0; j < risk->dimension; j++) {
        if (!choice->looked[j])
            continue;
        choice->column[choice->count++] = j;
        nonzeros += j < features ? start[j + 1] - start[j] : 0;
    }
    columns_combine(&choice->columns, point->push, choice->column, choice->count, gradient);
    for (int64_t k = 0; k < choice->count; k++)
        gradient[choice->column[k]] /= risk->scalar->weight_sum;
    return (double)nonzeros / fmax(1, (double)risk->scalar->design->data->nonzeros);
}

/* ---- taking */

/* The k-th largest of n numbers, which it permutes; 1 <= k <= n. */
static double kth_largest(double *x, int64_t n, int64_t k) {
    int64_t low = 0, high = n - 1, at = k - 1;
    while (low < high) {
        double pivot = x[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (x[i] > pivot)
                i++;
            while (x[j] < pivot)
                j--;
            if (i <= j) {
                double swap = x[i];
                x[i++] = x[j];
                x[j--] = swap;
            }
        }
        if (at <= j)
            high = j;
        else if (at >= i)
            low = i;
        else
            break;
    }
    return x[at];
}

/* The violation from which on components at 0 are taken. */
static double find_threshold(struct lps_choice *choice, const struct penalty *penalty,
                             const double *w, const double *gradient) {
    int64_t n = choice->problem->risk->regularized, nonzeros = vector_nonzeros(w, n), count = 0;
    int64_t most = nonzeros > FIRST_CHOICE ? nonzeros : FIRST_CHOICE;
    if (!choice->largest_only)
        return 0;
    for (int64_t j = 0; j < n; j++) {
        double d = w[j] == 0 ? violation(choice, penalty, w, gradient, j) : 0;
        if (d > 0)
            choice->violation[count++] = d;
    }
    return count <= most ? 0 : kth_largest(choice->violation, count, most);
}

void lps_choice_take(struct lps_choice *choice, const struct penalty *penalty, const double *w,
                     const double *gradient) {
    double least = find_threshold(choice, penalty, w, gradient);
    choice->count = 0;
    for (int64_t j = 0; j < choice->problem->risk->dimension; j++) {
        double d = violation(choice, penalty, w, gradient, j);
        if (is_offset(choice, j) || w[j] != 0 || (d > 0 && d >= least))
            choice->column[choice->count++] = j;
    }
}
