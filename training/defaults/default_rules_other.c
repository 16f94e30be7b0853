/* default_rules_other.c - the other losses of one score, with l2; and what no rule before suits. */
#include "training/defaults/default_rules.h"

#include "training/defaults/default_bounds.h"

#include <math.h>

static bool is_wide_with_kinks(const struct default_request *request) {
    return default_request_is_wide(request) && default_request_has_kinks(request) &&
           !default_request_is_hinge(request) && request->lambda < FAIR_LAMBDA;
}

static bool is_logistic(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("logistic");
}

/* The dual has no offset; planes and quasi-Newton steps may take long. Of the latter few are enough for a logistic run
 * that goes on from another. */
static bool is_wide_for_newton(const struct default_request *request) {
    return !default_request_is_hinge(request) && default_request_is_of_few_rows(request) &&
           (request->trials || !is_logistic(request));
}

/* One step, of dense rows, for which the dual takes many. */
static bool is_square_for_newton(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("squared") &&
           default_request_is_dense(request) && !request->trials &&
           default_request_is_of_few_rows(request);
}

static bool is_wide_squared_hinge(const struct default_request *request) {
    return default_request_is_squared_hinge(request) && !request->needs.map &&
           (default_request_is_likely_separable(request) ||
            default_request_is_for_coordinates(request));
}

/* The other losses of numbers whose dual variables lie in an interval. */
static bool is_wide_regression(const struct default_request *request) {
    bool wide =
        default_request_is_wide(request) && !default_request_has_few(request) && !request->uneven;
    return default_request_has_kinks(request) && request->needs.risk->task == TASK_REGRESSION &&
           ((wide && !default_request_is_recomputed(request)) ||
            default_request_is_for_coordinates(request));
}

/* Coordinate steps on dense examples that no weights fit are slow; Newton steps on as many features are not. */
static bool is_dense_broad_regression(const struct default_request *request) {
    bool for_newton = default_request_has_kinks(request) || default_request_is_smooth(request);
    return for_newton && request->needs.risk->task == TASK_REGRESSION &&
           default_request_is_dense(request) && !default_request_is_wide(request) &&
           !default_request_is_narrow(request) && request->features <= MANY_DENSE_FEATURES &&
           !default_request_is_recomputed(request);
}

static bool is_hard(const struct default_request *request) {
    return request->lambda < SMALL_LAMBDA || default_request_is_tight(request);
}

/* A quasi-Newton step costs a pass alone; on sparse data that are separable and not much regularized steps are fewer
 * with planes, which are as many vectors of weights. */
static bool is_logistic_and_broad(const struct default_request *request) {
    static const double hard = 5;
    bool easy = request->lambda * (double)request->rows >= hard || request->features > MANY_WEIGHTS;
    return is_logistic(request) && !default_request_is_narrow(request) &&
           (default_request_is_dense(request) || !default_request_is_wide(request) || easy);
}

/* Rows that a disk reads: quasi-Newton steps, which read them about once each, are few; with many features beside the
 * examples readings of dcd are fewer. */
static bool is_smooth_and_broad_from_disk(const struct default_request *request) {
    bool slow = request->uneven && default_request_is_dense(request);
    bool few = is_logistic(request) || default_request_has_enough_for_quasi_newton(request);
    return default_request_is_smooth(request) && request->needs.window && !request->needs.map &&
           !default_request_is_narrow(request) && few && !slow;
}

/* An offset, which the dual has of rows in memory alone, or too many examples for it. */
static bool is_squared_hinge_for_quasi_newton(const struct default_request *request) {
    bool many = request->rows >= SOME_EXAMPLES_PER_FEATURE * request->features;
    bool slow = request->uneven && default_request_is_dense(request);
    return (default_request_is_broad_with_offset(request) && !slow) ||
           (default_request_is_squared_hinge(request) && !default_request_is_narrow(request) &&
            many);
}

/* With few examples a feature the data are nearly separable, and linearizations few. */
static bool is_narrow_and_hard(const struct default_request *request) {
    return default_request_is_narrow(request) && is_hard(request) &&
           !default_request_is_hinge(request) &&
           (default_request_is_tight(request) ||
            request->rows >= SOME_EXAMPLES_PER_FEATURE * request->features);
}

static bool is_smooth_regression(const struct default_request *request) {
    return default_request_is_smooth(request) && request->needs.risk->task == TASK_REGRESSION;
}

/* At large lambda quasi-Newton steps are few, unless the features' sizes differ, and each costs a pass; a Newton step
 * costs more of them the more features there are. Where trials are taken they find that out (default_trial.h). */
static bool is_smooth_and_easy(const struct default_request *request) {
    bool bounded =
        default_request_is_smooth(request) && isfinite(request->needs.risk->scalar->curvature);
    bool easy = request->lambda >= LARGE_LAMBDA ||
                (is_logistic(request) && request->lambda >= FAIRLY_LARGE_LAMBDA &&
                 request->features > FAIRLY_FEW_FEATURES);
    bool tried = request->trials && default_request_is_narrow(request);
    return bounded && easy && !tried && !is_smooth_regression(request) && !request->uneven &&
           !is_hard(request);
}

