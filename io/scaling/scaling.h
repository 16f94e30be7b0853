/* scaling.h - scales features, so that those with large values do not outweigh the others: the ranges of svm-scale,
 * standardization, and what keeps zeros zero.
 *
 * A value that a row does not have is 0, and is scaled as a 0. Weights of examples are not used. */
#ifndef RRM_SCALING_H
#define RRM_SCALING_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/svmlight/svmlight_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scaling_method {
    SCALING_NONE,
    SCALING_RANGE,     /* x to lower + (upper - lower) (x - least) / (largest - least) */
    SCALING_MAX,       /* x / largest |x| */
    SCALING_STANDARD,  /* (x - mean) / standard deviation */
    SCALING_DEVIATION, /* x / standard deviation */
    SCALING_NORM,      /* each row by its Euclidean length; no feature has numbers */
    SCALING_METHODS
};

extern const char *const scaling_names[SCALING_METHODS + 1]; /* NULL at the end */

/* Two ends of an interval. */
struct interval {
    double low, high;
};

/* What one feature needs: its least and largest value for SCALING_RANGE, otherwise what is subtracted and by what is
 * divided. Both are equal, or the divisor is 0, for a feature that is left out: a constant one, or one that the data
 * did not have. */
struct scaling_feature {
    double first, second;
};

/* Owned by the caller: scaling_free. */
struct scaling {
    enum scaling_method method;
    struct interval target; /* of SCALING_RANGE: the range that values are brought to */
    bool has_labels;        /* labels are brought from label_data to label_target */
    struct interval label_target, label_data;
    int32_t features; /* columns with an entry in `feature`; later ones are left out */
    struct scaling_feature *feature;
};

/* Reads the data of PATH and fills the features (and label_data) of *scaling, whose method and targets the caller has
 * set. PATH must not be a pipe, as the data are read a second time to be scaled. 0, or -1 with the error set. */
int scaling_learn(struct scaling *scaling, const char *path, const struct svmlight_options *options,
                  struct error *e);

/* The same from data in memory, whose features all get an entry. NAME: of the data, for messages. */
int scaling_learn_data(struct scaling *scaling, const struct dataset *data, const char *name,
                       bool zero_based, struct error *e);

/* The numbers of FROM replace those of its features, since data that continue a training are scaled as before. Both
 * have the same method. Widens *scaling if FROM has more features; 0, or -1 with the error set. */
int scaling_continue(struct scaling *scaling, const struct scaling *from, struct error *e);

/* Copies FROM into *to, which the caller frees. 0, or -1 with the error set and *to empty. */
int scaling_copy(const struct scaling *from, struct scaling *to, struct error *e);

/* Reads the file that scaling_write or `svm-scale -s` wrote. Indices are from 1, or from 0 if ZERO_BASED. 0, or -1 with
 * the error set. */
int scaling_read(struct scaling *scaling, const char *path, bool zero_based, struct error *e);

/* Writes the file; SCALING_RANGE in the format of `svm-scale -s`. 0, or -1 with the error set. */
int scaling_write(const struct scaling *scaling, const char *path, bool zero_based,
                  struct error *e);

/* The value X of a column, scaled; 0 if the column is left out. It is not finite if it is too large. */
double scaling_value(const struct scaling *scaling, int32_t column, double x);

/* The Euclidean length of COUNT values (NULL: all are 1), without overflow; 1 if it is 0. */
double scaling_length(const double *value, int64_t count);

/* NULL, or what is wrong with the two numbers of a feature, which is not left out. */
const char *scaling_check_feature(enum scaling_method method, struct scaling_feature feature);

/* Whether the feature has the same value, 0, in all scaled examples. */
bool scaling_leaves_out(const struct scaling *scaling, int32_t column);

/* The label Y, scaled if the scaling has labels. */
double scaling_label(const struct scaling *scaling, double y);

void scaling_free(struct scaling *scaling);

/* memory_reserve for FEATURES items of SIZE bytes; refused if the machine does not have so much memory, because all of
 * it will be written. */
int scaling_reserve(void **pointer, int64_t *capacity, int64_t features, size_t size,
                    struct error *e);

#endif
