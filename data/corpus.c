/* corpus.c - reads sequences in columns. */
#include "data/corpus.h"

#include "io/line_walk.h"
#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The corpus that is being read and the capacity of its arrays. */
struct reading {
    struct corpus *corpus;
    int64_t starts, words, bytes; /* capacity of start, word, text */
    int64_t text_length;          /* bytes of text so far */
    bool in_sentence;
};

static int begin_sentence(struct reading *reading, struct error *e) {
    struct corpus *corpus = reading->corpus;
    if (memory_reserve((void **)&corpus->start, &reading->starts, corpus->sentences + 2,
                       sizeof *corpus->start, "sentences", e) != 0)
        return -1;
    corpus->start[corpus->sentences++] = corpus->rows;
    reading->in_sentence = true;
    return 0;
}

static int add_word(struct reading *reading, int64_t index, struct word word, struct error *e) {
    struct corpus *corpus = reading->corpus;
    if (memory_reserve((void **)&corpus->word, &reading->words, index + 1, sizeof *corpus->word,
                       "words", e) != 0 ||
        memory_reserve((void **)&corpus->text, &reading->bytes,
                       reading->text_length + word.length + 1, 1, "words", e) != 0)
        return -1;
    char *text = corpus->text + reading->text_length;
    memcpy(text, word.text, (size_t)word.length);
    text[word.length] = '\0';
    corpus->word[index] = reading->text_length;
    corpus->longest = corpus->longest < word.length ? word.length : corpus->longest;
    reading->text_length += word.length + 1;
    return 0;
}

static int add_row(struct reading *reading, const struct line_walk *walk, struct word line,
                   struct error *e) {
    struct corpus *corpus = reading->corpus;
    int64_t first = corpus->rows * corpus->width, width = 0;
    if (!reading->in_sentence && begin_sentence(reading, e) != 0)
        return -1;
    for (; line.length > 0; width++)
        if (add_word(reading, first + width, word_take(&line), e) != 0)
            return -1;
    if (corpus->rows == 0)
        corpus->width = width;
    if (width != corpus->width)
        return line_walk_refuse(walk, e, "%lld column%s, but %lld in the lines before",
                                (long long)width, width == 1 ? "" : "s", (long long)corpus->width);
    corpus->rows++;
    return 0;
}

static int read_lines(struct line_walk *walk, struct reading *reading, struct error *e) {
    struct word line;
    int more;
    while ((more = line_walk_next(walk, &line, e)) == 1)
        if (line.length == 0)
            reading->in_sentence = false;
        else if (add_row(reading, walk, line, e) != 0)
            return -1;
    return more;
}

int corpus_read(const char *path, struct corpus *corpus, struct error *e) {
    struct reading reading = {.corpus = corpus};
    struct line_walk *walk = line_walk_open(path, e);
    *corpus = (struct corpus){0};
    int status = walk == NULL ? -1 : read_lines(walk, &reading, e);
    if (status == 0 && corpus->rows == 0)
        status = error_file(e, line_walk_name(walk), "the file has no words");
    if (status == 0)
        corpus->start[corpus->sentences] = corpus->rows;
    else
        corpus_free(corpus);
    line_walk_close(walk);
    return status;
}

void corpus_free(struct corpus *corpus) {
    free(corpus->start);
    free(corpus->word);
    free(corpus->text);
    *corpus = (struct corpus){0};
}
