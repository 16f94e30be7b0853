/* test_rna_fold.c - features of secondary structures counted by hand; best score, sum and averages compared with
 * enumeration of all structures of short sequences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/risk/rna/rna_fixture.h"

enum { TERMS = sizeof(struct rna_terms) / sizeof(double) };

/* ---- features */

static double counts[RNA_WEIGHTS];

static void count(const char *word, const char *brackets) {
    struct rna_short a;
    struct rna_terms terms = {0};
    int32_t partner[RNA_SHORT];
    assert_int_equal(strlen(word), strlen(brackets));
    rna_short_set(&a, word);
    rna_partners(brackets, partner);
    rna_terms_of_structure(&a.s, partner, &terms);
    memset(counts, 0, sizeof counts);
    rna_add_counts(&terms, 1, counts);
}

/* Subtracts the expected counts, `times` at `first` .. `last`. */
static void expect(int first, int last, double times) {
    for (int k = first; k <= last; k++) {
        if (counts[k] != times)
            print_error("weight %d is counted %g times, not %g\n", k, counts[k], times);
        assert_true(counts[k] == times);
        counts[k] = 0;
    }
}

static void expect_no_more(void) {
    expect(0, RNA_WEIGHTS - 1, 0);
}

enum { BASE_A, BASE_C, BASE_G, BASE_U, AU = 0, CG, GC, GU, UA, UG };

static void test_hairpin(void **state) {
    (void)state;
    count("AGCAAAAGCN", ".((....)).");
    expect(RNA_PAIR + 1, RNA_PAIR + 1, 2);
    expect(RNA_HAIRPIN, RNA_HAIRPIN + 4, 1);
    expect(RNA_CLOSING + CG, RNA_CLOSING + CG, 2); /* the hairpin's, and the outer from outside */
    expect(RNA_MISMATCH + CG * 16, RNA_MISMATCH + CG * 16, 1);
    expect(RNA_BEFORE + CG * 4 + BASE_A, RNA_BEFORE + CG * 4 + BASE_A,
           1); /* behind is no known base */
    expect(RNA_EXTERNAL_UNPAIRED, RNA_EXTERNAL_UNPAIRED, 2);
    expect(RNA_EXTERNAL_PAIR, RNA_EXTERNAL_PAIR, 1);
    double stacks = 0;
    for (int k = RNA_STACK; k < RNA_CLOSING; k++) {
        stacks += counts[k];
        counts[k] = 0;
    }
    assert_true(stacks == 1);
    expect_no_more();
}

/* A stack is the same from either strand, and no other. */
static void test_stacks(void **state) {
    static const char *const words[] = {"AU", "CG", "GC", "GU", "UA", "UG"};
    (void)state;
    int number[6][6], seen[21] = {0};
    for (int outer = 0; outer < 6; outer++)
        for (int inner = 0; inner < 6; inner++) {
            char word[5] = {words[outer][0], words[inner][0], words[inner][1], words[outer][1], 0};
            count(word, "(())");
            for (int k = 0; k < 21; k++)
                if (counts[RNA_STACK + k] == 1)
                    number[outer][inner] = k;
            seen[number[outer][inner]]++;
        }
    static const int other[] = {UA, GC, CG, UG, AU, GU};
    for (int outer = 0; outer < 6; outer++)
        for (int inner = 0; inner < 6; inner++)
            assert_int_equal(number[outer][inner], number[other[inner]][other[outer]]);
    for (int k = 0; k < 21; k++)
        assert_in_range(seen[k], 1, 2);
}

/* Removes the counts that other tests check. */
static void drop(int first, int end) {
    memset(counts + first, 0, sizeof *counts * (size_t)(end - first));
}

