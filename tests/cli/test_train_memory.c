/* test_train_memory.c - each allocation of train fails: with every solver, loss and option that allocates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solvers/solver.h"
#include "tests/failing_memory.h"

#define MODEL "@model"

/* Options and data; the test's name says what is trained. */
static void fail_all(const char *const *lines, int count) {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        char words[512];
        snprintf(words, sizeof words, "train -j 1 %s", lines[i]);
        wrong += fail_each(&(struct command){words, {"model", "report"}, train_main});
    }
    assert_int_equal(wrong, 0);
}

#define FAIL_ALL(LINES) fail_all(LINES, (int)(sizeof(LINES) / sizeof *(LINES)))

static void every_solver(void **state) {
    (void)state;
    int count;
    const struct solver *const *table = solver_table(&count);
    for (int i = 0; i < count; i++) {
        char words[128];
        const char *const lines[] = {words};
        if (table[i]->takes_loss != NULL && !table[i]->takes_loss(loss_by_name("hinge")) &&
            !table[i]->takes_loss(loss_by_name("logistic")))
            continue; /* for risks of items, below */
        bool l1 = table[i]->regularizers[0] != NULL && strcmp(table[i]->regularizers[0], "l1") == 0;
        bool logistic =
            l1 || (table[i]->takes_loss != NULL && !table[i]->takes_loss(loss_by_name("hinge")));
        snprintf(words, sizeof words, "-s %s%s -p 3%s%s @two " MODEL, table[i]->name,
                 table[i]->stream != NULL ? " -q" : "",
                 table[i]->needs == SOLVER_NEEDS_MARGINS ? " -L crammer-singer"
                 : table[i]->needs == SOLVER_NEEDS_SMOOTHED ||
                         table[i]->needs == SOLVER_NEEDS_SMOOTH || logistic
                     ? " -L logistic"
                     : "",
                 l1 ? " -r l1" : "");
        FAIL_ALL(lines);
    }
}

static void offsets_and_outputs(void **state) {
    (void)state;
    static const char *const lines[] = {
        "-s ipm --intercept -p 3 @two " MODEL,
        "-s ipm -L logistic --intercept -p 3 @two " MODEL,
        "-s ipm -L absolute -p 3 @numbers " MODEL,
        "-s ipm -L huber -p 3 @numbers " MODEL,
        "-s dcd -L epsilon -B 1 -p 40 @numbers " MODEL,
        "-s ocas --intercept -p 3 @two " MODEL,
        "-s mcpa --intercept -p 3 @two " MODEL,
        "-s lps -L logistic -r l1 --intercept -p 5 @two " MODEL,
        "-s rda+ -L logistic -r l1 --intercept -l 0.001 -p 5 @two " MODEL,
        "-s rda -r l1 --intercept --output average -p 3 @two " MODEL,
        "-s sgd -r elastic-net -L squared --intercept -p 3 @numbers " MODEL,
        "-s fobos -r l1 -l 0.001 -p 2 --output best @two " MODEL,
        "-s tg -r l1 -l 0.001 -p 2 --output average @two " MODEL,
        "-s proximal --intercept --output best -p 3 @two " MODEL,
        "-s asset --intercept -p 3 @two " MODEL,
        "-s asset-on -q --intercept --zero-based -p 3 @two " MODEL,
        "-s asset-on -q --map fourier --sigma 1 --dimension 8 -p 3 @two " MODEL,
        "-s asset-on -q --hash 6 -p 3 --report @report @three " MODEL,
        "-s ipm --hash 6 -p 3 @two " MODEL,
        "-s ipm --scale standard -p 3 @two " MODEL,
        "-s ipm --scale range -v 2 -p 3 @two",
        "-s agm --intercept -p 8 @two " MODEL,
        "-s agm --form dual -p 8 @two " MODEL,
        "-s agm --form smooth-dual -p 8 @two " MODEL,
        "-s agm --form excessive-gap -p 8 @two " MODEL,
        "-s agm -L squared --metric root -p 8 @numbers " MODEL,
        "-s agm1 -L absolute -p 8 @numbers " MODEL,
        "-s agm -L boost -p 8 @three -P 1 " MODEL,
        "-s agm --ball l1=1 -L logistic -p 8 @two " MODEL,
    };
    FAIL_ALL(lines);
}

