/* test_corpus.c - sequences in columns, the features that templates make of them, and distinct strings:
 * each against a plain way to the same thing. */
#include "data/corpus.h"
#include "data/template.h"
#include "data/words.h"
#include "math/random/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/temporary.h"

static void write_file(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static struct corpus read_corpus(const char *text) {
    struct corpus corpus;
    struct error e = {0};
    write_file(text);
    if (corpus_read(path, &corpus, &e) != 0)
        fail_msg("%s", e.words);
    return corpus;
}

static struct template read_template(const char *text, int64_t columns) {
    struct template template;
    struct error e = {0};
    write_file(text);
    if (template_read(path, columns, &template, &e) != 0)
        fail_msg("%s", e.words);
    return template;
}

/* ---- columns */

static void words_and_sentences_are_told_apart(void **state) {
    (void)state;
    struct corpus marked = read_corpus("\xef\xbb\xbfThe DT\n");
    assert_string_equal(corpus_word(&marked, 0, 0), "The");
    corpus_free(&marked);
    const char *texts[] = {
        "a b\nc d\n\ne f\n",
        "\n \t \n\r\n a\tb \t\r\nc  d\r\n\n\n\n\te f",
    };
    const char *words[] = {"a", "b", "c", "d", "e", "f"};
    for (int t = 0; t < 2; t++) {
        struct corpus corpus = read_corpus(texts[t]);
        assert_int_equal(corpus.rows, 3);
        assert_int_equal(corpus.width, 2);
        assert_int_equal(corpus.sentences, 2);
        assert_int_equal(corpus.start[0], 0);
        assert_int_equal(corpus.start[1], 2);
        assert_int_equal(corpus.start[2], 3);
        assert_int_equal(corpus.longest, 1);
        for (int k = 0; k < 6; k++)
            assert_string_equal(corpus_word(&corpus, k / 2, k % 2), words[k]);
        corpus_free(&corpus);
    }
}

/* Words and sentences of many lengths, lines longer than a block: all are read. */
static void what_was_written_is_read(void **state) {
    (void)state;
    enum { WIDTH = 3, LINES = 5000, LONG = 300000 };
    struct random random;
    FILE *file = fopen(path, "w");
    char *kept = malloc(LINES * WIDTH * 64 + LONG + 64), *p = kept;
    int64_t rows = 0, sentences = 0;
    int inside = 0;
    random_seed(&random, 1, 2);
    for (int i = 0; i < LINES; i++) {
        if (random_below(&random, 5) == 0) {
            fputs("\n", file);
            inside = 0;
            continue;
        }
        for (int c = 0; c < WIDTH; c++) {
            int length = i == LINES / 2 && c == 1 ? LONG : 1 + (int)random_below(&random, 40);
            char *word = p;
            for (int k = 0; k < length; k++)
                *p++ = (char)(33 + random_below(&random, 223));
            *p++ = '\0';
            fprintf(file, "%s%s", word, c < WIDTH - 1 ? " " : "\n");
        }
        sentences += !inside;
        inside = 1;
        rows++;
    }
    fclose(file);
    struct corpus corpus;
    struct error e = {0};
    assert_int_equal(corpus_read(path, &corpus, &e), 0);
    assert_int_equal(corpus.rows, rows);
    assert_int_equal(corpus.sentences, sentences);
    p = kept;
    for (int64_t k = 0; k < rows * WIDTH; k++, p += strlen(p) + 1)
        assert_string_equal(corpus_word(&corpus, k / WIDTH, k % WIDTH), p);
    corpus_free(&corpus);
    free(kept);
}

/* ---- templates */

/* Feature UNIT of ROW as text, in a buffer of template_bytes() bytes. */
static const char *feature(const struct template *template, int64_t unit,
                           const struct corpus *corpus, int64_t sentence, int64_t row) {
    static char text[256];
    int64_t bytes = template_bytes(template, corpus);
    char *exact = malloc((size_t)bytes); /* what a sanitizer watches */
    int64_t length = template_expand(template, unit, corpus, sentence, row, exact);
    assert_true(length < bytes && length == (int64_t)strlen(exact) && bytes < 256);
    snprintf(text, sizeof text, "%s", exact);
    free(exact);
    return text;
}

static void features_are_those_of_the_template(void **state) {
    (void)state;
    static const struct {
        int row;
        const char *text[5];
    } expected[] = {
        {0, {"U00:_B-2", "U01:the/DT", "U02:NNVBZend", "U", "U04:_B-1000_B+998"}},
        {1, {"U00:_B-1", "U01:dog/NN", "U02:VBZ_B+1end", "U", "U04:_B-999_B+999"}},
        {2, {"U00:the", "U01:barks/VBZ", "U02:_B+1_B+2end", "U", "U04:_B-998_B+1000"}},
        {3, {"U00:_B-2", "U01:Yes/UH", "U02:_B+1_B+2end", "U", "U04:_B-1000_B+1000"}},
    };
    struct template template = read_template("# comment %x[\n"
                                             "U00:%x[-2,0]\n\n"
                                             "  U01:%x[0,0]/%x[-0,1]  \r\n"
                                             "B\nB00\n"
                                             "U02:%x[1,1]%x[2,1]end\n"
                                             "U\n"
                                             "U04:%x[-1000,2]%x[1000,0]",
                                             3);
    struct corpus corpus = read_corpus("the DT X\ndog NN Y\nbarks VBZ Z\n\nYes UH X\n");
    assert_int_equal(template.units, 5);
    for (int i = 0; i < 4; i++)
        for (int u = 0; u < 5; u++)
            assert_string_equal(feature(&template, u, &corpus, i == 3, expected[i].row),
                                expected[i].text[u]);
    template_free(&template);
    corpus_free(&corpus);
}

/* ---- strings */

/* The number of TEXT in a list of COUNT strings of SIZE bytes; COUNT: it is not there. */
static int64_t look_up(const char *list, int64_t count, size_t size, const char *text) {
    int64_t k = 0;
    while (k < count && strcmp(list + (size_t)k * size, text) != 0)
        k++;
    return k;
}

/* Short strings of few letters, so that they repeat, with bytes that a hash might ignore. */
static void strings_have_the_numbers_of_a_list(void **state) {
    (void)state;
    enum { TRIES = 6000, SIZE = 20 };
    char(*list)[SIZE] = malloc(TRIES * SIZE);
    struct words words = {0};
    struct random random;
    int64_t count = 0;
    random_seed(&random, 3, 4);
    assert_int_equal(words_find(&words, "", 0), -1);
    for (int i = 0; i < TRIES; i++) {
        char text[SIZE] = "";
        int length = (int)random_below(&random, SIZE);
        for (int k = 0; k < length; k++)
            text[k] = (char)(1 + (random_below(&random, 4) == 0 ? 127 : 0));
        int64_t known = look_up(list[0], count, SIZE, text);
        assert_int_equal(words_find(&words, text, length), known < count ? known : -1);
        if (known == count)
            memcpy(list[count++], text, SIZE);
        assert_int_equal(words_add(&words, text, length, NULL), known);
        assert_int_equal(words.count, count);
    }
    assert_true(count > 1000 && count < TRIES);
    for (int64_t k = 0; k < count; k++)
        assert_string_equal(words_text(&words, k), list[k]);
    words_free(&words);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_sentences_are_told_apart),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(features_are_those_of_the_template),
        cmocka_unit_test(strings_have_the_numbers_of_a_list),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
