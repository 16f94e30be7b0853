/* test_overlay.c - bytes of a mapped file are the same with an overlay, whoever reads them in whatever order, and no
 * more of them than allowed lie in memory of this process. */
#include "io/cache/overlay.h"

#include "math/random/random.h"

#include <fcntl.h>
#include <limits.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "tests/size.h"
#include "tests/skipped.h"
#include "tests/temporary.h"

enum { UNITS = 14, MOST = 8, WORDS = OVERLAY_UNIT / 8, LAST = 1000, STEPS = 60 };

static const int64_t words = (int64_t)UNITS * WORDS + LAST;

struct fixture {
    uint64_t *map;
    struct overlay *overlay;
};

static uint64_t word(int64_t k) {
    return (uint64_t)k * 0x9E3779B97F4A7C15u;
}

static void write_file(void) {
    uint64_t *block = malloc(OVERLAY_UNIT);
    FILE *file = fopen(path, "w");
    assert_non_null(block);
    assert_non_null(file);
    for (int64_t k = 0; k < words; k += WORDS) {
        int64_t count = words - k < WORDS ? words - k : WORDS;
        for (int64_t i = 0; i < count; i++)
            block[i] = word(k + i);
        assert_int_equal(fwrite(block, sizeof *block, (size_t)count, file), count);
    }
    fflush(file);
    fdatasync(fileno(file));
    fclose(file);
    free(block);
}

/* Out of the system's cache of files, where the overlay leaves what is there; its name is another file's. False: this
 * file has no overlay here. */
static bool set_up_as(struct fixture *f, uid_t user) {
    struct error e = {0};
    uid_t before = geteuid();
    write_file();
    int descriptor = open(path, O_RDONLY);
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    f->map = mmap(NULL, (size_t)words * 8, PROT_READ, MAP_SHARED, descriptor, 0);
    assert_true(f->map != MAP_FAILED);
    unlink(path);
    close(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
    assert_int_equal(seteuid(user), 0);
    assert_int_equal(overlay_new(descriptor, (char *)f->map, words * 8,
                                 (int64_t)MOST * OVERLAY_UNIT, &f->overlay, &e),
                     0);
    close(descriptor);
    if (f->overlay != NULL)
        return true;
    munmap(f->map, (size_t)words * 8);
    assert_int_equal(seteuid(before), 0);
    return false;
}

static const char no_overlay[] = "units over a map (files are not read past the system's cache)";

static bool set_up(struct fixture *f) {
    return set_up_as(f, geteuid());
}

static void tear_down(struct fixture *f) {
    overlay_free(f->overlay);
    munmap(f->map, (size_t)words * 8);
}

/* Kilobytes of this process that are no file's. */
static long anonymous_kb(void) {
    char line[256];
    long kb = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "RssAnon: %ld", &kb);
    if (file != NULL)
        fclose(file);
    return kb;
}

static int64_t wrong_words(const struct fixture *f, int64_t from, int64_t count) {
    int64_t wrong = 0;
    for (int64_t k = from; k < from + count; k += 64)
        wrong += f->map[k] != word(k);
    return wrong;
}

static void units_in_order_are_those_of_the_file(void **state) {
    (void)state;
    struct fixture f;
    if (!set_up(&f))
        SKIPPED(no_overlay);
    long before = anonymous_kb(), most = 0, least = LONG_MAX;
    for (int64_t from = 0; from < words; from += WORDS / 2) {
        int64_t count = words - from < WORDS / 2 ? words - from : WORDS / 2;
        overlay_hold(f.overlay, f.map + from, count * 8);
        overlay_ask(f.overlay, f.map + from + count, (words - from - count) * 8);
        assert_int_equal(wrong_words(&f, from, count), 0);
        long now = anonymous_kb() - before;
        most = now > most ? now : most;
        least = from > WORDS && now < least ? now : least;
        overlay_release(f.overlay, f.map + from, count * 8);
    }
    const long units = (MOST + 1) * (OVERLAY_UNIT / 1024); /* one more while it is read */
    assert_true(most <=
                units + PART(0, units / 8) + 512); /* sanitizers keep a byte for each eight */
    assert_true(least >= OVERLAY_UNIT / 1024);     /* they do lie in it */
    tear_down(&f);
}

