/* default_solver.c - the rules that choose the solver of a run without -s; the first rule that applies decides.
 *
 * An interior-point method takes 10 to 40 iterations for any lambda and gap. Each of them forms and factorizes a
 * matrix of features x features, so it suits data with few features. The time of cutting planes and bundle methods
 * is passes over the data: few at large lambda, many at small lambda, for any number of features. With a 1-norm and
 * a smooth loss most weights are 0 in all iterations, and Newton steps on the others are cheap. With a 1-norm and a
 * nonsmooth loss the problem is a linear program; for few features the interior point solves it. Accelerated
 * gradient methods handle constraints by projection and nonsmooth losses by smoothing. In their dual form they need
 * the fewest passes over data with many features at small lambda. A quasi-Newton method needs as few passes for smooth
 * losses as a bundle method, and no quadratic programs; with some hundred features it is tried first. Where an
 * item has many outputs (sequences, structures), dual steps for one item at a time need the fewest inferences, unless
 * the items share few features at small lambda. Margins between classes have a dual in which single rows are solved
 * exactly, for any number of features, and so have hinges on sparse data with many features, or on few examples; with
 * few features it is tried whether such steps are fast (default_trial.h).
 * Pairs of dual variables within small working sets train kernel machines fastest, at any C.
 * `make bench-default` prints the measurements behind the rules. */
#include "training/defaults/default_solver.h"

#include <math.h>

/* Features: an interior point's iteration costs little beside a pass; it is affordable. */
#define FEW_FEATURES 300
#define FAIRLY_FEW_FEATURES 200
#define VERY_FEW_FEATURES 50
/* The same where each run starts near its end. */
#define SOME_FEATURES 1000
/* And where the others take long on dense data. */
#define MANY_DENSE_FEATURES 2000
/* The most for which it is affordable where the others may not end. */
#define MANY_FEATURES 3000
/* Below this lambda the other methods need many iterations, and below this gap. */
#define SMALL_LAMBDA 1e-5
#define SMALL_GAP 1e-4
/* Below this one, or for the hinge above this C = 1/(lambda examples), accelerated gradients lead over cutting
 * planes on data with more features than examples, unless the examples are so few that planes are, too. */
#define FAIR_LAMBDA 1e-4
#define LARGE_C 2
#define FEW_EXAMPLES 200
/* From so many examples a feature on several planes a pass pay, and proximal terms. */
#define MANY_EXAMPLES_PER_FEATURE 200
#define FAIRLY_MANY_EXAMPLES_PER_FEATURE 50
#define VERY_MANY_EXAMPLES_PER_FEATURE 1000
#define SOME_EXAMPLES_PER_FEATURE 10
#define FEW_EXAMPLES_PER_FEATURE 5
#define FAIRLY_FEW_EXAMPLES_PER_FEATURE 20
#define SEVERAL_EXAMPLES_PER_FEATURE 30
/* From here on programs over linearizations are small. */
#define LARGE_LAMBDA 0.01
#define FAIRLY_LARGE_LAMBDA 1e-3

/* Weights trained together, from which on a bundle of gradients is too much memory. */
#define MANY_WEIGHTS 3000000

/* Labels of sequences. */
#define FEW_LABELS 100
/* From here on dual steps for one sequence undo those for others: the share of a sequence in the risk times the
 * square of its rows, over lambda. With more features than rows the sequences hardly share any. */
#define MUCH_OVERLAP_OF_FEATURES 10 /* times the features */
#define MUCH_OVERLAP 2000           /* of m3n, whose steps gain less, also this */

#define DIGITS(number) #number
#define TEXT(number) DIGITS(number)

bool default_request_is_smooth(const struct default_request *request) {
    const struct loss *loss = request->needs.risk->scalar;
    return loss != NULL && loss->second != NULL;
}

static bool has_kinks(const struct default_request *request) {
    return request->needs.risk->scalar != NULL && !default_request_is_smooth(request);
}

static bool is_wide(const struct default_request *request) {
    return request->features > request->rows;
}

