/* plot_scores.c - pictures of predictions beside the labels of the data: ROC and precision-recall curves,
 * reliability. */
#include "data/plot.h"

#include "io/escape.h"
#include "io/line_walk.h"
#include "io/memory.h"
#include "io/names.h"
#include "io/svmlight/svmlight.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LABELS = 40, LABEL_BYTES = 64, POINTS = 200, BINS = 10 };

/* What predict wrote for each example with a label. */
struct scores {
    int64_t columns;                     /* of decision values or probabilities */
    char label[MAX_LABELS][LABEL_BYTES]; /* of the columns, as they are shown */
    double number[MAX_LABELS];           /* their numbers */
    int64_t count, capacity;             /* rows */
    double *value;                       /* count x columns */
    double *truth;                       /* count */
};

static void scores_free(struct scores *scores) {
    free(scores->value);
    free(scores->truth);
}

/* ---- reading */

/* The number of the label that is written as WORD: with --names a name of theirs. */
static int find_number(const struct plot *plot, const char *path, struct word word, double *number,
                       struct error *e) {
    struct names_entry entry;
    if (word_real(word, number))
        return 0;
    if (plot->settings->names == NULL)
        return error_file(e, path, "the label %.*s is a name: give --names", word_shown(word),
                          word.text);
    struct line_walk *walk = line_walk_open(plot->settings->names, e);
    int more = walk == NULL ? -1 : 1, found = 0;
    while (more == 1 && !found) {
        more = names_next(walk, &entry, e);
        found = more == 1 && entry.kind == NAMES_LABEL && entry.name.length == word.length &&
                memcmp(entry.name.text, word.text, (size_t)word.length) == 0;
    }
    if (found)
        *number = entry.number;
    else if (more == 0)
        error_file(e, plot->settings->names, "no label has the name %.*s", word_shown(word),
                   word.text);
    line_walk_close(walk);
    return found ? 0 : -1;
}

/* A label as titles have it: without escapes, as many whole characters as fit. */
static void show_label(struct word word, char shown[LABEL_BYTES]) {
    char text[3 * LABEL_BYTES]; /* an escape takes three bytes */
    size_t length = 0;
    snprintf(text, sizeof text, "%.*s",
             word.length < (int64_t)sizeof text ? (int)word.length : (int)sizeof text, word.text);
    name_show(text);
    while (text[length] != '\0') {
        int bytes = escape_utf8(text + length);
        bytes = bytes == 0 ? 1 : bytes;
        if (length + (size_t)bytes >= LABEL_BYTES)
            break;
        length += (size_t)bytes;
    }
    memcpy(shown, text, length);
    shown[length] = '\0';
}

/* "labels 1 -1": the columns. Of two labels, a single column is that of the first one. */
static int read_header(const struct plot *plot, struct line_walk *walk, struct scores *scores,
                       struct error *e) {
    struct word line, word;
    int more = line_walk_next(walk, &line, e);
    if (more < 0)
        return -1;
    word = more == 1 ? word_take(&line) : (struct word){"", 0};
    if (word_is(word, "pairs"))
        return line_walk_refuse(
            walk, e,
            "decision values of pairs of labels give no curve for a label; use predict -b 1");
    if (!word_is(word, "labels"))
        return error_file(e, plot->file[1],
                          "no line \"labels ...\" at the beginning: predictions of predict -d or "
                          "-b 1 are needed");
    while ((word = word_take(&line)).length > 0 && strncmp(word.text, "decision:", 9) != 0) {
        if (scores->columns == MAX_LABELS)
            return line_walk_refuse(walk, e, "more than %d labels", MAX_LABELS);
        if (find_number(plot, plot->file[1], word, &scores->number[scores->columns], e) != 0)
            return -1;
        show_label(word, scores->label[scores->columns++]);
    }
    return scores->columns >= 2 ? 0 : line_walk_refuse(walk, e, "two labels or more are needed");
}

static int read_row(struct line_walk *walk, struct word line, int64_t first, struct scores *scores,
                    struct error *e) {
    int64_t found = 0;
    double value[MAX_LABELS];
    word_take(&line);
    while (found < scores->columns && line.length > 0)
        if (!word_real(word_take(&line), &value[found++]))
            return line_walk_refuse(walk, e, "no number behind the label");
    if (first && found == 1 && scores->columns == 2)
        scores->columns = 1;
    if (found != scores->columns)
        return line_walk_refuse(walk, e, "fewer numbers than labels");
    int64_t at = scores->count * scores->columns;
    if (memory_reserve((void **)&scores->value, &scores->capacity, at + scores->columns,
                       sizeof *scores->value, "predictions", e) != 0)
        return -1;
    memcpy(scores->value + at, value, sizeof *value * (size_t)scores->columns);
    scores->count++;
    return 0;
}

