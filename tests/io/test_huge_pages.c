/* test_huge_pages.c - large arrays ask the system for huge pages; small ones do not. */
#include "io/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Whether the mapping of the array has the flag "hg" in /proc/self/smaps. */
static bool asks(const void *array) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    unsigned long low, high, at = (unsigned long)array;
    bool inside = false, found = false;
    while (fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
            inside = low <= at && at < high;
        found |= inside && strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg") != NULL;
    }
    fclose(maps);
    return found;
}

static void test_large_arrays_ask(void **state) {
    (void)state;
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0)
        skip();
    char *large = memory_new(8 << 20, 1, "an array", NULL),
         *small = memory_new(1 << 16, 1, "", NULL);
    char *zeroed = memory_zeroed(1 << 20, sizeof(double), "an array", NULL);
    assert_true(asks(large + (4 << 20)) && asks(zeroed + (4 << 20)));
    assert_false(asks(small + (1 << 15))); /* its ends may share a page with a large array */
    free(large);
    free(small);
    free(zeroed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large_arrays_ask)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
