/* weights.c - a file of example weights, one a line. */
#include "io/lines.h"
#include "io/memory.h"
#include "io/number.h"
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_refuse.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18 };

struct weights {
    double *weight;
    int64_t count;
    int64_t rows;
    int64_t line;
};

/* The next line's first byte, or NULL with the error set. */
static const char *parse_line(struct weights *weights, const char *file, const char *line,
                              struct error *e) {
    const char *token = line + (weights->line == 1 ? lines_mark(line) : 0);
    token += strspn(token, " \t");
    double weight = 0;
    const char *end = number_scan(token, &weight);
    bool good = end != NULL && isfinite(weight) && weight >= 0;
    if (good) {
        end += strspn(end, " \t");
        end += *end == '\r';
        good = *end == '\n';
    }
    if (!good) {
        struct svmlight_token where = {
            .file = file, .number = weights->line, .line = line, .token = token};
        svmlight_refuse_weight(&where, e);
        return NULL;
    }
    if (weights->count == weights->rows) {
        error_at(e, file, weights->line, 1, "more weights than the %lld rows of the data",
                 (long long)weights->rows);
        return NULL;
    }
    weights->weight[weights->count++] = weight;
    weights->line++;
    return end + 1;
}

static int parse_all(struct weights *weights, struct source *source, struct lines *text,
                     struct error *e) {
    int more;
    while ((more = lines_read(source, BLOCK_BYTES, text, text, e)) == 1) {
        const char *p = text->bytes;
        while (p != NULL && p < text->bytes + text->length)
            p = parse_line(weights, source_name(source), p, e);
        if (p == NULL)
            return -1;
    }
    if (more == LINES_TOO_LONG)
        return lines_refuse(text, source_name(source), weights->line, NULL, e);
    if (more == 0 && weights->count < weights->rows)
        return error_file(e, source_name(source), "%lld weights for %lld rows",
                          (long long)weights->count, (long long)weights->rows);
    return more;
}

double *weights_load(const char *path, int64_t rows, struct error *e) {
    struct lines text = {0};
    struct weights weights = {.rows = rows, .line = 1};
    struct source *source = source_open(path, e);
    if (source == NULL)
        return NULL;
    weights.weight = memory_new(rows, sizeof *weights.weight, "weights", e);
    if (weights.weight != NULL && parse_all(&weights, source, &text, e) != 0) {
        free(weights.weight);
        weights.weight = NULL;
    }
    lines_free(&text);
    source_close(source);
    return weights.weight;
}