static bool other_than_l2(const struct default_request *request) {
    return request->needs.regularizer != regularizer_by_name("l2");
}

static bool is_boost(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("boost");
}

static bool is_huge(const struct default_request *request) {
    return request->needs.risk->scalar == NULL && request->weights > MANY_WEIGHTS;
}

/* Online steps prove no gap. */
static bool is_huge_without_a_gap(const struct default_request *request) {
    return is_huge(request) && request->epsilon == 0;
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
           (is_wide(request) || !is_much_overlap(request));
}

static bool is_folding(const struct default_request *request) {
    return request->needs.risk->task == TASK_FOLDING;
}

/* Wide sequences: a gradient a plane is much memory, and passes are cheaper than programs over many. */
static bool is_wide_sequences(const struct default_request *request) {
    return request->needs.risk->task == TASK_SEQUENCES && request->weights > request->rows;
}

static bool is_constrained(const struct default_request *request) {
    return request->needs.regularizer->constraint;
}

static bool is_sparse(const struct default_request *request) {
    return request->needs.regularizer == regularizer_by_name("l1");
}

static bool is_sparse_and_smooth(const struct default_request *request) {
    return default_request_is_smooth(request) &&
           (is_sparse(request) || request->needs.regularizer == regularizer_by_name("elastic-net"));
}

static bool is_sparse_with_kinks(const struct default_request *request) {
    return is_sparse(request) && has_kinks(request);
}

bool default_request_has_few(const struct default_request *request) {
    return request->features <= FEW_FEATURES;
}

static bool is_narrow(const struct default_request *request) {
    return request->features <= SOME_FEATURES;
}

bool default_request_affords_newton(const struct default_request *request) {
    return is_narrow(request) || (request->features <= MANY_FEATURES && !request->newton_lacks);
}

static bool is_sparse_narrow_with_kinks(const struct default_request *request) {
    return is_sparse_with_kinks(request) && default_request_affords_newton(request);
}

static bool is_elastic_and_wide(const struct default_request *request) {
    return request->needs.regularizer == regularizer_by_name("elastic-net") && is_wide(request);
}

static bool is_hinge(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("hinge");
}

static bool is_dense(const struct default_request *request) {
    static const double dense_share = 0.4;
    return (double)request->nonzeros >=
           dense_share * (double)request->rows * (double)request->features;
}

static bool is_wide_with_kinks(const struct default_request *request) {
    return is_wide(request) && has_kinks(request) && !is_hinge(request) &&
           request->lambda < FAIR_LAMBDA;
}

/* Mapped examples that are computed again in each pass, one row as dearly as another; or read from a file. */
static bool is_recomputed(const struct default_request *request) {
    return request->needs.window && request->needs.map;
}

/* Rows that a disk reads in each pass: few passes count, and numbers for each row take memory. */
static bool is_hinge_from_disk(const struct default_request *request) {
    return is_hinge(request) && request->needs.window && !request->needs.map;
}

/* Newton steps read the rows least often. */
static bool is_smooth_from_disk(const struct default_request *request) {
    return default_request_is_smooth(request) && request->newton_fits && is_narrow(request) &&
           !other_than_l2(request);
}

/* Single passes of many cuts are fewest, and a program over many cuts takes less time than a pass. */
static bool is_narrow_with_kinks_from_disk(const struct default_request *request) {
    return has_kinks(request) && request->slacks_fit && is_narrow(request) &&
           !other_than_l2(request);
}

/* With many rows a feature, passes over the rows cost more than what a primal method does besides. */
static bool is_for_coordinates(const struct default_request *request) {
    return !is_narrow(request) && request->rows < SOME_EXAMPLES_PER_FEATURE * request->features &&
           !is_recomputed(request);
}

/* Fewer than two examples a feature are separable with probability 1/2 or more whatever their labels (Cover 1965). */
static bool is_likely_separable(const struct default_request *request) {
    return request->rows < 2 * request->features && !default_request_has_few(request) &&
           !request->uneven;
}