static int read_predictions(const struct plot *plot, struct scores *scores, struct error *e) {
    struct line_walk *walk = line_walk_open(plot->file[1], e);
    struct word line;
    int status = walk == NULL ? -1 : read_header(plot, walk, scores, e), more = 1;
    while (status == 0 && (more = line_walk_next(walk, &line, e)) == 1)
        status = read_row(walk, line, scores->count == 0, scores, e);
    line_walk_close(walk);
    return status == 0 ? more : -1;
}

/* Keeps the rows whose example has a label. */
static int match(const struct plot *plot, const struct dataset *data, struct scores *scores,
                 struct error *e) {
    int64_t kept = 0;
    if (data->rows != scores->count)
        return error_file(e, plot->file[1],
                          "%" PRId64 " predictions for %" PRId64 " examples of %.200s",
                          scores->count, data->rows, plot->file[0]);
    scores->truth = memory_new(data->rows, sizeof *scores->truth, "labels", e);
    if (scores->truth == NULL)
        return -1;
    for (int64_t i = 0; i < data->rows; i++) {
        if (isnan(data->label[i]))
            continue;
        memmove(scores->value + kept * scores->columns, scores->value + i * scores->columns,
                sizeof *scores->value * (size_t)scores->columns);
        scores->truth[kept++] = data->label[i];
    }
    scores->count = kept;
    return kept > 0 ? 0 : error_file(e, plot->file[0], "no example has a label");
}

/* Whether all values are probabilities. */
static bool are_probabilities(const struct scores *scores) {
    bool all = true;
    for (int64_t k = 0; k < scores->count * scores->columns; k++)
        all = all && scores->value[k] >= 0 && scores->value[k] <= 1;
    return all;
}

static int scores_read(const struct plot *plot, struct scores *scores, struct error *e) {
    struct svmlight_options options = {
        .unlabeled = true, .zero_based = true, .threads = omp_get_max_threads()};
    struct dataset data = {0};
    *scores = (struct scores){0};
    int status = read_predictions(plot, scores, e);
    if (status == 0)
        status = dataset_load(plot->file[0], &options, &data, e);
    if (status == 0)
        status = match(plot, &data, scores, e);
    dataset_free(&data);
    if (status == 0 && scores->columns == 2 &&
        are_probabilities(scores)) { /* the second is 1 - p */
        for (int64_t i = 0; i < scores->count; i++)
            scores->value[i] = scores->value[2 * i];
        scores->columns = 1;
    }
    return status;
}

/* ---- curves over a threshold */

struct scored {
    double value;
    bool positive;
};

static int descending(const void *left, const void *right) {
    double a = ((const struct scored *)left)->value, b = ((const struct scored *)right)->value;
    return (a < b) - (a > b);
}

/* What is drawn of the counts at a threshold: of HITS positives among SAID examples, of all POSITIVES and NEGATIVES. */
struct threshold {
    double hits, said, positives, negatives;
};

static void print_roc_point(const struct threshold *t, FILE *stream) {
    fprintf(stream, "%.6g %.6g\n", (t->said - t->hits) / t->negatives, t->hits / t->positives);
}

static void print_precision_point(const struct threshold *t, FILE *stream) {
    if (t->said > 0)
        fprintf(stream, "%.6g %.6g\n", t->hits / t->positives, t->hits / t->said);
}

/* The examples of column K in descending order of their scores. */
static int sort_column(const struct scores *scores, int64_t k, struct scored **sorted,
                       struct error *e) {
    *sorted = memory_new(scores->count, sizeof **sorted, "scores", e);
    if (*sorted == NULL)
        return -1;
    for (int64_t i = 0; i < scores->count; i++)
        (*sorted)[i] = (struct scored){scores->value[i * scores->columns + k],
                                       scores->truth[i] == scores->number[k]};
    qsort(*sorted, (size_t)scores->count, sizeof **sorted, descending);
    return 0;
}

/* Walks down the thresholds; examples of equal scores come at once. Points nearer to each other than 1/POINTS of the
 * examples are left out, but for the last. *area: below the ROC curve; *precision: the mean precision at the
 * positives. */
static void walk(const struct scored *sorted, int64_t count, struct threshold *t,
                 void (*print)(const struct threshold *t, FILE *stream), double *area,
                 double *precision, FILE *stream) {
    double last_said = 0;
    *area = *precision = 0;
    print(t, stream);
    for (int64_t i = 0, to; i < count; i = to) {
        double hits = t->hits, said = t->said;
        for (to = i; to < count && sorted[to].value == sorted[i].value; to++) {
            t->hits += sorted[to].positive;
            t->said++;
        }
        *area += ((t->said - t->hits) - (said - hits)) * (t->hits + hits) / 2;
        *precision += (t->hits - hits) * t->hits / t->said;
        if (t->said - last_said >= (double)count / POINTS || to == count || t->said < 50) {
            print(t, stream);
            last_said = t->said;
        }
    }
    *area /= t->positives * t->negatives;
    *precision /= t->positives;
}

