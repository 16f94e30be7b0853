/* solver.h - what a solver is, and the table of all.
 *
 *     minimize over w:  J(w) = lambda Omega(w) + R(w)
 *
 * To add a solver: write solvers/FAMILY/NAME.c with one `const struct solver`, name it in registry.c, test
 * it in tests/solvers/FAMILY/test_NAME.c, and give it a row in docs/solvers.md. */
#ifndef RRM_SOLVER_H
#define RRM_SOLVER_H

#include "io/basis.h"
#include "io/error.h"
#include "kernel/kernel.h"
#include "risk/regularizer.h"
#include "risk/risk_table.h"
#include "solvers/kept.h"
#include "solvers/monitor.h"
#include "solvers/option.h"
#include "solvers/stream.h"

struct row_cache;

/* A linear lower bound of the risk, R(w) >= <slope,w> + constant (linearization.h). */
struct linearization {
    double *slope; /* of the risk's dimension */
    int64_t size;  /* the regularized coordinates; in the others the slope is 0 */
    double share;  /* the caller's: the lambda that it is for, over that of a path */
    double constant;
    double bound; /* of min J, which follows; -infinity: none was found */
};

/* Says whether a run may end before its tolerance, as enough is known of the minimizer. */
struct enough {
    /* Of the best point W so far, whose J is above min J by at most GAP. */
    bool (*is_enough)(void *context, const struct problem *problem, const double *w, double gap);
    void *context;
};

struct problem {
    const struct risk *risk;
    const struct regularizer *regularizer;
    struct regularizer_parameters parameters; /* of the regularizer */
    double lambda;                            /* > 0 */
    const struct kernel_part *kernel;         /* for solvers that expand; otherwise not looked at */
    struct linearization *linearization; /* gets the best one that a run finds; NULL: not wanted */
    struct kept *kept;                   /* the caller's; NULL: there is no next run */
    const struct enough *enough; /* asked by batch solvers after each report; NULL: not asked */
};

/* The model of a kernel expansion, in place of linear scores:
 *
 *     h(x) = sum_i theta_i k(x_i, x) + sum_j beta_j psi_j(x),   lambda Omega = lambda/2 theta'K theta */
struct kernel_part {
    struct kernel kernel;
    const struct basis *basis;

    /* Where a run leaves its rows of the kernel matrix for the next run over the same rows of data, and finds those of
     * the run before; the caller frees what is there in the end (kernel/row_cache.h). NULL: each run has its own. */
    struct row_cache **rows;
};

/* lambda Omega(w), over the regularized coordinates. */
double problem_penalty(const struct problem *problem, const double *w);

/* lambda Omega(w) + R(w) */
double problem_objective(const struct problem *problem, const double *w);

/* The factors of ||w||_1 and ||w||^2/2 in lambda Omega, which must be made of them. */
struct penalty problem_penalty_parts(const struct problem *problem);

/* lambda Omega*(-s/lambda), the conjugate of a linearization's slope s; infinite when s is not exactly 0
 * in an unregularized coordinate. */
double problem_conjugate(const struct problem *problem, const double *s);

/* w = argmin of <s,w> + lambda Omega(w); 0 in the unregularized coordinates. w may be s. */
void problem_minimizer(const struct problem *problem, const double *s, double *w);

/* What its caller says of the points of an online solver: the best one becomes the result. */
enum judgement { JUDGED_WORSE, JUDGED_BEST, JUDGED_ENOUGH /* worse, and the run is to end */ };

struct judge {
    /* Of w (which may be overwritten), the point after so many passes, in the order of the risk. 0, or -1 with the
     * error set. */
    int (*judge)(void *context, const struct risk *risk, double *w, double passes,
                 enum judgement *judgement, struct error *e);
    void *context;
};

