/* training.h - what is trained: the data, their classes, lambda, and how. */
#ifndef RRM_TRAINING_H
#define RRM_TRAINING_H

#include "io/model/model.h"
#include "solvers/solver.h"
#include "training/classes/classes.h"

struct journal;

/* The linearizations of each vector of a model on a certified path; and of the models at the next larger and at the
 * next smaller lambda (NULL: not known), of which training starts from a mixture. */
struct between {
    struct linearization *now;
    const struct linearization *above, *below;
};

/* That of vector K alone. */
static inline struct between between_of(const struct between *all, int64_t k) {
    return (struct between){.now = all->now + k,
                            .above = all->above != NULL ? all->above + k : NULL,
                            .below = all->below != NULL ? all->below + k : NULL};
}

struct training {
    const struct training_request *request;
    const struct dataset *data;       /* with example weights; mapped, if there is a feature map */
    const struct kernel_part *kernel; /* for a solver of kernel expansions; else not used */
    const struct classes *classes;
    double lambda;
    const struct model *start; /* NULL: training starts at 0 */
    const char *title;         /* "fold 2", or NULL */
    /* of the first vector's random numbers; each further vector uses the next stream */
    uint64_t stream;
    int64_t runs_after; /* vectors still to train after these; they share the time limit */
    double deadline;    /* seconds of training, instead of the time limit; 0: none */

    struct journal *journal; /* of vectors that are trained already; NULL: no checkpoint */

    /* A vector's lambda_max (lambda_max.h), of these data: from there on the null point is its solution,
     * and no solver runs. NULL: the solver finds out. */
    const double *lambda_max;

    /* With --scale: the examples as they were before, of which each fold scales its own. NULL: without. */
    const struct dataset *unscaled;
    const struct scaling *start_scaling; /* of the start; NULL: there is none */
    const struct scaling *scaling; /* of the data, to be kept in the models; NULL: they have none */

    /* judges the points of an online solver (early_stop.h); NULL: none */
    const struct judge *judge;
    const struct enough *enough; /* ends runs early (decided.h); NULL: none */

    /* of each vector: what its solver keeps from one lambda of a path to the next; NULL: there is one lambda */
    struct kept *kept;
    /* the same as bytes, for the journal: read before a vector is trained, replaced after; NULL: there is no journal */
    struct state_pack *packs;

    const struct between *between; /* of a certified path; NULL: the path is another */
};

#endif
