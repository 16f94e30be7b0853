/* default_rules_hinge.c - the hinge, with l2. */
#include "training/defaults/default_rules.h"

#include "training/defaults/default_bounds.h"

static bool is_certified_hinge(const struct default_request *request) {
    return request->needs.linearization && default_request_is_hinge(request);
}

/* On nearly separable data planes are of little use at other lambdas; dual variables are. */
static bool is_certified_separable_hinge(const struct default_request *request) {
    bool nearly = !request->uneven && request->features > VERY_FEW_FEATURES &&
                  request->rows < MANY_EXAMPLES_PER_FEATURE * request->features;
    return is_certified_hinge(request) && !request->needs.map &&
           (default_request_is_wide(request) || nearly);
}

/* Newton steps follow the curve of the solutions, with an offset from one to the next (ipm_near.c), which on many
 * examples takes as long as planes. */
static bool is_certified_hinge_for_newton(const struct default_request *request) {
    bool small = request->rows <= MANY_ROWS && request->features <= FAIRLY_FEW_FEATURES;
    bool separable = request->rows < SOME_EXAMPLES_PER_FEATURE * request->features;
    return is_certified_hinge(request) && default_request_has_few(request) &&
           (!request->needs.intercept || small || separable);
}

static bool is_certified_narrow_hinge(const struct default_request *request) {
    return is_certified_hinge(request) && default_request_is_narrow(request);
}

/* Dense examples: a Newton step costs rows x features^2. */
static bool is_mapped_hinge(const struct default_request *request) {
    return request->needs.map && default_request_is_hinge(request) &&
           !default_request_has_few(request) && !default_request_is_tight(request);
}

static bool is_narrow_hinge_from_disk(const struct default_request *request) {
    return default_request_is_hinge(request) &&
           default_request_is_narrow_with_kinks_from_disk(request);
}

/* Genes: cutting planes suffer from features that are not scaled, down to rounding; dual steps hardly do. */
static bool is_wide_of_few_rows(const struct default_request *request) {
    return default_request_is_wide(request) && !default_request_is_narrow(request) &&
           request->rows <= SOME_ROWS;
}

/* Text: the margins of few rows decide, and coordinate steps on them are cheap; as they are where rows are few. */
static bool is_hinge_for_the_dual(const struct default_request *request) {
    bool separable = default_request_is_likely_separable(request);
    bool sparse = !default_request_is_dense(request) &&
                  (default_request_is_for_coordinates(request) || separable);
    bool wide = default_request_is_wide(request) && separable;
    return default_request_is_hinge(request) && !request->needs.map &&
           (sparse || wide || is_wide_of_few_rows(request));
}

/* Cutting planes are more than expected on dense data of few rows, and where the features' sizes differ; with more
 * features than rows they hardly end there. */
static bool is_hinge_for_newton(const struct default_request *request) {
    static const double usual = 0.7, uneven = 1, dense_of_few_rows = 1.8;
    bool few = default_request_is_dense(request) &&
               request->rows < FAIRLY_FEW_EXAMPLES_PER_FEATURE * request->features;
    double share = few ? dense_of_few_rows : request->uneven ? uneven : usual;
    bool wide =
        default_request_is_wide(request) && default_request_is_narrow(request) && request->uneven;
    return default_request_is_hinge(request) &&
           (wide || default_request_is_cheap_for_newton(request, share));
}

/* Where the rows are more. */
static bool is_uneven_wide_hinge(const struct default_request *request) {
    return default_request_is_hinge(request) && request->uneven &&
           default_request_is_dense(request) && default_request_is_of_few_rows(request);
}

static bool is_wide_hinge(const struct default_request *request) {
    bool hard = request->lambda * (double)request->rows * LARGE_C < 1;
    return default_request_is_wide(request) && default_request_is_hinge(request) &&
           request->rows >= FEW_EXAMPLES && !request->uneven &&
           (hard || default_request_is_dense(request));
}

/* Rows that a disk reads in each pass: few passes count, and numbers for each row take memory. */
static bool is_hinge_from_disk(const struct default_request *request) {
    return default_request_is_hinge(request) && request->needs.window && !request->needs.map;
}

/* Rounds between processes count: an interior point needs about eight an iteration. */
static bool is_narrow_hinge_over_processes(const struct default_request *request) {
    return request->needs.distributed && default_request_is_hinge(request) &&
           request->features <= FEW_FEATURES && request->lambda < FAIR_LAMBDA;
}

static bool is_sparse(const struct default_request *request) {
    return (double)request->nonzeros <
           SPARSE_SHARE * (double)request->rows * (double)request->features;
}

/* Then the data are hardly separable, and proximal terms save many passes; with very few features there are not many
 * to save, and on images the planes are too many. */
