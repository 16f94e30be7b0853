/* batch.h - what every batch solver does around its iteration: it keeps the best point, counts,
 * reports to the monitor, and says at the end what was reached.
 *
 *     batch_begin(&b, problem, monitor, w);
 *     do { ...; batch_offer(&b, point, J); batch_raise(&b, bound); } while (!batch_report(&b));
 *     return batch_finish(&b, outcome, e); */
#ifndef RRM_BATCH_H
#define RRM_BATCH_H

#include "solvers/solver.h"

struct batch {
    const struct problem *problem;
    struct monitor *monitor;
    double *best;     /* the caller's w: the best point so far */
    double objective; /* its J; infinite before the first */
    double bound;     /* the best lower bound of min J */
    double passes;    /* over the data; the solver counts them */
    double delta; /* of the best point, for the report; not-a-number unless the solver sets it */
    int64_t iteration;
    enum verdict verdict;
    bool enough; /* the problem's caller knows enough of the minimizer: the run has converged */
    struct obstacle obstacle;
};

/* W, of the risk's dimension, outlives the batch and receives the best point. */
void batch_begin(struct batch *batch, const struct problem *problem, struct monitor *monitor,
                 double *w);

/* A point (NULL: it is in `best` already) with its J; true when it is better than the best. Neither points nor
 * bounds are taken that may lack rows of a window, since a limit came. */
bool batch_offer(struct batch *batch, const double *w, double objective);

/* Offers sparse weights, whose J is `sparse`, where that is as good as another's: a hundredth of the gap from it
 * at most. Whether it is. */
bool batch_offer_sparse(struct batch *batch, const double *w, double sparse, double objective);

/* Evaluates J of the best point anew, from the data, unless that is cut off: that of a solver may have lost digits
 * on the way. */
void batch_renew(struct batch *batch);

/* A lower bound of min J; not-a-number and -infinity do nothing. */
void batch_raise(struct batch *batch, double bound);

/* An iteration is over: tells the monitor, and returns whether to stop. */
bool batch_report(struct batch *batch);

/* Lists what the batch carries from one report to the next. */
void batch_visit(struct batch *batch, struct state *state);

/* At the safe point of the solver's loop (monitor_save): true if the run is to stop there. */
bool batch_save(struct batch *batch);

/* After batch_report said to stop and J was evaluated anew: false, and the run goes on, when it stopped
 * for its tolerance and that is not kept after all. */
bool batch_is_over(struct batch *batch);

/* Whether PASSES more stay within the limit; otherwise VERDICT_PASSES, unless there is a verdict. */
bool batch_affords(struct batch *batch, double passes);

/* Counts the passes of an evaluation, but not where they would go beyond the limit: then it is the
 * evaluation of the result. */
void batch_count(struct batch *batch, double passes);

/* Rounding ended all progress, or the obstacle: the run stops with this as its verdict. */
void batch_stall(struct batch *batch);
void batch_stop_at(struct batch *batch, struct obstacle obstacle);

/* Fills the outcome. -1 with the error set when J is no number: the data are out of
 * scale, or a limit came before it was evaluated once. From the first offer on a risk's evaluation that takes
 * long is cut off by a limit, and then not a number; here that ends.
 * In the monitor's first run, where nothing is lost, the first evaluation is cut off, too. */
int batch_finish(struct batch *batch, struct outcome *outcome, struct error *e);

#endif
