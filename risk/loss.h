/* loss.h - scalar losses l(u, y) of a score u = <w,x>, in one table.
 *
 * Classification losses take y = +1 or -1 and are functions of y u; regression losses take any real y
 * and are functions of u - y. Every loss is convex in u, is >= 0, and is written
 * l(u, y) = max over a of a u - l*(a, y); the maximizer a is a (sub)derivative by u. */
#ifndef RRM_LOSS_H
#define RRM_LOSS_H

#include "io/error.h"

#include <stdbool.h>

/* What the labels are, and what is predicted. Classification: two classes, one vector of weights; more,
 * a vector for each against the rest. Classes: the classes together, a vector each. Sequences: the same for
 * the tokens of a group. Ranking: grades, which order the rows of a group. Folding: partners in a group. */
enum task {
    TASK_CLASSIFICATION,
    TASK_REGRESSION,
    TASK_CLASSES,
    TASK_RANKING,
    TASK_SEQUENCES,
    TASK_FOLDING
};

/* Whether labels are names of classes. */
static inline bool task_has_classes(enum task task) {
    return task == TASK_CLASSIFICATION || task == TASK_CLASSES || task == TASK_SEQUENCES;
}

/* Whether one run trains the vectors of all classes. */
static inline bool task_is_joint(enum task task) {
    return task == TASK_CLASSES || task == TASK_SEQUENCES || task == TASK_FOLDING;
}

/* Whether the items are groups (qid). */
static inline bool task_has_groups(enum task task) {
    return task == TASK_RANKING || task == TASK_SEQUENCES || task == TASK_FOLDING;
}

/* What a kernel machine learns beside its weights, from nu (solvers/kernel_machine/canonical.h): the margin rho of the
 * hinge loss max(0, rho - y u), the tube of the epsilon-insensitive loss, or the level rho of max(0, rho - u). */
enum loss_learned { LEARNS_NOTHING, LEARNS_MARGIN, LEARNS_TUBE, LEARNS_LEVEL };

struct loss_parameters {
    double tube;     /* epsilon of the epsilon-insensitive loss, >= 0 */
    double quantile; /* of the pinball loss, in (0, 1) */
    double huber;    /* threshold of the Huber loss, > 0 */
};

struct loss_margin {
    enum loss_learned learned;
    double nu; /* in (0, 1], where something is learned */
};

struct loss {
    const char *name;
    const char *summary; /* one line for -L help */
    enum task task;
    bool probabilities; /* 1/(1 + exp(-u)) is the probability of the positive class */

    /* l(u, y), and in *a its (sub)derivative by u (0 where the subdifferential holds 0 at a kink).
     */
    double (*value)(double u, double y, const struct loss_parameters *p, double *a);

    /* l*(a, y); +infinity outside of the domain. l*(0, y) = 0 for all losses here. */
    double (*conjugate)(double a, double y, const struct loss_parameters *p);

    /* The domain of l*(., y), an interval that holds 0: infinite ends are possible. */
    void (*domain)(double y, const struct loss_parameters *p, double *low, double *high);

    /* l_mu(u, y) = max over a of a u - l*(a, y) - mu a^2/2 (mu > 0), and in *a the maximizer.
     * l_mu <= l <= l_mu + mu/2 max a^2. */
    double (*smooth)(double u, double y, double mu, const struct loss_parameters *p, double *a);

    /* |a| <= lipschitz(y) + lipschitz_slope |u| for every (sub)derivative a at u. */
    double (*lipschitz)(double y, const struct loss_parameters *p);
    double lipschitz_slope;

    /* Bound of the second derivative; infinite for a loss with kinks, whose smoothed form then has
     * 1/mu. With c = curvature, the smoothed form has c/(1 + mu c). */
    double curvature;

    /* l*(a, y) = y a + a^2/(2 curvature) on all of the domain [low, high], so that l_mu has the
     * derivative clip((u - y)/(1/curvature + mu), low, high); 1/curvature = 0 where there are kinks. */
    bool quadratic;

    /* The second derivative by u, from either side where it jumps. NULL for a loss with kinks. */
    double (*second)(double u, double y, const struct loss_parameters *p);

    /* sup over u of -u l'(u): ||w*||^2 <= mean of these / lambda (recipes of the Pegasos ball). */
    double (*norm_bound)(double y, const struct loss_parameters *p);

    /* Of a loss that is 0 within this distance of y: l*(a, y) = y a + tube |a| + a^2/(2 curvature) on all
     * of the domain. NULL for the others, quadratic ones among them. */
    double (*tube)(const struct loss_parameters *p);
};

/* The box of a loss that is
 *
 *     l(u, y) = max over low <= a <= high of  a t (u - y) - tube |a| - a^2/(2 curvature),
 *
 * t = SIDE y for classification, 1 for regression: the domain of l*(., y) at y = SIDE, which is +1 or -1. */
struct loss_box {
    double low, high, tube;
};
struct loss_box loss_box(const struct loss *loss, const struct loss_parameters *p, double side);

/* Whether the loss is of this form, and its box finite: the piecewise linear ones here, and Huber's. */
bool loss_has_box(const struct loss *loss);

/* Whether it is such a loss but for the domain, which is infinite, and its second derivative jumps: at the end of a
 * tube, or where the domain has one end. */
bool loss_second_jumps(const struct loss *loss);

/* Whether it has a box, and kinks. */
bool loss_is_piecewise_linear(const struct loss *loss);

/* NULL when there is none of this name. */
const struct loss *loss_by_name(const char *name);

/* The table; *count entries. */
const struct loss *loss_table(int *count);

#endif
