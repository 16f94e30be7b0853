/* feature_sizes.h - whether the features of a data set differ so much in size that scaling them helps. */
#ifndef RRM_FEATURE_SIZES_H
#define RRM_FEATURE_SIZES_H

#include "io/dataset.h"

/* A feature's size is the root of the mean square of its nonzero values. */
struct feature_sizes {
    double largest;     /* 0 where no feature has such values */
    double smallest;    /* without features so rare that no loss notices their size */
    double mean_square; /* of the rows' norms */
    double effective; /* number of features, (sum of s_j)^2/sum of s_j^2 for sums of squares s_j */
};

/* O(nonzeros), or nothing at all where the values are computed again (kernel/mapped.h) or memory is short: then the
 * sizes are 0. */
struct feature_sizes feature_sizes_find(const struct dataset *data);

/* Whether online steps suffer from them. */
bool feature_sizes_differ(const struct feature_sizes *sizes);

/* Whether other methods do: where lambda is large beside the rows' norms, small features are without influence. */
bool feature_sizes_matter(const struct feature_sizes *sizes, double lambda);

#endif
