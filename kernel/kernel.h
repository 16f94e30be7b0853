/* kernel.h - kernel functions.
 *
 *     linear       <s, x>
 *     polynomial   (gamma <s, x> + shift)^degree
 *     gaussian     exp(-gamma ||s - x||^2),   gamma = 1/(2 sigma^2)
 *     sigmoid      tanh(gamma <s, x> + shift)
 *     precomputed  <s, x>, where s is a unit vector and x a row of a kernel matrix (precomputed.h)
 *
 * The sigmoid is not positive semidefinite for all data. All are functions of <s, x>, ||s||^2 and ||x||^2, so that a
 * block of kernel values is a matrix product
 * (points.h) and one sweep over it. */
#ifndef RRM_KERNEL_H
#define RRM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

enum { KERNEL_DEGREE_MOST = 64 };

enum kernel_kind {
    KERNEL_LINEAR,
    KERNEL_POLYNOMIAL,
    KERNEL_GAUSSIAN,
    KERNEL_SIGMOID,
    KERNEL_PRECOMPUTED
};

/* In the order of the enum, NULL at the end. */
extern const char *const kernel_names[];

struct kernel {
    int kind;       /* enum kernel_kind */
    double gamma;   /* polynomial, gaussian, sigmoid: > 0 */
    double shift;   /* polynomial, sigmoid: LIBSVM's coef0 */
    int64_t degree; /* polynomial: >= 0 */
    bool proved;    /* precomputed: the matrix is known to be positive semidefinite */
};

/* Whether kernels of this kind have a gamma; a shift. */
bool kernel_has_gamma(int kind);
bool kernel_has_shift(int kind);

/* Whether each matrix of values of this kernel is known to be positive semidefinite. */
bool kernel_is_semidefinite(const struct kernel *kernel);

/* k(s, x) from <s, x>, ||s||^2 and ||x||^2. A Gaussian's squared distance that rounding made negative
 * is 0. */
double kernel_value(const struct kernel *kernel, double product, double square_s, double square_x);

/* The same for COUNT points s: product[k] = <s_k, x> becomes k(s_k, x). */
void kernel_apply(const struct kernel *kernel, const double *square_s, double square_x,
                  double *product, int64_t count);

#endif
