/* sdca.h - what the files of sdca share: the state of a run, and the dual variables of an item in one of two forms.
 *
 * The dual variables of item i are a plane (d_i, t_i), l_i(v) >= <d_i, v> + t_i, in terms of the item's local scores
 * (risk/items_local.h). With p_i the item's share of the risk,
 *
 *     s = sum_i p_i A_i'd_i,   t = sum_i p_i t_i,   w = (kappa z - s)/(lambda + kappa),
 *     min J >= t - ||s||^2/(2 lambda).
 *
 * A change of d_i by D changes w by -S A_i'D, S = p_i/(lambda + kappa), and the dual of the problem with the proximal
 * term kappa/2 ||w - z||^2, divided by p_i, by <D, u> - S/2 ||A_i'D||^2 and the change of t_i. */
#ifndef RRM_SDCA_H
#define RRM_SDCA_H

#include "math/random/random.h"
#include "risk/items_local.h"
#include "solvers/batch.h"

struct sdca_settings {
    double kappa;     /* in units of lambda; negative: chosen */
    int64_t revisits; /* negative: chosen */
};

struct sdca;

/* A form of the dual variables. */
struct sdca_form {
    /* Bytes of all items at the start. */
    double (*bytes)(const struct sdca *s);

    /* Allocates s->duals and sets them to the true outputs, d = 0 and t = 0. 0, or -1 with the error set. */
    int (*init)(struct sdca *s, struct error *e);
    void (*free)(struct sdca *s);

    /* Raises the dual of item i, and changes w accordingly. 0, or -1 with the error set. */
    int (*visit)(struct sdca *s, int64_t i, struct error *e);

    /* The same by what is kept of the item alone, without its loss: 0, or what is left of its gap. NULL: nothing is
     * kept. */
    double (*revisit)(struct sdca *s, int64_t i);

    /* Keeps the derivatives D of the loss at u, where it has the value VALUE, for later steps; by any thread. NULL:
     * nothing is kept. 0, or -1 with the error set. */
    int (*keep)(struct sdca *s, int64_t i, const double *u, const double *d, double value,
                struct error *e);

    /* <d_i, u>, and in *t t_i. */
    double (*linear)(const struct sdca *s, int64_t i, const double *u, double *t);

    /* d = d_i, the local vector. */
    void (*derivative)(const struct sdca *s, int64_t i, double *d);

    /* Lists the dual variables of all items. */
    void (*list)(struct sdca *s, struct state *state);

    /* d_i and t_i become those of the loss at u, where it has the derivatives D and the value VALUE. 0, or -1 with
     * the error set. */
    int (*set)(struct sdca *s, int64_t i, const double *u, const double *d, double value,
               struct error *e);
};

struct sdca {
    const struct problem *problem;
    const struct sdca_form *form;
    void *duals; /* the form's */
    struct items_local local;
    struct batch batch;
    struct random random;
    double lambda, kappa;
    int64_t rounds;     /* inferences of a visit, at most */
    int64_t looks;      /* sweeps between evaluations */
    int64_t revisits;   /* sweeps over the kept planes after each sweep, at most */
    int idle;           /* evaluations since J or the bound was better */
    double *w, *centre; /* w; z */
    /* w at the last change of z, over last_size; z may be anything, so it may be rounded */
    float *last;
    double last_size; /* the largest size in that w; 1 for w = 0 */
    double *gap;      /* items: l_i - <d_i, u> - t_i when last looked at */
    double mean_gap;  /* of the items with a weight */
    int64_t *order;   /* items with a weight, in the order of the sweep */
    int64_t count;    /* of them */
    double *u, *d;    /* threads x max_size: local vectors */
    int threads;
};

/* S of item i. */
static inline double sdca_step(const struct sdca *s, int64_t i) {
    return items_local_share(&s->local, i) / (s->lambda + s->kappa);
}

extern const struct sdca_form sdca_planes, sdca_gibbs;

#endif