/* Text: the margins of few rows decide, and coordinate steps on them are cheap; as they are where rows are few. */
static bool is_hinge_for_the_dual(const struct default_request *request) {
    bool sparse =
        !is_dense(request) && (is_for_coordinates(request) || is_likely_separable(request));
    return is_hinge(request) && !request->needs.map &&
           (sparse || (is_wide(request) && is_likely_separable(request)));
}

static bool is_wide_squared_hinge(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("squared-hinge") && !request->needs.map &&
           (is_likely_separable(request) || is_for_coordinates(request));
}

/* The other losses of numbers whose dual variables lie in an interval. */
static bool is_wide_regression(const struct default_request *request) {
    bool wide = is_wide(request) && !default_request_has_few(request) && !request->uneven;
    return has_kinks(request) && request->needs.risk->task == TASK_REGRESSION &&
           ((wide && !is_recomputed(request)) || is_for_coordinates(request));
}

/* Coordinate steps on dense examples that no weights fit are slow; Newton steps on as many features are not. */
static bool is_dense_broad_regression(const struct default_request *request) {
    bool for_newton =
        has_kinks(request) || (default_request_is_smooth(request) && !request->needs.intercept);
    return for_newton && request->needs.risk->task == TASK_REGRESSION && is_dense(request) &&
           !is_wide(request) && !is_narrow(request) && request->features <= MANY_DENSE_FEATURES &&
           !is_recomputed(request);
}

static bool is_logistic(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("logistic");
}

static bool is_softmax(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("softmax");
}

static bool has_many_examples(const struct default_request *request) {
    return request->rows >= MANY_EXAMPLES_PER_FEATURE * request->features;
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
    return sparse && is_narrow(request) && !has_many_examples(request) &&
           request->rows >= FEW_EXAMPLES_PER_FEATURE * request->features &&
           request->lambda * (double)request->rows < fairly_hard;
}

/* Few weights, or few examples and little regularization: the dual is harder than its primal. Dense examples of as
 * many features are mostly separable, where it is easy for longer. */
static bool is_softmax_for_newton(const struct default_request *request) {
    static const double hard = 0.01, very_hard = 3e-4;
    double share = request->lambda * (double)request->rows;
    bool dense = is_dense(request),
         separable = request->rows < SOME_EXAMPLES_PER_FEATURE * request->features;
    return is_softmax(request) &&
           (request->features <= VERY_FEW_FEATURES ||
            (dense && share < (separable ? very_hard : hard)) ||
            (is_narrow(request) && share < very_hard) || is_softmax_on_sparse_examples(request));
}

static bool is_wide_hinge(const struct default_request *request) {
    bool hard = request->lambda * (double)request->rows * LARGE_C < 1;
    return is_wide(request) && is_hinge(request) && request->rows >= FEW_EXAMPLES &&
           !request->uneven && (hard || is_dense(request));
}

static bool is_tight(const struct default_request *request) {
    return request->epsilon > 0 && request->epsilon < SMALL_GAP;
}

static bool is_hard(const struct default_request *request) {
    return request->lambda < SMALL_LAMBDA || is_tight(request);
}

/* A quasi-Newton step costs a pass alone; on sparse data that are separable and hardly regularized steps are fewer with
 * planes. */
static bool is_logistic_and_broad(const struct default_request *request) {
    static const double hard = 0.005;
    bool easy = request->lambda * (double)request->rows >= hard;
    return is_logistic(request) && !is_narrow(request) &&
           (is_dense(request) || !is_wide(request) || easy);
}

/* Too many examples for the dual. */
static bool is_squared_hinge_of_many_examples(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("squared-hinge") && !is_narrow(request) &&
           request->rows >= SOME_EXAMPLES_PER_FEATURE * request->features;
}

/* With few examples a feature the data are nearly separable, and linearizations few. */
static bool is_narrow_and_hard(const struct default_request *request) {
    return is_narrow(request) && is_hard(request) && !is_hinge(request) &&
           (is_tight(request) || request->rows >= SOME_EXAMPLES_PER_FEATURE * request->features);
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
    bool tried = request->trials && is_narrow(request);
    return bounded && easy && !tried && !is_smooth_regression(request) && !request->uneven &&
           !is_hard(request);
}

