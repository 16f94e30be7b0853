/* target.h - the y_i of rows whose targets are computed from labels when they are read. */
#ifndef RRM_TARGET_H
#define RRM_TARGET_H

#include <stddef.h>

/* POSITIVE NULL: the number itself. Else the number is a label, and its target +1 if it is *positive, else -1. */
static inline double target_from(double number, const double *positive) {
    return positive == NULL ? number : number == *positive ? 1 : -1;
}

#endif
