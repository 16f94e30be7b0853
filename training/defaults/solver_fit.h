/* solver_fit.h - what is asked of a solver, and whether it can do that. */
#ifndef RRM_SOLVER_FIT_H
#define RRM_SOLVER_FIT_H

#include "solvers/solver.h"

/* What is asked of a solver. */
struct solver_needs {
    const struct risk_row *risk;
    const struct regularizer *regularizer;
    bool intercept;     /* --intercept */
    bool constant;      /* -B */
    bool map;           /* --map */
    bool kernel;        /* --kernel, --basis or the like without --map: the kernel machine itself */
    bool window;        /* the examples do not fit in --memory */
    bool batches;       /* -k was given */
    bool tolerance;     /* -e above 0 was given */
    bool distributed;   /* the rows lie in several processes */
    bool linearization; /* its bound has to hold at other lambdas, too: --path certified */
};

/* Whether the solver takes means of this loss, with some regularizer. */
bool solver_takes_loss(const struct solver *solver, const struct loss *loss);

/* Whether the solver can train with this risk. */
bool solver_takes_risk(const struct solver *solver, const struct risk_row *risk);

/* True when the solver can do all of it. Otherwise LACK (if not NULL, of SIZE bytes) receives the
 * first thing that it cannot, as words that follow its name: "cannot take -L logistic". */
bool solver_fits(const struct solver *solver, const struct solver_needs *needs, char *lack,
                 size_t size);

/* The names of all solvers that can, in the order of the help: "a, b"; how many. */
int solvers_that_fit(const struct solver_needs *needs, char *list, size_t size);

/* "-L hinge, -r entropy, --intercept": the needs as the command line has them. */
void solver_needs_describe(const struct solver_needs *needs, char *text, size_t size);

/* "-r l1", "--ball l1": the regularizer as the command line has it. */
void regularizer_describe(const struct regularizer *regularizer, char *text, size_t size);

#endif