struct data_shape default_request_shape(const struct default_request *request) {
    return (struct data_shape){.rows = (double)request->rows,
                               .features = (double)request->features,
                               .nonzeros = (double)request->nonzeros,
                               .uneven = request->uneven,
                               .mean_square = request->mean_square,
                               .effective = request->effective};
}

/* Whether an interior point is expected to take less than SHARE of the time of cutting planes. */
static bool is_cheap_for_newton(const struct default_request *request, double share) {
    static const double usual_gap = 1e-3;
    struct data_shape shape = default_request_shape(request);
    double gap = request->epsilon > 0 ? request->epsilon : usual_gap;
    if (!is_hinge(request))
        shape.mean_square = shape.effective = 0; /* there the sizes of the targets count as much */
    return is_narrow(request) &&
           cost_interior_point(&shape) < share * cost_cutting_planes(&shape, request->lambda, gap);
}

/* Cutting planes are more than expected on dense data of few rows, and where the features' sizes differ; with more
 * features than rows they hardly end there. */
static bool is_hinge_for_newton(const struct default_request *request) {
    static const double usual = 0.7, uneven = 1, dense_of_few_rows = 1.8;
    bool few =
        is_dense(request) && request->rows < FAIRLY_FEW_EXAMPLES_PER_FEATURE * request->features;
    double share = few ? dense_of_few_rows : request->uneven ? uneven : usual;
    bool wide = is_wide(request) && is_narrow(request) && request->uneven;
    return is_hinge(request) && (wide || is_cheap_for_newton(request, share));
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
    return has_kinks(request) && !is_hinge(request) && is_narrow(request) &&
           (request->uneven || request->trials || is_cheap_for_newton(request, share));
}

static bool is_hinge_of_many_examples(const struct default_request *request) {
    bool dense = request->needs.map || is_dense(request);
    int64_t many = dense ? MANY_EXAMPLES_PER_FEATURE : FAIRLY_MANY_EXAMPLES_PER_FEATURE;
    return is_hinge(request) && request->rows >= many * request->features;
}

/* Then the data are hardly separable, and proximal terms save many passes; with very few features there are not many
 * to save. */
static bool is_hinge_for_proximal_terms(const struct default_request *request) {
    bool costly = request->uneven || request->needs.map || request->features <= VERY_FEW_FEATURES;
    int64_t many = costly              ? VERY_MANY_EXAMPLES_PER_FEATURE
                   : is_dense(request) ? MANY_EXAMPLES_PER_FEATURE
                                       : SEVERAL_EXAMPLES_PER_FEATURE;
    return is_hinge(request) && request->rows >= many * request->features &&
           request->lambda < SMALL_LAMBDA;
}

/* Planes are few at large lambda and with many examples alone. */
static bool is_elastic_narrow_with_kinks(const struct default_request *request) {
    bool easy = request->lambda >= LARGE_LAMBDA && !is_tight(request) &&
                request->rows >= FAIRLY_MANY_EXAMPLES_PER_FEATURE * request->features;
    return request->needs.regularizer == regularizer_by_name("elastic-net") && has_kinks(request) &&
           default_request_affords_newton(request) && !easy;
}

/* Rounds between processes count: an interior point needs about eight an iteration. */
static bool is_narrow_hinge_over_processes(const struct default_request *request) {
    return request->needs.distributed && is_hinge(request) && request->features <= FEW_FEATURES &&
           request->lambda < FAIR_LAMBDA;
}

static bool is_softmax_for_the_dual(const struct default_request *request) {
    return is_softmax(request) && !has_many_examples(request);
}

static bool has_margins(const struct default_request *request) {
    return request->needs.risk->margins;
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
    return has_margins(request) && default_request_has_few(request) &&
           !has_many_examples(request) && request->lambda < LARGE_LAMBDA;
}

