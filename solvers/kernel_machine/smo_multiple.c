/* smo_multiple.c - the best multiple of an approximate solution. */
#include "solvers/kernel_machine/smo_multiple.h"

#include "math/vector.h"
#include "solvers/multiple.h"

double smo_multiple(const struct canonical *c, const double *theta, const double *f,
                    const double *h, double *objective) {
    double square = vector_dot(theta, f, c->rows);
    return multiple_best(c->terms, c->rows, c->problem->lambda, h, square, objective);
}