static void losses(void **state) {
    (void)state;
    static const char *const lines[] = {
        "-L crammer-singer -s bundle -p 3 @three " MODEL,
        "-L softmax -s proximal-bundle -p 3 @three " MODEL,
        "-L crammer-singer -s agm -p 8 @three " MODEL,
        "-L crammer-singer -s sdm --method ascent -l 1e-4 -B 1 -p 20 @three " MODEL,
        "-L crammer-singer -s sdm --method newton -l 1e-4 -B 1 -p 20 @three " MODEL,
        "-L softmax -s pegasos -p 2 @three " MODEL,
        "-L f1 -s bundle -p 3 @two " MODEL,
        "-L f1 -s agm -p 8 @two " MODEL,
        "-L prbep -s agm -p 8 @two " MODEL,
        "-L precision --at 3 -s bundle -p 3 @two " MODEL,
        "-L rocarea -s bundle -p 3 @two " MODEL,
        "-L rocarea -s agm -p 8 @two " MODEL,
        "-L pairwise -p 3 @queries " MODEL,
        "-L pairwise -s agm -p 8 @queries " MODEL,
        "-L ndcg -s bundle -p 3 @queries " MODEL,
        "-L ndcg -s proximal -p 2 @queries " MODEL,
        "-L crf -p 3 @queries " MODEL,
        "-L crf --intercept -p 3 @queries " MODEL,
        "-L crf --state-features attested -p 3 @queries " MODEL,
        "-L m3n -s bundle --intercept -p 3 @queries " MODEL,
        "-L m3n -s agm -p 8 @queries " MODEL,
        "-L m3n -s proximal -p 2 @queries " MODEL,
        "-L m3n -s sdca -p 8 @queries " MODEL,
        "-L crf -s sdca -p 6 @queries " MODEL,
        "-L logistic -s sdca -p 6 @two " MODEL,
        "-L ndcg -s sdca -p 6 @queries " MODEL,
        "-L rna -s bundle -p 3 @rna " MODEL,
        "-L rna -s agm -p 4 @rna " MODEL,
        "-L rna -s sdca -p 6 @rna " MODEL,
        "-L rna -s pegasos -p 2 @rna " MODEL,
    };
    FAIL_ALL(lines);
}