static bool is_hinge_for_proximal_terms(const struct default_request *request) {
    bool costly = request->uneven || request->needs.map || request->features <= VERY_FEW_FEATURES;
    int64_t many = costly               ? VERY_MANY_EXAMPLES_PER_FEATURE
                   : is_sparse(request) ? SEVERAL_EXAMPLES_PER_FEATURE
                                        : MANY_EXAMPLES_PER_FEATURE;
    return default_request_is_hinge(request) && request->rows >= many * request->features &&
           request->lambda <= SMALL_LAMBDA;
}

static bool is_hinge_of_many_examples(const struct default_request *request) {
    bool hard = request->lambda < VERY_SMALL_LAMBDA && !is_sparse(request);
    bool dense = request->needs.map || default_request_is_dense(request) || hard;
    int64_t many = dense ? MANY_EXAMPLES_PER_FEATURE : FAIRLY_MANY_EXAMPLES_PER_FEATURE;
    return default_request_is_hinge(request) && request->rows >= many * request->features;
}

/* Conditions too long for a row of the table. */
/* clang-format off */
#define WIDE_HINGE \
    "the hinge, more features than examples, of about one size, at least " TEXT(FEW_EXAMPLES) " examples, and dense " \
    "data or C = 1/(lambda examples) above " TEXT(LARGE_C)

static const struct default_rule rules[] = {
    {"dcd",
     "--path certified, the hinge: more features than examples, or more than " TEXT(VERY_FEW_FEATURES) " of about one "
     "size and fewer than " TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature",
     is_certified_separable_hinge},
    {"ipm",
     "--path certified, the hinge, at most " TEXT(FEW_FEATURES) " features; with --intercept fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature, or at most " TEXT(MANY_ROWS) " examples and "
     TEXT(FAIRLY_FEW_FEATURES) " features",
     is_certified_hinge_for_newton},
    {"ocas", "--path certified, the hinge, at most " TEXT(SOME_FEATURES) " features", is_certified_narrow_hinge},
    {"ocas",
     "--map, the hinge, more than " TEXT(FEW_FEATURES) " features, and no -e below " TEXT(SMALL_GAP),
     is_mapped_hinge},
    {"mcpa",
     "the hinge, at most " TEXT(SOME_FEATURES) " features, and a cache larger than --memory, in which 32 bytes "
     "an example fit; no --intercept",
     is_narrow_hinge_from_disk},
    {"dcd",
     "the hinge, no --map: sparse data, more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; or more than " TEXT(FEW_FEATURES) " features of about one "
     "size, fewer examples than features (sparse data: than twice as many); or more than " TEXT(SOME_FEATURES)
     " features and at most " TEXT(SOME_ROWS) " examples",
     is_hinge_for_the_dual},
    {"ipm",
     "the hinge, at most " TEXT(SOME_FEATURES) " features, if an estimate of its time (from examples, features, "
     "nonzeros, lambda and -e) is below 0.7 times that of cutting planes (dense data with fewer than "
     TEXT(FAIRLY_FEW_EXAMPLES_PER_FEATURE) " examples a feature: 1.8 times; features whose sizes differ much: 1 time, "
     "or always if they are more than the examples)",
     is_hinge_for_newton},
    {"ipm",
     "the hinge, dense features whose sizes differ much, at most " TEXT(MANY_ROWS) " examples and 0.75 times the "
     "features",
     is_uneven_wide_hinge},
    {"agm", WIDE_HINGE, is_wide_hinge},
    {"proximal-bundle", "the hinge, and a cache larger than --memory", is_hinge_from_disk},
    {"ipm",
     "the hinge over several processes, at most " TEXT(FEW_FEATURES) " features, and lambda below " TEXT(FAIR_LAMBDA),
     is_narrow_hinge_over_processes},
    {"proximal-bundle",
     "the hinge, lambda of " TEXT(SMALL_LAMBDA) " or less, at least " TEXT(SEVERAL_EXAMPLES_PER_FEATURE) " examples a "
     "feature (nonzeros of " TEXT(SPARSE_SHARE) " or more: " TEXT(MANY_EXAMPLES_PER_FEATURE) "; at most "
     TEXT(VERY_FEW_FEATURES) " features, features whose sizes differ much, or --map: "
     TEXT(VERY_MANY_EXAMPLES_PER_FEATURE) ")",
     is_hinge_for_proximal_terms},
    {"mcpa",
     "the hinge, at least " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a feature (dense data, --map, or "
     "nonzeros of " TEXT(SPARSE_SHARE) " or more and lambda below " TEXT(VERY_SMALL_LAMBDA) ": "
     TEXT(MANY_EXAMPLES_PER_FEATURE) ")",
     is_hinge_of_many_examples},
    {"ocas", "the hinge", default_request_is_hinge},
};
/* clang-format on */

const struct default_rules default_rules_hinge = {"the hinge with l2", rules,
                                                  sizeof rules / sizeof *rules};
