/* test_tagging.c - chunks beside conlleval's own rules on random tags; the lines and measures of predicted
 * sequences. */
#include "cli/prediction_lines.h"
#include "math/random/random.h"
#include "prediction/chunks.h"
#include "prediction/tagging.h"
#include "risk/sequences/chain.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

/* ---- conlleval, word by word */

struct word_tag {
    char tag[16], type[16];
};

/* if ($tag =~ /^([^-]*)-(.*)$/) { $tag = $1; $type = $2 } else { $type = "" } */
static struct word_tag split(const char *name) {
    struct word_tag word = {0};
    const char *dash = strchr(name, '-');
    snprintf(word.tag, sizeof word.tag, "%.*s", (int)(dash == NULL ? 15 : dash - name), name);
    snprintf(word.type, sizeof word.type, "%s", dash == NULL ? "" : dash + 1);
    return word;
}

static bool both(const char *a, const char *is_a, const char *b, const char *is_b) {
    return strcmp(a, is_a) == 0 && strcmp(b, is_b) == 0;
}

static bool end_of_chunk(struct word_tag prev, struct word_tag now) {
    bool end = false;
    end = both(prev.tag, "B", now.tag, "B") ? true : end;
    end = both(prev.tag, "B", now.tag, "O") ? true : end;
    end = both(prev.tag, "I", now.tag, "B") ? true : end;
    end = both(prev.tag, "I", now.tag, "O") ? true : end;
    end = both(prev.tag, "E", now.tag, "E") ? true : end;
    end = both(prev.tag, "E", now.tag, "I") ? true : end;
    end = both(prev.tag, "E", now.tag, "O") ? true : end;
    if (strcmp(prev.tag, "O") != 0 && strcmp(prev.tag, ".") != 0 &&
        strcmp(prev.type, now.type) != 0)
        end = true;
    end = strcmp(prev.tag, "]") == 0 ? true : end;
    end = strcmp(prev.tag, "[") == 0 ? true : end;
    return end;
}

static bool start_of_chunk(struct word_tag prev, struct word_tag now) {
    bool start = false;
    start = both(prev.tag, "B", now.tag, "B") ? true : start;
    start = both(prev.tag, "I", now.tag, "B") ? true : start;
    start = both(prev.tag, "O", now.tag, "B") ? true : start;
    start = both(prev.tag, "O", now.tag, "I") ? true : start;
    start = both(prev.tag, "E", now.tag, "E") ? true : start;
    start = both(prev.tag, "E", now.tag, "I") ? true : start;
    start = both(prev.tag, "O", now.tag, "E") ? true : start;
    if (strcmp(now.tag, "O") != 0 && strcmp(now.tag, ".") != 0 && strcmp(prev.type, now.type) != 0)
        start = true;
    start = strcmp(now.tag, "[") == 0 ? true : start;
    start = strcmp(now.tag, "]") == 0 ? true : start;
    return start;
}

/* The main loop of conlleval over one sentence and the boundary behind it. */
static void conlleval(const char *const *correct, const char *const *guessed, int64_t length,
                      struct chunk_counts *counts) {
    struct word_tag last_correct = split("O"), last_guessed = split("O");
    bool in_correct = false;
    for (int64_t t = 0; t <= length; t++) {
        struct word_tag c = split(t < length ? correct[t] : "O");
        struct word_tag g = split(t < length ? guessed[t] : "O");
        if (in_correct) {
            if (end_of_chunk(last_correct, c) && end_of_chunk(last_guessed, g) &&
                strcmp(last_guessed.type, last_correct.type) == 0) {
                in_correct = false;
                counts->right++;
            } else if (end_of_chunk(last_correct, c) != end_of_chunk(last_guessed, g) ||
                       strcmp(g.type, c.type) != 0) {
                in_correct = false;
            }
        }
        if (start_of_chunk(last_correct, c) && start_of_chunk(last_guessed, g) &&
            strcmp(g.type, c.type) == 0)
            in_correct = true;
        counts->there += start_of_chunk(last_correct, c);
        counts->found += start_of_chunk(last_guessed, g);
        last_correct = c;
        last_guessed = g;
    }
}

static const char *const tags_of_all_kinds[] = {"O",    "B-NP", "I-NP", "B-VP", "I-VP", "E-NP",
                                                ".",    "I-",   "I",    "B",    "[-NP", "]",
                                                "S-NP", "X",    "O-NP", "B-A-B"};
enum { KINDS = sizeof tags_of_all_kinds / sizeof *tags_of_all_kinds, LENGTH = 12 };

