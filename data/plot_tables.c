/* plot_tables.c - the confusion matrix of a report, and the weights of a table. */
#include "data/json_read.h"
#include "data/plot.h"

#include "io/line_walk.h"
#include "io/memory.h"
#include "io/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- confusion */

enum { MAX_LABELS = 60 };

struct matrix {
    int64_t labels, rows; /* one row more if there are other labels */
    double label[MAX_LABELS];
    double count[MAX_LABELS + 1][MAX_LABELS];
};

static int take_labels(const struct json *json, const struct json_node *list, const char *path,
                       struct matrix *m, struct error *e) {
    const struct json_node *one = json_first(json, list);
    for (; one != NULL && m->labels <= MAX_LABELS; one = json_next(json, one)) {
        if (m->labels == MAX_LABELS)
            return error_file(e, path, "more than %d labels", MAX_LABELS);
        m->label[m->labels++] = json_real(one);
    }
    return m->labels > 0 ? 0
                         : error_file(e, path,
                                      "the report has no confusion matrix: predict --measures "
                                      "confusion --report FILE");
}

static int take_counts(const struct json *json, const struct json_node *list, const char *path,
                       struct matrix *m, struct error *e) {
    const struct json_node *row = json_first(json, list);
    double others = 0;
    for (int64_t i = 0; i <= m->labels; i++, row = row == NULL ? NULL : json_next(json, row)) {
        const struct json_node *cell = row == NULL ? NULL : json_first(json, row);
        for (int64_t j = 0; j < m->labels;
             j++, cell = cell == NULL ? NULL : json_next(json, cell)) {
            m->count[i][j] = json_real(cell);
            if (!isfinite(m->count[i][j]))
                return error_file(e, path, "the confusion matrix has too few numbers");
            others += i == m->labels ? m->count[i][j] : 0;
        }
    }
    m->rows = m->labels + (others > 0);
    return 0;
}

/* A label of an axis is a format, in which %% stands for %. */
static void print_tic(const char *label, FILE *stream) {
    char text[1024];
    size_t length = 0;
    for (; *label != '\0' && length + 3 < sizeof text; label++) {
        text[length++] = *label;
        if (*label == '%')
            text[length++] = '%';
    }
    text[length] = '\0';
    plot_quote(text, stream);
}

/* "'spam' 0, 'ham' 1": the labels of an axis. */
static void print_tics(const struct matrix *m, int64_t count, const char *const *names,
                       FILE *stream) {
    char number[32];
    for (int64_t k = 0; k < count; k++) {
        snprintf(number, sizeof number, "%.10g", k < m->labels ? m->label[k] : 0);
        print_tic(k == m->labels ? "others" : names != NULL ? names[k] : number, stream);
        fprintf(stream, " %" PRId64 "%s", k, k + 1 < count ? ", " : "");
    }
}

/* Colours are shares of a row, so that rare labels are seen, too. */
static void print_matrix(const struct matrix *m, const char *const *names, FILE *stream) {
    fputs("$cells << END\n", stream);
    for (int64_t i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int64_t j = 0; j < m->labels; j++)
            sum += m->count[i][j];
        for (int64_t j = 0; j < m->labels; j++)
            fprintf(stream, "%" PRId64 " %" PRId64 " %.4f %.0f\n", j, i,
                    sum > 0 ? m->count[i][j] / sum : 0, m->count[i][j]);
    }
    fputs("END\nset xtics (", stream);
    print_tics(m, m->labels, names, stream);
    fputs(")\nset ytics (", stream);
    print_tics(m, m->rows, names, stream);
    fprintf(stream,
            ")\nset xlabel 'predicted label'\nset ylabel 'true label'\nset cblabel 'share of the "
            "row'\nset xrange [-0.5:%g]\nset yrange [%g:-0.5]\nset cbrange [0:1]\nunset grid\nset "
            "palette defined (0 '#ffffff', 1 '#0060ad')\n"
            "plot $cells using 1:2:3 with image pixels notitle, $cells using 1:2:(sprintf('%%d', "
            "$4)):($3 > 0.6 ? 0xffffff : 0) with labels textcolor rgb variable notitle\n",
            (double)m->labels - 0.5, (double)m->rows - 0.5);
}

