/* test_nearest.c - the name nearest to a mistyped word. */
#include "io/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void nearest(void **state) {
    static const char *const names[] = {"pegasos", "adaptive", "proximal", "l1", "l2", NULL};

    (void)state;
    assert_string_equal(nearest_name("pegsos", names), "pegasos");
    assert_string_equal(nearest_name("pegaoss", names), "pegasos");
    assert_string_equal(nearest_name("prox", names), "proximal");
    assert_string_equal(nearest_name("adaptve", names), "adaptive");
    assert_null(nearest_name("bundle", names));
    assert_null(nearest_name("", names));
    assert_null(nearest_name("a-very-long-word-that-is-no-name-of-anything-at-all-in-here", names));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