static void test_gaps(void **state) {
    (void)state;
    count("CAGCG", "(.())"); /* a bulge of one */
    expect(RNA_BULGE, RNA_BULGE, 1);
    expect(RNA_BULGED + BASE_A, RNA_BULGED + BASE_A, 1);
    expect(RNA_HAIRPIN, RNA_HAIRPIN, 1);
    expect(RNA_MISMATCH + CG * 16 + BASE_A * 4 + BASE_C,
           RNA_MISMATCH + CG * 16 + BASE_A * 4 + BASE_C, 1);
    drop(0, RNA_HAIRPIN);
    drop(RNA_EXTERNAL_UNPAIRED, RNA_WEIGHTS);
    expect_no_more();
    count("CGCAAAG", "(()...)"); /* of three on the right */
    expect(RNA_BULGE, RNA_BULGE + 2, 1);
    expect(RNA_BULGED, RNA_BULGED + 3, 0);
    count("CUGCGG", "(.().)"); /* U opposite G */
    expect(RNA_INTERNAL, RNA_INTERNAL, 1);
    expect(RNA_SYMMETRIC, RNA_SYMMETRIC, 1);
    expect(RNA_EXPLICIT, RNA_EXPLICIT, 1);
    expect(RNA_OPPOSED + 8, RNA_OPPOSED + 8, 1); /* AA AC CC AG CG GG AU CU GU UU */
    expect(RNA_ASYMMETRY, RNA_EXPLICIT - 1, 0);
    expect(RNA_BULGE, RNA_INTERNAL - 1, 0);
    count("CAGCAAAG", "(.()...)");
    expect(RNA_INTERNAL, RNA_INTERNAL + 2, 1);
    expect(RNA_ASYMMETRY, RNA_ASYMMETRY + 1, 1);
    expect(RNA_EXPLICIT + 3, RNA_EXPLICIT + 3, 1); /* 1x1 1x2 2x2 1x3 */
    expect(RNA_SYMMETRIC, RNA_SYMMETRIC, 0);
    expect(RNA_OPPOSED, RNA_OPPOSED + 9, 0);
}

/* Gaps of at most four bases on either side have a weight for both lengths, others have none. */
static void test_explicit_gaps(void **state) {
    (void)state;
    static const int number[4][4] = {{0, 1, 3, 6}, {1, 2, 4, 7}, {3, 4, 5, 8}, {6, 7, 8, 9}};
    for (int left = 1; left <= 5; left++)
        for (int right = 1; right <= 5; right++) {
            char word[RNA_SHORT] = "", brackets[RNA_SHORT] = "";
            int end = left + right + 3;
            memset(word, 'A', (size_t)end + 1);
            memset(brackets, '.', (size_t)end + 1);
            word[0] = word[left + 1] = 'C';
            word[left + 2] = word[end] = 'G';
            brackets[0] = brackets[left + 1] = '(';
            brackets[left + 2] = brackets[end] = ')';
            count(word, brackets);
            if (left < 5 && right < 5)
                expect(RNA_EXPLICIT + number[left - 1][right - 1],
                       RNA_EXPLICIT + number[left - 1][right - 1], 1);
            expect(RNA_EXPLICIT, RNA_EXPLICIT + 9, 0);
        }
}

/* The last length that is counted, and the first that is not. */
static void test_long_gaps(void **state) {
    (void)state;
    char word[RNA_SHORT] = "", brackets[RNA_SHORT] = "";
    for (int length = 30; length <= 40; length += 5)
        for (int left = 0; left < 2; left++) {
            memset(word, 'A', sizeof word - 1);
            memset(brackets, '.', sizeof brackets - 1);
            word[0] = word[left + 1] = 'C';
            word[left + 2] = word[length + 3] = 'G';
            brackets[0] = brackets[left + 1] = '(';
            brackets[left + 2] = brackets[length + 3] = ')';
            word[length + 4] = brackets[length + 4] = '\0';
            count(word, brackets);
            expect(RNA_INTERNAL, RNA_INTERNAL + 28, left == 1 || length > 30);
            expect(RNA_INTERNAL + 29, RNA_INTERNAL + 29, length > 30);
            expect(RNA_BULGE, RNA_BULGE + 29, left == 0 && length == 30);
            expect(RNA_ASYMMETRY, RNA_ASYMMETRY + 27, left == 1 && length == 30);
        }
    memset(word, 'A', sizeof word - 1);
    memset(brackets, '.', sizeof brackets - 1);
    word[0] = 'C';
    word[41] = 'G';
    brackets[0] = '(';
    brackets[41] = ')';
    word[42] = brackets[42] = '\0';
    count(word, brackets);
    expect(RNA_HAIRPIN, RNA_HAIRPIN + 30, 1);
}