/* Dense examples: a Newton step costs rows x features^2. */
static bool is_mapped_hinge(const struct default_request *request) {
    return request->needs.map && is_hinge(request) && !default_request_has_few(request) &&
           !is_tight(request);
}

/* Tubes leave many rows without a loss, so that planes are few; an interior point has two variables a row. */
static bool is_tube_of_very_many_examples(const struct default_request *request) {
    return is_tube(request) && !request->uneven && !is_tight(request) &&
           request->rows >= VERY_MANY_EXAMPLES_PER_FEATURE * request->features;
}

static bool is_smooth_regression_and_wide(const struct default_request *request) {
    return is_smooth_regression(request) && !is_narrow(request);
}

static bool is_smooth_regression_for_the_dual(const struct default_request *request) {
    bool wide = is_wide(request) && !default_request_has_few(request) && !request->uneven;
    return is_smooth_regression(request) && (wide || !is_narrow(request)) &&
           !is_recomputed(request);
}

/* Newton steps go well at any scale of the features, and for squares where examples hardly determine the weights. */
static bool is_uneven_for_newton(const struct default_request *request) {
    bool undetermined = request->rows < 2 * request->features;
    bool squares = is_smooth_regression(request) && request->needs.risk->scalar->tube == NULL;
    return default_request_is_smooth(request) && is_narrow(request) &&
           (request->uneven || (undetermined && squares));
}

