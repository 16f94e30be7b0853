/* conll_encode.c - columns and a template to svmlight data: a row for each word, a qid for each sentence.
 *
 * The template makes a string of each feature; a hash table numbers the strings. The cost is O(1) table lookups for
 * each word and each line of the template. */
#include "data/conll.h"
#include "data/corpus.h"
#include "data/template.h"
#include "io/escape.h"
#include "io/memory.h"
#include "io/output.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 24 }; /* of a number in decimal and the separator beside it */

struct encoder {
    const struct conll_settings *settings;
    struct corpus corpus;
    struct template template;
    struct numbered_names names;
    bool closed;      /* no new features are added: unknown ones are left out */
    int64_t *number;  /* of each feature; 0: too rare; NULL: feature k has number k + 1 */
    int64_t features; /* how many have a number, if `number` is not NULL */
    char *text;       /* the string of one feature */
    int64_t *row;     /* the numbers of a word's features */
    char *line;       /* a word's line of svmlight data */
    int64_t unknown;  /* words whose label has no number */
};

static void encoder_free(struct encoder *encoder) {
    corpus_free(&encoder->corpus);
    template_free(&encoder->template);
    numbered_names_free(&encoder->names);
    free(encoder->number);
    free(encoder->text);
    free(encoder->row);
    free(encoder->line);
}

static int encoder_read(struct encoder *encoder, const char *path, struct error *e) {
    const struct conll_settings *settings = encoder->settings;
    struct corpus *corpus = &encoder->corpus;
    encoder->closed = settings->freeze;
    if (corpus_read(path, corpus, e) != 0)
        return -1;
    int64_t width = corpus->width - !settings->unlabeled;
    if (width == 0)
        return error_file(e, path, "the words have no column besides the label");
    if (template_read(settings->template, width, &encoder->template, e) != 0 ||
        (settings->freeze && numbered_names_read(settings->names, true, &encoder->names, e) != 0))
        return -1;
    int64_t units = encoder->template.units;
    encoder->text = memory_new(template_bytes(&encoder->template, corpus), 1, "a feature", e);
    encoder->row = memory_new(units, sizeof *encoder->row, "features", e);
    encoder->line = memory_new(2 * units + 3, NUMBER_BYTES, "a line", e);
    return encoder->text == NULL || encoder->row == NULL || encoder->line == NULL ? -1 : 0;
}

/* Counts the features and numbers those that occur MIN_COUNT times or more, in the order of first occurrence. */
static int choose_features(struct encoder *encoder, struct error *e) {
    const struct corpus *corpus = &encoder->corpus;
    struct words *feature = &encoder->names.feature;
    int64_t capacity = 0;
    for (int64_t sentence = 0; sentence < corpus->sentences; sentence++)
        for (int64_t i = corpus->start[sentence]; i < corpus->start[sentence + 1]; i++)
            for (int64_t unit = 0; unit < encoder->template.units; unit++) {
                int64_t before = feature->count;
                int64_t length =
                    template_expand(&encoder->template, unit, corpus, sentence, i, encoder->text);
                int64_t k = words_add(feature, encoder->text, length, e);
                if (k < 0 || memory_reserve((void **)&encoder->number, &capacity, k + 1,
                                            sizeof *encoder->number, "features", e) != 0)
                    return -1;
                encoder->number[k] = k < before ? encoder->number[k] + 1 : 1;
            }
    for (int64_t k = 0; k < feature->count; k++)
        encoder->number[k] =
            encoder->number[k] < encoder->settings->min_count ? 0 : ++encoder->features;
    encoder->closed = true;
    return 0;
}

/* The number of the feature whose string is in encoder->text; 0: it has none; -1 with the error set. */
static int64_t feature_number(struct encoder *encoder, int64_t length, struct error *e) {
    int64_t number =
        words_number(&encoder->names.feature, encoder->text, length, encoder->closed, e);
    return number > 0 && encoder->number != NULL ? encoder->number[number - 1] : number;
}

/* Writes the numbers of a word's features to encoder->row, in ascending order. Returns their count, or -1 with the
 * error set. */