static void test_branches(void **state) {
    (void)state;
    count("GAGCCGUC", "(.()().)");
    expect(RNA_MULTI_LOOP, RNA_MULTI_LOOP, 1);
    expect(RNA_MULTI_UNPAIRED, RNA_MULTI_UNPAIRED, 2);
    expect(RNA_MULTI_PAIR, RNA_MULTI_PAIR, 3);
    expect(RNA_EXTERNAL_PAIR, RNA_EXTERNAL_PAIR, 1);
    expect(RNA_CLOSING + GC, RNA_CLOSING + GC, 3); /* GC: loop, hairpin; CG seen from the loop */
    expect(RNA_CLOSING + CG, RNA_CLOSING + CG, 3);
    expect(RNA_AFTER + GC * 4 + BASE_A, RNA_AFTER + GC * 4 + BASE_A, 1);
    expect(RNA_BEFORE + GC * 4 + BASE_U, RNA_BEFORE + GC * 4 + BASE_U, 1);
    expect(RNA_AFTER + CG * 4 + BASE_C, RNA_AFTER + CG * 4 + BASE_C, 1); /* the next branch's */
    expect(RNA_BEFORE + CG * 4 + BASE_A, RNA_BEFORE + CG * 4 + BASE_A, 1);
    expect(RNA_AFTER + GC * 4 + BASE_U, RNA_AFTER + GC * 4 + BASE_U, 1);
    expect(RNA_BEFORE + GC * 4 + BASE_C, RNA_BEFORE + GC * 4 + BASE_C, 1);
    drop(0, RNA_CLOSING);
    drop(RNA_MISMATCH, RNA_AFTER);
    drop(RNA_HAIRPIN, RNA_HAIRPIN + 1);
    expect_no_more();
}

/* <terms of w, T> = <w, counts of T> */
static void test_terms_and_counts(void **state) {
    (void)state;
    struct random random;
    struct rna_terms of_w, terms;
    double w[RNA_WEIGHTS], *t = (double *)&terms;
    random_seed(&random, 3, 1);
    for (int k = 0; k < RNA_WEIGHTS; k++)
        w[k] = random_unit(&random) - 0.5;
    for (int k = 0; k < TERMS; k++)
        t[k] = random_unit(&random);
    rna_terms_of_weights(w, &of_w);
    memset(counts, 0, sizeof counts);
    rna_add_counts(&terms, 2, counts);
    assert_near(2 * vector_dot((double *)&of_w, t, TERMS), vector_dot(w, counts, RNA_WEIGHTS),
                1e-9);
}

/* ---- all structures */

struct all {
    struct rna_fold fold;
    int64_t number;
    double best, sum, wrong;
    double terms[TERMS];
};

/* The positions whose partner in one structure is not that in the other. */
static int64_t wrong_positions(const int32_t *truth, const int32_t *partner, int64_t length) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < length; i++)
        wrong += truth[i] != partner[i];
    return wrong;
}

static double score_of(const struct rna_fold *fold, const int32_t *partner, struct rna_terms *terms,
                       double *wrong) {
    memset(terms, 0, sizeof *terms);
    rna_terms_of_structure(&fold->sequence, partner, terms);
    *wrong = fold->truth == NULL
                 ? 0
                 : (double)wrong_positions(fold->truth, partner, fold->sequence.length);
    return vector_dot((const double *)fold->terms, (double *)terms, TERMS) + fold->cost * *wrong;
}

static void visit(const struct rna_sequence *s, const int32_t *partner, void *more) {
    struct all *all = more;
    struct rna_terms terms;
    double wrong, score = score_of(&all->fold, partner, &terms, &wrong), share = exp(score);
    (void)s;
    all->number++;
    all->best = fmax(all->best, score);
    all->sum += share;
    all->wrong += share * wrong;
    for (int k = 0; k < TERMS; k++)
        all->terms[k] += share * ((double *)&terms)[k];
}

static void check_best(const struct all *all) {
    struct rna_fold fold = all->fold;
    struct rna_terms terms = {0}, again;
    int32_t partner[RNA_SHORT];
    double wrong, same, size = 1 + fabs(all->best);
    fold.soft = false;
    assert_near(rna_inside(&fold), all->best, 1e-11 * size);
    wrong = rna_outside(&fold, &terms, partner);
    assert_near(score_of(&fold, partner, &again, &same), all->best, 1e-11 * size);
    assert_memory_equal(&terms, &again, sizeof terms);
    assert_true(wrong == same);
}

