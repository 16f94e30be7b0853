/* default_solver.c - the rules by which a run without -s gets its solver; the first that suits
 * decides.
 *
 * An interior point takes few iterations, each of which factorizes a matrix of features x features:
 * it is for narrow data. Cutting planes pay for passes over the data and for programs as small as
 * the number of planes, whatever the width. */
#include "cli/default_solver.h"

#include <math.h>

#define NARROW 1000 /* features: up to here a factorization is cheap */

#define DIGITS(number) #number
#define TEXT(number) DIGITS(number)

static bool other_than_l2(const struct choice *choice) {
    return choice->wish.regularizer != regularizer_by_name("l2");
}

static bool has_kinks(const struct choice *choice) {
    return isinf(choice->wish.loss->curvature);
}

static bool is_hinge(const struct choice *choice) {
    return choice->wish.loss == loss_by_name("hinge");
}

static bool is_narrow(const struct choice *choice) {
    return choice->features <= NARROW;
}

static bool has_kinks_and_is_narrow(const struct choice *choice) {
    return has_kinks(choice) && is_narrow(choice) && choice->features <= choice->rows;
}

static bool is_smooth_and_narrow(const struct choice *choice) {
    return !has_kinks(choice) && is_narrow(choice);
}

static bool always(const struct choice *choice) {
    (void)choice;
    return true;
}

static const struct default_rule rules[] = {
    {"bundle", "regularizers other than l2", other_than_l2},
    {"ipm", "losses with kinks, at most " TEXT(NARROW) " features, no more than rows",
     has_kinks_and_is_narrow},
    {"ipm", "smooth losses, at most " TEXT(NARROW) " features", is_smooth_and_narrow},
    {"ocas", "the hinge", is_hinge},
    {"proximal-bundle", "other losses with kinks", has_kinks},
    {"bundle", "other smooth losses", always},
    {"ipm", "at most " TEXT(NARROW) " features, and what the others cannot do", is_narrow},
    {"proximal", "-k, and what the others cannot do", always},
};

const struct default_rule *default_solver_rules(int *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}

const struct solver *default_solver(const struct choice *choice) {
    int count;
    const struct solver *const *table = solver_table(&count);

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct solver *solver = solver_by_name(rules[i].solver);
        if (solver != NULL && rules[i].suits(choice) &&
            solver_fits(solver, &choice->wish, NULL, 0)) {
            return solver;
        }
    }
    for (int i = 0; i < count; i++) {
        if (solver_fits(table[i], &choice->wish, NULL, 0)) {
            return table[i];
        }
    }
    return NULL;
}
