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

#include "training/defaults/solver_cost.h"

#include <math.h>

/* Features: an interior point's iteration costs little beside a pass; it is affordable. */
#define FEW_FEATURES 300
#define FAIRLY_FEW_FEATURES 200
#define VERY_FEW_FEATURES 50
/* The same where each run starts near its end. */
#define SOME_FEATURES 1000
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
#define FAIRLY_FEW_EXAMPLES_PER_FEATURE 20
/* From here on programs over linearizations are small. */
#define LARGE_LAMBDA 0.01
#define FAIRLY_LARGE_LAMBDA 1e-3

/* Weights trained together, from which on a bundle of gradients is too much memory. */
#define MANY_WEIGHTS 3000000

/* Labels of sequences. */
#define FEW_LABELS 100
/* From here on dual steps for one sequence undo those for others: the share of a sequence in the risk times the
 * square of its rows, over lambda. With more features than rows the sequences hardly share any. */
#define MUCH_OVERLAP 2000

#define DIGITS(number) #number
#define TEXT(number) DIGITS(number)

bool choice_is_smooth(const struct choice *choice) {
    const struct loss *loss = choice->needs.risk->scalar;
    return loss != NULL && loss->second != NULL;
}

static bool has_kinks(const struct choice *choice) {
    return choice->needs.risk->scalar != NULL && !choice_is_smooth(choice);
}

static bool is_wide(const struct choice *choice) {
    return choice->features > choice->rows;
}

static bool other_than_l2(const struct choice *choice) {
    return choice->needs.regularizer != regularizer_by_name("l2");
}

static bool is_boost(const struct choice *choice) {
    return choice->needs.risk == risk_row_by_name("boost");
}

static bool is_huge(const struct choice *choice) {
    return choice->needs.risk->scalar == NULL && choice->weights > MANY_WEIGHTS;
}

/* Online steps prove no gap. */
static bool is_huge_without_a_gap(const struct choice *choice) {
    return is_huge(choice) && choice->epsilon == 0;
}

/* Sequences whose pairs of labels, for which the dual has numbers in each sequence, are few. */
static bool is_sequences(const struct choice *choice) {
    return choice->needs.risk->task == TASK_SEQUENCES &&
           choice->weights <= FEW_LABELS * choice->features &&
           (is_wide(choice) || choice->overlap <= MUCH_OVERLAP);
}

static bool is_folding(const struct choice *choice) {
    return choice->needs.risk->task == TASK_FOLDING;
}

/* Wide sequences: a gradient a plane is much memory, and passes are cheaper than programs over many. */
static bool is_wide_sequences(const struct choice *choice) {
    return choice->needs.risk->task == TASK_SEQUENCES && choice->weights > choice->rows;
}

static bool is_constrained(const struct choice *choice) {
    return choice->needs.regularizer->constraint;
}

static bool is_sparse(const struct choice *choice) {
    return choice->needs.regularizer == regularizer_by_name("l1");
}

static bool is_sparse_and_smooth(const struct choice *choice) {
    return choice_is_smooth(choice) &&
           (is_sparse(choice) || choice->needs.regularizer == regularizer_by_name("elastic-net"));
}

static bool is_sparse_with_kinks(const struct choice *choice) {
    return is_sparse(choice) && has_kinks(choice);
}

bool choice_has_few(const struct choice *choice) {
    return choice->features <= FEW_FEATURES;
}

static bool is_narrow(const struct choice *choice) {
    return choice->features <= SOME_FEATURES;
}

static bool is_sparse_narrow_with_kinks(const struct choice *choice) {
    return is_sparse_with_kinks(choice) && is_narrow(choice);
}

static bool is_elastic_and_wide(const struct choice *choice) {
    return choice->needs.regularizer == regularizer_by_name("elastic-net") && is_wide(choice);
}

static bool is_hinge(const struct choice *choice) {
    return choice->needs.risk == risk_row_by_name("hinge");
}

static bool is_dense(const struct choice *choice) {
    static const double dense_share = 0.4;
    return (double)choice->nonzeros >=
           dense_share * (double)choice->rows * (double)choice->features;
}

static bool is_wide_with_kinks(const struct choice *choice) {
    return is_wide(choice) && has_kinks(choice) && !is_hinge(choice) &&
           choice->lambda < FAIR_LAMBDA;
}

