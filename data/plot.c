/* plot.c - the program plot: pictures of runs, paths, predictions and models, drawn by gnuplot; see plot --help. */
#include "data/plot.h"

#include "cli/files.h"
#include "cli/program_name.h"
#include "io/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIELD(name) .offset = offsetof(struct plot_settings, name)

static const char *const againsts[] = {"seconds", "passes", NULL}; /* enum plot_against */

static const struct option_row rows[] = {
    {'o', "output", "FILE", OPTION_TEXT, FIELD(output),
     .help = "write the picture to this file, in SVG or PNG by its ending; without -o it is drawn "
             "with letters in the terminal"},
    {0, "title", "TEXT", OPTION_TEXT, FIELD(title), .help = "a title above the picture"},
    {0, "names", "FILE", OPTION_TEXT, FIELD(names),
     .help = "the names of labels and features, as convert encode writes them"},
    {0, "against", "seconds|passes", OPTION_CHOICE, .choices = againsts, .default_text = "seconds",
     FIELD(against), .help = "gap: against seconds or passes over the data"},
    {0, "measure", "NAME", OPTION_TEXT, FIELD(measure),
     .help = "path: the measure of the folds that is drawn, by its name in the report (default: "
             "the first one)"},
    {'n', "count", "N", OPTION_INTEGER, .low = 1, .high = 1000, .default_text = "20", FIELD(count),
     .help = "path, weights: draw the N largest weights"},
    {0, "width", "N", OPTION_INTEGER, .low = 20, .high = 20000, FIELD(width),
     .help = "width in pixels, or in letters in the terminal"},
    {0, "height", "N", OPTION_INTEGER, .low = 8, .high = 20000, FIELD(height), .help = "height"},
    {0, "script", NULL, OPTION_FLAG, FIELD(script),
     .help = "write the script for gnuplot instead of the picture; needs no gnuplot"},
};

static const char *const usage[] = {
    "@plot gap [options] TRACE...",
    "@plot path [options] REPORT [MODEL...]",
    "@plot roc|precision-recall|reliability [options] DATA PREDICTIONS",
    "@plot confusion [options] REPORT",
    "@plot weights [options] TABLE",
    NULL};

static const char description[] =
    "plot draws pictures by gnuplot. gap: the certified gap of each run against its time; TRACE is "
    "the file of @train -T, or a report of @train --report, which is one point. path: REPORT is "
    "that of @train --path -v N; the measure of the folds and the weights that are not 0, against "
    "lambda; with models at several lambdas also their largest weights. roc and precision-recall: "
    "from the labels of DATA and the decision values or probabilities of @predict -d or -b 1; a "
    "curve for each label against the others, of two labels for the first one. reliability: the "
    "share of a label among the examples to which @predict -b 1 gave about the same probability. "
    "confusion: REPORT is that of @predict --measures confusion. weights: TABLE is what @weights "
    "prints. \"-\" is standard input, for one of the files.";

static const char *const examples[] = {
    "@plot gap dcd.trace ipm.trace -o gap.svg", "@plot roc test.svm predictions",
    "@weights --names names model | @plot weights - -o weights.png", NULL};

struct kind {
    const char *name, *takes;
    int (*draw)(const struct plot *plot, struct error *e);
    int min_files, max_files; /* files */
};

static const struct kind kinds[] = {
    {"gap", "traces or reports", plot_gap, 1, 1000},
    {"path", "a report, and models", plot_path, 1, 1000},
    {"roc", "DATA and PREDICTIONS", plot_roc, 2, 2},
    {"precision-recall", "DATA and PREDICTIONS", plot_precision_recall, 2, 2},
    {"reliability", "DATA and PREDICTIONS", plot_reliability, 2, 2},
    {"confusion", "a report", plot_confusion, 1, 1},
    {"weights", "a table", plot_weights, 1, 1},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *find_kind(const char *name) {
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
}

/* The terminal's size, less a line for the prompt. */
static void print_letters(const struct plot_settings *settings, FILE *stream) {
    struct winsize size = {0};
    int64_t width = 79, height = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 8) {
        width = size.ws_col;
        height = size.ws_row - 1;
    }
    fprintf(stream, "set terminal dumb noenhanced size %" PRId64 ",%" PRId64 "\n",
            settings->width > 0 ? settings->width : width,
            settings->height > 0 ? settings->height : height);
}

