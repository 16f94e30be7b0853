/* basis.h - the basis functions psi_j of a semiparametric model's parametric part, in the form of the command line
 * and the model file:
 *
 *     1,3,3^2,7     the constant 1, feature 3, its square, feature 7  (feature 1 itself is 1^1)
 *
 * Some features serve as basis functions only and stay out of the kernel ("only"). */
#ifndef RRM_BASIS_H
#define RRM_BASIS_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { BASIS_MAX_POWER = 64, BASIS_MAX_FUNCTIONS = 10000 };

struct basis_function {
    int32_t column; /* from 0; -1: the constant */
    int32_t power;  /* >= 1 */
};

struct basis {
    int64_t count; /* all functions */
    /* The number of functions from the list SHARED, which come first. The kernel ignores the columns of the others. */
    int64_t shared;
    struct basis_function *function;
};

/* Parses the lists SHARED and then ONLY; ONLY must not have the constant. NULL or "none": no functions. Indices count
 * from 0 if ZERO_BASED, else from 1. 0, or -1 with the error set to its words alone: a malformed function, an index or
 * power out of range, a repeated function. The caller frees the basis in either case. */
int basis_parse(const char *shared, const char *only, bool zero_based, struct basis *basis,
                struct error *e);
void basis_free(struct basis *basis);

/* Copies the functions. 0, or -1 with the error set and *to empty. */
int basis_copy(const struct basis *from, struct basis *to, struct error *e);

/* Whether the kernel ignores this column. */
bool basis_hides(const struct basis *basis, int32_t column);

/* The functions FROM <= j < TO in the form above, "none" for none; a new string that the caller frees,
 * NULL with the error set. */
char *basis_text(const struct basis *basis, int64_t from, int64_t to, bool zero_based,
                 struct error *e);

#endif