/* Mapped examples that are computed again in each pass, one row as dearly as another; or read from a file. */
static bool is_recomputed(const struct choice *choice) {
    return choice->needs.window && choice->needs.map;
}

/* Rows that a disk reads in each pass: few passes count, and numbers for each row take memory. */
static bool is_hinge_from_disk(const struct choice *choice) {
    return is_hinge(choice) && choice->needs.window && !choice->needs.map;
}

/* Newton steps read the rows least often. */
static bool is_smooth_from_disk(const struct choice *choice) {
    return choice_is_smooth(choice) && choice->newton_fits && is_narrow(choice) &&
           !other_than_l2(choice);
}

/* Single passes of many cuts are fewest, and a program over many cuts takes less time than a pass. */
static bool is_narrow_with_kinks_from_disk(const struct choice *choice) {
    return has_kinks(choice) && choice->slacks_fit && is_narrow(choice) &&
           !choice->needs.intercept && !other_than_l2(choice);
}

/* With many rows a feature, passes over the rows cost more than what a primal method does besides. */
static bool is_for_coordinates(const struct choice *choice) {
    return !is_narrow(choice) && choice->rows < SOME_EXAMPLES_PER_FEATURE * choice->features &&
           !is_recomputed(choice);
}

/* Fewer than two examples a feature are separable with probability 1/2 or more whatever their labels (Cover 1965). */
static bool is_likely_separable(const struct choice *choice) {
    return choice->rows < 2 * choice->features && !choice_has_few(choice) && !choice->uneven;
}

/* Text: the margins of few rows decide, and coordinate steps on them are cheap; as they are where rows are few. */
static bool is_hinge_for_the_dual(const struct choice *choice) {
    bool sparse = !is_dense(choice) && (is_for_coordinates(choice) || is_likely_separable(choice));
    return is_hinge(choice) && !choice->needs.map &&
           (sparse || (is_wide(choice) && is_likely_separable(choice)));
}

static bool is_wide_squared_hinge(const struct choice *choice) {
    return choice->needs.risk == risk_row_by_name("squared-hinge") && !choice->needs.map &&
           (is_likely_separable(choice) || is_for_coordinates(choice));
}

/* The other losses of numbers whose dual variables lie in an interval. */
static bool is_wide_regression(const struct choice *choice) {
    bool wide = is_wide(choice) && !choice_has_few(choice) && !choice->uneven;
    return has_kinks(choice) && choice->needs.risk->task == TASK_REGRESSION &&
           ((wide && !is_recomputed(choice)) || is_for_coordinates(choice));
}

static bool is_logistic(const struct choice *choice) {
    return choice->needs.risk == risk_row_by_name("logistic");
}

static bool is_softmax(const struct choice *choice) {
    return choice->needs.risk == risk_row_by_name("softmax");
}

/* Few weights, or few examples and little regularization: the dual is harder than its primal. */
static bool is_softmax_for_newton(const struct choice *choice) {
    static const double hard = 0.01, very_hard = 3e-4;
    double share = choice->lambda * (double)choice->rows;
    return is_softmax(choice) &&
           (choice->features <= VERY_FEW_FEATURES || (is_dense(choice) && share < hard) ||
            (is_narrow(choice) && share < very_hard));
}

static bool is_wide_hinge(const struct choice *choice) {
    bool hard = choice->lambda * (double)choice->rows * LARGE_C < 1;
    return is_wide(choice) && is_hinge(choice) && choice->rows >= FEW_EXAMPLES &&
           (hard || is_dense(choice));
}

static bool is_tight(const struct choice *choice) {
    return choice->epsilon > 0 && choice->epsilon < SMALL_GAP;
}

static bool is_hard(const struct choice *choice) {
    return choice->lambda < SMALL_LAMBDA || is_tight(choice);
}

/* With few examples a feature the data are nearly separable, and linearizations few. */
static bool is_narrow_and_hard(const struct choice *choice) {
    return is_narrow(choice) && is_hard(choice) && !is_hinge(choice) &&
           (is_tight(choice) || choice->rows >= SOME_EXAMPLES_PER_FEATURE * choice->features);
}

static bool is_smooth_regression(const struct choice *choice) {
    return choice_is_smooth(choice) && choice->needs.risk->task == TASK_REGRESSION;
}

