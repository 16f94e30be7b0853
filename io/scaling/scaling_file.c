/* scaling_file.c - the file of a scaling.
 *
 * SCALING_RANGE has the format of svm-scale:
 *
 *     y                       only if labels are scaled
 *     LOWER UPPER             of the scaled labels
 *     LEAST LARGEST           of the labels
 *     x
 *     LOWER UPPER             of the scaled values
 *     INDEX LEAST LARGEST     one line for each feature that is not constant, ascending
 *
 * The other methods have, after the same lines for labels,
 *
 *     method NAME
 *     INDEX SUBTRACTED DIVISOR */
#include "io/line_walk.h"
#include "io/output.h"
#include "io/scaling/scaling.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void write_pair(double first, double second, FILE *stream) {
    fprintf(stream, "%.17g %.17g\n", first, second);
}

int scaling_write(const struct scaling *scaling, const char *path, bool zero_based,
                  struct error *e) {
    struct output *output = output_open(path, e);
    if (output == NULL)
        return -1;
    FILE *stream = output_stream(output);
    if (scaling->has_labels) {
        fputs("y\n", stream);
        write_pair(scaling->label_target.low, scaling->label_target.high, stream);
        write_pair(scaling->label_data.low, scaling->label_data.high, stream);
    }
    if (scaling->method == SCALING_RANGE) {
        fputs("x\n", stream);
        write_pair(scaling->target.low, scaling->target.high, stream);
    } else {
        fprintf(stream, "method %s\n", scaling_names[scaling->method]);
    }
    for (int32_t j = 0; j < scaling->features; j++) {
        if (scaling_leaves_out(scaling, j))
            continue;
        fprintf(stream, "%" PRId64 " ", (int64_t)j + !zero_based);
        write_pair(scaling->feature[j].first, scaling->feature[j].second, stream);
    }
    return output_commit(output, e);
}

/* The next line that is not empty; an error at the end of the file, which says what was EXPECTED. */
static int next_line(struct line_walk *walk, struct word *line, const char *expected,
                     struct error *e) {
    int more = line_walk_next(walk, line, e);
    return more == 0 ? error_file(e, line_walk_name(walk), "it ends where %s is expected", expected)
                     : more;
}

/* LOW < HIGH, or LOW <= HIGH where they are data. */
static int take_interval(struct line_walk *walk, struct word line, bool of_data,
                         struct interval *interval, struct error *e) {
    bool numbers = word_real(word_take(&line), &interval->low) &&
                   word_real(word_take(&line), &interval->high) && line.length == 0;
    if (!numbers)
        return line_walk_refuse(walk, e, "two numbers expected");
    if (interval->low < interval->high || (of_data && interval->low == interval->high))
        return 0;
    return line_walk_refuse(walk, e, "the first number must be below the second one");
}

static int read_interval(struct line_walk *walk, bool of_data, struct interval *interval,
                         struct error *e) {
    struct word line;
    return next_line(walk, &line, "a range", e) != 1
               ? -1
               : take_interval(walk, line, of_data, interval, e);
}

static int take_method(struct scaling *scaling, struct line_walk *walk, struct word line,
                       struct error *e) {
    word_take(&line);
    for (int i = SCALING_RANGE + 1; i < SCALING_NORM;
         i++) /* the others have another file, or none */
        if (word_is(line, scaling_names[i])) {
            scaling->method = (enum scaling_method)i;
            return 0;
        }
    return line_walk_refuse(walk, e, "no method of scaling: '%.*s'", word_shown(line), line.text);
}

/* The lines before those of features. */
static int read_head(struct scaling *scaling, struct line_walk *walk, struct error *e) {
    struct word line;
    if (next_line(walk, &line, "a line x", e) != 1)
        return -1;
    if (word_is(line, "y")) {
        scaling->has_labels = true;
        if (read_interval(walk, false, &scaling->label_target, e) != 0 ||
            read_interval(walk, true, &scaling->label_data, e) != 0 ||
            next_line(walk, &line, "a line x", e) != 1)
            return -1;
    }
    if (word_is(line, "x")) {
        scaling->method = SCALING_RANGE;
        return read_interval(walk, false, &scaling->target, e);
    }
    struct word rest = line;
    if (word_is(word_take(&rest), "method"))
        return take_method(scaling, walk, line, e);
    return line_walk_refuse(walk, e, "no file of ranges: a line x, y or method expected");
}

/* Adds the feature COLUMN, and those before it that the file leaves out. */
static int add_feature(struct scaling *scaling, int64_t *capacity, int64_t column,
                       struct scaling_feature feature, struct error *e) {
    if (scaling_reserve((void **)&scaling->feature, capacity, column + 1, sizeof *scaling->feature,
                        e) != 0)
        return -1;
    while (scaling->features < column)
        scaling->feature[scaling->features++] = (struct scaling_feature){0, 0};
    scaling->feature[scaling->features++] = feature;
    return 0;
}

static int take_feature(struct scaling *scaling, int64_t *capacity, struct line_walk *walk,
                        struct word line, bool zero_based, struct error *e) {
    struct scaling_feature f;
    double index;
    bool numbers = word_real(word_take(&line), &index) && index == floor(index) &&
                   word_real(word_take(&line), &f.first) && word_real(word_take(&line), &f.second);
    if (!numbers || line.length > 0)
        return line_walk_refuse(walk, e, "an index and two numbers expected");
    if (index < !zero_based || index > INT32_MAX - 1)
        return line_walk_refuse(walk, e, "index %.17g: it must be from %d to %d", index,
                                !zero_based, INT32_MAX - 1);
    int64_t column = (int64_t)index - !zero_based;
    if (column < scaling->features)
        return line_walk_refuse(walk, e, "index %.17g: indices must ascend", index);
    const char *wrong = scaling_check_feature(scaling->method, f);
    if (wrong != NULL)
        return line_walk_refuse(walk, e, "feature %.17g: %s", index, wrong);
    return add_feature(scaling, capacity, column, f, e);
}

int scaling_read(struct scaling *scaling, const char *path, bool zero_based, struct error *e) {
    struct line_walk *walk = line_walk_open(path, e);
    if (walk == NULL)
        return -1;
    struct word line;
    int64_t capacity = 0;
    int status = read_head(scaling, walk, e);
    int more = status == 0 ? line_walk_next(walk, &line, e) : -1;
    while (more == 1 && status == 0) {
        if (line.length > 0)
            status = take_feature(scaling, &capacity, walk, line, zero_based, e);
        if (status == 0)
            more = line_walk_next(walk, &line, e);
    }
    line_walk_close(walk);
    return more == 0 ? status : -1;
}