int plot_confusion(const struct plot *plot, struct error *e) {
    const char *path = plot->file[0], *const *names = NULL;
    struct matrix *m = memory_zeroed(1, sizeof *m, "the confusion matrix", e);
    struct json json = {0};
    int status = m == NULL ? -1 : json_read(&json, path, e);
    if (status == 0) {
        const struct json_node *c = json_member(&json, &json.node[0], "confusion");
        status = take_labels(&json, json_member(&json, c, "labels"), path, m, e);
        if (status == 0)
            status = take_counts(&json, json_member(&json, c, "counts"), path, m, e);
    }
    if (status == 0 && plot->settings->names != NULL) {
        names = names_read_shown(plot->settings->names, m->label, m->labels, e);
        status = names == NULL ? -1 : 0;
    }
    if (status == 0)
        print_matrix(m, names, plot->stream);
    if (m != NULL)
        names_free(names, m->labels);
    json_free(&json);
    free(m);
    return status;
}

/* ---- weights */

/* The next field of a line with tabs. */
static struct word take_field(struct word *line) {
    const char *tab = memchr(line->text, '\t', (size_t)line->length);
    struct word field = {line->text, tab == NULL ? line->length : tab - line->text};
    int64_t taken = field.length + (tab != NULL);
    *line = (struct word){line->text + taken, line->length - taken};
    return field;
}

/* Prints the bar of a row: its name and its weight. */
static int print_bar(struct line_walk *walk, struct word line, bool labelled, int64_t bar,
                     FILE *stream, struct error *e) {
    struct word label = labelled ? take_field(&line) : (struct word){"", 0};
    struct word feature = take_field(&line);
    double weight;
    char text[160];
    if (!word_real(line, &weight))
        return line_walk_refuse(walk, e, "no row of weights");
    snprintf(text, sizeof text, "%.*s%s%.*s", word_shown(label), label.text, labelled ? ": " : "",
             word_shown(feature), feature.text);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '"' || *c == '\\' ? '_' : *c;
    fprintf(stream, "%" PRId64 " %.6g \"%s\"\n", bar, weight, text);
    return 0;
}

static int print_bars(const struct plot *plot, struct line_walk *walk, int64_t *bars,
                      struct error *e) {
    struct word line;
    int more = line_walk_next(walk, &line, e), status = 0;
    bool labelled = more == 1 && line.length >= 5 && memcmp(line.text, "label", 5) == 0;
    if (more < 0)
        return -1;
    if (more == 0 || (!labelled && strncmp(line.text, "feature", 7) != 0))
        return error_file(e, line_walk_name(walk), "no table of the program weights");
    fputs("$bars << END\n", plot->stream);
    while (status == 0 && (more = line_walk_next(walk, &line, e)) == 1)
        if (line.length > 0 && *bars < plot->settings->count)
            status = print_bar(walk, line, labelled, (*bars)++, plot->stream, e);
    fputs("END\n", plot->stream);
    return status == 0 ? more : -1;
}

int plot_weights(const struct plot *plot, struct error *e) {
    struct line_walk *walk = line_walk_open(plot->file[0], e);
    int64_t bars = 0;
    int status = walk == NULL ? -1 : print_bars(plot, walk, &bars, e);
    if (status == 0 && bars == 0)
        status = error_file(e, plot->file[0], "the table has no weights");
    line_walk_close(walk);
    if (status == 0)
        fprintf(plot->stream,
                "set yrange [%" PRId64 ".5:-0.5]\nset xlabel 'weight'\nset grid noy\n"
                "set arrow from 0,graph 0 to 0,graph 1 nohead lc '#888888'\nset style fill solid\n"
                "plot $bars using ($2/2):1:(abs($2)/2):(0.4):($2 < 0 ? 0xd95319 : "
                "0x0060ad):ytic(3) with boxxyerror lc rgb variable notitle\n",
                bars - 1);
    return status;
}