static bool is_tube(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("epsilon");
}

/* For a regression, planes with proximal terms take several times what cutting planes of the hinge do; less where a
 * tube leaves many rows without a loss, more with few examples a feature. Where trials are taken they go first. */
static bool is_kinks_for_newton(const struct default_request *request) {
    static const double planes = 4.5, planes_of_few = 6, planes_of_tubes = 1.9;
    bool few = request->rows < SOME_EXAMPLES_PER_FEATURE * request->features;
    double share = is_tube(request) ? planes_of_tubes : few ? planes_of_few : planes;
    return default_request_has_kinks(request) && !default_request_is_hinge(request) &&
           default_request_is_narrow(request) &&
           (request->uneven || request->trials ||
            default_request_is_cheap_for_newton(request, share));
}

/* Tubes leave many rows without a loss, so that planes are few; an interior point has two variables a row. */
static bool is_tube_of_very_many_examples(const struct default_request *request) {
    return is_tube(request) && !request->uneven && !default_request_is_tight(request) &&
           request->rows >= VERY_MANY_EXAMPLES_PER_FEATURE * request->features;
}

static bool is_smooth_regression_and_wide(const struct default_request *request) {
    return is_smooth_regression(request) && !default_request_is_narrow(request);
}

static bool is_smooth_regression_for_the_dual(const struct default_request *request) {
    bool wide =
        default_request_is_wide(request) && !default_request_has_few(request) && !request->uneven;
    return is_smooth_regression(request) && (wide || !default_request_is_narrow(request)) &&
           !is_square_for_newton(request) && !default_request_is_recomputed(request);
}

/* Newton steps go well at any scale of the features, and for squares where examples hardly determine the weights. */
static bool is_uneven_for_newton(const struct default_request *request) {
    bool undetermined = request->rows < 2 * request->features;
    bool squares = is_smooth_regression(request) && request->needs.risk->scalar->tube == NULL;
    return default_request_is_smooth(request) && default_request_is_narrow(request) &&
           (request->uneven || (undetermined && squares));
}

/* On fewer examples regressions and the squared hinge go to the dual. */
static bool is_even_and_smooth(const struct default_request *request) {
    bool dual = (is_smooth_regression(request) && default_request_is_wide(request)) ||
                is_wide_squared_hinge(request);
    return default_request_is_smooth(request) && default_request_is_narrow(request) &&
           !default_request_has_few(request) && !request->uneven && !dual;
}

/* A few corrections of L-BFGS are usually enough, and can be kept between runs. */
static bool is_for_quasi_newton(const struct default_request *request) {
    return is_even_and_smooth(request) && !request->trials;
}

/* After `lbfgs` (default_trial.h). */
static bool is_for_newton(const struct default_request *request) {
    return is_even_and_smooth(request) && request->trials;
}

static bool always(const struct default_request *request) {
    (void)request;
    return true;
}

static bool is_certified_and_smooth(const struct default_request *request) {
    return request->needs.linearization && default_request_is_smooth(request);
}

/* Newton steps follow the curve of the solutions: two or so a lambda. */
static bool is_certified_for_newton(const struct default_request *request) {
    return is_certified_and_smooth(request) && request->features <= FEATURES_OF_SMOOTH_PATH;
}

static bool is_certified_squared_hinge(const struct default_request *request) {
    return is_certified_and_smooth(request) && default_request_is_squared_hinge(request);
}

/* Dual variables, scaled, are near the solution at the next lambda, where nearly all examples are fitted. */
static bool is_certified_squared_hinge_for_the_dual(const struct default_request *request) {
    bool even = !request->uneven || request->rows <= SOME_ROWS;
    return is_certified_squared_hinge(request) && even && !request->needs.map &&
           request->rows < FAIRLY_MANY_EXAMPLES_PER_FEATURE * request->features;
}

/* For quasi-Newton steps such data are hard. */
static bool is_certified_squared_hinge_for_newton(const struct default_request *request) {
    return is_certified_squared_hinge(request) &&
           (default_request_is_narrow(request) || default_request_is_of_few_rows(request));
}

/* Conditions too long for a row of the table. */
/* clang-format off */
#define NARROW_AND_HARD \
    "other losses than the hinge, at most " TEXT(SOME_FEATURES) " features: -e below " TEXT(SMALL_GAP) ", or lambda " \
    "below " TEXT(SMALL_LAMBDA) " and at least " TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature"
#define EVEN_AND_SMOOTH \
    "smooth losses, more than " TEXT(FEW_FEATURES) " and at most " TEXT(SOME_FEATURES) " features of about one " \
    "size; regression: at least as many examples; squared hinge: twice as many"