static double long_gaps; /* how many there were on the average */

static void check_sums(const struct all *all) {
    struct rna_fold fold = all->fold;
    struct rna_terms terms = {0};
    fold.soft = true;
    assert_near(rna_inside(&fold), log(all->sum), 1e-11 * (1 + fabs(log(all->sum))));
    assert_near(rna_outside(&fold, &terms, NULL), all->wrong / all->sum, 1e-10);
    for (int k = 0; k < TERMS; k++)
        assert_near(((double *)&terms)[k], all->terms[k] / all->sum, 1e-10);
    long_gaps += terms.long_gap;
    assert_near(rna_log_structures(&fold.sequence, fold.work, NULL), log((double)all->number),
                1e-12);
}

/* Weights of SIZE, with a truth where `cost` is not 0. */
static void check_all(const struct rna_short *a, struct random *random, double size, double cost,
                      const int32_t *truth) {
    struct rna_terms terms;
    double w[RNA_WEIGHTS];
    for (int k = 0; k < RNA_WEIGHTS; k++)
        w[k] = size * (random_unit(random) - 0.4);
    rna_terms_of_weights(w, &terms);
    struct all all = {.fold = {.sequence = a->s,
                               .terms = &terms,
                               .truth = truth,
                               .cost = cost,
                               .work = malloc(rna_fold_bytes(a->s.length))},
                      .best = -INFINITY};
    assert_non_null(all.fold.work);
    rna_each(&a->s, visit, &all);
    check_best(&all);
    check_sums(&all);
    free(all.fold.work);
}

static void test_all_structures(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 1, 1);
    for (int trial = 0; trial < 120; trial++) {
        struct rna_short a;
        rna_short_draw(&a, &random, 1 + trial % 12);
        check_all(&a, &random, trial % 3 == 0 ? 6 : 1, 0, NULL);
    }
}

struct choice {
    int64_t left;
    int32_t partner[RNA_SHORT];
};

static void choose(const struct rna_sequence *s, const int32_t *partner, void *more) {
    struct choice *choice = more;
    if (choice->left-- == 0)
        memcpy(choice->partner, partner, sizeof *partner * (size_t)s->length);
}

static void test_wrong_positions(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 2, 1);
    for (int trial = 0; trial < 60; trial++) {
        struct rna_short a;
        struct choice choice;
        rna_short_draw(&a, &random, 2 + trial % 10);
        void *work = malloc(rna_fold_bytes(a.s.length));
        double number = exp(rna_log_structures(&a.s, work, NULL));
        free(work);
        choice.left = (int64_t)(random_unit(&random) * number);
        rna_each(&a.s, choose, &choice);
        assert_true(choice.left < 0);
        check_all(&a, &random, 1, trial % 2 ? 1 : 0.3, choice.partner);
    }
}

/* Few bases that can pair, far from each other. */
static void test_far_pairs(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 5, 1);
    long_gaps = 0;
    for (int trial = 0; trial < 60; trial++) {
        char word[RNA_SHORT + 1] = "";
        int64_t n = 33 + (int64_t)random_below(&random, 28);
        memset(word, 'A', (size_t)n);
        for (int k = 0; k < 12; k++)
            word[k < 6 ? random_below(&random, 12) : (uint64_t)n - 1 - random_below(&random, 14)] =
                "CG"[random_below(&random, 2)];
        word[random_below(&random, (uint64_t)n)] = 'G';
        struct rna_short a;
        rna_short_set(&a, word);
        check_all(&a, &random, 1, 0, NULL);
    }
    assert_true(long_gaps > 1);
}

/* Scores beyond what exp() holds. */
static void test_large_scores(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 6, 1);
    for (int trial = 0; trial < 20; trial++) {
        struct rna_short a;
        struct rna_terms terms, soft = {0}, hard = {0};
        double w[RNA_WEIGHTS];
        rna_short_draw(&a, &random, 40);
        for (int k = 0; k < RNA_WEIGHTS; k++)
            w[k] = 1e5 * (random_unit(&random) - 0.5);
        rna_terms_of_weights(w, &terms);
        struct rna_fold fold = {
            .sequence = a.s, .terms = &terms, .work = malloc(rna_fold_bytes(a.s.length))};
        double best = rna_inside(&fold);
        rna_outside(&fold, &hard, NULL);
        fold.soft = true;
        assert_near(rna_inside(&fold), best, 1e-12 * fabs(best));
        rna_outside(&fold, &soft, NULL);
        for (int k = 0; k < TERMS; k++)
            assert_near(((double *)&soft)[k], ((double *)&hard)[k], 1e-6);
        free(fold.work);
    }
}

