/* test_predict_memory.c - each allocation of predict fails: with every kind of model and output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/failing_memory.h"

static const char *const models[] = {
    "@two @two.model",
    "@three @three.model",
    "-L squared @numbers @numbers.model",
    "-L logistic -B 1 @two @logistic.model",
    "-L softmax @three @softmax.model",
    "-L pairwise @queries @pairwise.model",
    "-L ndcg @queries @ndcg.model",
    "-L m3n @queries @m3n.model",
    "-L crf @queries @crf.model",
    "-L rna @rna @rna.model",
    "--map nystrom --landmarks 9 --sigma 1 @two @nystrom.model",
    "--map fourier --dimension 8 --sigma 1 @three @fourier.model",
    "-s pdsg --sigma 1 --basis 1,2 @two @support.model",
    "--sigma 1 --basis 1 -b 1 @three @pairs.model",
    "--scale standard @two @scaled.model",
};

static const char *const lines[] = {
    "@two @two.model @out",
    "-d --report @report @two.gz @two.model @out",
    "-d @three @three.model @out",
    "@numbers @numbers.model @out",
    "-b 1 @two @logistic.model @out",
    "-b 1 @three @softmax.model @out",
    "@queries @pairwise.model @out",
    "--report @report @queries @ndcg.model @out",
    "--names @names --report @report @queries @m3n.model @out",
    "-d @queries @m3n.model @out",
    "-b 1 @queries @crf.model @out",
    "--report @report @rna @rna.model @out",
    "@two @nystrom.model @out",
    "@three @fourier.model @out",
    "-d @two @support.model @out",
    "--parts @two @support.model @out",
    "@three @liblinear.model @out",
    "@two @libsvm.model @out",
    "@three @libsvm-three.model @out",
    "-d -b 1 @three @pairs.model @out",
    "@two @scaled.model @out",
    "--measures confusion --report @report @three @three.model @out",
};

static void write_text(const char *name, const char *text) {
    FILE *file = __real_fopen(in_folder(name), "w");
    fputs(text, file);
    fclose(file);
}

static void make_models(void) {
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char words[512];
        snprintf(words, sizeof words, "train -j 1 -p 3 %s", models[i]);
        make_by(words);
    }
    write_text("names", "label 0 O\nlabel 1 B-NP\nlabel 2 I-NP\n");
    write_text("liblinear.model", "solver_type MCSVM_CS\nnr_class 3\nlabel 0 1 2\nnr_feature 2\n"
                                  "bias -1\nw\n1 -1 0\n0.5 0 2\n");
    write_text("libsvm.model",
               "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\n"
               "rho 0.1\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 3:2\n-1 2:0.5\n");
    write_text("libsvm-three.model",
               "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho 0.1 0 0\n"
               "label 0 1 2\nprobA -1 -1 -1\nprobB 0 0 0\nnr_sv 1 1 1\nSV\n1 1 1:1 3:2\n"
               "-1 1 2:0.5\n-1 -1 1:2\n");
}

static void every_model_and_output(void **state) {
    (void)state;
    int wrong = 0;
    make_models();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char words[512];
        snprintf(words, sizeof words, "predict -j 1 %s", lines[i]);
        wrong += fail_each(&(struct command){words, {"out", "report"}, predict_main});
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_model_and_output)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
