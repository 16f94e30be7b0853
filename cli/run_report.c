/* run_report.c - a training run as one JSON object (--report). */
#include "cli/run_report.h"

#include "cli/json.h"
#include "cli/measures_lines.h"
#include "io/model/label_pairs.h"
#include "io/output.h"
#include "version.h"

#include <inttypes.h>
#include <math.h>

/* The data of the report. */
struct run_report {
    const struct train_command *command;
    const struct training_session *session;
    const struct path *path;                   /* NULL: no model was trained on the full data */
    const struct cross_validation *validation; /* NULL: none */
    const struct communicator *gathered;       /* NULL: none */
};

static void member_real(FILE *stream, const char *name, double value) {
    fprintf(stream, ",\n  \"%s\": ", name);
    json_number(stream, value);
}

/* A number in a row, after others. */
static void row_real(FILE *stream, const char *name, double value) {
    fprintf(stream, ", \"%s\": ", name);
    json_number(stream, value);
}

static void member_integer(FILE *stream, const char *name, int64_t value) {
    fprintf(stream, ",\n  \"%s\": %" PRId64, name, value);
}

static void member_text(FILE *stream, const char *name, const char *value) {
    fprintf(stream, ",\n  \"%s\": ", name);
    json_string(stream, value);
}

static void print_class_weights(const struct train_settings *settings, FILE *stream) {
    fputs(",\n  \"class_weights\": [", stream);
    for (int64_t k = 0; k < settings->class_weights; k++) {
        fputs(k > 0 ? ", {\"label\": " : "{\"label\": ", stream);
        json_number(stream, settings->class_weight[k].label);
        row_real(stream, "weight", settings->class_weight[k].weight);
        fputc('}', stream);
    }
    fputc(']', stream);
}

/* The settings; those that the solver does not use are null. */
static void print_settings(const struct training_request *request, const char *solver,
                           FILE *stream) {
    struct train_settings used = request->settings;
    struct option_group group = request->groups[0];
    used.solver = solver;
    if (request->solver->tolerance == NULL)
        used.epsilon = NAN;
    if (!request->solver->batches)
        used.batch_size = 0;
    group.settings = &used;
    options_print_json(&group, stream);
}

/* SOLVER: the one that ended the run. */
static void print_options(const struct training_request *request, const char *solver,
                          FILE *stream) {
    const struct option_group *options_of_solver = request_group(request, solver);
    fputs(",\n  \"options\": {", stream);
    print_settings(request, solver, stream);
    fputs(", ", stream);
    options_print_json(&request->groups[1], stream);
    fputc('}', stream);
    print_class_weights(&request->settings, stream);
    fprintf(stream, ",\n  \"solver_by_default\": %s", request->solver_given ? "false" : "true");
    fputs(",\n  \"solver_options\": {", stream);
    if (options_of_solver != NULL)
        options_print_json(options_of_solver, stream);
    fputc('}', stream);
}

/* Writes the kernel and the map with the values used, since defaults depend on the data; null: none. */
static void print_kernel(const struct training_session *session, FILE *stream) {
    const struct kernel *kernel = session_kernel(session);
    const struct map *map = session->map;
    if (kernel == NULL) {
        fputs(",\n  \"kernel\": null", stream);
        return;
    }
    fputs(",\n  \"kernel\": {\"name\": ", stream);
    json_string(stream, kernel_names[kernel->kind]);
    row_real(stream, "gamma", kernel_has_gamma(kernel->kind) ? kernel->gamma : NAN);
    row_real(stream, "sigma", kernel->kind == KERNEL_GAUSSIAN ? sqrt(0.5 / kernel->gamma) : NAN);
    fputs(", \"map\": ", stream);
    json_string(stream, map == NULL ? NULL : map_names[map_kind(map)]);
    if (map != NULL) {
        const struct dataset *landmarks = map_landmarks(map);
        row_real(stream, "landmarks", landmarks == NULL ? NAN : (double)landmarks->rows);
        fprintf(stream, ", \"dimension\": %" PRId64, map_dimension(map));
    }
    fputc('}', stream);
}

