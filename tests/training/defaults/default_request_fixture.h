/* default_request_fixture.h - what a default solver is chosen by. */
#ifndef RRM_DEFAULT_REQUEST_FIXTURE_H
#define RRM_DEFAULT_REQUEST_FIXTURE_H

#include "training/defaults/default_solver.h"

static inline struct default_request default_request_of(const char *loss, const char *regularizer,
                                                        int64_t rows, int64_t features) {
    return (struct default_request){
        .needs = {.risk = risk_row_by_name(loss), .regularizer = regularizer_by_name(regularizer)},
        .lambda = 1e-4,
        .trials = true,
        .rows = rows,
        .features = features,
        .nonzeros = rows * 10};
}

static inline void assert_chosen(const struct default_request *request, const char *name) {
    const struct solver *solver = default_solver(request);

    assert_non_null(solver);
    if (strcmp(solver->name, name) != 0)
        print_error("%s, %lld x %lld, %lld nonzeros, lambda %g, epsilon %g\n",
                    request->needs.risk->name, (long long)request->rows,
                    (long long)request->features, (long long)request->nonzeros, request->lambda,
                    request->epsilon);
    assert_string_equal(solver->name, name);
}

#endif