/* At large lambda quasi-Newton steps are few, unless the features' sizes differ, and each costs a pass; a Newton step
 * costs more of them the more features there are. Where trials are taken they find that out (default_trial.h). */
static bool is_smooth_and_easy(const struct choice *choice) {
    bool bounded = choice_is_smooth(choice) && isfinite(choice->needs.risk->scalar->curvature);
    bool easy = choice->lambda >= LARGE_LAMBDA ||
                (is_logistic(choice) && choice->lambda >= FAIRLY_LARGE_LAMBDA &&
                 choice->features > FAIRLY_FEW_FEATURES);
    bool tried = choice->trials && is_narrow(choice);
    return bounded && easy && !tried && !is_smooth_regression(choice) && !choice->uneven &&
           !is_hard(choice);
}

/* Whether an interior point is expected to take less than SHARE of the time of cutting planes. */
static bool is_cheap_for_newton(const struct choice *choice, double share) {
    static const double usual_gap = 1e-3;
    const struct data_shape shape = {(double)choice->rows, (double)choice->features,
                                     (double)choice->nonzeros, choice->uneven};
    double gap = choice->epsilon > 0 ? choice->epsilon : usual_gap;
    return is_narrow(choice) &&
           cost_interior_point(&shape) < share * cost_cutting_planes(&shape, choice->lambda, gap);
}

static bool has_many_examples(const struct choice *choice) {
    return choice->rows >= MANY_EXAMPLES_PER_FEATURE * choice->features;
}

/* The estimate is high for dense data of few rows. */
static bool is_hinge_for_newton(const struct choice *choice) {
    bool few =
        is_dense(choice) && choice->rows < FAIRLY_FEW_EXAMPLES_PER_FEATURE * choice->features;
    return is_hinge(choice) && is_cheap_for_newton(choice, few ? 2.5 : 1);
}

static bool is_tube(const struct choice *choice) {
    return choice->needs.risk == risk_row_by_name("epsilon");
}

/* For a regression, planes with proximal terms take several times what cutting planes of the hinge do; less where a
 * tube leaves many rows without a loss. */
static bool is_kinks_for_newton(const struct choice *choice) {
    static const double planes = 4, planes_of_tubes = 3;
    return has_kinks(choice) && !is_hinge(choice) && is_narrow(choice) &&
           (choice->uneven ||
            is_cheap_for_newton(choice, is_tube(choice) ? planes_of_tubes : planes));
}

static bool is_hinge_of_many_examples(const struct choice *choice) {
    bool dense = choice->needs.map || is_dense(choice);
    int64_t many = dense ? MANY_EXAMPLES_PER_FEATURE : FAIRLY_MANY_EXAMPLES_PER_FEATURE;
    return is_hinge(choice) && choice->rows >= many * choice->features;
}

/* Then passes are dear, and small programs with proximal terms save some. */
static bool is_hinge_of_very_many_examples(const struct choice *choice) {
    return is_hinge(choice) && choice->rows >= VERY_MANY_EXAMPLES_PER_FEATURE * choice->features &&
           choice->lambda < SMALL_LAMBDA;
}

/* Planes are few at large lambda and with many examples alone. */
static bool is_elastic_narrow_with_kinks(const struct choice *choice) {
    bool easy = choice->lambda >= LARGE_LAMBDA && !is_tight(choice) &&
                choice->rows >= FAIRLY_MANY_EXAMPLES_PER_FEATURE * choice->features;
    return choice->needs.regularizer == regularizer_by_name("elastic-net") && has_kinks(choice) &&
           is_narrow(choice) && !easy;
}

/* Rounds between processes count: an interior point needs about eight an iteration. */
static bool is_narrow_hinge_over_processes(const struct choice *choice) {
    return choice->needs.distributed && is_hinge(choice) && choice->features <= FEW_FEATURES &&
           choice->lambda < FAIR_LAMBDA;
}

static bool is_softmax_for_the_dual(const struct choice *choice) {
    return is_softmax(choice) && !has_many_examples(choice);
}

static bool has_margins(const struct choice *choice) {
    return choice->needs.risk->margins;
}

/* With many examples single rows of the dual matter little at small lambda, and a Newton step of `sdm` costs
 * examples x features^2. */
