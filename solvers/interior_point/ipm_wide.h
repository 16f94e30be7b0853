/* ipm_wide.h - Newton systems of data with fewer rows than columns, by a matrix of rows x rows:
 *
 *     H = E + X' D X,   E diagonal,   H^-1 v = E^-1 (v - X' u),   (D^-1 + X E^-1 X') u = X E^-1 v   (Woodbury)
 *
 * E is 0 for an offset alone: with its weight b, u = S^-1 (X E^-1 v + b), where b makes the sum of u that of its v.
 * The factored matrix is I + D^1/2 X E^-1 X' D^1/2, which takes any d >= 0. What v - X' u loses by rounding comes back
 * by the residuals of both equations, E x + X' u = v and X x - D^-1 u = 0, unless D^-1 is lost in the rounding of
 * X E^-1 X': then `error` says so, and H itself is to be factored.
 *
 * Reference: Fine & Scheinberg 2001, JMLR 2, who take the kernel matrix in place of X E^-1 X'. */
#ifndef RRM_IPM_WIDE_H
#define RRM_IPM_WIDE_H

#include "matrix/columns.h"
#include "matrix/gram.h"
#include "solvers/kept.h"

/* Passes over the rows of a solution without refinements, and with all of them. */
enum { IPM_WIDE_LEAST_PASSES = 2, IPM_WIDE_PASSES = 15 };

struct ipm_wide {
    const struct design *design; /* the caller's */
    struct columns columns;      /* X by columns, and as rows of a design: */
    struct dataset data;
    struct design transposed;
    struct gram gram; /* X E^-1 X', then the factor */
    double *
        kernel; /* rows x rows: X X' (below the diagonal), if E is a multiple of I; NULL: it is not */
    bool known;        /* the kernel is there */
    double *inverse;   /* columns: 1/E; 0 for the offset */
    double *residual;  /* columns */
    double *reduced;   /* columns: work */
    double *given;     /* columns: v */
    double *root;      /* rows: d^1/2 */
    double *u, *shift; /* rows: u above; the residual of the second equation */
    double *change;    /* rows: of u */
    double *unit;      /* rows: S^-1 1, of an offset */
    double *diagonal;  /* rows; behind it scratch memory of the factorization */
    double sum_of_unit;
    int64_t passes; /* of the last solution, and of the last factor */
    /* Of the last solution: what the second equation lacks, as a share of the scores. */
    double error;
    double *memory; /* holds the vectors */
};

/* Bytes that ipm_wide_init takes. */
double ipm_wide_bytes(const struct design *design);

/* 0, or -1 with the error set; to be freed in either case. EVEN: E is a multiple of I in all systems. */
int ipm_wide_init(struct ipm_wide *wide, const struct design *design, bool even, struct error *e);
void ipm_wide_free(struct ipm_wide *wide);

/* The kernel of an even E passes to the next run along a path, which takes it after ipm_wide_init (if KEPT has one);
 * left before ipm_wide_free (if there is one). A checkpoint does not hold it: it is made again. */
extern const struct kept_kind ipm_wide_kept;
void ipm_wide_take(struct ipm_wide *wide, struct kept *kept);
void ipm_wide_leave(struct ipm_wide *wide, struct kept *kept);

/* Factors the matrix of E = ridge + terms (NULL: 0; of an even E it is that), and D = diag(d). -1 if the values are not
 * finite, or it was stopped. */
int ipm_wide_factor(struct ipm_wide *wide, double ridge, const double *terms, const double *d);

/* v <- H^-1 v in at most so many passes; -1 if the result is not finite. */
int ipm_wide_solve(struct ipm_wide *wide, double *v, double passes);

#endif