/* On fewer examples regressions and the squared hinge go to the dual. */
static bool is_even_and_smooth(const struct default_request *request) {
    bool dual =
        (is_smooth_regression(request) && is_wide(request)) || is_wide_squared_hinge(request);
    return default_request_is_smooth(request) && is_narrow(request) &&
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

static bool is_exact_kernel(const struct default_request *request) {
    return request->needs.kernel;
}

static bool always(const struct default_request *request) {
    (void)request;
    return true;
}

/* Runs that start from the one before: planes and points help there, an interior point begins anew, which with few
 * features costs little and does not suffer from features that are not scaled. */
static bool is_certified_hinge(const struct default_request *request) {
    return request->needs.linearization && is_hinge(request) && is_narrow(request);
}

/* On few examples planes soon tell little of the next lambda. */
static bool is_certified_hinge_on_few(const struct default_request *request) {
    return is_certified_hinge(request) && default_request_has_few(request) &&
           request->rows < SOME_EXAMPLES_PER_FEATURE * request->features;
}

/* With more features than examples planes are of little use at other lambdas; dual variables are. */
static bool is_certified_wide_hinge(const struct default_request *request) {
    return request->needs.linearization && is_hinge(request) && is_wide(request) &&
           !request->needs.map;
}

/* Corrections of the curvature last from one lambda to the next; dual variables of softmax are made anew. */
static bool is_certified_softmax(const struct default_request *request) {
    return request->needs.linearization && is_softmax(request) && is_narrow(request);
}

/* Newton's method needs few iterations where the loss is quadratic nearly everywhere, outside of a tube too, or the
 * features' sizes make others slow. */
static bool is_certified_for_newton(const struct default_request *request) {
    if (!request->needs.linearization || !default_request_is_smooth(request) ||
        !default_request_has_few(request))
        return false;
    const struct loss *loss = request->needs.risk->scalar;
    return loss->quadratic || loss->tube != NULL || request->uneven;
}

static bool is_certified_and_smooth(const struct default_request *request) {
    return request->needs.linearization && default_request_is_smooth(request);
}

/* Conditions too long for a row of the table. */
/* clang-format off */
#define NARROW_AND_HARD \
    "other losses than the hinge, at most " TEXT(SOME_FEATURES) " features: -e below " TEXT(SMALL_GAP) ", or lambda " \
    "below " TEXT(SMALL_LAMBDA) " and at least " TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature"
#define EVEN_AND_SMOOTH \
    "smooth losses, more than " TEXT(FEW_FEATURES) " and at most " TEXT(SOME_FEATURES) " features of about one " \
    "size; regression: at least as many examples; squared hinge: twice as many"
#define WIDE_HINGE \
    "the hinge, more features than examples, of about one size, at least " TEXT(FEW_EXAMPLES) " examples, and dense " \
    "data or C = 1/(lambda examples) above " TEXT(LARGE_C)

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
    {"lps", "l1 or elastic net, and a smooth loss", is_sparse_and_smooth},
    {"ipm", "l1, a loss with kinks, at most " TEXT(MANY_FEATURES) " features", is_sparse_narrow_with_kinks},
    {"agm", "l1, and a loss with kinks", is_sparse_with_kinks},
    {"rda", "l1, and -k", is_sparse},
    {"ipm",
     "elastic net, a loss with kinks, at most " TEXT(MANY_FEATURES) " features, unless lambda is " TEXT(LARGE_LAMBDA)
     " "
     "or more with at least " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a feature",
     is_elastic_narrow_with_kinks},
    {"agm", "elastic net, more features than examples", is_elastic_and_wide},
    {"bundle", "regularizers other than l2", other_than_l2},
    {"dcd", "--path certified, the hinge, more features than examples", is_certified_wide_hinge},
    {"ipm",
     "--path certified, the hinge, at most " TEXT(FEW_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature",
     is_certified_hinge_on_few},
    {"ocas", "--path certified, the hinge, at most " TEXT(SOME_FEATURES) " features", is_certified_hinge},
    {"ipm",
     "--path certified, at most " TEXT(FEW_FEATURES) " features, and a smooth loss: squared, squared-epsilon, huber, "
     "squared-hinge, or any where the features' sizes differ much",
     is_certified_for_newton},
    {"lbfgs", "--path certified, a smooth loss", is_certified_and_smooth},
    {"ocas",
     "--map, the hinge, more than " TEXT(FEW_FEATURES) " features, and no -e below " TEXT(SMALL_GAP),
     is_mapped_hinge},
    {"ipm",
     "smooth losses, at most " TEXT(SOME_FEATURES) " features, and a cache larger than --memory, in which what ipm "
     "keeps of the examples fits",
     is_smooth_from_disk},
    {"mcpa",
     "losses with kinks, at most " TEXT(SOME_FEATURES) " features, and a cache larger than --memory, in which 32 bytes "
     "an example fit; no --intercept",
     is_narrow_with_kinks_from_disk},
    {"dcd",
     "the hinge, no --map: sparse data, more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; or more than " TEXT(FEW_FEATURES) " features of about one "
     "size, fewer examples than features (sparse data: than twice as many)",
     is_hinge_for_the_dual},
    {"ipm",
     "the hinge, at most " TEXT(SOME_FEATURES) " features, if an estimate of its time (from examples, features, "
     "nonzeros, lambda and -e) is below 0.7 times that of cutting planes (dense data with fewer than "
     TEXT(FAIRLY_FEW_EXAMPLES_PER_FEATURE) " examples a feature: 1.8 times; features whose sizes differ much: 1 time, "
     "or always if they are more than the examples)",
     is_hinge_for_newton},
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
     "at least as many examples; squared, huber and squared-epsilon without --intercept",
     is_dense_broad_regression},
    {"dcd",
     "squared, huber and squared-epsilon: more than " TEXT(SOME_FEATURES) " features; or more than "
     TEXT(FEW_FEATURES) " of about one size, and fewer examples",
     is_smooth_regression_for_the_dual},
    {"dcd",
     "absolute, epsilon and quantile: more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; or more than " TEXT(FEW_FEATURES) " features of about one "
     "size, and fewer examples",
     is_wide_regression},
    {"agm", WIDE_HINGE, is_wide_hinge},
    {"ipm",
     "absolute, epsilon and quantile, at most " TEXT(SOME_FEATURES) " features; where no others are tried first, only "
     "if the features' sizes differ much or the estimate of its time is below 4.5 times that of cutting planes (fewer "
     "than " TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature: 6 times; epsilon: 1.9 times)",
     is_kinks_for_newton},
    {"agm",
     "absolute, epsilon and quantile, more features than examples, and lambda below " TEXT(FAIR_LAMBDA),
     is_wide_with_kinks},
    {"proximal-bundle", "the hinge, and a cache larger than --memory", is_hinge_from_disk},
    {"ipm",
     "the hinge over several processes, at most " TEXT(FEW_FEATURES) " features, and lambda below " TEXT(FAIR_LAMBDA),
     is_narrow_hinge_over_processes},
    {"proximal-bundle",
     "the hinge, lambda below " TEXT(SMALL_LAMBDA) ", at least " TEXT(SEVERAL_EXAMPLES_PER_FEATURE) " examples a "
     "feature (dense data: " TEXT(MANY_EXAMPLES_PER_FEATURE) "; at most " TEXT(VERY_FEW_FEATURES) " features, features "
     "whose sizes differ much, or --map: " TEXT(VERY_MANY_EXAMPLES_PER_FEATURE) ")",
     is_hinge_for_proximal_terms},
    {"mcpa",
     "the hinge, at least " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a feature (dense data or --map: "
     TEXT(MANY_EXAMPLES_PER_FEATURE) ")",
     is_hinge_of_many_examples},
    {"ocas", "the hinge", is_hinge},
    {"bundle",
     "crammer-singer with --intercept, at most " TEXT(FEW_FEATURES) " features, fewer than "
     TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature, and lambda below " TEXT(LARGE_LAMBDA),
     is_narrow_multiclass},
    {"lbfgs",
     "logistic and squared hinge, lambda of 0.01 or more (logistic with more than 200 features: 1e-3), features of "
     "about one size; with at most " TEXT(SOME_FEATURES) " of them only where no others are tried first",
     is_smooth_and_easy},
    {"lbfgs",
     "logistic, more than " TEXT(SOME_FEATURES) " features, and dense data, at least as many examples, or lambda of "
     "0.005/examples or more",
     is_logistic_and_broad},
    {"lbfgs",
     "squared hinge, more than " TEXT(SOME_FEATURES) " features, at least " TEXT(SOME_EXAMPLES_PER_FEATURE)
     " examples a feature",
     is_squared_hinge_of_many_examples},
    {"ipm", "at most " TEXT(FEW_FEATURES) " features", default_request_has_few},
    {"lbfgs",
     "squared, huber and squared-epsilon with --intercept, more than " TEXT(SOME_FEATURES) " features",
     is_smooth_regression_and_wide},
    {"proximal-bundle", "all others", always},
    {"ipm", "at most " TEXT(SOME_FEATURES) " features, and no solver above fits", is_narrow},
    {"proximal", "-k, or no solver above fits", always},
};
/* clang-format on */

const struct default_rule *default_solver_rules(int *count) {
    *count = sizeof rules / sizeof *rules;
    return rules;
}

/* Those for streams are chosen by name, and so are those for kernels unless a kernel is asked for, and those that read
 * examples often unless these are in memory. */
static bool is_by_name(const struct default_request *request, const struct solver *solver) {
    return (solver->is_kernel_expansion && !request->needs.kernel) || solver->stream != NULL ||
           (solver->reads_often && request->needs.window && !is_smooth_from_disk(request));
}

const struct default_rule *default_solver_rule(const struct default_request *request) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct solver *solver = solver_by_name(rules[i].solver);
        if (solver != NULL && rules[i].suits(request) &&
            solver_fits(solver, &request->needs, NULL, 0) && !is_by_name(request, solver))
            return &rules[i];
    }
    return NULL;
}

const struct solver *default_solver(const struct default_request *request) {
    const struct default_rule *rule = default_solver_rule(request);
    int count;
    const struct solver *const *table = solver_table(&count);
    if (rule != NULL)
        return solver_by_name(rule->solver);
    for (int i = 0; i < count; i++)
        if (solver_fits(table[i], &request->needs, NULL, 0) && !is_by_name(request, table[i]))
            return table[i];
    return NULL;
}