/* Writes the regularizer. A constraint has no lambda; only a ball has a radius. */
static void print_regularizer(const struct run_report *report, FILE *stream) {
    const struct training_session *session = report->session;
    double lambda = session->trained ? session->model.lambda : session->lambda;
    const struct regularizer *regularizer = report->command->request.regularizer;
    const struct train_settings *settings = &report->command->request.settings;
    member_real(stream, "ball",
                regularizer->ball != NULL ? settings->regularizer_parameters.ball : NAN);
    member_real(stream, "lambda", regularizer->constraint ? NAN : lambda);
}

static void print_labels(const struct classes *classes, FILE *stream) {
    fputs(",\n  \"labels\": [", stream);
    for (int64_t k = 0; k < classes->labels; k++) {
        fputs(k > 0 ? ", " : "", stream);
        json_number(stream, classes->label[k]);
    }
    fputc(']', stream);
}

/* "label": 3, or of a pair "labels": [3, 4] */
static void print_vector_labels(const struct classes *classes, int64_t k, FILE *stream) {
    int64_t i = k, j = k;
    if (classes->pairs)
        label_pairs_of(classes->labels, k, &i, &j);
    fputs(i == j ? "\"label\": " : "\"labels\": [", stream);
    json_number(stream, classes->label[i]);
    if (i == j)
        return;
    fputs(", ", stream);
    json_number(stream, classes->label[j]);
    fputc(']', stream);
}

static void print_vector(const struct vector_run *vector, double lambda_max, FILE *stream) {
    const struct outcome *outcome = &vector->outcome;
    row_real(stream, "objective", outcome->objective);
    row_real(stream, "bound", outcome->bound);
    row_real(stream, "gap", outcome_gap(outcome));
    row_real(stream, "passes", outcome->passes);
    fprintf(stream,
            ", \"iterations\": %" PRId64 ", \"weights_nonzero\": %" PRId64 ", \"train_seconds\": ",
            outcome->iterations, vector->nonzeros);
    json_number(stream, vector->seconds);
    row_real(stream, "lambda_max", lambda_max);
    fprintf(stream, ", \"status\": \"%s\"}",
            vector->trained ? verdict_status(outcome->verdict) : "untrained");
}

/* Whether rho is learned (-L nu-hinge, one-class). */
static bool learns_rho(const struct run_report *report) {
    enum loss_learned learned = report->command->request.risk->learned;
    return learned == LEARNS_MARGIN || learned == LEARNS_LEVEL;
}

static void print_path_row(double lambda, const struct run *run, FILE *stream) {
    fputs("    {\"lambda\": ", stream);
    json_number(stream, lambda);
    row_real(stream, "objective", run->total.objective);
    row_real(stream, "bound", run->total.bound);
    row_real(stream, "gap", run->gap);
    fprintf(stream, ", \"weights_nonzero\": %" PRId64 ", \"passes\": ", run->nonzeros);
    json_number(stream, run->total.passes);
    fprintf(stream, ", \"iterations\": %" PRId64 ", \"train_seconds\": ", run->total.iterations);
    json_number(stream, run->seconds);
    if (run->total.low > 0) { /* certified */
        row_real(stream, "within_low", run->total.low * lambda);
        row_real(stream, "within_high", run->total.high * lambda);
    }
    fprintf(stream, ", \"status\": \"%s\"}", verdict_status(run->total.verdict));
}

static void print_path(const struct path *path, FILE *stream) {
    fputs(",\n  \"path\": [\n", stream);
    for (int64_t i = 0; i < path->reached; i++) {
        fputs(i > 0 ? ",\n" : "", stream);
        print_path_row(path->values->lambda[i], &path->run[i], stream);
    }
    fputs("\n  ]", stream);
    if (path->values->certified) {
        member_integer(stream, "solves", path->values->solves);
        member_real(stream, "certified_from", path->values->from);
        member_real(stream, "certified_to", path->values->to);
    }
}

