/* measures_lines.c - prints measures as text; see measures_lines.h. */
#include "cli/measures_lines.h"

#include "io/memory.h"
#include "io/nearest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_measure(const struct measure *measure, const char *positive, FILE *stream) {
    if (measure->denominator > 0)
        fprintf(stream, "%s = %g%% (%" PRId64 "/%" PRId64 ")", measure->name,
                (double)measure->numerator / (double)measure->denominator * 100, measure->numerator,
                measure->denominator);
    else
        fprintf(stream, "%s = %g%s", measure->name, isnan(measure->value) ? NAN : measure->value,
                measure->approximate ? " (approximate)" : "");
    if (measure->positive != NULL && positive != NULL)
        fprintf(stream, " (of label %s)", positive);
    else if (measure->positive != NULL)
        fprintf(stream, " (of label %.10g)", *measure->positive);
    fputc('\n', stream);
}

void measures_print(const struct measure *list, int count, const char *positive, FILE *stream) {
    for (int i = 0; i < count; i++)
        print_measure(&list[i], positive, stream);
}

double measures_positive(const struct measure *list, int count) {
    for (int i = 0; i < count; i++)
        if (list[i].positive != NULL)
            return *list[i].positive;
    return NAN;
}

static const char confusion_name[] = "confusion";

bool measures_asked(const char *list, const char *name) {
    char word[MEASURE_WORD];
    while (measures_next_word(&list, word))
        if (measure_is_called(name, word))
            return true;
    return false;
}

/* As on the command line: "log-loss". */
static void print_names(const char *const *names, bool has_confusion, char *text, size_t size) {
    join_names(names, text, size);
    for (char *c = text; *c != '\0'; c++)
        if (*c == ' ' && c > text && c[-1] != ',')
            *c = '-';
        else if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c + 'a' - 'A');
    if (has_confusion)
        strncat(text, ", confusion", size - strlen(text) - 1);
}

int measures_check(const char *list, const struct decoding *decoding, bool has_confusion,
                   struct error *e) {
    const char *names[MEASURES_MAX + 1];
    char word[MEASURE_WORD], text[512];
    decoding_measure_names(decoding, names);
    while (measures_next_word(&list, word)) {
        bool known = has_confusion && measure_is_called(confusion_name, word);
        for (int i = 0; names[i] != NULL; i++)
            known = known || measure_is_called(names[i], word);
        if (known)
            continue;
        print_names(names, has_confusion, text, sizeof text);
        return error_usage(e, "--measures: no '%s' here; this model has %s%s", word, text,
                           measure_is_called("log loss", word) ||
                                   measure_is_called("Brier score", word)
                               ? "; with -b 1 probabilities are measured, too"
                               : "");
    }
    return 0;
}

int measures_choose(struct measure *measure, int count, const char *list) {
    char word[MEASURE_WORD];
    int chosen = 0;
    if (list == NULL)
        return count;
    while (measures_next_word(&list, word))
        for (int i = chosen; i < count; i++)
            if (measure_is_called(measure[i].name, word)) {
                struct measure one = measure[i];
                memmove(measure + chosen + 1, measure + chosen,
                        sizeof *measure * (size_t)(i - chosen));
                measure[chosen++] = one;
                break;
            }
    return chosen;
}

/* ---- the confusion matrix */

/* The texts of the matrix, a row of labels first. */
struct cells {
    const struct confusion *confusion;
    const char *const *names;
};

/* Row and column -1 are the labels; row `labels` is that of other labels. */
static void cell(const struct cells *cells, int64_t i, int64_t j, char *text, size_t size) {
    const struct confusion *c = cells->confusion;
    int64_t label = i < 0 ? j : i;
    if (i >= 0 && j >= 0)
        snprintf(text, size, "%" PRId64, c->count[i * c->labels + j]);
    else if (i < 0 && j < 0)
        snprintf(text, size, "%s", "");
    else if (label == c->labels)
        snprintf(text, size, "others");
    else if (cells->names != NULL)
        snprintf(text, size, "%s", cells->names[label]);
    else
        snprintf(text, size, "%.10g", c->label[label]);
}

static int width(const struct cells *cells, int64_t rows, int64_t j) {
    char text[256];
    int widest = 0;
    for (int64_t i = -1; i < rows; i++) {
        cell(cells, i, j, text, sizeof text);
        widest = (int)strlen(text) > widest ? (int)strlen(text) : widest;
    }
    return widest;
}

int confusion_print(const struct confusion *confusion, const char *const *names, FILE *stream,
                    struct error *e) {
    const struct cells cells = {confusion, names};
    int64_t labels = confusion->labels, others = 0;
    int *widths = memory_new(labels + 1, sizeof *widths, "the confusion matrix", e);
    char text[256];
    if (widths == NULL)
        return -1;
    for (int64_t j = 0; j < labels; j++)
        others += confusion->count[labels * labels + j];
    int64_t rows = labels + (others > 0);
    for (int64_t j = -1; j < labels; j++)
        widths[j + 1] = width(&cells, rows, j);
    fputs("confusion: a row for each true label, a column for each predicted one\n", stream);
    for (int64_t i = -1; i < rows; i++) {
        for (int64_t j = -1; j < labels; j++) {
            cell(&cells, i, j, text, sizeof text);
            fprintf(stream, "%s%*s", j < 0 ? "" : " ", widths[j + 1], text);
        }
        fputc('\n', stream);
    }
    free(widths);
    return 0;
}