static void options(void **state) {
    (void)state;
    static const char *const lines[] = {
        "-p 3 @three " MODEL,
        "-p 3 --report @report -T @trace @two.gz " MODEL,
        "-v 3 -p 3 --report @report @three",
        "--path 3 -r l1 -L logistic -p 3 --report @report @two " MODEL,
        "--path 3 -v 3 -r l1 -L logistic -p 3 --report @report @two " MODEL,
        "--path certified=0.3,1,0.1 -s ocas --path-models @step @two " MODEL,
        "--path certified=0.1,1,0.1 -s dcd @two " MODEL,
        "--path certified=0.2,1,0.1 -s sdm -L crammer-singer @three " MODEL,
        "--search --path 2 -v 2 --measure auc -s ipm --report @report @two " MODEL,
        "--search --path 2 -s dcd -p 3 --validation @two @two " MODEL,
        "--search --path 2 -v 2 --map nystrom --landmarks 3,2 --gamma-kernel 1,2 -p 3 @two " MODEL,
        "--map nystrom --landmarks 9 --sigma 1 -p 3 --report @report @two " MODEL,
        "--map nystrom --landmarks 9 --sigma 1 -p 3 --memory 0.003 @two " MODEL,
        "--map fourier --dimension 8 --sigma 1 -p 3 @two " MODEL,
        "-s pdsg --sigma 1 --basis 1,2 --basis-only 3 -p 3 @two " MODEL,
        "-s mpd --sigma 1 --basis 1,2 --intercept -p 3 @two " MODEL,
        "--sigma 1 --basis 1,2 --basis-only 3 -p 3 @two " MODEL,
        "--kernel polynomial -i @support -p 3 @two " MODEL,
        "--path 2 --kernel linear --intercept -p 3 --report @report @two " MODEL,
        "-w 1=2 --weights @weights -c 1 -p 3 @two " MODEL,
        "-i @start -p 3 @two " MODEL,
        "-i @kernel --map nystrom --sigma 1 -p 3 @two " MODEL,
        "-s asset-on -q -i @start -p 3 @two " MODEL,
        "-P 1 -p 3 @three " MODEL,
        "--multiclass ovo -b 1 -p 3 --report @report @three " MODEL,
        "--multiclass ovo --path 2 -r l1 -L logistic -v 2 -p 2 @three " MODEL,
        "--sigma 1 --basis 1 -b 1 -p 3 @three " MODEL,
        "-L crammer-singer -s bundle -b 1 -p 2 @three " MODEL,
        "--multiclass ovr -b 1 -p 2 @three " MODEL,
        "-L crf -v 3 -p 3 @queries",
    };
    FILE *weights = __real_fopen(in_folder("weights"), "w");
    for (int i = 0; i < 40; i++)
        fprintf(weights, "%d\n", 1 + i % 2);
    fclose(weights);
    make_by("train -j 1 -p 2 @two @start");
    make_by("train -j 1 -p 2 --sigma 1 @two @support");
    make_by("train -j 1 -p 2 --map nystrom --landmarks 9 --sigma 1 @two @kernel");
    FAIL_ALL(lines);
}

/* Writing them, and going on from the first one. */
static void checkpoints(void **state) {
    (void)state;
    static const char *const lines[] = {
        "-s rda+ -L logistic -r l1 -l 0.001 --give-up 1 --checkpoint @checkpoint:0 -p 30 "
        "@two " MODEL,
        "-s sdm -L crammer-singer -l 1e-2 --checkpoint @checkpoint:0 -p 12 @three " MODEL,
        "-q -s asset-on --sample 5 -l 1e-2 --checkpoint @checkpoint:0 -p 12 @three " MODEL,
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char words[512];
        fail_all(&lines[i], 1);
        keeping = true;
        snprintf(words, sizeof words, "train -j 1 %s", lines[i]);
        make_by(words);
        keeping = false;
        assert_int_equal(access(in_folder("kept"), F_OK), 0);
        fail_all(&lines[i], 1);
        unlink(in_folder("kept"));
    }
}

/* A run's model is written, with a warning, though there was no memory to compare it with all weights 0. */
static void finished_model_is_kept(void **state) {
    (void)state;
    const struct command command = {
        "train -j 1 -s pegasos -l 1e-6 -p 1 @two " MODEL, {"model", NULL}, train_main};
    struct ended first = run(&command, -1);
    bool found = false;
    for (int64_t number = runs->count - 1; number >= 0 && !found; number--) {
        struct ended one = run(&command, number);
        found = strstr(one.words, "the null model") != NULL ||
                strstr(one.words, "warning: memory was too short to compare") != NULL;
        if (found) {
            assert_int_equal(one.status, 0);
            assert_string_equal(one.text[0], first.text[0]);
        }
        ended_free(&one);
    }
    ended_free(&first);
    assert_true(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finished_model_is_kept),
        cmocka_unit_test(every_solver),
        cmocka_unit_test(offsets_and_outputs),
        cmocka_unit_test(losses),
        cmocka_unit_test(options),
        cmocka_unit_test(checkpoints),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