/* The averages are the derivative of the sum, on sequences too long for enumeration. */
static void test_differences(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 7, 1);
    for (int trial = 0; trial < 8; trial++) {
        struct rna_short a;
        struct rna_terms terms, average = {0};
        double *t = (double *)&terms, direction[TERMS], h = 1e-5, value[2];
        rna_short_draw(&a, &random, RNA_SHORT);
        for (int k = 0; k < TERMS; k++) {
            t[k] = random_unit(&random) - 0.5;
            direction[k] = random_unit(&random) - 0.5;
        }
        struct rna_fold fold = {.sequence = a.s,
                                .terms = &terms,
                                .soft = true,
                                .work = malloc(rna_fold_bytes(a.s.length))};
        rna_inside(&fold);
        rna_outside(&fold, &average, NULL);
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < TERMS; k++)
                t[k] += (side ? -2 : 1) * h * direction[k];
            value[side] = rna_inside(&fold);
        }
        assert_near(vector_dot((double *)&average, direction, TERMS),
                    (value[0] - value[1]) / (2 * h), 1e-6);
        free(fold.work);
    }
}

/* ---- interruptions */

struct poll_limit {
    int polls, max_polls;
};

static bool is_over(void *opaque) {
    struct poll_limit *poll_limit = opaque;
    return ++poll_limit->polls > poll_limit->max_polls;
}

/* Each of the three functions polls once for each base, or once more, and ends at once. */
static void test_interruptions(void **state) {
    (void)state;
    struct random random;
    struct rna_short a;
    struct rna_terms terms = {0};
    struct poll_limit poll_limit;
    const struct interruption interrupted = {is_over, &poll_limit};
    random_seed(&random, 8, 1);
    rna_short_draw(&a, &random, RNA_SHORT);
    struct rna_fold fold = {.sequence = a.s,
                            .terms = &terms,
                            .interrupted = &interrupted,
                            .work = malloc(rna_fold_bytes(a.s.length))};
    for (int max_polls = 0; max_polls < RNA_SHORT; max_polls += 9)
        for (int soft = 0; soft < 2; soft++) {
            fold.soft = soft == 1;
            poll_limit = (struct poll_limit){.max_polls = max_polls};
            assert_true(isnan(rna_inside(&fold)));
            assert_int_equal(poll_limit.polls, max_polls + 1);
            poll_limit = (struct poll_limit){.max_polls = RNA_SHORT + max_polls};
            assert_true(isfinite(rna_inside(&fold)));
            assert_true(isnan(rna_outside(&fold, NULL, NULL)));
            assert_int_equal(poll_limit.polls, RNA_SHORT + max_polls + 1);
            poll_limit = (struct poll_limit){.max_polls = max_polls};
            assert_true(isnan(rna_log_structures(&a.s, fold.work, &interrupted)));
            assert_int_equal(poll_limit.polls, max_polls + 1);
        }
    free(fold.work);
}

/* ---- how long counts can be */

static void check_length(const struct rna_sequence *s, const int32_t *partner, void *more) {
    struct rna_terms terms = {0};
    (void)more;
    rna_terms_of_structure(s, partner, &terms);
    memset(counts, 0, sizeof counts);
    rna_add_counts(&terms, 1, counts);
    double length = sqrt(vector_dot(counts, counts, RNA_WEIGHTS));
    assert_true(length <= rna_counts_bound() * (double)s->length);
}

static void test_bound(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 8, 1);
    for (int trial = 0; trial < 30; trial++) {
        struct rna_short a;
        rna_short_draw(&a, &random, 1 + trial % 12);
        rna_each(&a.s, check_length, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hairpin),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_explicit_gaps),
        cmocka_unit_test(test_long_gaps),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_terms_and_counts),
        cmocka_unit_test(test_interruptions),
        cmocka_unit_test(test_all_structures),
        cmocka_unit_test(test_wrong_positions),
        cmocka_unit_test(test_far_pairs),
        cmocka_unit_test(test_large_scores),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
