/* smo_multipliers.h - the equations A z = 0 of the dual (canonical.h) other than that of the constant, by the method of
 * multipliers. Pairs of variables keep the sum of beta by themselves; the other sums,
 *
 *     r_j = sum_t beta_t psi_j(x_t),
 *
 * are brought to 0 by a penalty and multipliers: the slope of the dual gets psi (eta + rho r), its curvature
 * rho psi_s psi_t, and after each solve eta += rho r.
 *
 * The basis is turned so that the constant is one of its functions; the others then have the mean 0 and the mean
 * square 1. If the constant is not in their span, all stay as they are.
 *
 * Reference: Lee 2011, section 4.2; Bertsekas 1982, Constrained Optimization and Lagrange Multiplier Methods. */
#ifndef RRM_SMO_MULTIPLIERS_H
#define RRM_SMO_MULTIPLIERS_H

#include "solvers/kernel_machine/canonical.h"

struct smo_multipliers {
    int64_t all;       /* functions of the problem */
    int64_t functions; /* those of them that are left beside the constant */
    bool constant;     /* the constant is in the span */
    bool paired;     /* steps of pairs keep a sum of beta: the constant's, or a learned margin's */
    double *mean;    /* all: the constant's coefficients */
    double *mirror;  /* all: u of the reflection I - 2 u u'/u'u that turns the basis */
    double *psi;     /* rows x functions */
    double *eta, *r; /* functions */
    double sum;      /* of beta, 0 but for rounding if the constant is in the span */
    double *change;  /* functions: the change of r by a solve, */
    double *shift;   /* functions: and that of eta */
    double *largest; /* functions: the largest |psi_j| */
    double *work;    /* all */
    double rho, max_rho;
    double scale; /* unit of r (canonical.h) */
};

/* 0, or -1 with the error set; to be freed in either case. eta = 0. */
int smo_multipliers_init(struct smo_multipliers *m, const struct canonical *c, struct error *e);
void smo_multipliers_free(struct smo_multipliers *m);

/* eta from the beta of the problem. */
void smo_multipliers_take(struct smo_multipliers *m, const double *beta);

/* Lists eta, r and rho. */
void smo_multipliers_visit(struct smo_multipliers *m, struct state *state);

/* beta of the problem, for the coefficient `offset` of the constant: with eta + rho r. */
void smo_multipliers_beta(const struct smo_multipliers *m, double offset, double *beta);

/* r and the sum from the residual A z of the problem. */
void smo_multipliers_residual(struct smo_multipliers *m, const double *residual);

/* The unit of r_j: as a violation r_j counts as twice the largest change of a score by the next step of eta, or as what
 * canonical.h measures. */
double smo_multipliers_unit(const struct smo_multipliers *m, int64_t j);

/* By how much the equations are missed by r + change, in these units. */
double smo_multipliers_violation(const struct smo_multipliers *m);

/* rho psi_s psi_t for rows s and t. */
double smo_multipliers_curvature(const struct smo_multipliers *m, int64_t s, int64_t t);

#endif
