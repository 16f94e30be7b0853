/* lapack.h - the LAPACK routines that are used, from a library that is loaded when first needed.
 *
 * An optimized LAPACK takes milliseconds to load, several times as long as all the rest of a small
 * run, and only the interior point method and Nystrom maps need it. Arguments are LAPACK's own: matrices by columns,
 * pointers throughout, and a string's length behind all others, as Fortran compilers expect it. A
 * threaded OpenBLAS is set to one thread: results must not depend on how many there are. Called from
 * one thread at a time. */
#ifndef RRM_LAPACK_H
#define RRM_LAPACK_H

#include "io/error.h"

#include <stddef.h>

struct lapack {
    /* Cholesky factor in place. */
    void (*dpotrf)(const char *triangle, const int *n, double *a, const int *stride, int *info,
                   size_t triangle_length);
    /* Solution by the factor. */
    void (*dpotrs)(const char *triangle, const int *n, const int *columns, const double *a,
                   const int *stride, double *b, const int *b_stride, int *info,
                   size_t triangle_length);
    /* Eigenvalues, ascending, and eigenvectors in place, by divide and conquer. */
    void (*dsyevd)(const char *vectors, const char *triangle, const int *n, double *a,
                   const int *stride, double *value, double *work, const int *work_length,
                   int *whole_work, const int *whole_work_length, int *info, size_t vectors_length,
                   size_t triangle_length);
};

/* Loads liblapack.so.3 once. NULL with the error set when there is none; INSTEAD: what does without,
 * such as "another solver". */
const struct lapack *lapack_load(const char *instead, struct error *e);

#endif
