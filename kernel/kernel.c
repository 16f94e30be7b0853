/* kernel.c - kernel functions. */
#include "kernel/kernel.h"

#include <math.h>
#include <stddef.h>

const char *const kernel_names[] = {"linear", "polynomial", "gaussian", NULL};

static double whole_power(double x, int64_t n) {
    double power = 1;
    for (; n > 0; n >>= 1, x *= x)
        if (n & 1)
            power *= x;
    return power;
}

/* Not fmax: what is not a number stays so. */
static double square_distance(double product, double square_s, double square_x) {
    double square = square_s + square_x - 2 * product;
    return square < 0 ? 0 : square;
}

double kernel_value(const struct kernel *kernel, double product, double square_s, double square_x) {
    switch (kernel->kind) {
    case KERNEL_POLYNOMIAL:
        return whole_power(kernel->gamma * product + kernel->shift, kernel->degree);
    case KERNEL_GAUSSIAN:
        return exp(-kernel->gamma * square_distance(product, square_s, square_x));
    default:
        return product;
    }
}

void kernel_apply(const struct kernel *kernel, const double *square_s, double square_x,
                  double *product, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        product[k] = kernel_value(kernel, product[k], square_s[k], square_x);
}