/* COUNT of the tags, predictions that are right as often as not. */
static void compare_chunks(int64_t count, uint64_t seed) {
    struct chunk_tags *tags = chunk_tags_new(tags_of_all_kinds, count, NULL);
    struct random random;
    int64_t right = 0;
    assert_non_null(tags);
    random_seed(&random, seed, 0);
    for (int trial = 0; trial < 5000; trial++) {
        struct chunk_counts counts = {0}, expected = {0};
        int32_t truth[LENGTH], found[LENGTH];
        const char *correct[LENGTH], *guessed[LENGTH];
        int64_t length = 1 + (int64_t)random_below(&random, LENGTH);
        for (int64_t t = 0; t < length; t++) {
            truth[t] = (int32_t)random_below(&random, (uint64_t)count);
            found[t] = random_below(&random, 2) ? truth[t]
                                                : (int32_t)random_below(&random, (uint64_t)count);
            correct[t] = tags_of_all_kinds[truth[t]];
            guessed[t] = tags_of_all_kinds[found[t]];
        }
        chunk_counts_add(tags, truth, found, length, &counts);
        conlleval(correct, guessed, length, &expected);
        assert_memory_equal(&counts, &expected, sizeof counts);
        right += counts.right;
    }
    assert_true(right > 1000);
    chunk_tags_free(tags);
}

static void chunks_are_conlleval_s(void **state) {
    (void)state;
    compare_chunks(3, 1); /* O, B-NP, I-NP */
    compare_chunks(5, 2);
    compare_chunks(6, 3);
    compare_chunks(KINDS, 4);
}

static void some_tags_are_of_no_chunks(void **state) {
    static const char *const words[] = {"NN", "VB", "B", "O", "X-Y"}, *const chunks[] = {"O",
                                                                                         "I-X"};
    struct chunk_tags *tags = chunk_tags_new(words, 5, NULL);
    (void)state;
    assert_false(chunk_tags_any(tags));
    chunk_tags_free(tags);
    tags = chunk_tags_new(chunks, 2, NULL);
    assert_true(chunk_tags_any(tags));
    chunk_tags_free(tags);
}

/* A tag that no name has: a chunk of one row, never found. */
static void an_unknown_tag_is_a_chunk(void **state) {
    static const char *const names[] = {"O", "B-X", "I-X"};
    struct chunk_tags *tags = chunk_tags_new(names, 3, NULL);
    struct chunk_counts counts = {0};
    (void)state;
    chunk_counts_add(tags, (int32_t[]){1, 2, -1, -1, 2, 0}, (int32_t[]){1, 2, 0, 1, 1, 0}, 6,
                     &counts);
    assert_int_equal(counts.there, 4);
    assert_int_equal(counts.found, 3);
    assert_int_equal(counts.right, 2); /* I-X behind it begins anew, as does B-X behind B-X */
    chunk_tags_free(tags);
}

/* ---- predictions */

enum { LABELS = 3, ROWS = 8, GROUPS = 3 };

static const char *const names[] = {"O", "B-X", "I-X"};
static double labels[LABELS] = {2, 5, 7};

/* Three sequences of 4, 1 and 3 rows, and scores that say 2 5 7 2, 5, 7 7 2; no transition from 2 to 7. */
struct sample {
    struct model model;
    struct dataset data;
    double w[LABELS * LABELS], scores[ROWS * LABELS], label[ROWS];
    int64_t start[GROUPS + 1], id[GROUPS];
};

static void set_up(struct sample *s) {
    static const int predicted[ROWS] = {0, 1, 2, 0, 1, 2, 2, 0};
    *s = (struct sample){.start = {0, 4, 5, ROWS}, .label = {2, 5, 7, 2, 5, 5, 7, 2}};
    s->w[0 * LABELS + 2] = -9;
    for (int r = 0; r < ROWS; r++)
        s->scores[r * LABELS + predicted[r]] = 1;
    s->model = (struct model){
        .labels = LABELS, .label = labels, .vectors = LABELS, .shared = 9, .w = s->w};
    s->data = (struct dataset){.rows = ROWS,
                               .label = s->label,
                               .groups = GROUPS,
                               .group_start = s->start,
                               .group_id = s->id};
}

struct answer {
    char text[2000];
    struct measure list[MEASURES_MAX];
    int count;
    struct measured_rows rows;
};

struct request {
    enum prediction_form form;
    const char *const *names;
};