/* The beginning of every script. */
static void print_head(const struct plot_settings *settings, FILE *stream) {
    int64_t width = settings->width > 0 ? settings->width : 640;
    int64_t height = settings->height > 0 ? settings->height : 420;
    if (settings->output == NULL)
        print_letters(settings, stream);
    else if (ends_in(settings->output, ".png"))
        fprintf(stream,
                "set terminal pngcairo noenhanced font 'sans,11' size %" PRId64 ",%" PRId64 "\n",
                width, height);
    else
        fprintf(stream,
                "set terminal svg noenhanced font 'sans,13' background '#ffffff' size %" PRId64
                ",%" PRId64 "\n",
                width, height);
    fputs("set encoding utf8\nset border 3\nset tics nomirror\nset grid lc '#dddddd'\n"
          "set style line 1 lc '#0060ad' lw 2 pt 7 ps 0.5\n"
          "set style line 2 lc '#d95319' lw 2 pt 5 ps 0.5\n"
          "set style line 3 lc '#2e8b57' lw 2 pt 9 ps 0.6\n"
          "set style line 4 lc '#7e2f8e' lw 2 pt 13 ps 0.7\n"
          "set style line 5 lc '#b8860b' lw 2 pt 11 ps 0.6\n"
          "set style line 6 lc '#444444' lw 2 pt 4 ps 0.6\nset style increment user\n",
          stream);
    if (settings->title != NULL) {
        fputs("set title ", stream);
        plot_quote(settings->title, stream);
        fputc('\n', stream);
    }
}

static int check(const struct plot_settings *settings, const struct kind *kind, char *const *file,
                 int files, struct error *e) {
    const char *output = settings->output;
    if (files < kind->min_files || files > kind->max_files)
        return error_usage(e, "%s takes %s, but there %s %d file%s; see %s --help", kind->name,
                           kind->takes, files == 1 ? "is" : "are", files, files == 1 ? "" : "s",
                           program_name());
    if (output != NULL && !settings->script && !ends_in(output, ".svg") && !ends_in(output, ".png"))
        return error_usage(e, "-o %.200s: a name that ends in .svg or .png is needed", output);
    if (files_check_inputs((const char *const *)file, files, e) != 0)
        return -1;
    for (int i = 0; i < files; i++)
        if (files_check_apart(output, file[i], e) != 0)
            return -1;
    return files_check_apart(output, settings->names, e);
}

static int fail_temporary(struct error *e) {
    return error_set(e, "a temporary file: %s", strerror(errno));
}

/* The picture, or with --script the script itself. */
static int write_picture(const struct plot *plot, struct error *e) {
    const char *path = plot->settings->output;
    struct output *output = output_open(path != NULL ? path : "-", e);
    if (output == NULL)
        return -1;
    if (!plot->settings->script)
        return output_end(output, plot_run(plot->stream, output_stream(output), e), e);
    rewind(plot->stream);
    for (int c; (c = getc(plot->stream)) != EOF;)
        putc(c, output_stream(output));
    return output_end(output, ferror(plot->stream) ? fail_temporary(e) : 0, e);
}

static int run(const void *all, const struct option_group *groups, char **operand, int count,
               struct error *e) {
    const struct plot_settings *settings = all;
    const struct kind *kind = count > 0 ? find_kind(operand[0]) : NULL;
    (void)groups;
    if (kind == NULL)
        return error_usage(e,
                           "gap, path, roc, precision-recall, reliability, confusion or weights "
                           "expected%s%.100s; see %s --help",
                           count > 0 ? ", not " : "", count > 0 ? operand[0] : "", program_name());
    struct plot plot = {.settings = settings, .file = operand + 1, .files = count - 1};
    if (check(settings, kind, plot.file, plot.files, e) != 0)
        return -1;
    plot.stream = tmpfile();
    if (plot.stream == NULL)
        return fail_temporary(e);
    print_head(settings, plot.stream);
    int status = kind->draw(&plot, e);
    if (status == 0 && (fflush(plot.stream) != 0 || ferror(plot.stream)))
        status = fail_temporary(e);
    if (status == 0)
        status = write_picture(&plot, e);
    fclose(plot.stream);
    return status;
}

static const struct converter program = {
    .name = "plot",
    .purpose = "pictures of runs, predictions and models",
    .usage = usage,
    .description = description,
    .examples = examples,
    .common = CONVERTER_ROWS(rows),
    .run = run,
};

int main(int argc, char **argv) {
    struct plot_settings settings = {0};
    return converter_main(argc, argv, &program, &settings);
}