static bool is_for_the_dual(const struct choice *choice) {
    return has_margins(choice) &&
           (!has_many_examples(choice) || choice->features <= VERY_FEW_FEATURES ||
            choice->lambda >= FAIRLY_LARGE_LAMBDA);
}

/* With an offset, where there is no `sdm`. Many cheap linearizations: proximal terms save too few of them for the
 * programs they cost. */
static bool is_narrow_multiclass(const struct choice *choice) {
    return has_margins(choice) && choice_has_few(choice) && !has_many_examples(choice) &&
           choice->lambda < LARGE_LAMBDA;
}

/* Dense examples: a Newton step costs rows x features^2. */
static bool is_mapped_hinge(const struct choice *choice) {
    return choice->needs.map && is_hinge(choice) && !choice_has_few(choice) && !is_tight(choice);
}

/* Tubes leave many rows without a loss, so that planes are few; an interior point has two variables a row. */
static bool is_tube_of_very_many_examples(const struct choice *choice) {
    return is_tube(choice) && !choice->uneven && !is_tight(choice) &&
           choice->rows >= VERY_MANY_EXAMPLES_PER_FEATURE * choice->features;
}

static bool is_smooth_regression_and_wide(const struct choice *choice) {
    return is_smooth_regression(choice) && !is_narrow(choice);
}

static bool is_smooth_regression_for_the_dual(const struct choice *choice) {
    bool wide = is_wide(choice) && !choice_has_few(choice) && !choice->uneven;
    return is_smooth_regression(choice) && (wide || !is_narrow(choice)) && !is_recomputed(choice);
}

/* Newton steps go well at any scale of the features, and for squares where examples hardly determine the weights. */
static bool is_uneven_for_newton(const struct choice *choice) {
    bool undetermined = choice->rows < 2 * choice->features;
    bool squares = is_smooth_regression(choice) && choice->needs.risk->scalar->tube == NULL;
    return choice_is_smooth(choice) && is_narrow(choice) &&
           (choice->uneven || (undetermined && squares));
}

/* On fewer examples regressions and the squared hinge go to the dual. */
static bool is_even_and_smooth(const struct choice *choice) {
    bool dual = (is_smooth_regression(choice) && is_wide(choice)) || is_wide_squared_hinge(choice);
    return choice_is_smooth(choice) && is_narrow(choice) && !choice_has_few(choice) &&
           !choice->uneven && !dual;
}

/* A few corrections of L-BFGS are usually enough, and can be kept between runs. */
static bool is_for_quasi_newton(const struct choice *choice) {
    return is_even_and_smooth(choice) && !choice->trials;
}

/* After `lbfgs` (default_trial.h). */
static bool is_for_newton(const struct choice *choice) {
    return is_even_and_smooth(choice) && choice->trials;
}

static bool is_exact_kernel(const struct choice *choice) {
    return choice->needs.kernel;
}

static bool always(const struct choice *choice) {
    (void)choice;
    return true;
}

/* Runs that start from the one before: planes and points help there, an interior point begins anew, which with few
 * features costs little and does not suffer from features that are not scaled. */
static bool is_certified_hinge(const struct choice *choice) {
    return choice->needs.linearization && is_hinge(choice) && is_narrow(choice);
}

/* With more features than examples planes are of little use at other lambdas; dual variables are. */
static bool is_certified_wide_hinge(const struct choice *choice) {
    return choice->needs.linearization && is_hinge(choice) && is_wide(choice) && !choice->needs.map;
}

/* Corrections of the curvature last from one lambda to the next; dual variables of softmax are made anew. */
static bool is_certified_softmax(const struct choice *choice) {
    return choice->needs.linearization && is_softmax(choice) && is_narrow(choice);
}

/* Newton's method needs few iterations where the loss is quadratic nearly everywhere, or the features' sizes make
 * others slow. */
static bool is_certified_for_newton(const struct choice *choice) {
    return choice->needs.linearization && choice_is_smooth(choice) && choice_has_few(choice) &&
           (choice->needs.risk->scalar->quadratic || choice->uneven);
}

static bool is_certified_and_smooth(const struct choice *choice) {
    return choice->needs.linearization && choice_is_smooth(choice);
}

