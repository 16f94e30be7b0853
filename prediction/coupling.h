/* coupling.h - probabilities of classes from those of pairs of classes. */
#ifndef RRM_COUPLING_H
#define RRM_COUPLING_H

#include <stdint.h>

/* The numbers of scratch memory that coupling_solve takes for COUNT classes. */
int64_t coupling_work(int64_t count);

/* p[i] = the probability of class i, from pair[k] = the probability of the first class of pair k
 * (io/model/label_pairs.h), given that one of the two is true. It minimizes sum over i, j of (r_ji p_i - r_ij p_j)^2
 * with sum p = 1: Wu, Lin & Weng (2004), second method, Algorithm 2, with the pair probabilities kept within
 * [1e-7, 1 - 1e-7] and the stopping rule of LIBSVM. */
void coupling_solve(const double *pair, int64_t count, double *work, double *p);

#endif