static int64_t word_features(struct encoder *encoder, int64_t sentence, int64_t i,
                             struct error *e) {
    int64_t count = 0, *row = encoder->row;
    for (int64_t u = 0; u < encoder->template.units; u++) {
        int64_t length =
            template_expand(&encoder->template, u, &encoder->corpus, sentence, i, encoder->text);
        int64_t number = feature_number(encoder, length, e), k = count;
        if (number < 0)
            return -1;
        if (number == 0)
            continue;
        for (; k > 0 && row[k - 1] > number; k--)
            row[k] = row[k - 1];
        row[k] = number;
        count++;
    }
    return count;
}

static char *write_number(char *text, int64_t number) {
    char digits[NUMBER_BYTES];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        *text++ = digits[--count];
    return text;
}

/* The number of the label of word i; 0: it has none (with --freeze); -1 with the error set. */
static int64_t label_number(struct encoder *encoder, int64_t i, struct error *e) {
    const char *name = corpus_word(&encoder->corpus, i, encoder->corpus.width - 1);
    int64_t number = words_number(&encoder->names.label, name, (int64_t)strlen(name),
                                  encoder->settings->freeze, e);
    encoder->unknown += number == 0;
    return number;
}

/* Writes word i as a row: LABEL qid:SENTENCE NUMBER:OCCURRENCES ... */
static int write_word(struct encoder *encoder, int64_t sentence, int64_t i, FILE *stream,
                      struct error *e) {
    int64_t label = encoder->settings->unlabeled ? 0 : label_number(encoder, i, e);
    int64_t count = word_features(encoder, sentence, i, e);
    char *p = encoder->line;
    if (count < 0 || label < 0)
        return -1;
    if (encoder->settings->unlabeled)
        *p++ = '?';
    else
        p = write_number(p, label);
    p = write_number(stpcpy(p, " qid:"), sentence + 1);
    for (int64_t k = 0, next; k < count; k = next) {
        for (next = k + 1; next < count && encoder->row[next] == encoder->row[k];)
            next++;
        *p++ = ' ';
        p = write_number(p, encoder->row[k]);
        *p++ = ':';
        p = write_number(p, next - k);
    }
    *p++ = '\n';
    fwrite(encoder->line, 1, (size_t)(p - encoder->line), stream);
    return 0;
}

static int write_data(struct encoder *encoder, struct error *e) {
    const struct corpus *corpus = &encoder->corpus;
    struct output *output = output_open("-", e);
    int status = output == NULL ? -1 : 0;
    for (int64_t s = 0; s < corpus->sentences && status == 0; s++) {
        for (int64_t i = corpus->start[s]; i < corpus->start[s + 1] && status == 0; i++)
            status = write_word(encoder, s, i, output_stream(output), e);
        if (status == 0)
            status = output_check(output, e);
    }
    return output_end(output, status, e);
}

static void report(const struct encoder *encoder) {
    const struct corpus *corpus = &encoder->corpus;
    fprintf(stderr, "%lld sentences, %lld words, %lld labels, %lld features\n",
            (long long)corpus->sentences, (long long)corpus->rows,
            (long long)encoder->names.label.count,
            (long long)(encoder->settings->min_count > 1 && !encoder->settings->freeze
                            ? encoder->features
                            : encoder->names.feature.count));
    if (encoder->unknown > 0) {
        fputs("words with labels that are not in ", stderr);
        escape_print(encoder->settings->names, stderr);
        fprintf(stderr, ", written as 0: %lld\n", (long long)encoder->unknown);
    }
}

/* Writes the data, then the names: if the data cannot be written, no names are written either. */
static int encode(struct encoder *encoder, const char *path, struct error *e) {
    const struct conll_settings *settings = encoder->settings;
    if (encoder_read(encoder, path, e) != 0 ||
        (settings->min_count > 1 && !settings->freeze && choose_features(encoder, e) != 0) ||
        write_data(encoder, e) != 0)
        return -1;
    if (!settings->quiet)
        report(encoder);
    return settings->freeze
               ? 0
               : numbered_names_write(&encoder->names, encoder->number, settings->names, e);
}

int conll_encode(const struct conll_settings *settings, const char *columns, struct error *e) {
    struct encoder encoder = {.settings = settings};
    int status = encode(&encoder, columns, e);
    encoder_free(&encoder);
    return status;
}