static const struct default_rule rules[] = {
    {"ipm",
     "--path certified, smooth losses, at most " TEXT(FEATURES_OF_SMOOTH_PATH) " features",
     is_certified_for_newton},
    {"dcd",
     "--path certified, squared hinge, no --map: fewer than " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a "
     "feature; features of about one size, or at most " TEXT(SOME_ROWS) " examples",
     is_certified_squared_hinge_for_the_dual},
    {"ipm",
     "--path certified, squared hinge, at most " TEXT(SOME_FEATURES) " features, or " FEW_ROWS,
     is_certified_squared_hinge_for_newton},
    {"lbfgs", "--path certified, a smooth loss", is_certified_and_smooth},
    {"ipm",
     "smooth losses, at most " TEXT(SOME_FEATURES) " features, and a cache larger than --memory, in which what ipm "
     "keeps of the examples fits",
     default_request_is_smooth_from_disk},
    {"lbfgs",
     "smooth losses, more than " TEXT(SOME_FEATURES) " features, and a cache larger than --memory; other than logistic "
     "at least half as many examples (dense data: twice as many); unless dense features differ much in size",
     is_smooth_and_broad_from_disk},
    {"mcpa",
     "absolute, epsilon and quantile, at most " TEXT(SOME_FEATURES) " features, and a cache larger than --memory, in "
     "which 32 bytes an example fit; no --intercept",
     default_request_is_narrow_with_kinks_from_disk},
    {"proximal-bundle",
     "epsilon, at least " TEXT(VERY_MANY_EXAMPLES_PER_FEATURE) " examples a feature, features of about one size",
     is_tube_of_very_many_examples},
    {"ipm",
     "smooth losses, at most " TEXT(SOME_FEATURES) " features whose sizes differ much; squared and huber also with "
     "fewer than 2 examples a feature",
     is_uneven_for_newton},
    {"ipm", EVEN_AND_SMOOTH, is_for_newton},
    {"ipm", NARROW_AND_HARD, is_narrow_and_hard},
    {"lbfgs", EVEN_AND_SMOOTH "; with -i, -p or --path, or over processes", is_for_quasi_newton},
    {"dcd",
     "squared hinge, no --map: more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; or more than " TEXT(FEW_FEATURES) " features of about one "
     "size, fewer than 2 examples a feature",
     is_wide_squared_hinge},
    {"ipm",
     "regression on dense data, more than " TEXT(SOME_FEATURES) " and at most " TEXT(MANY_DENSE_FEATURES) " features, "
     "at least as many examples",
     is_dense_broad_regression},
    {"dcd",
     "squared, huber and squared-epsilon: more than " TEXT(SOME_FEATURES) " features; or more than "
     TEXT(FEW_FEATURES) " of about one size, and fewer examples; not squared on few dense examples (ipm, below) where "
     "no others are tried first",
     is_smooth_regression_for_the_dual},
    {"dcd",
     "absolute, epsilon and quantile: more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; or more than " TEXT(FEW_FEATURES) " features of about one "
     "size, and fewer examples",
     is_wide_regression},
    {"ipm",
     "absolute, epsilon and quantile, at most " TEXT(SOME_FEATURES) " features; where no others are tried first, only "
     "if the features' sizes differ much or the estimate of its time is below 4.5 times that of cutting planes (fewer "
     "than " TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature: 6 times; epsilon: 1.9 times)",
     is_kinks_for_newton},
    {"ipm",
     "other losses than the hinge: " FEW_ROWS "; smooth losses where others are tried first: at most " TEXT(MANY_ROWS)
     "; logistic only where others are tried first",
     is_wide_for_newton},
    {"agm",
     "absolute, epsilon and quantile, more features than examples, and lambda below " TEXT(FAIR_LAMBDA),
     is_wide_with_kinks},
    {"lbfgs",
     "logistic and squared hinge, lambda of 0.01 or more (logistic with more than 200 features: 1e-3), features of "
     "about one size; with at most " TEXT(SOME_FEATURES) " of them only where no others are tried first",
     is_smooth_and_easy},
    {"lbfgs",
     "logistic, more than " TEXT(SOME_FEATURES) " features, and dense data, at least as many examples, lambda of "
     "5/examples or more, or more than " TEXT(MANY_WEIGHTS) " features",
     is_logistic_and_broad},
    {"lbfgs",
     "squared hinge, more than " TEXT(SOME_FEATURES) " features: at least " TEXT(SOME_EXAMPLES_PER_FEATURE)
     " examples a feature, or --intercept, unless dense features differ much in size",
     is_squared_hinge_for_quasi_newton},
    {"ipm", "at most " TEXT(FEW_FEATURES) " features", default_request_has_few},
    {"lbfgs",
     "squared, huber and squared-epsilon, more than " TEXT(SOME_FEATURES) " features, and no solver above fits",
     is_smooth_regression_and_wide},
    {"proximal-bundle", "all others", always},
    {"ipm", "at most " TEXT(SOME_FEATURES) " features, and no solver above fits", default_request_is_narrow},
    {"proximal", "-k, or no solver above fits", always},
};
/* clang-format on */

const struct default_rules default_rules_other = {"all others", rules,
                                                  sizeof rules / sizeof *rules};
