/* default_bounds.h - the numbers behind "few", "many", "small" and "large" in the rules (default_rules.h). They are
 * macros, since the texts of the rules are made of them, too. */
#ifndef RRM_DEFAULT_BOUNDS_H
#define RRM_DEFAULT_BOUNDS_H

/* Up to so many features an iteration of an interior-point method takes less time than a pass. */
#define FEW_FEATURES 300
#define FAIRLY_FEW_FEATURES 200
#define VERY_FEW_FEATURES 50
/* Up to so many the method is affordable, also where each run starts near its end. */
#define SOME_FEATURES 1000
/* Up to so many on a path of smooth losses, where its iterations are most of the time. */
#define FEATURES_OF_SMOOTH_PATH 500
/* Up to so many on dense data, where other solvers take long. */
#define MANY_DENSE_FEATURES 2000
/* Up to so many where other solvers may not reach the tolerance at all. */
#define MANY_FEATURES 3000
/* Up to so many rows (of dense data: MANY_ROWS) it is affordable with any number of features. Up to SOME_ROWS dual
 * steps on dense rows are cheap, too. */
#define SOME_ROWS 1000
#define MANY_ROWS 3000
#define FEW_ROWS                                                                                   \
    "at most 0.75 times as many examples as features, and " TEXT(SOME_ROWS) " (dense data: " TEXT( \
        MANY_ROWS) ")"
/* Below these lambdas, and below SMALL_GAP, methods other than interior points need many iterations. */
#define SMALL_LAMBDA 1e-5
#define VERY_SMALL_LAMBDA 1e-6
#define SMALL_GAP 1e-4
#define USUAL_GAP 1e-3
/* With more features than examples, accelerated gradients are faster than cutting planes below FAIR_LAMBDA, or for the
 * hinge above LARGE_C = 1/(lambda examples); but with fewer than FEW_EXAMPLES few planes are enough. */
#define FAIR_LAMBDA 1e-4
#define LARGE_C 2
#define FEW_EXAMPLES 200
/* Examples a feature: with so many or more, several planes a pass are worth their time, and so are proximal terms. */
#define MANY_EXAMPLES_PER_FEATURE 200
#define FAIRLY_MANY_EXAMPLES_PER_FEATURE 50
#define VERY_MANY_EXAMPLES_PER_FEATURE 1000
#define SOME_EXAMPLES_PER_FEATURE 10
#define FEW_EXAMPLES_PER_FEATURE 5
#define FAIRLY_FEW_EXAMPLES_PER_FEATURE 20
#define SEVERAL_EXAMPLES_PER_FEATURE 30
/* A share of nonzeros below which few planes meet. */
#define SPARSE_SHARE 0.1
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

#endif
