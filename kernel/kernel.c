/* kernel.c - kernel functions. */
#include "kernel/kernel.h"

#include "math/exponential.h"
#include "math/simd.h"

#include <stddef.h>

const char *const kernel_names[] = {"linear",  "polynomial",  "gaussian",
                                    "sigmoid", "precomputed", NULL};

bool kernel_has_gamma(int kind) {
    return kind == KERNEL_POLYNOMIAL || kind == KERNEL_GAUSSIAN || kind == KERNEL_SIGMOID;
}

bool kernel_has_shift(int kind) {
    return kind == KERNEL_POLYNOMIAL || kind == KERNEL_SIGMOID;
}

bool kernel_is_semidefinite(const struct kernel *kernel) {
    return kernel->kind == KERNEL_LINEAR || kernel->kind == KERNEL_GAUSSIAN || kernel->proved ||
           (kernel->kind == KERNEL_POLYNOMIAL && kernel->shift >= 0);
}

static double whole_power(double x, int64_t n) {
    double power = 1;
    for (; n > 0; n >>= 1, x *= x)
        if (n & 1)
            power *= x;
    return power;
}

/* x[k] = -gamma times the squared distance; what is not a number stays so. */
static SIMD_BODY void kernel_exponents_body(double gamma, const double *square_s, double square_x,
                                            double *x, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        double square = square_s[k] + square_x - 2 * x[k];
        x[k] = -gamma * (square < 0 ? 0 : square);
    }
}
SIMD_CLONES(void, kernel_exponents,
            (double gamma, const double *square_s, double square_x, double *x, int64_t count),
            (gamma, square_s, square_x, x, count))

/* x[k] = tanh(gamma x[k] + shift) = 1 - 2/(1 + exp(2 (gamma x[k] + shift))) */
static void kernel_tangents(const struct kernel *kernel, double *x, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        x[k] = 2 * (kernel->gamma * x[k] + kernel->shift);
    exponentials(x, count);
    for (int64_t k = 0; k < count; k++)
        x[k] = 1 - 2 / (1 + x[k]);
}

double kernel_value(const struct kernel *kernel, double product, double square_s, double square_x) {
    kernel_apply(kernel, &square_s, square_x, &product, 1);
    return product;
}

void kernel_apply(const struct kernel *kernel, const double *square_s, double square_x,
                  double *product, int64_t count) {
    if (kernel->kind == KERNEL_GAUSSIAN) {
        kernel_exponents(kernel->gamma, square_s, square_x, product, count);
        exponentials(product, count);
    } else if (kernel->kind == KERNEL_POLYNOMIAL) {
        for (int64_t k = 0; k < count; k++)
            product[k] = whole_power(kernel->gamma * product[k] + kernel->shift, kernel->degree);
    } else if (kernel->kind == KERNEL_SIGMOID) {
        kernel_tangents(kernel, product, count);
    }
}
