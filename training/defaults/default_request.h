/* default_request.h - a run whose solver is to be chosen, and what several rules (default_rules.h) ask of it. */
#ifndef RRM_DEFAULT_REQUEST_H
#define RRM_DEFAULT_REQUEST_H

#include "training/defaults/solver_cost.h"
#include "training/defaults/solver_fit.h"

struct default_request {
    struct solver_needs needs;
    double lambda;
    double epsilon; /* the gap asked for; 0: the solver's own tolerance */
    int64_t rows;
    int64_t features; /* with the constant ones */
    int64_t weights;  /* of a run: those of the features, for each output */
    int64_t nonzeros;
    double overlap; /* sum of the squares of all values/(lambda groups^2); 0 without groups */
    /* the features differ much in size; looked at for losses of single scores and softmax */
    bool uneven;
    double mean_square; /* of the rows' norms, looked at with that; 0: not known */
    double effective;   /* number of features (struct feature_sizes), in the same way */
    /* of rows that a disk reads: what ipm keeps of a smooth loss, or cutting planes of the hinge, fits in --memory */
    bool newton_fits, slacks_fit;
    /* ipm does not fit in --memory; looked at where features are more than some */
    bool newton_lacks;
    bool trials; /* a solver may go before the one that is chosen (default_trial.h) */
};

/* What the estimates of time go by (solver_cost.h). */
struct data_shape default_request_shape(const struct default_request *request);

/* Of the request: */
bool default_request_is_hinge(const struct default_request *request);
bool default_request_is_squared_hinge(const struct default_request *request);
bool default_request_other_than_l2(const struct default_request *request);
/* -e is small. */
bool default_request_is_tight(const struct default_request *request);
/* Squared hinge, an offset and many features, of examples that are not mapped. */
bool default_request_is_broad_with_offset(const struct default_request *request);

/* Whether the loss is of one score, and has a second derivative, or has not. */
bool default_request_is_smooth(const struct default_request *request);
bool default_request_has_kinks(const struct default_request *request);

/* Of the data: */
bool default_request_is_dense(const struct default_request *request);
/* More features than rows. */
bool default_request_is_wide(const struct default_request *request);
/* So few features that Newton steps cost little beside passes; so few that they are affordable whatever the rest. */
bool default_request_has_few(const struct default_request *request);
bool default_request_is_narrow(const struct default_request *request);
/* Fewer than two examples a feature are separable with probability 1/2 or more whatever their labels (Cover 1965). */
bool default_request_is_likely_separable(const struct default_request *request);
/* Mapped examples that are computed again in each pass, one row as dearly as another; or read from a file. */
bool default_request_is_recomputed(const struct default_request *request);

/* Whether an interior point is affordable: its matrix of features x features, or of rows x rows, fits in memory, and
 * the time of its factorizations is some seconds at most. */
bool default_request_affords_newton(const struct default_request *request);
/* Fewer rows than features: a matrix of rows x rows is enough. */
bool default_request_is_of_few_rows(const struct default_request *request);
/* Whether it is expected to take less than SHARE of the time of cutting planes. */
bool default_request_is_cheap_for_newton(const struct default_request *request, double share);
/* Rows that are not few beside the features; fewer of dense data can nearly all be fitted. */
bool default_request_has_enough_for_quasi_newton(const struct default_request *request);
/* With many rows a feature, passes over the rows cost more than what a primal method does besides. */
bool default_request_is_for_coordinates(const struct default_request *request);

/* Rows that a disk reads: Newton steps read them least often, and single passes of many cuts; a program over many cuts
 * takes less time than a pass. */
bool default_request_is_smooth_from_disk(const struct default_request *request);
bool default_request_is_narrow_with_kinks_from_disk(const struct default_request *request);

#endif
