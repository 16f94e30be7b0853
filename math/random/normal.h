/* normal.h - random numbers of the normal distribution. */
#ifndef RRM_NORMAL_H
#define RRM_NORMAL_H

#include "math/random/random.h"

/* COUNT numbers of mean 0 and variance 1. The first of them do not depend on COUNT. */
void random_normals(struct random *random, double *x, int64_t count);

#endif
