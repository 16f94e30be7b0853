/* plot_path.c - a path of lambda: the measure of the folds, the weights that are not 0, and the largest weights of
 * models. */
#include "data/json_read.h"
#include "data/plot.h"

#include "data/numbered_names.h"
#include "io/memory.h"
#include "io/model/model.h"
#include "io/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct path {
    const struct plot *plot;
    int64_t models;
    double *lambda; /* of each model */
    double *w;      /* models x features: of the first vector */
    int64_t features, shown;
    int64_t *feature; /* the `shown` features with the largest weights */
    bool zero_based;
    struct numbered_names names;
};

/* ---- the report */

/* The measure of a value of lambda: --measure, or the first; *name is what it is called. */
static double measure_of(const struct json *json, const struct json_node *value, const char *wanted,
                         const char **name) {
    const struct json_node *list = json_member(json, value, "measures");
    const struct json_node *one =
        wanted != NULL ? json_member(json, list, wanted) : json_first(json, list);
    if (one != NULL)
        *name = one->key;
    return json_real(one);
}

static double nonzeros_of(const struct json *json, const struct json_node *value) {
    const struct json_node *mean = json_member(json, value, "mean_weights_nonzero");
    return json_real(mean != NULL ? mean : json_member(json, value, "weights_nonzero"));
}

static void print_number(double x, FILE *stream) {
    isfinite(x) ? fprintf(stream, " %.8g", x) : fputs(" NaN", stream);
}

/* Prints the rows "lambda measure nonzeros"; *name: of the measure, NULL without folds. */
static int print_rows(const struct path *path, const struct json *json, const char **name,
                      double *best, struct error *e) {
    const char *file = path->plot->file[0], *wanted = path->plot->settings->measure;
    const struct json_node *report = &json->node[0];
    const struct json_node *value = json_first(json, json_member(json, report, "path"));
    FILE *stream = path->plot->stream;
    if (value == NULL)
        return error_file(e, file, "the report has no path: train --path N");
    *best = json_real(json_member(json, report, "best_lambda"));
    fputs("$path << END\n", stream);
    for (; value != NULL; value = json_next(json, value)) {
        double measure = measure_of(json, value, wanted, name);
        print_number(json_real(json_member(json, value, "lambda")), stream);
        print_number(measure, stream);
        print_number(nonzeros_of(json, value), stream);
        fputc('\n', stream);
    }
    fputs("END\n", stream);
    return wanted == NULL || *name != NULL
               ? 0
               : error_file(e, file, "the report has no measure %.60s of the folds", wanted);
}

/* ---- models */

static int take_model(struct path *path, const char *file, struct error *e) {
    struct model model;
    if (model_read(file, &model, e) != 0)
        return -1;
    int status = 0;
    if (model_has_map(&model) || model.vectors == 0)
        status = error_file(e, file, "a model without weights of features");
    else if (!(model.lambda > 0)) /* a ball's, or LIBLINEAR's */
        status = error_file(e, file, "a model without lambda has no place on the path");
    else if (path->models > 0 && model.features != path->features)
        status = error_file(e, file, "%" PRId64 " features, where the models before have %" PRId64,
                            model.features, path->features);
    path->features = status == 0 ? model.features : path->features;
    if (status == 0)
        status = memory_resize((void **)&path->w, (path->models + 1) * path->features,
                               sizeof *path->w, "weights", e);
    if (status == 0) {
        memcpy(path->w + path->models * path->features, model.w,
               sizeof *model.w * (size_t)model.features);
        path->lambda[path->models++] = model.lambda;
        path->zero_based = model.zero_based;
    }
    model_free(&model);
    return status;
}

static double largest_of(const struct path *path, int64_t j) {
    double largest = 0;
    for (int64_t k = 0; k < path->models; k++)
        largest = fmax(largest, fabs(path->w[k * path->features + j]));
    return largest;
}

/* The features with the largest weights of any model. */
static int choose_features(struct path *path, struct error *e) {
    int64_t limit = path->plot->settings->count;
    double *size = memory_new(path->features, sizeof *size, "weights", e);
    path->feature = memory_new(limit, sizeof *path->feature, "weights", e);
    for (int64_t j = 0; size != NULL && j < path->features; j++)
        size[j] = largest_of(path, j);
    while (size != NULL && path->feature != NULL && path->shown < limit) {
        int64_t best = -1;
        for (int64_t j = 0; j < path->features; j++)
            if (size[j] > 0 && (best < 0 || size[j] > size[best]))
                best = j;
        if (best < 0)
            break;
        size[best] = 0;
        path->feature[path->shown++] = best;
    }
    free(size);
    return size == NULL || path->feature == NULL ? -1 : 0;
}

