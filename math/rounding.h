/* rounding.h - tolerances of rounding: how far a double may be from the exact number, relative to the terms that it is
 * a sum of. Smaller differences say nothing. */
#ifndef RRM_ROUNDING_H
#define RRM_ROUNDING_H

/* A few operations on exact numbers. */
static const double rounding_of_terms = 1e-15;

/* A sum over all rows or all features. */
static const double rounding_of_sums = 1e-14;

/* What follows from several such sums: scores, objectives, bounds. */
static const double rounding_of_results = 1e-12;

#endif
