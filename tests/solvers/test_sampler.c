/* test_sampler.c - the items that online solvers meet: no step has an item twice. */
#include "solvers/sampler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 11, PASSES = 60 };

static void prefetch(const struct risk *risk, int64_t i, bool far) {
    (void)risk;
    (void)i;
    (void)far;
}

static const struct risk_kind kind = {.prefetch = prefetch};
static const struct risk risk = {.kind = &kind, .items = ITEMS};

static void open_sampler(struct sampler *s, bool shuffles, int64_t batch, uint64_t seed) {
    assert_int_equal(sampler_init(s, &risk, shuffles, batch, seed, 0, NULL), 0);
}

/* Also in a step across the end of a pass. */
static void steps_have_distinct_items(void **state) {
    (void)state;
    for (int64_t batch = 1; batch <= ITEMS; batch++)
        for (int shuffles = 0; shuffles < 2; shuffles++) {
            struct sampler s;
            open_sampler(&s, shuffles == 1, batch, (uint64_t)batch);
            for (int step = 0; step < PASSES * ITEMS; step++) {
                bool drawn_items[ITEMS] = {0};
                for (int64_t i = 0; i < batch; i++) {
                    int64_t item = sampler_next(&s);
                    assert_true(item >= 0 && item < ITEMS);
                    assert_false(drawn_items[item] && batch > 1);
                    drawn_items[item] = true;
                }
            }
            sampler_free(&s);
        }
}

static void passes_have_all_items_once(void **state) {
    (void)state;
    for (int64_t batch = 1; batch <= ITEMS; batch++) {
        struct sampler s;
        open_sampler(&s, true, batch, 3);
        for (int pass = 0; pass < PASSES; pass++) {
            bool drawn_items[ITEMS] = {0};
            for (int64_t i = 0; i < ITEMS; i++) {
                int64_t item = sampler_next(&s);
                assert_false(drawn_items[item]);
                drawn_items[item] = true;
            }
        }
        sampler_free(&s);
    }
}

/* Each place of a pass has each item equally often, to five deviations of the count. */
static void places_have_all_items_alike(void **state) {
    (void)state;
    enum { BATCH = 4, RUNS = 22000, PLACES = 3 * ITEMS };
    static int64_t count[PLACES][ITEMS];
    memset(count, 0, sizeof count);
    for (uint64_t run = 0; run < RUNS; run++) {
        struct sampler s;
        open_sampler(&s, true, BATCH, run);
        for (int64_t i = 0; i < PLACES; i++)
            count[i][sampler_next(&s)]++;
        sampler_free(&s);
    }
    for (int64_t i = 0; i < PLACES; i++)
        for (int64_t item = 0; item < ITEMS; item++)
            assert_in_range(count[i][item], 2000 - 5 * 43, 2000 + 5 * 43);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_distinct_items),
        cmocka_unit_test(passes_have_all_items_once),
        cmocka_unit_test(places_have_all_items_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