static void name_feature(const struct path *path, int64_t j, char *text, size_t size) {
    if (j < path->names.feature.count)
        snprintf(text, size, "%s", words_text(&path->names.feature, j));
    else
        snprintf(text, size, "feature %" PRId64, j + !path->zero_based);
}

/* A row for each model: lambda, then the weights. Models come in any order. */
static void print_weights(const struct path *path, FILE *stream) {
    fputs("$weights << END\n", stream);
    for (int64_t done = 0; done < path->models; done++) {
        int64_t next = -1;
        for (int64_t k = 0; k < path->models; k++)
            if (path->lambda[k] >= 0 && (next < 0 || path->lambda[k] > path->lambda[next]))
                next = k;
        fprintf(stream, "%.8g", path->lambda[next]);
        for (int64_t i = 0; i < path->shown; i++)
            fprintf(stream, " %.6g", path->w[next * path->features + path->feature[i]]);
        fputc('\n', stream);
        path->lambda[next] = -1;
    }
    fputs("END\n", stream);
}

static int take_models(struct path *path, struct error *e) {
    const struct plot *plot = path->plot;
    if (plot->files == 1)
        return 0;
    path->lambda = memory_new(plot->files, sizeof *path->lambda, "lambdas", e);
    if (path->lambda == NULL)
        return -1;
    for (int i = 1; i < plot->files; i++)
        if (take_model(path, plot->file[i], e) != 0)
            return -1;
    if (plot->settings->names != NULL &&
        numbered_names_read(plot->settings->names, true, &path->names, e) != 0)
        return -1;
    words_replace(&path->names.feature, name_show);
    if (choose_features(path, e) != 0)
        return -1;
    print_weights(path, plot->stream);
    return 0;
}

/* ---- the picture: the measure above, the weights below */

static void print_measure_plot(const struct path *path, const char *name, double best) {
    FILE *stream = path->plot->stream;
    if (isfinite(best))
        fprintf(stream,
                "set arrow 1 from %.8g, graph 0 to %.8g, graph 1 nohead dt 2 lc '#888888'\n", best,
                best);
    fputs("set key bottom left\n", stream);
    if (name == NULL) { /* gnuplot warns of a left axis that nothing uses */
        fputs("set yrange [0:*]\nset ylabel 'weights that are not 0'\nplot $path using 1:3 with "
              "linespoints ls 2 title 'not 0'\nset autoscale y\n",
              stream);
        return;
    }
    fputs("set y2tics\nset y2range [0:*]\nset ytics nomirror\nset y2label 'weights that are not "
          "0'\nset ylabel ",
          stream);
    plot_quote(name, stream);
    fputs("\nplot $path using 1:2 with linespoints title 'folds', $path using 1:3 axes x1y2 with "
          "linespoints ls 2 title 'not 0'\n",
          stream);
}

static void print_weights_plot(const struct path *path) {
    FILE *stream = path->plot->stream;
    char name[160];
    fputs("unset y2tics\nunset y2label\nunset title\nset ylabel 'weight'\nset key outside right "
          "font ',9'\nplot ",
          stream);
    for (int64_t i = 0; i < path->shown; i++) {
        name_feature(path, path->feature[i], name, sizeof name);
        fprintf(stream, "%s$weights using 1:%" PRId64 " with lines lw 1.5 title ",
                i > 0 ? ", " : "", i + 2);
        plot_quote(name, stream);
    }
    fputc('\n', stream);
}

static int print_all(struct path *path, const struct json *json, struct error *e) {
    const char *name = NULL;
    double best;
    FILE *stream = path->plot->stream;
    if (print_rows(path, json, &name, &best, e) != 0 || take_models(path, e) != 0)
        return -1;
    fputs("set logscale x\nset autoscale xfix\nset format x '%.0e'\nset xlabel 'lambda'\n", stream);
    if (path->shown > 0)
        fputs("set multiplot layout 2,1\n", stream);
    print_measure_plot(path, name, best);
    if (path->shown > 0) {
        print_weights_plot(path);
        fputs("unset multiplot\n", stream);
    }
    return 0;
}

int plot_path(const struct plot *plot, struct error *e) {
    struct path path = {.plot = plot};
    struct json json;
    int status = json_read(&json, plot->file[0], e);
    if (status == 0)
        status = print_all(&path, &json, e);
    json_free(&json);
    numbered_names_free(&path.names);
    free(path.lambda);
    free(path.w);
    free(path.feature);
    return status;
}
