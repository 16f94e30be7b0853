/* near.h - comparing doubles in cmocka tests. Include after cmocka.h. */
#ifndef RRM_NEAR_H
#define RRM_NEAR_H

#include <math.h>

/* Fails at the caller's line, with both numbers, unless |actual - expected| <= tolerance. */
#define assert_near(actual, expected, tolerance)                                                   \
    assert_near_at(actual, expected, tolerance, __FILE__, __LINE__)

static inline void assert_near_at(double actual, double expected, double tolerance,
                                  const char *file, int line) {
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("%.17g is not within %g of %.17g\n", actual, tolerance, expected);
    _fail(file, line);
}

#endif
