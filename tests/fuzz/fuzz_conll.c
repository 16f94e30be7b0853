/* fuzz_conll.c - any bytes as columns, as a template and as names: up to a line "====" they are the template,
 * behind it the columns; all of them are names, too. What is read must be sound, its features must fit their
 * room and be found again under their numbers. */
#include "data/corpus.h"
#include "data/template.h"
#include "data/words.h"
#include "io/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_FEATURES = 1 << 16, MAX_CAPACITY = 1 << 20 };

static void require(int condition) {
    if (!condition)
        abort();
}

/* The bytes as a file; its descriptor. */
static int make_file(const uint8_t *bytes, size_t size, char name[64]) {
    int descriptor = memfd_create("input", 0);
    require(descriptor >= 0 && write(descriptor, bytes, size) == (ssize_t)size);
    snprintf(name, 64, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

static void require_refusal(const struct error *e) {
    require(e->kind == ERROR_FAILURE && e->words[0] != '\0' && e->file[0] != '\0');
    require(strchr(e->words, '\n') == NULL);
}

static void read_names(const uint8_t *bytes, size_t size) {
    const double label[] = {1, 2};
    char path[64];
    struct error e = {0}, other = {0};
    struct names_entry entry;
    int file = make_file(bytes, size, path), more;
    struct line_walk *walk = line_walk_open(path, &e);
    while (walk != NULL && (more = names_next(walk, &entry, &e)) == 1)
        require(isfinite(entry.number) && entry.name.length > 0);
    line_walk_close(walk);
    const char *const *names = names_read(path, label, 2, &other);
    if (names == NULL)
        require_refusal(&other);
    else
        require(e.kind == ERROR_NONE && names[0][0] != '\0' && names[1][0] != '\0');
    names_free(names, 2);
    close(file);
}

static void require_sound(const struct corpus *corpus) {
    require(corpus->rows > 0 && corpus->width > 0 && corpus->sentences > 0);
    require(corpus->start[0] == 0 && corpus->start[corpus->sentences] == corpus->rows);
    for (int64_t s = 0; s < corpus->sentences; s++)
        require(corpus->start[s] < corpus->start[s + 1]);
    for (int64_t i = 0; i < corpus->rows; i++)
        for (int64_t c = 0; c < corpus->width; c++) {
            const char *word = corpus_word(corpus, i, c);
            require(word[0] != '\0' && strpbrk(word, " \t\r\n") == NULL);
            require((int64_t)strlen(word) <= corpus->longest);
        }
}

static void expand(const struct template *template, const struct corpus *corpus) {
    int64_t capacity = template_bytes(template, corpus), features = 0;
    require(capacity > 0);
    char *text = capacity <= MAX_CAPACITY ? malloc((size_t)capacity) : NULL;
    struct words words = {0};
    for (int64_t s = 0; s < corpus->sentences && text != NULL; s++)
        for (int64_t i = corpus->start[s]; i < corpus->start[s + 1]; i++)
            for (int64_t u = 0; u < template->units && features < MAX_FEATURES; u++, features++) {
                int64_t length = template_expand(template, u, corpus, s, i, text);
                require(length < capacity && text[0] == 'U' && length == (int64_t)strlen(text));
                int64_t known = words_find(&words, text, length), count = words.count;
                int64_t number = words_add(&words, text, length, NULL);
                require(number == (known < 0 ? count : known) && number < words.count);
                require(strcmp(words_text(&words, number), text) == 0);
            }
    words_free(&words);
    free(text);
}

static void read_both(const char *template_path, const char *corpus_path) {
    struct corpus corpus;
    struct template template;
    struct error e = {0};
    if (corpus_read(corpus_path, &corpus, &e) != 0) {
        require_refusal(&e);
        require(corpus.rows == 0 && corpus.text == NULL);
        return;
    }
    require_sound(&corpus);
    if (template_read(template_path, corpus.width, &template, &e) == 0)
        expand(&template, &corpus);
    else
        require_refusal(&e);
    template_free(&template);
    corpus_free(&corpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char mark[] = "====\n";
    const uint8_t *middle = memmem(bytes, size, mark, strlen(mark));
    size_t first = middle == NULL ? size : (size_t)(middle - bytes);
    size_t second = middle == NULL ? size : first + strlen(mark);
    char template_path[64], corpus_path[64];
    int template = make_file(bytes, first, template_path);
    int corpus = make_file(bytes + second, size - second, corpus_path);
    read_both(template_path, corpus_path);
    close(template);
    close(corpus);
    read_names(bytes, size);
    return 0;
}
