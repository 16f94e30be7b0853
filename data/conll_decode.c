/* conll_decode.c - writes the columns of each word and its predicted label as one more column, the input format of
 * conlleval. */
#include "data/conll.h"
#include "io/line_walk.h"
#include "io/output.h"

#include <string.h>

struct decoder {
    struct numbered_names names;
    struct line_walk *columns, *predictions;
};

/* Reads a prediction: the name of a label or its number from 1. *LABEL: its index from 0. */
static int read_label(const struct decoder *decoder, struct word word, int64_t *label,
                      struct error *e) {
    const struct words *labels = &decoder->names.label;
    double number;
    int64_t by_name = words_find(labels, word.text, word.length);
    bool is_number = word_real(word, &number) && number >= 1 && number <= (double)labels->count &&
                     number == (double)(int64_t)number;
    if (by_name < 0 && !is_number)
        return line_walk_refuse(decoder->predictions, e, "no label has the name or number '%.*s'",
                                word_shown(word), word.text);
    if (by_name >= 0 && is_number && (int64_t)number != by_name + 1)
        return line_walk_refuse(decoder->predictions, e,
                                "'%.*s' is the number of a label and the name of another",
                                word_shown(word), word.text);
    *label = by_name >= 0 ? by_name : (int64_t)number - 1;
    return 0;
}

/* Reads the next prediction and skips a header "labels ...". Returns 1, 0 at the end, -1 with the error set. */
static int next_label(struct decoder *decoder, int64_t *label, struct error *e) {
    struct word line, word;
    int more = line_walk_next(decoder->predictions, &line, e);
    if (more != 1)
        return more;
    word = word_take(&line);
    if (line_walk_line(decoder->predictions) == 1 && word_is(word, "labels") && line.length > 0)
        return next_label(decoder, label, e);
    return read_label(decoder, word, label, e) == 0 ? 1 : -1;
}

static int write_line(struct decoder *decoder, struct word line, FILE *stream, struct error *e) {
    int64_t label = 0;
    if (line.length > 0) {
        int more = next_label(decoder, &label, e);
        if (more == 0)
            line_walk_refuse(decoder->columns, e, "no prediction for this word: %s ends before it",
                             line_walk_name(decoder->predictions));
        if (more != 1)
            return -1;
        fwrite(line.text, 1, (size_t)line.length, stream);
        fputc(memchr(line.text, '\t', (size_t)line.length) != NULL ? '\t' : ' ', stream);
        fputs(words_text(&decoder->names.label, label), stream);
    }
    fputc('\n', stream);
    return 0;
}

static int write_lines(struct decoder *decoder, struct output *output, struct error *e) {
    struct word line;
    int64_t label;
    int more;
    while ((more = line_walk_next(decoder->columns, &line, e)) == 1)
        if (write_line(decoder, line, output_stream(output), e) != 0 ||
            output_check(output, e) != 0)
            return -1;
    if (more == 0)
        more = next_label(decoder, &label, e);
    if (more == 1)
        return line_walk_refuse(decoder->predictions, e, "more predictions than words in %s",
                                line_walk_name(decoder->columns));
    return more;
}

static int decode(struct decoder *decoder, struct error *e) {
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    return output_end(output, write_lines(decoder, output, e), e);
}

int conll_decode(const struct conll_settings *settings, const char *columns,
                 const char *predictions, struct error *e) {
    struct decoder decoder = {0};
    int status = numbered_names_read(settings->names, false, &decoder.names, e);
    decoder.columns = status == 0 ? line_walk_open(columns, e) : NULL;
    decoder.predictions = decoder.columns != NULL ? line_walk_open(predictions, e) : NULL;
    status = decoder.predictions != NULL ? decode(&decoder, e) : -1;
    line_walk_close(decoder.columns);
    line_walk_close(decoder.predictions);
    numbered_names_free(&decoder.names);
    return status;
}
