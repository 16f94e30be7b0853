/* plot_gap.c - the certified gap of runs against their time. */
#include "data/json_read.h"
#include "data/plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_CURVES = 40, MAX_TITLE = 160 };

/* Gaps of 0 are drawn here, since the axis is logarithmic. */
static const double least_gap = 1e-16;

/* Powers of ten. */
static const double visible_share = 0.1;

struct curves {
    const struct plot *plot;
    int count;
    int64_t points;            /* of the current curve */
    double time, gap, printed; /* its last row, and the gap of the last row that was printed */
    bool held;                 /* which is not printed yet: gaps next to each other look the same */
    char title[MAX_CURVES][MAX_TITLE];
    bool is_point[MAX_CURVES]; /* of a report */
};

static double gap_of(double objective, double bound) {
    double gap = (objective - bound) / fabs(objective);
    return isfinite(gap) ? fmax(gap, least_gap) : NAN;
}

/* The file's name without folder and ending. */
static void name_of(const char *path, char name[MAX_TITLE]) {
    const char *slash = strrchr(path, '/');
    snprintf(name, MAX_TITLE, "%s", slash != NULL ? slash + 1 : path);
    char *point = strrchr(name, '.');
    if (point != NULL && point != name)
        *point = '\0';
}

static int begin(struct curves *curves, const char *path, struct word words, struct error *e) {
    char name[MAX_TITLE];
    if (curves->count == MAX_CURVES)
        return error_file(e, path, "more than %d runs: give fewer files", MAX_CURVES);
    name_of(path, name);
    snprintf(curves->title[curves->count], MAX_TITLE, "%.100s%s%.*s", name,
             words.length > 0 ? ", " : "", word_shown(words), words.text);
    fprintf(curves->plot->stream, "$run%d << END\n", curves->count);
    curves->points = 0;
    curves->held = false;
    return 0;
}

static void print_held(struct curves *curves) {
    if (curves->held)
        fprintf(curves->plot->stream, "%.6g %.6g\n", curves->time, curves->gap);
    curves->held = false;
}

/* Prints the point if its gap is another one, by eye, than that of the last one that was printed. */
static void add_point(struct curves *curves, double time, double gap) {
    curves->time = time;
    curves->gap = gap;
    curves->held = true;
    if (curves->points++ == 0 || fabs(log10(gap / curves->printed)) > visible_share) {
        print_held(curves);
        curves->printed = gap;
    }
}

/* A curve without points does not count. */
static void end(struct curves *curves) {
    print_held(curves);
    fputs("END\n", curves->plot->stream);
    curves->count += curves->points > 0;
}

static int take_row(struct curves *curves, struct line_walk *walk, struct word line,
                    struct error *e) {
    double number[5];
    for (int k = 0; k < 5; k++) {
        struct word word = word_take(&line);
        bool without = word_is(word, "-inf") || word_is(word, "nan") || word_is(word, "inf");
        number[k] = NAN;
        if (!without && !word_real(word, &number[k]))
            return line_walk_refuse(walk, e, "no row of a trace (train -T)");
    }
    double gap = gap_of(number[3], number[4]);
    if (isnan(gap))
        return 0;
    add_point(curves, number[curves->plot->settings->against == AGAINST_PASSES], gap);
    return 0;
}

static int take_lines(struct curves *curves, struct line_walk *walk, const char *path,
                      struct error *e) {
    struct word line, nothing = {"", 0};
    int64_t rows = 0;
    int more, status = begin(curves, path, nothing, e);
    while (status == 0 && (more = line_walk_next(walk, &line, e)) != 0) {
        if (more < 0)
            return -1;
        if (line.length == 0)
            continue;
        if (line.text[0] == '#') {
            word_take(&line);
            end(curves);
            status = begin(curves, path, line, e);
            continue;
        }
        status = take_row(curves, walk, line, e);
        rows++;
    }
    if (status != 0)
        return -1;
    end(curves);
    return rows > 0 ? 0 : error_file(e, path, "the trace is empty");
}

static int take_report(struct curves *curves, struct line_walk *walk, struct word line,
                       const char *path, struct error *e) {
    struct json json = {0};
    struct word nothing = {"", 0};
    int status = json_take(&json, walk, line, e);
    const struct json_node *report = json.count > 0 ? &json.node[0] : NULL;
    bool passes = curves->plot->settings->against == AGAINST_PASSES;
    double gap = json_real(json_member(&json, report, "gap"));
    double time = json_real(json_member(&json, report, passes ? "passes" : "train_seconds"));
    if (status == 0 && !(isfinite(gap) && isfinite(time)))
        status = error_file(e, path, "the report has no certified gap");
    if (status == 0)
        status = begin(curves, path, nothing, e);
    if (status == 0) {
        add_point(curves, time, fmax(gap, least_gap));
        curves->is_point[curves->count] = true;
        end(curves);
    }
    json_free(&json);
    return status;
}

static int take_file(struct curves *curves, const char *path, struct error *e) {
    struct line_walk *walk = line_walk_open(path, e);
    struct word line;
    int more = walk == NULL ? -1 : line_walk_next(walk, &line, e), status = -1;
    if (more == 0)
        error_file(e, path, "the file is empty");
    else if (more == 1 && line.length > 0 && line.text[0] == '{')
        status = take_report(curves, walk, line, path, e);
    else if (more == 1 && !word_is(word_take(&line), "seconds"))
        line_walk_refuse(walk, e, "no trace (train -T) and no report");
    else if (more == 1)
        status = take_lines(curves, walk, path, e);
    line_walk_close(walk);
    return status;
}

int plot_gap(const struct plot *plot, struct error *e) {
    struct curves curves = {.plot = plot};
    FILE *stream = plot->stream;
    for (int i = 0; i < plot->files; i++)
        if (take_file(&curves, plot->file[i], e) != 0)
            return -1;
    if (curves.count == 0)
        return error_file(e, plot->file[0], "no row has a certified bound, so there is no gap");
    fprintf(stream,
            "set logscale y\nset format y '%%.0e'\nset ylabel 'certified gap'\nset xlabel '%s'\n",
            plot->settings->against == AGAINST_PASSES ? "passes over the data"
                                                      : "seconds of training");
    fputs("set key top right\nset xrange [0:*]\nplot ", stream);
    for (int k = 0; k < curves.count; k++) {
        fprintf(stream, "%s$run%d using 1:2 with %s title ", k > 0 ? ", " : "", k,
                curves.is_point[k] ? "points" : "linespoints");
        plot_quote(curves.title[k], stream);
    }
    fputc('\n', stream);
    return 0;
}