/* Writes the model: the last of a path, with passes, iterations and seconds of the full path. */
static void print_model(const struct run_report *report, FILE *stream) {
    const struct path *path = report->path;
    const struct run *run = path_last(path);
    const struct early_stop *stop = &report->session->early_stop;
    member_text(stream, "model_file", report->command->model_path);
    member_real(stream, "train_seconds", path->seconds);
    member_text(stream, "status",
                verdict_status(path_out_of_time(path) ? VERDICT_TIME : run->total.verdict));
    member_real(stream, "objective", run->total.objective);
    member_real(stream, "bound", run->total.bound);
    member_real(stream, "gap", outcome_gap(&run->total));
    member_integer(stream, "weights_nonzero", run->nonzeros);
    member_real(stream, "passes", path->total.passes);
    if (run->total.finished_by[0] != '\0')
        member_text(stream, "finished_by", run->total.finished_by);
    member_integer(stream, "iterations", path->total.iterations);
    if (stop->judged) {
        member_real(stream, "best_passes", stop->passes);
        member_text(stream, "chosen_by", stop->name);
        member_real(stream, "best_measure", stop->measure.value);
    }
    if (run->vectors == 1 && learns_rho(report))
        member_real(stream, "rho", run->vector[0].outcome.margin);
    if (run->vectors > 1) {
        fputs(",\n  \"vectors\": [\n", stream);
        for (int64_t k = 0; k < run->vectors; k++) {
            fputs(k > 0 ? ",\n    {" : "    {", stream);
            print_vector_labels(&report->session->classes, k, stream);
            if (learns_rho(report))
                row_real(stream, "rho", run->vector[k].outcome.margin);
            print_vector(&run->vector[k], report->session->lambda_max[k], stream);
        }
        fputs("\n  ]", stream);
    }
}

static void print_cross_row(const struct cross_point *point, FILE *stream) {
    fputs("    {\"lambda\": ", stream);
    json_number(stream, point->lambda);
    if (isfinite(point->gamma))
        row_real(stream, "gamma_kernel", point->gamma);
    if (point->landmarks > 0)
        row_real(stream, "landmarks", (double)point->landmarks);
    fprintf(stream, ", \"folds\": %" PRId64 ", \"mean_objective\": ", point->folds);
    json_number(stream, point->objective);
    row_real(stream, "gap", point->gap);
    row_real(stream, "mean_weights_nonzero", point->nonzeros);
    row_real(stream, "standard_error", point->standard_error);
    fputs(", ", stream);
    json_measures(stream, point->list, point->measure_count);
    if (point->decided.known) {
        row_real(stream, "least_accuracy", decided_least(&point->decided));
        row_real(stream, "most_accuracy", decided_most(&point->decided));
    }
    fputc('}', stream);
}

static void print_cross_path(const struct cross_validation *validation, FILE *stream) {
    fputs(",\n  \"path\": [\n", stream);
    for (int64_t i = 0; i < validation->count; i++) {
        fputs(i > 0 ? ",\n" : "", stream);
        print_cross_row(&validation->point[i], stream);
    }
    fputs("\n  ]", stream);
    const struct cross_point *best =
        validation->best < 0 ? NULL : &validation->point[validation->best];
    member_real(stream, "best_lambda", best == NULL ? NAN : best->lambda);
    member_real(stream, "chosen_lambda",
                validation->chosen < 0 ? NAN : validation->point[validation->chosen].lambda);
    if (best != NULL && isfinite(best->gamma))
        member_real(stream, "best_gamma", best->gamma);
    if (best != NULL && best->landmarks > 0)
        member_integer(stream, "best_landmarks", best->landmarks);
    member_text(stream, "chosen_by", validation->point[0].list[validation->chosen_measure].name);
}

/* Writes the measures of the chosen lambda, which is that of the model. */
static void print_validation(const struct cross_validation *validation, FILE *stream) {
    const struct cross_point *chosen =
        validation->chosen < 0 ? NULL : &validation->point[validation->chosen];
    member_real(stream, "validation_seconds", validation->seconds);
    member_integer(stream, "folds", validation->folds);
    member_integer(stream, "folds_done", validation->done);
    if (chosen != NULL) {
        member_real(stream, "mean_objective", chosen->objective);
        fputs(",\n  ", stream);
        json_measures(stream, chosen->list, chosen->measure_count);
        double positive = measures_positive(chosen->list, chosen->measure_count);
        if (!isnan(positive))
            member_real(stream, "positive_label", positive);
        if (chosen->decided.known) {
            member_real(stream, "least_accuracy", decided_least(&chosen->decided));
            member_real(stream, "most_accuracy", decided_most(&chosen->decided));
        }
    }
}

