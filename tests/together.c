/* together.c - the tests of TEST_LIST as one program (tests.mk): together NAME runs the main function of
 * tests/.../NAME.c. Each run is a process of its own, so that no test sees what another one left. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TEST(NAME) int NAME##_main(void);
#include TEST_LIST
#undef TEST

static const struct {
    const char *name;
    int (*main)(void);
} tests[] = {
#define TEST(NAME) {#NAME, NAME##_main},
#include TEST_LIST
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(argv[1], tests[i].name) == 0)
            return tests[i].main();
    fprintf(stderr, "together: NAME, one of the %zu tests\n", sizeof tests / sizeof *tests);
    return 2;
}