/* In two calls where SPLIT. */
static void predict(struct sample *s, struct request request, bool split, struct answer *answer) {
    const struct decoder_kind *kind = &tagging_decoder;
    struct decoder_settings settings = {.model = &s->model, .names = request.names};
    int32_t choice[ROWS];
    double probability[ROWS * LABELS];
    bool probable = request.form == PREDICTION_PROBABILITIES;
    settings.probabilities = probable;
    void *state = kind->open(&settings, NULL);
    memset(answer, 0, sizeof *answer);
    assert_true(state != NULL && kind->chooses);
    for (int64_t g = 0; g < GROUPS; g = g == 0 && split ? 1 : GROUPS) {
        int64_t to = g == 0 && split ? 1 : GROUPS, row = s->start[g];
        const struct decoder_arrays out = {choice + row,
                                           probable ? probability + row * LABELS : NULL};
        assert_int_equal(
            kind->groups(state, &s->model, &s->data, g, to, s->scores + row * LABELS, &out, NULL),
            0);
    }
    answer->count = kind->finish(state, answer->list, &answer->rows, NULL);
    kind->free(state);
    FILE *stream = fmemopen(answer->text, sizeof answer->text, "w");
    struct prediction_lines *lines =
        prediction_lines_new(&s->model, request.form, request.names, NULL);
    assert_true(stream != NULL && lines != NULL);
    prediction_lines_header(lines, stream);
    prediction_lines_write(lines,
                           &(struct decoded){.data = &s->data,
                                             .rows = ROWS,
                                             .groups = GROUPS,
                                             .scores = s->scores,
                                             .choice = choice,
                                             .probability = probability},
                           stream);
    prediction_lines_free(lines);
    fclose(stream);
}

static void check_measure(const struct answer *answer, const char *name, double value) {
    for (int i = 0; i < answer->count; i++)
        if (strcmp(answer->list[i].name, name) == 0) {
            assert_near(answer->list[i].value, value, 1e-15);
            return;
        }
    fail_msg("no %s", name);
}

static void sequences_are_predicted_and_measured(void **state) {
    struct sample s;
    struct answer answer, again;
    (void)state;
    set_up(&s);
    predict(&s, (struct request){0}, false, &answer);
    assert_string_equal(answer.text, "2\n5\n7\n2\n5\n7\n7\n2\n");
    assert_int_equal(answer.count, 2);
    assert_string_equal(answer.list[0].name, "Accuracy");
    check_measure(&answer, "Accuracy", 7.0 / 8);
    check_measure(&answer, "sequence accuracy", 2.0 / 3);
    assert_true(answer.rows.labelled == 8 && answer.rows.unknown == 0);
    predict(&s, (struct request){.names = names}, true, &again);
    assert_string_equal(again.text, "O\nB-X\nI-X\nO\nB-X\nI-X\nI-X\nO\n");
    assert_string_equal(again.list[0].name, "chunk F1");
    check_measure(&again, "chunk F1", 1); /* I-X I-X and B-X I-X are the same chunk */
    check_measure(&again, "chunk precision", 1);
    check_measure(&again, "Accuracy", 7.0 / 8);
    s.label[6] = 5;
    predict(&s, (struct request){.names = names}, false, &again);
    check_measure(&again, "chunk F1", 4.0 / 7);
    check_measure(&again, "chunk precision", 2.0 / 3);
    check_measure(&again, "chunk recall", 2.0 / 4);
}

static void sequences_without_a_label_do_not_count(void **state) {
    struct sample s;
    struct answer answer;
    (void)state;
    set_up(&s);
    s.label[1] = NAN;
    s.label[7] = 4;
    predict(&s, (struct request){0}, true, &answer);
    assert_string_equal(answer.text, "2\n5\n7\n2\n5\n7\n7\n2\n");
    check_measure(&answer, "Accuracy", 2.0 / 4);
    check_measure(&answer, "sequence accuracy", 1.0 / 2);
    assert_true(answer.rows.labelled == 4 && answer.rows.unknown == 1 &&
                answer.rows.first_unknown == 4);
    for (int r = 0; r < ROWS; r++)
        s.label[r] = NAN;
    predict(&s, (struct request){.names = names}, true, &answer);
    assert_true(answer.rows.labelled == 0 && answer.count == 0);
}

/* Of the sequence of one row, the probabilities of three scores; of others, those of the chain. */
static void numbers_follow_the_labels(void **state) {
    struct sample s;
    struct answer answer;
    char expected[100];
    double sum = 2 + exp(1);
    (void)state;
    set_up(&s);
    predict(&s, (struct request){.form = PREDICTION_PROBABILITIES}, false, &answer);
    snprintf(expected, sizeof expected, "\n5 %g %g %g\n", 1 / sum, exp(1) / sum, 1 / sum);
    assert_non_null(strstr(answer.text, expected));
    assert_memory_equal(answer.text, "labels 2 5 7\n2 ", 15);
    predict(&s, (struct request){.form = PREDICTION_DECISIONS, .names = names}, true, &answer);
    assert_memory_equal(answer.text, "labels O B-X I-X\nO 1 0 0\nB-X 0 1 0\n", 34);
    s.scores[1] = 1.0 / 3; /* all digits */
    predict(&s, (struct request){.form = PREDICTION_DECISIONS}, true, &answer);
    snprintf(expected, sizeof expected, "labels 2 5 7\n2 1 %.17g 0\n", 1.0 / 3);
    assert_memory_equal(answer.text, expected, strlen(expected));
}