/* The options that all solvers share, by the command line's names; -e is the monitor's. */
struct run_settings {
    double passes;      /* -p */
    bool passes_given;  /* on the command line, not the solver's default */
    int64_t batch_size; /* -k */
    uint64_t seed;      /* -S */
    uint64_t stream;    /* of the random numbers: one a class, fold */
    bool warm;          /* w holds a start (-i); otherwise it is all 0 */
    bool unproved;      /* -e 0: no bound is sought at the end, where it costs time */
    bool uncertified;   /* a trial: no bound is wanted, where it costs time; nor is it judged */
    /* of the points after passes, of solvers that are `judged`; NULL: none */
    const struct judge *judge;
};

enum { SOLVER_NOTE = 160, OBSTACLE_WHAT = 48, OBSTACLE_REMEDY = 112 };

/* What ended progress, and what helps: "smoothing", "lower --mu". */
struct obstacle {
    char what[OBSTACLE_WHAT], remedy[OBSTACLE_REMEDY];
};

struct obstacle obstacle_of(const char *what, const char *remedy);

/* What a run reached; filled also when it was interrupted. */
struct outcome {
    double objective; /* J(w) of the w returned */
    double bound;     /* certified lower bound of min J; -infinity: none */
    double passes;
    double margin; /* mu of a learned margin (solvers/kernel_machine/canonical.h) */

    /* Of a run of a certified path, set by training/run/run.c: the lambdas, as multiples of the run's, between which w
     * is within the gap; and lambda Omega(w). */
    double low, high, penalty;

    int64_t iterations;
    enum verdict verdict;
    struct obstacle obstacle; /* of a run that stalled; what "": rounding */
    bool sought; /* a tolerance was in force, so that a limit that came first deserves a warning */
    char note[SOLVER_NOTE]; /* what its user should know, with the remedy; empty: nothing */
    char finished_by[24];   /* the solver that went on where this one ended; empty: none */
};

/* Lists it. */
void outcome_visit(struct outcome *outcome, struct state *state);

/* The certified relative gap (J - bound)/J; infinite without a bound, not-a-number for J = 0. */
double outcome_gap(const struct outcome *outcome);

/* One run of a solver: what it is given, and where the result goes. All is the caller's; w, of
 * risk->dimension doubles, is the start, then the result, and usable at any end but an error. */
struct solve {
    const struct problem *problem;
    const struct run_settings *run;
    const void *options; /* the solver's own */
    struct monitor *monitor;
    double *w;
    struct outcome *outcome;
};

/* What a solver is asked for, as far as it is known before the data are read. */
struct solver_request {
    const struct risk_row *risk;
    const struct loss *loss; /* whose mean the risk is; NULL: it is none */
    const struct regularizer *regularizer;
    bool intercept;
    const struct run_settings *run;
    double epsilon;      /* -e */
    const void *options; /* the solver's options */
};

/* What a solver asks of a risk. Of the risks that are no means of losses of one score it takes */
enum solver_needs_of_risk {
    SOLVER_NEEDS_SCORES,   /* none: it works on the losses of single scores */
    SOLVER_NEEDS_ITEMS,    /* those that split: it looks at one item at a time */
    SOLVER_NEEDS_SMOOTH,   /* those that are smooth; of means of losses, those whose loss is */
    SOLVER_NEEDS_SMOOTHED, /* those that are smooth, or have a smoothed form */
    SOLVER_NEEDS_MARGINS,  /* those of margins between classes: it works on their dual */
    SOLVER_NEEDS_GRADIENT  /* all: a value and a subgradient will do */
};

/* Which risks, and what of the command line, a solver takes follows from these fields (training/defaults/solver_fit.h).
 * Each says what cannot be seen from the others. */
struct solver {
    const char *name;
    const char *summary;   /* one line for -s help */
    const char *reference; /* paper and algorithm */
    const char *tolerance; /* what -e means to it, one line; NULL: it has no use for -e */
    double epsilon;        /* default of -e */
    double passes;         /* default of -p */
    enum solver_needs_of_risk needs;