/* Conditions too long for a row of the table. */
/* clang-format off */
#define NARROW_AND_HARD \
    "other losses, at most " TEXT(SOME_FEATURES) " features, and -e below " TEXT(SMALL_GAP) ", or lambda below " \
    TEXT(SMALL_LAMBDA) " and at least " TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature"
#define EVEN_AND_SMOOTH \
    "smooth losses, more than " TEXT(FEW_FEATURES) " features, at most " TEXT(SOME_FEATURES) ", of about one size; " \
    "at least as many examples for regression, twice as many for squared hinge"
#define WIDE_HINGE \
    "the hinge, more features than examples, at least " TEXT(FEW_EXAMPLES) " of these, and dense data or C = " \
    "1/(lambda examples) above " TEXT(LARGE_C)

static const struct default_rule rules[] = {
    {"smo", "a kernel or basis functions, without --map", is_exact_kernel},
    {"agm", "boost", is_boost},
    {"agm", "the simplex and balls", is_constrained},
    {"sdca",
     "sequences of at most " TEXT(FEW_LABELS) " labels, more features than rows or (sum of squared values)/(lambda "
     "sequences^2) at most " TEXT(MUCH_OVERLAP),
     is_sequences},
    {"sdca", "rna", is_folding},
    {"agm", "sequences, more weights than rows", is_wide_sequences},
    {"sdm",
     "crammer-singer, fewer than " TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature or at most "
     TEXT(VERY_FEW_FEATURES) " features or lambda of " TEXT(FAIRLY_LARGE_LAMBDA) " or more",
     is_for_the_dual},
    {"lbfgs", "--path certified, softmax, at most " TEXT(SOME_FEATURES) " features", is_certified_softmax},
    {"lbfgs",
     "softmax, at most " TEXT(VERY_FEW_FEATURES) " features, or dense data and lambda below 0.01/examples, or at "
     "most " TEXT(SOME_FEATURES) " features and lambda below 3e-4/examples",
     is_softmax_for_newton},
    {"sdca", "softmax, fewer than " TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature", is_softmax_for_the_dual},
    {"proximal", "classes with more than " TEXT(MANY_WEIGHTS) " weights", is_huge_without_a_gap},
    {"agm", "the same, with -e or with a regularizer other than l2", is_huge},
    {"lps", "l1 or elastic net, and a smooth loss", is_sparse_and_smooth},
    {"ipm", "l1, a loss with kinks, at most " TEXT(SOME_FEATURES) " features", is_sparse_narrow_with_kinks},
    {"agm", "l1, and a loss with kinks", is_sparse_with_kinks},
    {"rda", "l1, and -k", is_sparse},
    {"ipm",
     "elastic net, a loss with kinks, at most " TEXT(SOME_FEATURES) " features, unless lambda is " TEXT(LARGE_LAMBDA)
     " "
     "or more with at least " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a feature",
     is_elastic_narrow_with_kinks},
    {"agm", "elastic net, more features than examples", is_elastic_and_wide},
    {"bundle", "regularizers other than l2", other_than_l2},
    {"dcd", "--path certified, the hinge, more features than examples", is_certified_wide_hinge},
    {"ocas", "--path certified, the hinge, at most " TEXT(SOME_FEATURES) " features", is_certified_hinge},
    {"ipm",
     "--path certified, at most " TEXT(FEW_FEATURES) " features, and a smooth loss: squared, huber, squared-hinge, "
     "or any where the features' sizes differ much",
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
     "the hinge on sparse data, more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; the hinge, more than " TEXT(FEW_FEATURES) " features of "
     "about one size, fewer examples, or of sparse data fewer than 2 a feature",
     is_hinge_for_the_dual},
    {"ipm",
     "the hinge, at most " TEXT(SOME_FEATURES) " features, and an estimate of its time (from examples, features, "
     "nonzeros, lambda and -e) is below that of cutting planes; below 2.5 times that for dense data with fewer than "
     TEXT(FAIRLY_FEW_EXAMPLES_PER_FEATURE) " examples a feature",
     is_hinge_for_newton},
    {"proximal-bundle",
     "epsilon, at least " TEXT(VERY_MANY_EXAMPLES_PER_FEATURE) " examples a feature, features of about one size",
     is_tube_of_very_many_examples},
    {"ipm",
     "smooth losses, at most " TEXT(SOME_FEATURES) " features whose sizes differ much; squared and huber, fewer than "
     "2 examples a feature",
     is_uneven_for_newton},
    {"ipm", EVEN_AND_SMOOTH, is_for_newton},
    {"ipm", NARROW_AND_HARD, is_narrow_and_hard},
    {"lbfgs", EVEN_AND_SMOOTH "; with -i, -p or --path, or over processes", is_for_quasi_newton},
    {"dcd",
     "squared hinge, more than " TEXT(SOME_FEATURES) " features, fewer than " TEXT(SOME_EXAMPLES_PER_FEATURE) " "
     "examples a feature; more than " TEXT(FEW_FEATURES) " features of about one size, fewer than 2 examples a "
     "feature",
     is_wide_squared_hinge},
    {"dcd",
     "squared, huber and squared-epsilon, more than " TEXT(SOME_FEATURES) " features, or more than "
     TEXT(FEW_FEATURES) " of about one size and fewer examples",
     is_smooth_regression_for_the_dual},
    {"dcd",
     "absolute, epsilon and quantile, more than " TEXT(SOME_FEATURES) " features, fewer than "
     TEXT(SOME_EXAMPLES_PER_FEATURE) " examples a feature; more than " TEXT(FEW_FEATURES) " features of about one "
     "size, and fewer examples",
     is_wide_regression},
    {"agm", WIDE_HINGE, is_wide_hinge},
    {"ipm",
     "other losses with kinks, at most " TEXT(SOME_FEATURES) " features, whose sizes differ much or for which the "
     "estimate of its time is below four times that of cutting planes, with epsilon three times",
     is_kinks_for_newton},
    {"agm",
     "other losses with kinks, more features than examples, and lambda below " TEXT(FAIR_LAMBDA),
     is_wide_with_kinks},
    {"proximal-bundle", "the hinge, and a cache larger than --memory", is_hinge_from_disk},
    {"ipm",
     "the hinge over several processes, at most " TEXT(FEW_FEATURES) " features, and lambda below " TEXT(FAIR_LAMBDA),
     is_narrow_hinge_over_processes},
    {"proximal-bundle",
     "the hinge, at least " TEXT(VERY_MANY_EXAMPLES_PER_FEATURE) " examples a feature, and lambda below "
     TEXT(SMALL_LAMBDA),
     is_hinge_of_very_many_examples},
    {"mcpa",
     "the hinge, at least " TEXT(FAIRLY_MANY_EXAMPLES_PER_FEATURE) " examples a feature, of dense data "
     TEXT(MANY_EXAMPLES_PER_FEATURE),
     is_hinge_of_many_examples},
    {"ocas", "the hinge", is_hinge},
    {"bundle",
     "crammer-singer with --intercept, at most " TEXT(FEW_FEATURES) " features, fewer than "
     TEXT(MANY_EXAMPLES_PER_FEATURE) " examples a feature, and lambda below " TEXT(LARGE_LAMBDA),
     is_narrow_multiclass},
    {"lbfgs",
     "features of about one size, more than " TEXT(SOME_FEATURES) ", or no trials: logistic and squared hinge, "
     "lambda of 0.01 or more; logistic with more than 200 features, lambda of 1e-3 or more",
     is_smooth_and_easy},
    {"ipm", "at most " TEXT(FEW_FEATURES) " features", choice_has_few},
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
static bool is_by_name(const struct choice *choice, const struct solver *solver) {
    return (solver->is_kernel_expansion && !choice->needs.kernel) || solver->stream != NULL ||
           (solver->reads_often && choice->needs.window && !is_smooth_from_disk(choice));
}

const struct default_rule *default_solver_rule(const struct choice *choice) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct solver *solver = solver_by_name(rules[i].solver);
        if (solver != NULL && rules[i].suits(choice) &&
            solver_fits(solver, &choice->needs, NULL, 0) && !is_by_name(choice, solver))
            return &rules[i];
    }
    return NULL;
}

const struct solver *default_solver(const struct choice *choice) {
    const struct default_rule *rule = default_solver_rule(choice);
    int count;
    const struct solver *const *table = solver_table(&count);
    if (rule != NULL)
        return solver_by_name(rule->solver);
    for (int i = 0; i < count; i++)
        if (solver_fits(table[i], &choice->needs, NULL, 0) && !is_by_name(choice, table[i]))
            return table[i];
    return NULL;
}
