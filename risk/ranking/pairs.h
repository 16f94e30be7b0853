/* pairs.h - the mean over pairs of rows of different grades of the hinge of their scores:
 *
 *     R(f) = 1/|P| sum over (i,j) in P of max(0, 1 - (f_i - f_j)),   P = { (i,j): grade_i > grade_j },
 *
 * and of the same smoothed by a quadratic, max over 0 <= a <= 1 of a h - mu a^2/2 with h = 1 - (f_i - f_j):
 * 0 for h <= 0, h^2/(2 mu) up to mu, h - mu/2 beyond. R - mu/2 <= R_mu <= R, and with the maximizers a,
 * sum a_ij (1 - (f_i - f_j)) / |P| is a linearization of R itself whose constant is the mean of the a_ij.
 *
 * The rows of each grade are sorted by score, and the grades are merged as in merge sort. One of two lists that are
 * merged has only higher grades than the other, and the pairs between them are found by two pointers that only
 * advance. Sums over the pairs between the pointers are sums of differences to a nearby score, so that large
 * scores and a small mu lose no digits.
 *
 * Reference: Joachims 2005 and 2006 ("A support vector method for multivariate performance measures",
 * section 4.3; "Training linear SVMs in linear time"). Cost: O(l log l) for l rows, any number of grades. */
#ifndef RRM_PAIRS_H
#define RRM_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* Rows in rising grades: those of grade g are order[run[g]] .. order[run[g + 1] - 1]. */
struct pairs {
    const int64_t *order;
    const int64_t *run; /* grades + 1, from 0 */
    int64_t grades;     /* at least 1 */
};

/* mean: R = sum a (h - mu a/2) / |P|; constant: the mean of the a. Both are 0 if there are no pairs. */
struct pairs_sum {
    double mean, constant;
};

/* |P| */
double pairs_count(const struct pairs *pairs);

/* F: the rows' scores. BY_SCORE, which may be the array F, receives the derivatives by them unless it is
 * NULL. WORK: scratch memory of pairs_work_bytes(rows) bytes, aligned for doubles. */
struct pairs_sum pairs_hinge(const struct pairs *pairs, const double *f, double mu,
                             double *by_score, void *work);
size_t pairs_work_bytes(int64_t rows);

/* The mean over P of [f_i < f_j] + [f_i = f_j]/2; 0 if there are no pairs. WORK: as above. */
double pairs_error(const struct pairs *pairs, const double *f, void *work);

/* Writes the row indices 0 .. rows-1 to ORDER by rising label (equal labels keep their order), and the starts of
 * the grades, at most rows + 1 numbers, to RUN. WORK: as above. Returns the number of grades. */
int64_t pairs_order(const double *label, int64_t rows, int64_t *order, int64_t *run, void *work);

#endif
