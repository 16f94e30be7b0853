/* coupling.c - pairwise coupling; see coupling.h.
 *
 * With Q_ii = sum over j of r_ji^2 and Q_ij = -r_ji r_ij the solution has (Qp)_i = p'Qp for all i. Each step solves for
 * one p_i and divides p by its new sum, 1 + step; Qp and p'Qp follow. */
#include "prediction/coupling.h"

#include "io/model/label_pairs.h"

#include <math.h>

static const double smallest_pair = 1e-7;   /* LIBSVM's least probability of a pair */
static const double relative_error = 0.005; /* of (Qp)_i - p'Qp, over the number of classes */

enum { LEAST_PASSES = 100 };

int64_t coupling_work(int64_t count) {
    return count * count + count;
}

static void fill_matrix(const double *pair, int64_t count, double *q) {
    for (int64_t i = 0; i < count; i++)
        q[i * count + i] = 0;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i + 1; j < count; j++) {
            double r = pair[label_pairs_index(count, i, j)];
            r = fmin(fmax(r, smallest_pair), 1 - smallest_pair);
            q[i * count + i] += (1 - r) * (1 - r);
            q[j * count + j] += r * r;
            q[i * count + j] = q[j * count + i] = -(1 - r) * r;
        }
}

/* qp = Q p. Returns p'Qp. */
static double multiply(const double *q, int64_t count, const double *p, double *qp) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        qp[i] = 0;
        for (int64_t j = 0; j < count; j++)
            qp[i] += q[i * count + j] * p[j];
        sum += p[i] * qp[i];
    }
    return sum;
}

static double largest_error(const double *qp, int64_t count, double pqp) {
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(qp[i] - pqp));
    return largest;
}

/* A step for each p_i. */
static void make_pass(const double *q, int64_t count, double pqp, double *qp, double *p) {
    for (int64_t i = 0; i < count; i++) {
        double step = (pqp - qp[i]) / q[i * count + i], sum = 1 + step;
        p[i] += step;
        pqp = (pqp + step * (step * q[i * count + i] + 2 * qp[i])) / sum / sum;
        for (int64_t j = 0; j < count; j++) {
            qp[j] = (qp[j] + step * q[i * count + j]) / sum;
            p[j] /= sum;
        }
    }
}

void coupling_solve(const double *pair, int64_t count, double *work, double *p) {
    double *q = work, *qp = work + count * count;
    int64_t passes = count > LEAST_PASSES ? count : LEAST_PASSES;
    fill_matrix(pair, count, q);
    for (int64_t i = 0; i < count; i++)
        p[i] = 1 / (double)count;
    for (int64_t pass = 0; pass < passes; pass++) {
        double pqp = multiply(q, count, p, qp);
        if (largest_error(qp, count, pqp) < relative_error / (double)count)
            return;
        make_pass(q, count, pqp, qp, p);
    }
}
