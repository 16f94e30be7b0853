/* lps_choice.c - which components lps changes next: the nonzero ones, the offset, and some of the examined
 * components at 0 that violate optimality.
 *
 * With --gradient-fraction these are all that violate it (Lee 2011, section 2.6.3; Wright 2012). Without,
 * they are as many as there are nonzero components (at least 100), those of the largest violations. So the
 * sets grow with the solution and are little larger than it. */
#include "solvers/lps/lps_choice.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_ENTERING = 100 }; /* components at 0 that may be chosen at least */

/* The restriction to the subset ends when the length of its violations is below this part of that of all. */
static const double subset_violation = 0.5;

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
    choice->examined = memory_zeroed(n, sizeof *choice->examined, "a choice of columns", e);
    return choice->examined == NULL
               ? -1
               : columns_init(&choice->columns, problem->risk->scalar->design, e);
}

void lps_choice_free(struct lps_choice *choice) {
    columns_free(&choice->columns);
    free(choice->examined);
    free(choice->violation);
    free(choice->column);
    *choice = (struct lps_choice){0};
}

void lps_choice_visit(struct lps_choice *choice, struct state *state) {
    random_visit(&choice->random, state);
    choice->restricted = state_flag(state, choice->restricted) && choice->subset != NULL;
}

/* ---- examining */

static bool is_offset(const struct lps_choice *choice, int64_t j) {
    return j >= choice->problem->risk->regularized;
}

/* Whether the component may leave 0. */
static bool may_leave_zero(const struct lps_choice *choice, int64_t j) {
    return (!choice->restricted || choice->subset[j]) &&
           (choice->examined == NULL || choice->examined[j]);
}

/* How much component j violates optimality; 0 when it may not change. */
static double violation(const struct lps_choice *choice, const struct penalty *penalty,
                        const double *w, const double *gradient, int64_t j) {
    if (is_offset(choice, j))
        return fabs(gradient[j]);
    return w[j] != 0 || may_leave_zero(choice, j) ? optimality_violation(penalty, w[j], gradient[j])
                                                  : 0;
}

double lps_choice_largest(const struct lps_choice *choice, const struct penalty *penalty,
                          const double *w, const double *gradient) {
    double largest = 0;
    for (int64_t j = 0; j < choice->problem->risk->regularized; j++)
        largest = fmax(largest, violation(choice, penalty, w, gradient, j));
    return largest;
}

void lps_choice_examine_all(struct lps_choice *choice, const struct problem *problem,
                            const double *w, const double *gradient) {
    struct penalty penalty = problem_penalty_parts(problem);
    int64_t n = problem->risk->dimension;
    double sum = 0;
    for (int64_t j = 0; choice->examined != NULL && j < n; j++)
        choice->examined[j] = true;
    if (!choice->restricted)
        return;
    for (int64_t j = 0; j < n; j++) {
        double d = violation(choice, &penalty, w, gradient, j);
        sum += d * d;
    }
    double all = optimality_delta(problem, w, gradient);
    choice->restricted = sum > subset_violation * subset_violation * all * all * (double)n;
}

int lps_choice_samples(const struct lps_choice *choice) {
    static const double max_samples = 1e6;
    return choice->fraction > 0 ? (int)fmin(ceil(1 / choice->fraction), max_samples) : 1;
}

/* Marks the nonzero components, the offset and a random part of the others. */
static void draw_sample(struct lps_choice *choice, const double *w) {
    int64_t n = choice->problem->risk->dimension;
    double nonzeros = (double)vector_nonzeros(w, n),
           missing = choice->fraction * (double)n - nonzeros;
    double probability = (double)n > nonzeros ? missing / ((double)n - nonzeros) : 0;
    for (int64_t j = 0; j < n; j++)
        choice->examined[j] =
            w[j] != 0 || is_offset(choice, j) || random_unit(&choice->random) < probability;
}

double lps_choice_examine_sample(struct lps_choice *choice, const struct lps_point *point,
                                 double *gradient) {
    const struct risk *risk = choice->problem->risk;
    const int64_t *start = choice->columns.start;
    const struct dataset *data = risk->scalar->design->data;
    int64_t features = data->features, nonzeros = 0;
    draw_sample(choice, point->w);
    choice->count = 0;
    for (int64_t j = 0; j < risk->dimension; j++) {
        if (!choice->examined[j])
            continue;
        choice->column[choice->count++] = j;
        nonzeros += j < features ? start[j + 1] - start[j] : 0;
    }
    columns_combine(&choice->columns, point->derivative, choice->column, choice->count, gradient);
    for (int64_t k = 0; k < choice->count; k++)
        choice->violation[k] = gradient[choice->column[k]] / risk->scalar->weight_sum;
    communicator_sum(data->communicator, choice->violation, choice->count);
    for (int64_t k = 0; k < choice->count; k++)
        gradient[choice->column[k]] = choice->violation[k];
    return (double)communicator_total(data->communicator, nonzeros) /
           fmax(1, (double)dataset_whole_nonzeros(data));
}

/* ---- choosing */

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

/* The least violation with which a component at 0 is chosen. */
static double find_threshold(struct lps_choice *choice, const struct penalty *penalty,
                             const double *w, const double *gradient) {
    int64_t n = choice->problem->risk->regularized, nonzeros = vector_nonzeros(w, n), count = 0;
    int64_t max_entering = nonzeros > MIN_ENTERING ? nonzeros : MIN_ENTERING;
    if (!choice->largest_only)
        return 0;
    for (int64_t j = 0; j < n; j++) {
        double d = w[j] == 0 ? violation(choice, penalty, w, gradient, j) : 0;
        if (d > 0)
            choice->violation[count++] = d;
    }
    return count <= max_entering ? 0 : kth_largest(choice->violation, count, max_entering);
}

void lps_choice_select(struct lps_choice *choice, const struct penalty *penalty, const double *w,
                       const double *gradient) {
    double threshold = find_threshold(choice, penalty, w, gradient);
    choice->count = 0;
    for (int64_t j = 0; j < choice->problem->risk->dimension; j++) {
        double d = violation(choice, penalty, w, gradient, j);
        if (is_offset(choice, j) || w[j] != 0 || (d > 0 && d >= threshold))
            choice->column[choice->count++] = j;
    }
}
