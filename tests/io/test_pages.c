/* test_pages.c - what was freed goes back to the system. */
#include "io/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Arrays that the C library takes from the heap, not from mappings of their own. */
enum { ARRAYS = 256, ARRAY_BYTES = 64 << 10, ALL_BYTES = ARRAYS * ARRAY_BYTES };

/* Bytes that are resident. */
static long resident(void) {
    long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    assert_non_null(sizes);
    assert_int_equal(fscanf(sizes, "%*d %ld", &pages), 1);
    fclose(sizes);
    return pages * sysconf(_SC_PAGESIZE);
}

static void test_freed_arrays_are_given_back(void **state) {
    (void)state;
#if !defined __GLIBC__ || defined __SANITIZE_ADDRESS__
    skip();
#elif defined __has_feature
#if __has_feature(address_sanitizer)
    skip();
#endif
#endif
    char *array[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        array[i] = malloc(ARRAY_BYTES);
        assert_non_null(array[i]);
        memset(array[i], 1, ARRAY_BYTES);
    }
    for (int i = 0; i + 1 < ARRAYS; i++) /* the last one keeps the heap's end where it is */
        free(array[i]);
    long before = resident();
    pages_give_back();
    assert_true(before - resident() > ALL_BYTES / 2);
    free(array[ARRAYS - 1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_freed_arrays_are_given_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