/* The curve of column K as a block; the title says its area or mean precision. */
static int print_curve(const struct plot *plot, const struct scores *scores, int64_t k, bool roc,
                       char *title, size_t size, struct error *e) {
    struct scored *sorted;
    struct threshold threshold = {0};
    double area, precision;
    if (sort_column(scores, k, &sorted, e) != 0)
        return -1;
    for (int64_t i = 0; i < scores->count; i++)
        threshold.positives += sorted[i].positive;
    threshold.negatives = (double)scores->count - threshold.positives;
    int status =
        threshold.positives > 0 && threshold.negatives > 0
            ? 0
            : error_file(e, plot->file[0], "%s example has the label %s of the predictions",
                         threshold.positives > 0 ? "every" : "no", scores->label[k]);
    if (status == 0) {
        fprintf(plot->stream, "$curve%" PRId64 " << END\n", k);
        walk(sorted, scores->count, &threshold, roc ? print_roc_point : print_precision_point,
             &area, &precision, plot->stream);
        fputs("END\n", plot->stream);
        snprintf(title, size, "label %s, %s %.4f", scores->label[k],
                 roc ? "area" : "average precision", roc ? area : precision);
    }
    free(sorted);
    return status;
}

/* The curves with their titles, beside a line of chance. */
static void print_plot(const struct plot *plot, int64_t curves, char (*title)[128],
                       const char *style, const char *line) {
    FILE *stream = plot->stream;
    fputs("set xrange [0:1]\nset yrange [0:1.01]\nplot ", stream);
    for (int64_t k = 0; k < curves; k++) {
        fprintf(stream, "$curve%" PRId64 " using 1:2 with %s title ", k, style);
        plot_quote(title[k], stream);
        fputs(k + 1 < curves || line != NULL ? ", " : "", stream);
    }
    fprintf(stream, "%s\n", line != NULL ? line : "");
}

static int plot_curves(const struct plot *plot, bool roc, struct error *e) {
    struct scores scores;
    char title[MAX_LABELS][128];
    int status = scores_read(plot, &scores, e);
    for (int64_t k = 0; status == 0 && k < scores.columns; k++)
        status = print_curve(plot, &scores, k, roc, title[k], sizeof title[k], e);
    if (status == 0) {
        fputs(roc ? "set xlabel 'false positive rate'\nset ylabel 'true positive rate'\n"
                    "set key bottom right\n"
                  : "set xlabel 'recall'\nset ylabel 'precision'\nset key bottom left\n",
              plot->stream);
        print_plot(plot, scores.columns, title, "lines",
                   roc ? "x with lines dt 2 lc '#888888' notitle" : NULL);
    }
    scores_free(&scores);
    return status;
}

int plot_roc(const struct plot *plot, struct error *e) {
    return plot_curves(plot, true, e);
}

int plot_precision_recall(const struct plot *plot, struct error *e) {
    return plot_curves(plot, false, e);
}

/* ---- reliability */

static void print_bins(const struct scores *scores, int64_t k, FILE *stream) {
    double sum[BINS] = {0}, positives[BINS] = {0}, count[BINS] = {0};
    for (int64_t i = 0; i < scores->count; i++) {
        double p = scores->value[i * scores->columns + k];
        int bin = p < 1 ? (int)(p * BINS) : BINS - 1;
        sum[bin] += p;
        positives[bin] += scores->truth[i] == scores->number[k];
        count[bin]++;
    }
    fprintf(stream, "$curve%" PRId64 " << END\n", k);
    for (int b = 0; b < BINS; b++)
        if (count[b] > 0)
            fprintf(stream, "%.6g %.6g %.0f\n", sum[b] / count[b], positives[b] / count[b],
                    count[b]);
    fputs("END\n", stream);
}

int plot_reliability(const struct plot *plot, struct error *e) {
    struct scores scores;
    char title[MAX_LABELS][128];
    int status = scores_read(plot, &scores, e);
    if (status == 0 && !are_probabilities(&scores))
        status = error_file(e, plot->file[1],
                            "decision values, but probabilities are needed: predict -b 1");
    for (int64_t k = 0; status == 0 && k < scores.columns; k++) {
        print_bins(&scores, k, plot->stream);
        snprintf(title[k], sizeof title[k], "label %s", scores.label[k]);
    }
    if (status == 0) {
        fputs("set xlabel 'predicted probability'\nset ylabel 'share of the label'\n"
              "set key top left\n",
              plot->stream);
        print_plot(plot, scores.columns, title, "linespoints",
                   "x with lines dt 2 lc '#888888' title 'equal'");
    }
    scores_free(&scores);
    return status;
}
