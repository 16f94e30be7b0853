/* default_rules_joint.c - kernels, constraints, and losses of several scores: classes together, sequences, rankings. */
#include "training/defaults/default_rules.h"

#include "training/defaults/default_bounds.h"

static bool is_exact_kernel(const struct default_request *request) {
    return request->needs.kernel;
}

static bool is_boost(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("boost");
}

static bool is_constrained(const struct default_request *request) {
    return request->needs.regularizer->constraint;
}

static bool is_much_overlap(const struct default_request *request) {
    bool is_crf = request->needs.risk == risk_row_by_name("crf");
    return request->overlap > MUCH_OVERLAP_OF_FEATURES * (double)request->features ||
           (!is_crf && request->overlap > MUCH_OVERLAP);
}

/* Sequences whose pairs of labels, for which the dual has numbers in each sequence, are few. */
static bool is_sequences(const struct default_request *request) {
    return request->needs.risk->task == TASK_SEQUENCES &&
           request->weights <= FEW_LABELS * request->features &&
           (default_request_is_wide(request) || !is_much_overlap(request));
}

static bool is_folding(const struct default_request *request) {
    return request->needs.risk->task == TASK_FOLDING;
}

/* Wide sequences: a gradient a plane is much memory, and passes are cheaper than programs over many. */
static bool is_wide_sequences(const struct default_request *request) {
    return request->needs.risk->task == TASK_SEQUENCES && request->weights > request->rows;
}

static bool has_margins(const struct default_request *request) {
    return request->needs.risk->margins;
}

static bool has_many_examples(const struct default_request *request) {
    return request->rows >= MANY_EXAMPLES_PER_FEATURE * request->features;
}

/* With many examples single rows of the dual matter little at small lambda, and a Newton step of `sdm` costs
 * examples x features^2. */
static bool is_for_the_dual(const struct default_request *request) {
    return has_margins(request) &&
           (!has_many_examples(request) || request->features <= VERY_FEW_FEATURES ||
            request->lambda >= FAIRLY_LARGE_LAMBDA);
}

/* With an offset, where there is no `sdm`. Many cheap linearizations: proximal terms save too few of them for the
 * programs they cost. */
static bool is_narrow_multiclass(const struct default_request *request) {
    return has_margins(request) && !default_request_other_than_l2(request) &&
           default_request_has_few(request) && !has_many_examples(request) &&
           request->lambda < LARGE_LAMBDA;
}

static bool is_softmax(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("softmax");
}

/* Corrections of the curvature last from one lambda to the next; dual variables of softmax are made anew. */
static bool is_certified_softmax(const struct default_request *request) {
    return request->needs.linearization && is_softmax(request) &&
           default_request_is_narrow(request);
}

/* Steps in the dual and quasi-Newton steps hardly end where the features' sizes differ. */
static bool is_softmax_uneven(const struct default_request *request) {
    return is_softmax(request) && request->uneven && default_request_has_few(request);
}

/* Little regularization of sparse examples that are more than the features: weights seldom fit all of them. */
static bool is_softmax_on_sparse_examples(const struct default_request *request) {
    static const double fairly_hard = 0.1, sparse_share = 0.15;
    bool sparse = (double)request->nonzeros <=
                  sparse_share * (double)request->rows * (double)request->features;
    return sparse && default_request_is_narrow(request) && !has_many_examples(request) &&
           request->rows >= FEW_EXAMPLES_PER_FEATURE * request->features &&
           request->lambda * (double)request->rows < fairly_hard;
}

/* Few weights, or few examples and little regularization: the dual is harder than its primal. Dense examples of as
 * many features are mostly separable, where it is easy for longer. */
static bool is_softmax_for_newton(const struct default_request *request) {
    static const double hard = 0.01, very_hard = 3e-4;
    double share = request->lambda * (double)request->rows;
    bool dense = default_request_is_dense(request),
         separable = request->rows < SOME_EXAMPLES_PER_FEATURE * request->features;
    return is_softmax(request) && (request->features <= VERY_FEW_FEATURES ||
                                   (dense && share < (separable ? very_hard : hard)) ||
                                   (default_request_is_narrow(request) && share < very_hard) ||
                                   is_softmax_on_sparse_examples(request));
}

static bool is_softmax_for_the_dual(const struct default_request *request) {
    return is_softmax(request) && !has_many_examples(request);
}

static bool is_huge(const struct default_request *request) {
    return request->needs.risk->scalar == NULL && request->weights > MANY_WEIGHTS;
}

/* Online steps prove no gap. */
static bool is_huge_without_a_gap(const struct default_request *request) {
    return is_huge(request) && request->epsilon == 0;
}

/* clang-format off */
static const struct default_rule rules[] = {
    {"smo", "a kernel or basis functions, without --map", is_exact_kernel},
    {"agm", "boost", is_boost},
    {"agm", "the simplex and balls", is_constrained},
    {"sdca",
     "sequences of at most " TEXT(FEW_LABELS) " labels, with more features than elements or (sum of squared "
     "values)/(lambda sequences^2) at most " TEXT(MUCH_OVERLAP_OF_FEATURES) " times the features (m3n: and at most "
     TEXT(MUCH_OVERLAP) ")",
     is_sequences},
    {"sdca", "rna", is_folding},
    {"agm", "sequences, more weights than elements", is_wide_sequences},
    {"sdm",
     "crammer-singer: fewer than " TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature, at most "
     TEXT(VERY_FEW_FEATURES) " features, or lambda of " TEXT(FAIRLY_LARGE_LAMBDA) " or more",
     is_for_the_dual},
    {"lbfgs", "--path certified, softmax, at most " TEXT(SOME_FEATURES) " features", is_certified_softmax},
    {"proximal-bundle",
     "softmax, at most " TEXT(FEW_FEATURES) " features whose sizes differ much",
     is_softmax_uneven},
    {"lbfgs",
     "softmax: at most " TEXT(VERY_FEW_FEATURES) " features; dense data and lambda below 0.01/examples (fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature: 3e-4/examples); or at most " TEXT(SOME_FEATURES)
     " features and lambda below 3e-4/examples (at most 15 % of all values, " TEXT(FEW_EXAMPLES_PER_FEATURE) " to "
     TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature: 0.1/examples)",
     is_softmax_for_newton},
    {"sdca", "softmax, fewer than " TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature", is_softmax_for_the_dual},
    {"proximal",
     "losses of several scores (classes together, rankings, F1, ...), more than " TEXT(MANY_WEIGHTS) " weights, no -e",
     is_huge_without_a_gap},
    {"agm", "the same, with -e or where proximal cannot", is_huge},
    {"bundle",
     "crammer-singer with --intercept, at most " TEXT(FEW_FEATURES) " features, fewer than "
     TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature, and lambda below " TEXT(LARGE_LAMBDA),
     is_narrow_multiclass},
};
/* clang-format on */

const struct default_rules default_rules_joint = {
    "kernels, constraints, and losses of several scores", rules, sizeof rules / sizeof *rules};