/* Writes the report of a cross-validation without a model. */
static void print_validation_run(const struct cross_validation *validation, FILE *stream) {
    member_real(stream, "train_seconds", validation->seconds);
    member_text(stream, "status", verdict_status(validation->total.verdict));
    member_real(stream, "passes", validation->total.passes);
    member_integer(stream, "iterations", validation->total.iterations);
}

static void print_progressive_row(const struct progressive_row *row, FILE *stream) {
    fprintf(stream, "    {\"examples\": %" PRId64 ", \"weight\": ", row->examples);
    json_number(stream, row->weight);
    row_real(stream, "loss", row->loss);
    row_real(stream, "last_loss", row->last_loss);
    row_real(stream, "error", row->error);
    row_real(stream, "label", row->label);
    row_real(stream, "predicted", row->predicted);
    fprintf(stream, ", \"features\": %" PRId64 "}", row->features);
}

/* Writes the progressive validation of a stream. */
static void print_progressive(const struct progressive *progressive, FILE *stream) {
    fputs(",\n  \"progressive\": [\n", stream);
    for (int64_t i = 0; i < progressive->rows; i++) {
        fputs(i > 0 ? ",\n" : "", stream);
        print_progressive_row(&progressive->row[i], stream);
    }
    fputs("\n  ]", stream);
}

static void print_runs(const struct run_report *report, FILE *stream) {
    bool path = report->command->request.settings.path > 0;
    if (report->path != NULL)
        print_model(report, stream);
    else
        print_validation_run(report->validation, stream);
    if (report->validation != NULL) {
        print_validation(report->validation, stream);
        if (path)
            print_cross_path(report->validation, stream);
    } else if (path) {
        print_path(report->path, stream);
    }
}

/* Writes how many processes there were, and what went between them. */
static void print_processes(const struct communicator *c, FILE *stream) {
    member_integer(stream, "processes", c == NULL ? 1 : c->size);
    if (c == NULL)
        return;
    member_integer(stream, "rounds", c->traffic.rounds);
    member_integer(stream, "messages", c->traffic.messages);
    member_real(stream, "network_bytes", c->traffic.bytes);
    member_real(stream, "network_seconds", c->traffic.seconds);
    member_real(stream, "gathered_bytes", c->traffic.collected);
}

static void print_report(const struct run_report *report, double load_seconds, FILE *stream) {
    const struct training_session *session = report->session;
    fputs("{\n  \"program\": \"train\"", stream);
    member_text(stream, "version", RRM_VERSION);
    member_text(stream, "data_file", report->command->data_path);
    print_options(&report->command->request,
                  session->trained ? session->model.solver : report->command->request.solver->name,
                  stream);
    print_kernel(session, stream);
    print_regularizer(report, stream);
    member_real(stream, "lambda_max", session_lambda_max(session));
    member_integer(stream, "rows", dataset_whole_rows(&session->data));
    member_integer(stream, "features", session->data.features);
    member_integer(stream, "nonzeros", dataset_whole_nonzeros(&session->data));
    print_labels(&session->classes, stream);
    member_real(stream, "load_seconds", load_seconds);
    member_real(stream, "map_seconds", session->map_seconds);
    print_runs(report, stream);
    print_processes(report->gathered != NULL ? report->gathered : session->data.communicator,
                    stream);
    if (session->progressive.rows > 0)
        print_progressive(&session->progressive, stream);
    fputs("\n}\n", stream);
}

int run_report_write(const struct train_command *command, const struct training_session *session,
                     double load_seconds, const struct communicator *gathered, const char *path,
                     struct error *e) {
    const struct run_report report = {.command = command,
                                      .session = session,
                                      .gathered = gathered,
                                      .path = session->trained ? &session->path : NULL,
                                      .validation =
                                          session->validated ? &session->validation : NULL};
    struct output *output = output_open(path, e);
    if (output == NULL)
        return -1;
    print_report(&report, load_seconds, output_stream(output));
    return output_commit(output, e);
}