/* The best sequence is not the rows' best labels: 2 is not followed by 7. */
static void transitions_count(void **state) {
    struct sample s;
    struct answer answer;
    (void)state;
    set_up(&s);
    s.scores[1 * LABELS + 1] = 0;
    s.scores[1 * LABELS + 0] = 0.5;
    predict(&s, (struct request){0}, false, &answer);
    assert_memory_equal(answer.text, "2\n5\n7\n2\n", 8);
}

/* Scratch memory is for the longest sequence, wherever it stands. */
static void a_short_sequence_may_follow_a_long_one(void **state) {
    enum { LONG = 3000 };
    static double scores[(LONG + 1) * LABELS], probability[(LONG + 1) * LABELS];
    static int32_t choice[LONG + 1];
    const struct decoder_arrays out = {choice, probability};
    int64_t start[] = {0, LONG, LONG + 1}, id[] = {0, 1};
    double *label = calloc(LONG + 1, sizeof *label);
    struct sample s;
    (void)state;
    assert_non_null(label);
    set_up(&s);
    s.w[1] = -1e6; /* far */
    for (int r = 0; r <= LONG; r++)
        scores[r * LABELS + 1] = 1;
    s.data = (struct dataset){
        .rows = LONG + 1, .label = label, .groups = 2, .group_start = start, .group_id = id};
    struct decoder_settings settings = {.model = &s.model, .probabilities = true};
    void *tagging = tagging_decoder.open(&settings, NULL);
    assert_non_null(tagging);
    int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    assert_int_equal(tagging_decoder.groups(tagging, &s.model, &s.data, 0, 2, scores, &out, NULL),
                     0);
    omp_set_num_threads(usual);
    for (int r = 0; r <= LONG; r++)
        assert_int_equal(choice[r], 1);
    tagging_decoder.free(tagging);
    free(label);
}

/* Scores so far apart that some probabilities are 1 but for rounding. */
static void probabilities_are_at_most_1(void **state) {
    enum { SEQUENCES = 1000, POSITIONS = 5, ALL = SEQUENCES * POSITIONS };
    static double scores[ALL * LABELS], probability[ALL * LABELS], label[ALL];
    static int64_t start[SEQUENCES + 1], id[SEQUENCES];
    static int32_t choice[ALL];
    const struct decoder_arrays out = {choice, probability};
    struct random random;
    struct sample s;
    (void)state;
    set_up(&s);
    random_seed(&random, 1, 0);
    for (int k = 0; k < ALL * LABELS; k++)
        scores[k] = 40 * random_unit(&random);
    for (int g = 0; g < SEQUENCES; g++) {
        start[g + 1] = start[g] + POSITIONS;
        id[g] = g;
    }
    s.data = (struct dataset){
        .rows = ALL, .label = label, .groups = SEQUENCES, .group_start = start, .group_id = id};
    struct decoder_settings settings = {.model = &s.model, .probabilities = true};
    void *tagging = tagging_decoder.open(&settings, NULL);
    assert_non_null(tagging);
    assert_int_equal(
        tagging_decoder.groups(tagging, &s.model, &s.data, 0, SEQUENCES, scores, &out, NULL), 0);
    for (int k = 0; k < ALL * LABELS; k++)
        assert_true(probability[k] >= 0 && probability[k] <= 1);
    tagging_decoder.free(tagging);
}

static void threads_change_nothing(void **state) {
    struct sample s;
    struct answer one, other;
    int usual = omp_get_max_threads();
    (void)state;
    set_up(&s);
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        predict(&s, (struct request){.form = PREDICTION_PROBABILITIES, .names = names}, threads % 2,
                threads == 1 ? &one : &other);
        for (int i = 0; threads > 1 && i < one.count; i++)
            assert_near(one.list[i].value, other.list[i].value, 0);
        if (threads > 1)
            assert_string_equal(one.text, other.text);
    }
    omp_set_num_threads(usual);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_conlleval_s),
        cmocka_unit_test(some_tags_are_of_no_chunks),
        cmocka_unit_test(an_unknown_tag_is_a_chunk),
        cmocka_unit_test(sequences_are_predicted_and_measured),
        cmocka_unit_test(sequences_without_a_label_do_not_count),
        cmocka_unit_test(numbers_follow_the_labels),
        cmocka_unit_test(transitions_count),
        cmocka_unit_test(a_short_sequence_may_follow_a_long_one),
        cmocka_unit_test(probabilities_are_at_most_1),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
