/* cutting_plane.h - cutting planes for the linear support vector machine: the loop of cpa, ocas and mcpa.
 *
 *     minimize  J(w) = lambda/2 ||w||^2 + sum_i p_i max(0, 1 - y_i (<w,x_i> + b))
 *
 * A loss a max(0, 1 - y u) is the hinge with p_i times a.
 *
 * The risk is the sum over P partitions of the rows of max over u in {0,1}^|P_k| of
 * sum p_i u_i (1 - y_i <w,x_i>). v_i = 1 - y_i (<w,x_i> + b) is called the slack of row i; row i has a loss
 * if it is positive. An iteration
 *
 *     1. minimizes the relaxed problem over the cuts so far (planes.h): w_r, and a lower bound;
 *     2. computes the slacks at w_r, in one pass;
 *     3. searches the line from the present point through w_r exactly (hinge_search.h);
 *     4. takes a cut for each partition at w_c = (1 - s) w + s w_r: u_i = 1 where the slack is positive.
 *        Only rows whose u_i changed are read; the sum over the others is kept.
 *
 * With `single_pass` the examples are read once in an iteration: step 2 also takes the cuts at w_r, which follow from
 * the scores that were just computed, and those at w_c of the iteration before. These are twice as many cuts, of
 * which half are late, and about half as many passes. Of the loss this takes its value and a subderivative alone, so
 * that mcpa trains other losses, too (score_rows.h).
 *
 * They begin with a sample of the rows (score_sample.h), whose problem they solve in memory. Its solution is the first
 * point, and the first cuts are those of all rows at the points whose cuts had weight in the sample's last programs.
 *
 * With an unregularized offset b, slacks are always those at the best b (hinge_offset.h). Then the cuts of
 * one partition have slope 0 in b; with several partitions the program has the constraint
 * sum alpha_j o_j = 0.
 *
 * The files of this folder:
 *
 *     cutting_plane    this loop and its options
 *     cutting_rows     slacks at a point and along a line, and the cuts that they give
 *     score_rows       scores in place of slacks, with single passes
 *     score_sample     a sample of the rows, and the points of its cuts
 *     plane_offset     with single passes, the offset of the relaxed problem's minimizer
 *     hinge_search     the exact line search
 *     hinge_offset     the best offset, and the cut's u_i there
 *     cpa ocas mcpa    the solvers: options, and which steps of the loop they use
 *
 * Reference: Lee 2011, Algorithms 6, 7, 8, with 1/lambda for the thesis's c/m. In (5.10a) and (5.18) the
 * linear term is sum alpha_d (sum of d); the thesis has |D| or |P_k| times alpha_d. */
#ifndef RRM_CUTTING_PLANE_H
#define RRM_CUTTING_PLANE_H

#include "risk/risk.h"
#include "solvers/bundle/planes.h"
#include "solvers/solver.h"

enum cutting_safeguard { SAFEGUARD_ALWAYS, SAFEGUARD_NEEDED };
enum cutting_single_pass { SINGLE_PASS_OFF, SINGLE_PASS_ON, SINGLE_PASS_AUTO };
enum cutting_shrink { SHRINK_GENTLE, SHRINK_NORMAL, SHRINK_AGGRESSIVE, SHRINK_OFF };

/* The options of the family; every solver has a subset of them. */
struct cutting_settings {
    int64_t
        partitions; /* P; 0: 64 with single passes, else 2, or 1 when there are more features than rows */
    int single_pass;     /* enum cutting_single_pass */
    int safeguard;       /* enum cutting_safeguard */
    double cut_fraction; /* s of a safeguarded cut, in (0, 1] */
    int shrink;          /* enum cutting_shrink */
    double cache;        /* MB of Gram rows */
    double memory;       /* MB of all, with single passes; 0: half of the machine's */
};

extern const char *const cutting_regularizers[]; /* l2 */
bool cutting_takes(const struct loss *loss);     /* the hinge and its multiples */
extern const char *const cutting_safeguards[];
extern const char *const cutting_single_passes[];
extern const char *const cutting_shrinks[];

/* Rows of a solver's option table. */
#define CUTTING_OPTION_ROWS                                                                        \
    {.name = "shrink",                                                                             \
     .argument = "gentle|normal|aggressive|off",                                                   \
     .kind = OPTION_CHOICE,                                                                        \
     .choices = cutting_shrinks,                                                                   \
     .default_text = "gentle",                                                                     \
     .help = "a cut whose weight is 0 for 25 iterations (normal: 5, aggressive: 2) is set "        \
             "aside; it is tested again every 50 iterations (50, 10), and deleted after 20 "       \
             "tests",                                                                              \
     .offset = offsetof(struct cutting_settings, shrink)},                                         \
    {                                                                                              \
        .name = "gram-cache", .argument = "MB", .kind = OPTION_REAL, .low = 0, .high = 1e9,        \
        .open = true, .default_text = "512",                                                       \
        .help = "memory for rows of the Gram matrix of the cuts",                                  \
        .offset = offsetof(struct cutting_settings, cache)                                         \
    }

#define CUTTING_SAFEGUARD_ROWS(DEFAULT)                                                            \
    {.name = "safeguard",                                                                          \
     .argument = "always|needed",                                                                  \
     .kind = OPTION_CHOICE,                                                                        \
     .choices = cutting_safeguards,                                                                \
     .default_text = DEFAULT,                                                                      \
     .help = "where cuts are taken: always, ahead of the best point (--cut-fraction); "            \
             "needed, at the best point, and ahead of it only after a line search failed",         \
     .offset = offsetof(struct cutting_settings, safeguard)},                                      \
    {                                                                                              \
        .name = "cut-fraction", .argument = "X", .kind = OPTION_REAL, .low = 0, .high = 1,         \
        .open = true, .default_text = "0.1",                                                       \
        .help = "how far ahead of the best point a cut is taken: 0 is the best point, 1 the "      \
                "minimizer of the relaxed problem (the thesis's lambda_0, Franc and "              \
                "Sonnenburg's mu)",                                                                \
        .offset = offsetof(struct cutting_settings, cut_fraction)                                  \
    }

/* What the rows of the solver table have in common. */
#define CUTTING_SOLVER_FIELDS                                                                      \
    .tolerance = "the certified relative gap", .epsilon = 1e-3, .passes = 1e5, .offset = true,     \
    .distributed = true, .goes_on = true, .reads_floats = true,                                    \
    .regularizers = cutting_regularizers, .settings_size = sizeof(struct cutting_settings),        \
    .linearizes = true, .keeps = planes_keeps

/* About how many bytes mcpa allocates in some 20 single passes; 0: it has none. */
double cutting_bytes(const struct scalar_terms *terms, const struct cutting_settings *settings);

/* Runs the loop, with one partition or with those of the settings. SEARCHES: with the line search; without it the next
 * point is w_r (Algorithm 6). */
int cutting_train(const struct solve *solve, bool one_partition, bool searches, struct error *e);

#endif
