/* default_bounds.h - from where on the rules (default_rules.h) call something few, many, small or large. Macros, since
 * the words of the rules are made of them, too. */
#ifndef RRM_DEFAULT_BOUNDS_H
#define RRM_DEFAULT_BOUNDS_H

/* Features: an interior point's iteration costs little beside a pass; it is affordable. */
#define FEW_FEATURES 300
#define FAIRLY_FEW_FEATURES 200
#define VERY_FEW_FEATURES 50
/* The same where each run starts near its end. */
#define SOME_FEATURES 1000
/* And where that is most of a path of smooth losses. */
#define FEATURES_OF_SMOOTH_PATH 500
/* And where the others take long on dense data. */
#define MANY_DENSE_FEATURES 2000
/* The most for which it is affordable where the others may not end. */
#define MANY_FEATURES 3000
/* Rows for which it is affordable whatever the features, of sparse and of dense data. Up to SOME_ROWS dual steps on
 * dense rows are cheap, too. */
#define SOME_ROWS 1000
#define MANY_ROWS 3000
#define FEW_ROWS                                                                                   \
    "at most 0.75 times as many examples as features, and " TEXT(SOME_ROWS) " (dense data: " TEXT( \
        MANY_ROWS) ")"
/* Below this lambda the other methods need many iterations, and below this gap. */
#define SMALL_LAMBDA 1e-5
#define VERY_SMALL_LAMBDA 1e-6
#define SMALL_GAP 1e-4
#define USUAL_GAP 1e-3
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
