/* test_default_sparse.c - which solver a run without -s gets with other regularizers than l2. */
#include "training/defaults/default_solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/default_request_fixture.h"

/* A matrix of features x features that does not fit in memory. */
static void an_interior_point_that_lacks_memory(void **state) {
    struct default_request request = default_request_of("hinge", "l1", 300, 2000);
    (void)state;
    assert_chosen(&request, "ipm");
    request.newton_lacks = true;
    assert_chosen(&request, "agm");
    request.needs.regularizer = regularizer_by_name("elastic-net");
    assert_chosen(&request, "agm");
}

static void the_elastic_net_with_kinks_needs_it_too(void **state) {
    struct default_request request = default_request_of("hinge", "elastic-net", 30000, 123);

    (void)state;
    assert_chosen(&request, "ipm");
    request.lambda = 0.01;
    assert_chosen(&request, "bundle");
    request.epsilon = 1e-6;
    assert_chosen(&request, "ipm");
    request.epsilon = 0;
    request.rows = 50 * 123 - 1;
    assert_chosen(&request, "ipm");
    request.needs.risk = risk_row_by_name("logistic");
    assert_chosen(&request, "lps");
}

/* Where most examples have the absolute loss. */
static void huber_goes_by_the_sizes_of_features(void **state) {
    static const char *const regularizers[] = {"l1", "elastic-net"};
    (void)state;
    for (size_t i = 0; i < sizeof regularizers / sizeof *regularizers; i++) {
        struct default_request request = default_request_of("huber", regularizers[i], 20000, 300);
        assert_chosen(&request, "lps");
        request.uneven = true;
        assert_chosen(&request, "ipm");
        request.features++;
        assert_chosen(&request, "lps");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interior_point_that_lacks_memory),
        cmocka_unit_test(the_elastic_net_with_kinks_needs_it_too),
        cmocka_unit_test(huber_goes_by_the_sizes_of_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
