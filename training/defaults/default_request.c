/* default_request.c - what several rules ask of a run. */
#include "training/defaults/default_request.h"

#include "solvers/interior_point/ipm.h"
#include "training/defaults/default_bounds.h"

bool default_request_is_smooth(const struct default_request *request) {
    const struct loss *loss = request->needs.risk->scalar;
    return loss != NULL && loss->second != NULL;
}

bool default_request_has_kinks(const struct default_request *request) {
    return request->needs.risk->scalar != NULL && !default_request_is_smooth(request);
}

bool default_request_is_wide(const struct default_request *request) {
    return request->features > request->rows;
}

bool default_request_other_than_l2(const struct default_request *request) {
    return request->needs.regularizer != regularizer_by_name("l2");
}

bool default_request_has_few(const struct default_request *request) {
    return request->features <= FEW_FEATURES;
}

bool default_request_is_narrow(const struct default_request *request) {
    return request->features <= SOME_FEATURES;
}

bool default_request_affords_newton(const struct default_request *request) {
    return default_request_is_narrow(request) ||
           (request->features <= MANY_FEATURES && !request->newton_lacks) ||
           default_request_is_of_few_rows(request);
}

bool default_request_is_of_few_rows(const struct default_request *request) {
    const struct solver_needs *needs = &request->needs;
    bool tried = default_request_is_smooth(request) && request->trials &&
                 !default_request_other_than_l2(request); /* lbfgs goes first */
    int64_t rows = tried || default_request_is_dense(request) ? MANY_ROWS : SOME_ROWS;
    return needs->risk->scalar != NULL && !needs->map && !needs->window && !needs->distributed &&
           request->rows <= rows && ipm_shape_is_wide(request->rows, request->features) &&
           !request->newton_lacks;
}

bool default_request_is_hinge(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("hinge");
}

bool default_request_is_squared_hinge(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("squared-hinge");
}

bool default_request_is_dense(const struct default_request *request) {
    static const double dense_share = 0.4;
    return (double)request->nonzeros >=
           dense_share * (double)request->rows * (double)request->features;
}

bool default_request_is_recomputed(const struct default_request *request) {
    return request->needs.window && request->needs.map;
}

bool default_request_is_smooth_from_disk(const struct default_request *request) {
    return default_request_is_smooth(request) && request->newton_fits &&
           default_request_is_narrow(request) && !default_request_other_than_l2(request);
}

bool default_request_is_narrow_with_kinks_from_disk(const struct default_request *request) {
    return default_request_has_kinks(request) && request->slacks_fit &&
           default_request_is_narrow(request) && !default_request_other_than_l2(request);
}

bool default_request_is_for_coordinates(const struct default_request *request) {
    return !default_request_is_narrow(request) &&
           request->rows < SOME_EXAMPLES_PER_FEATURE * request->features &&
           !default_request_is_recomputed(request);
}

bool default_request_is_likely_separable(const struct default_request *request) {
    return request->rows < 2 * request->features && !default_request_has_few(request) &&
           !request->uneven;
}

bool default_request_has_enough_for_quasi_newton(const struct default_request *request) {
    static const double dense = 2, sparse = 0.5;
    double least = default_request_is_dense(request) ? dense : sparse;
    return (double)request->rows >= least * (double)request->features;
}

bool default_request_is_tight(const struct default_request *request) {
    return request->epsilon > 0 && request->epsilon < SMALL_GAP;
}

bool default_request_is_broad_with_offset(const struct default_request *request) {
    return default_request_is_squared_hinge(request) && request->needs.intercept &&
           !default_request_is_narrow(request) && !request->needs.map;
}

struct data_shape default_request_shape(const struct default_request *request) {
    return (struct data_shape){.rows = (double)request->rows,
                               .features = (double)request->features,
                               .nonzeros = (double)request->nonzeros,
                               .uneven = request->uneven,
                               .mean_square = request->mean_square,
                               .effective = request->effective};
}

bool default_request_is_cheap_for_newton(const struct default_request *request, double share) {
    static const double usual_gap = 1e-3;
    struct data_shape shape = default_request_shape(request);
    double gap = request->epsilon > 0 ? request->epsilon : usual_gap;
    if (!default_request_is_hinge(request))
        shape.mean_square = shape.effective = 0; /* there the sizes of the targets count as much */
    return default_request_is_narrow(request) &&
           cost_interior_point(&shape) < share * cost_cutting_planes(&shape, request->lambda, gap);
}