/* Three threads hold more than there is room for; the middle of what another one reads is seen, too. */
static void threads_in_any_order_see_the_file(void **state) {
    (void)state;
    struct fixture f;
    int64_t wrong = 0;
    if (!set_up(&f))
        SKIPPED(no_overlay);
#pragma omp parallel num_threads(3) reduction(+ : wrong)
    {
        struct random random;
        random_seed(&random, 1, (uint64_t)omp_get_thread_num());
        for (int step = 0; step < STEPS; step++) {
            int64_t from = (int64_t)random_below(&random, (uint64_t)words);
            int64_t count = 1 + (int64_t)random_below(&random, 3 * WORDS);
            int64_t other = (int64_t)random_below(&random, (uint64_t)words);
            count = count < words - from ? count : words - from;
            overlay_hold(f.overlay, f.map + from, count * 8);
            overlay_ask(f.overlay, f.map + other, 8);
            wrong += wrong_words(&f, from, count) + wrong_words(&f, other, 1);
            overlay_release(f.overlay, f.map + from, count * 8);
        }
    }
    assert_int_equal(wrong, 0);
    tear_down(&f);
}

/* Of such a file the system does not tell what is in its cache. */
static void units_of_a_file_of_another_user_are_read_too(void **state) {
    (void)state;
    struct fixture f;
    enum { OTHER = 65534 };
    if (geteuid() != 0)
        SKIPPED("a file of another user (root can have one)");
    if (!set_up_as(&f, OTHER))
        SKIPPED(no_overlay);
    assert_int_equal(seteuid(0), 0); /* the other may not see /proc */
    long before = anonymous_kb();
    assert_int_equal(seteuid(OTHER), 0);
    overlay_hold(f.overlay, f.map, words * 8);
    assert_int_equal(seteuid(0), 0);
    long now = anonymous_kb();
    assert_int_equal(wrong_words(&f, 0, words), 0);
    overlay_release(f.overlay, f.map, words * 8);
    assert_true(now - before >= OVERLAY_UNIT / 1024);
    tear_down(&f);
}

/* A little memory, a small file, or a file that is not open: no overlay, and no error. */
/* However many pages the system reads around one elsewhere. */
static void a_page_of_the_map_brings_no_unit_into_the_cache(void **state) {
    (void)state;
    struct fixture f;
    unsigned char there[OVERLAY_UNIT / 4096];
    if (!set_up(&f))
        SKIPPED(no_overlay);
    char *unit = (char *)f.map + 4 * (size_t)OVERLAY_UNIT;
    unit -= (uintptr_t)unit % OVERLAY_UNIT;
    volatile char last = unit[-1];
    (void)last;
    assert_int_equal(mincore(unit, OVERLAY_UNIT, there), 0);
    for (size_t k = 0; k < OVERLAY_UNIT / (size_t)sysconf(_SC_PAGESIZE); k++)
        assert_int_equal(there[k] & 1, 0);
    tear_down(&f);
}

static void small_ones_have_none(void **state) {
    (void)state;
    struct overlay *overlay;
    struct error e = {0};
    static char map[64];
    int file = open(path, O_RDONLY);
    assert_int_equal(overlay_new(file, map, sizeof map, INT64_MAX / 2, &overlay, &e), 0);
    assert_null(overlay);
    assert_int_equal(overlay_new(file, map, 1 << 30, OVERLAY_UNIT, &overlay, &e), 0);
    assert_null(overlay);
    assert_int_equal(overlay_new(-1, map, 1 << 30, 1 << 30, &overlay, &e), 0);
    assert_null(overlay);
    overlay_free(overlay);
    close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_in_order_are_those_of_the_file),
        cmocka_unit_test(threads_in_any_order_see_the_file),
        cmocka_unit_test(units_of_a_file_of_another_user_are_read_too),
        cmocka_unit_test(a_page_of_the_map_brings_no_unit_into_the_cache),
        cmocka_unit_test(small_ones_have_none),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
