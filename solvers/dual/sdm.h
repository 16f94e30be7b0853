/* sdm.h - the solver sdm: margins between classes, in the dual.
 *
 * With C_i = c_i/(lambda sum c), e_ik = margin [k != y_i] and s_i = W'x_i, the problem divided by lambda is
 *
 *     minimize over W:    1/2 ||W||^2 + sum_i C_i (max_k (e_ik + s_ik) - s_iy),
 *     maximize over beta: sum_i <beta_i, e_i> - 1/2 ||W(beta)||^2,   beta_i >= 0, its sum C_i,
 *     W_k(beta) = sum_i (C_i [k = y_i] - beta_ik) x_i;   by beta_i its gradient is e_i + s_i at W(beta).
 *
 * The files: sdm.c begins with one method and may go on with the other. sdm_ascent.c is coordinate ascent, with
 * conjugate gradients (sdm_cg.c) on faces where it is slow. sdm_newton.c is the proximal point method with Newton
 * steps, for few weights; sdm_hessian.c has their matrix. Both use sdm_step.c (the step of a row), sdm_visit.c
 * (sweeps) and sdm_check.c (a pass over all rows that certifies), which also tries longer weights (sdm_stretch.c).
 * sdm_rows.h has the examples, sdm_duals.h the dual variables. */
#ifndef RRM_SDM_H
#define RRM_SDM_H

#include "math/random/random.h"
#include "solvers/batch.h"
#include "solvers/dual/sdm_duals.h"
#include "solvers/dual/sdm_rows.h"

enum { SDM_CHUNK = 256 }; /* rows whose scores are found together, by several threads */

/* What coordinate ascent carries from one look at all rows to the next. */
struct sdm_progress {
    int64_t looks, idle;
    int64_t products;    /* of the next conjugate gradients (sdm_cg) */
    double gap, touched; /* the gap after the first look, and the products by then */
    bool slow;           /* the last sweeps */
};

struct sdm {
    struct sdm_rows rows;
    struct batch batch;
    double lambda;
    double *w;              /* W(beta), in the order of the rows; drifts by rounding */
    double *point;          /* scratch memory: W in the order of the risk */
    struct sdm_duals duals; /* the active classes of each row, with all where beta > 0 */
    struct sdm_duals next;  /* what they become in a sweep over all classes */
    struct random random;
    int64_t *order;       /* scratch memory: the numbers of all rows */
    double *score;        /* SDM_CHUNK x classes */
    double *work;         /* 4 x classes */
    int32_t *selected;    /* classes + 1 */
    double *face_numbers; /* memory of sdm_cg */
    int64_t *face_indices;
    int64_t face_capacity, face_indices_capacity;
    double touched; /* products so far: those of a pass are rows.products x classes */
    struct sdm_progress progress;
    double gap;   /* sum of the rows' gaps at the last check, in units of lambda */
    double slack; /* mean gap of the rows with several active classes there, for C_i = 1 */
    bool changed; /* a dual variable, since this was set to false */
    bool rebuilt; /* W is summed anew from the dual variables, and no step has moved it since */
};

/* Adds to the passes. */
static inline void sdm_touch(struct sdm *s, double products) {
    s->touched += products;
}

/* Brings the batch's passes up to date. */
void sdm_count(struct sdm *s);

/* Whether the run has to end now: a limit came, or the observer ended it. */
bool sdm_is_stopped(struct sdm *s);

/* The products of a pass. */
static inline double sdm_pass(const struct sdm *s) {
    return s->rows.products * (double)s->rows.classes;
}

/* Whether PRODUCTS more stay within the limit of passes, with a check after them (AND_CHECK: sdm_check); otherwise the
 * limit ends the run. */
bool sdm_affords(struct sdm *s, double products, bool and_check);

/* Raises the bound by dual variables with these weights W, in the order of the rows, and this linear part of the dual,
 * in units of lambda. */
void sdm_raise(struct sdm *s, const double *w, double linear);

/* The risk at several multiples of W, by a pass over the rows. */
enum { SDM_STRETCHES = 4 };
struct sdm_stretches {
    double factor[SDM_STRETCHES], risk[SDM_STRETCHES];
};

void sdm_stretch_begin(const struct sdm *s, struct sdm_stretches *stretches);

/* Adds row i with a loss at W; `u` are its e_i + s_i. */
void sdm_stretch_row(const struct sdm *s, int64_t i, const double *u,
                     struct sdm_stretches *stretches);

/* Offers the best multiple. HALF_SQUARE: ||W||^2/2. */
void sdm_stretch_offer(struct sdm *s, const struct sdm_stretches *stretches, double half_square);

/* 1/||x_i||^2, finite. */
double sdm_step(const struct sdm_rows *rows, int64_t i);

/* Subtracts the largest from v, and returns L so that max(v - L, 0) is its projection to v >= 0, sum v = total.
 * work: n doubles. */
double sdm_multiplier(double *v, int64_t n, double total, double *work);

/* The same projection in place, v[own] less `total` before and after: so it has all digits also where the others are
 * far smaller than `total`. work: n doubles. */
void sdm_project(double *v, int64_t n, int64_t own, double total, double *work);

/* Maximizes over beta_i in turn, all rows in random order and all classes; each row's list becomes the classes with
 * beta > 0. W_IS_FIXED: W stays as it is, for a start from given weights. 0, or -1 with the error set. */
int sdm_sweep_all(struct sdm *s, bool w_is_fixed, struct error *e);

/* The same over the active classes of the COUNT rows in `order`, which it shuffles. Returns the sum of the rows'
 * gaps over their active classes, each at its visit. */
double sdm_sweep_active(struct sdm *s, int64_t count);

/* The rows with several active classes, into `order`; how many. */
int64_t sdm_list_active(struct sdm *s);

/* The lists of `next` are the duals' now. */
static inline void sdm_swap(struct sdm *s) {
    struct sdm_duals old = s->duals;
    s->duals = s->next;
    s->next = old;
}

/* W = W(beta), without the rounding of many steps; and its products, or somewhat more. */
void sdm_rebuild(struct sdm *s);
double sdm_rebuild_products(const struct sdm *s);

/* A pass at fixed W: offers W with its J, raises the bound, finds `gap` and each row's active classes: where beta > 0,
 * where a step would be, and where e + s is largest. 0, or -1 with the error set. */
int sdm_check(struct sdm *s, struct error *e);

/* Maximizes over the positive dual variables of rows with two of them or more, until their gap is at most
 * TOLERANCE, by at most *PRODUCTS products with their matrix; changes *PRODUCTS to what suits the next call. 0, or -1
 * with the error set. */
int sdm_cg(struct sdm *s, double tolerance, int64_t *products, struct error *e);

/* The sweeps at the start. 0, or -1 with the error set. */
int sdm_ascent_start(struct sdm *s, struct error *e);

/* Lists what coordinate ascent carries after a report. */
void sdm_ascent_visit(struct state *state, void *sdm);

/* The two methods, from the duals and their W, or from where a checkpoint ended (GOES_ON; the second one enters it
 * itself), to the batch's verdict. The first one stops without one where it is
 * likely to need more than the other one's NEWTON products (infinite: it never does); the second one needs rows with
 * FORCE_DENSE. 0, or -1 with the error set. */
int sdm_ascent_train(struct sdm *s, double newton, bool goes_on, struct error *e);
int sdm_newton_train(struct sdm *s, struct error *e);

/* Bytes of the second, and the products that its steps usually cost in all. */
double sdm_newton_bytes(const struct class_terms *terms);
double sdm_newton_products(const struct class_terms *terms);

#endif