    /* Can train an unregularized offset (--intercept) of a mean of losses: its step and bound are made
     * for one. Where it needs a gradient alone, an offset of any risk is a coordinate as others. Where it
     * `gathers`, only of rows in the memory of one process. */
    bool offset;
    bool batches; /* uses -k: its step may be of several items */
    bool judged;  /* its points may be judged after each pass (struct judge) */

    /* Needs all rows in memory at once: no window (io/window.h). It reads the matrix itself, by columns or
     * by rows in any order, and not through the risk. */
    bool needs_all_rows;
    bool reads_often;    /* reads the rows several times an iteration: no default with a window */
    bool refuses_memory; /* refuses sizes for which --memory is too little, once it knows them */

    /* Reads values through matrix/design.h, columns.h and gram.h, or where it also looks for floats (io/dataset.h):
     * floats of a caller stay what they are. */
    bool reads_floats;

    /* Its rows may lie in several processes: it reads the data through the value and the gradient of the risk alone
     * (risk/distributed.h), or, if it NEEDS_SCORES, also through the scalar terms of its own rows, whose sums it takes
     * over all processes itself (io/communicator.h). */
    bool distributed;

    /* Over processes it is another method, of few sums and more passes: rows of all processes that fit in one are
     * trained faster there. */
    bool gathers;

    /* enters the monitor's checkpoint and saves its state there (monitor_enter_run) */
    bool goes_on;

    /* w holds theta, a coefficient a row of the data, then beta, one a basis function: a model of another
     * form. */
    bool is_kernel_expansion;
    /* its bounds are those of linearizations of R, which it offers (linearization.h) */
    bool linearizes;
    bool mixes; /* leaves dual variables for other lambdas that mix (kept.h) */
    /* What its runs leave for the next ones of a path, NULL at the end. NULL: nothing. */
    const struct kept_kind *const *keeps;
    bool learns_margins;             /* learns what nu asks for (enum loss_learned) */
    bool indefinite_kernels;         /* takes kernels that are not positive semidefinite */
    const char *const *regularizers; /* names, NULL at the end */
    /* More of them, that it takes with losses of single scores, all rows in memory and steps of one item alone. NULL:
     * none. */
    const char *const *single_regularizers;

    /* By what struct loss says of a loss, whatever its name. NULL: all are taken. */
    bool (*takes_loss)(const struct loss *loss);

    /* Of these the ones that it takes in one process alone. NULL: none. */
    bool (*takes_alone)(const struct loss *loss);

    /* Of a loss and a regularizer that are taken, whether they go together. NULL: all do. */
    bool (*takes_pair)(const struct loss *loss, const struct regularizer *regularizer);

    /* Whether a start is of little use to it, so that all runs of a path cost about the same. NULL: never. */
    bool (*begins_anew)(const struct loss *loss, const struct regularizer *regularizer);

    /* Bytes that a run allocates beside the rows, of a mean of losses of single scores; the targets are not looked at.
     * NULL, or 0: they are estimated (training/defaults/solver_memory.h). */
    double (*bytes)(const struct scalar_terms *terms, const void *options);

    const struct option_row *options; /* its own */
    int option_count;
    size_t settings_size; /* of the struct that they fill */

    /* 0, or a usage error when options do not go together; called before the data is read. NULL: all
     * do. */
    int (*check)(const struct solver_request *request, struct error *e);

    /* Trains. 0, or -1 with the error set. */
    int (*train)(const struct solve *solve, struct error *e);

    /* In place of `train`, of a solver that meets the examples as they come; else NULL. */
    const struct stream_method *stream;
};

/* NULL when there is none of this name. */
const struct solver *solver_by_name(const char *name);

/* Solvers in the order of the help; *count of them. */
const struct solver *const *solver_table(int *count);

/* Whether, with its rows in several processes, it sums what it takes from their scores itself. */
static inline bool solver_sums_scores(const struct solver *solver) {
    return solver->distributed && solver->needs == SOLVER_NEEDS_SCORES;
}

#endif
