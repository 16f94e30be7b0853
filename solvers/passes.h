/* passes.h - the run of an online solver, pass after pass: limits, reports, the model to return.
 *
 * A method makes steps and knows its present point; how long it runs, who hears of it, which of its
 * points is returned and what is certified of that one is decided here. */
#ifndef RRM_PASSES_H
#define RRM_PASSES_H

#include "solvers/solver.h"

/* --output: the last point (or average), or the best of the start and those after each pass. */
enum online_output { OUTPUT_LAST, OUTPUT_BEST, OUTPUT_AVERAGE };

extern const char *const online_outputs[];

struct passes_method {
    /* Makes steps until passes->t == end; returns earlier after an overflow, which it notes in
     * passes->overflow, with any verdict but VERDICT_GO_ON, and after so much work that
     * the clock should be read. */
    enum verdict (*advance)(void *state, int64_t end);

    /* At the start of each pass. NULL: nothing to do. */
    void (*begin_pass)(void *state);

    /* Writes the point that the run would return now, without changing the state. */
    void (*copy)(const void *state, double *w);

    /* Lists what the method carries from one `advance` to the next. NULL: no run of it goes on from a checkpoint. */
    void (*visit)(void *state, struct state *list);

    /* ||w|| of the iterate, in little time. NULL: it is not known between passes. */
    double (*norm)(const void *state);

    /* Reports have the distance from optimality, where the loss is smooth and J is looked at. */
    bool deltas;
};

struct passes {
    const struct problem *problem;
    const struct passes_method *method;
    void *state; /* the method's */
    struct monitor *monitor;
    int output;
    int64_t steps; /* of a pass */
    int64_t limit; /* steps of the run */
    int64_t t;     /* steps made */
    int64_t end;   /* steps at the end of the present pass */
    int pending; /* the method's flags of a check that was cut off; `advance` begins with its rest; 0: none */
    enum verdict verdict;      /* of the loop, once it is over; before that VERDICT_GO_ON */
    int64_t poll_interval;     /* steps between two reads of the clock */
    double step_seconds;       /* of the steps made since the run began, or went on */
    int64_t steps_timed;       /* their number */
    double last_passes;        /* passes in whose time the result is evaluated */
    bool overflow;             /* a number overflowed */
    bool uncertified;          /* the result has no bound: -infinity */
    bool warm;                 /* the start is a point like others */
    const struct judge *judge; /* NULL: none */
    double *judged; /* the point that was judged best, if is_judged; NULL without a judge */
    bool is_judged;
    const double *chosen; /* the result, if the method chose one; NULL: the present point */

    double *point; /* scratch memory for a point */
    /* scratch memory for one; NULL unless the method has `deltas` and the loss is smooth */
    double *gradient;
    double *best; /* the best point evaluated so far; at first the start */
    double best_objective;
};

/* Items a step, and steps a pass. */
int64_t passes_batch(const struct problem *problem, const struct run_settings *run);
int64_t passes_steps(const struct problem *problem, const struct run_settings *run);

/* The caller has set problem, method, state, monitor and output; to be freed in either case.
 * 0, or -1 with the error set. */
int passes_init(struct passes *passes, const struct run_settings *run, struct error *e);
void passes_free(struct passes *passes);

/* The method's present point is the start: what a warm run falls back on, and --output best. */
void passes_start(struct passes *passes, bool warm);

/* J of the present point, which is left in `point`; it may become the best one. */
double passes_evaluate(struct passes *passes);

/* Tells the monitor of the point in `point` and its J; with not-a-number for J, of the iterate. The
 * clock runs afterwards. */
enum verdict passes_report(struct passes *passes, double objective);

/* Steps to the monitor's or the method's verdict. 0, or -1 with the error set: the checkpoint does not fit. */
int passes_run(struct passes *passes, enum verdict *verdict, struct error *e);

/* Then: w receives the result, `chosen` if there is one, else the present point or a better one
 * evaluated earlier, and the outcome what is known of it. 0, or -1 with the error set. */
int passes_finish(struct passes *passes, enum verdict verdict, double *w, struct outcome *outcome,
                  struct error *e);

/* Verdict, passes and iterations alone, for a run that others go on with. */
void passes_count(const struct passes *passes, enum verdict verdict, struct outcome *outcome);

/* The error of numbers beyond all numbers; returns -1. */
int passes_overflow(struct error *e);

#endif
