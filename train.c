/* train.c - options -> data -> solver -> model file. Nothing numerical.
 *
 * Exit status: 0 success, 1 failure, 2 usage; 3 with --strict: the run did not converge, or the model is no
 * better than all weights 0. A signal ends the program as if it were not caught, once the model is saved. */
#include "cli/files.h"
#include "cli/run_report.h"
#include "cli/threads.h"
#include "cli/train_help.h"
#include "cli/train_summary.h"
#include "io/memory.h"
#include "io/program_name.h"
#include "io/svmlight/svmlight.h"
#include "kernel/mapped.h"
#include "training/cross_validation.h"
#include "training/example_weights.h"
#include "training/kernel_model.h"
#include "training/lambda_max.h"
#include "training/path.h"
#include "training/stream.h"
#include "training/warm_start.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_LIMIT = 3 };

/* What there is between reading the command line and writing the model. */
struct session {
    char **argv;
    struct train_command command;
    FILE *trace;
    struct model start; /* -i; empty without */
    struct dataset data;
    struct map *map;       /* --map; NULL without */
    struct dataset mapped; /* the data as the map gives them */
    struct basis basis;
    struct kernel_part kernel; /* of a solver that expands */
    double load_seconds, map_seconds;
    struct classes classes;
    double lambda;      /* of -l or -c */
    double *lambda_max; /* of each vector; infinite where it is not known */
    struct path_values values;
    struct monitor monitor;
    bool cut_short; /* a limit, or rounding, came before the tolerance */
    bool
        failed; /* with --strict: the status of the model is not "converged", or it is a poor one */
};

enum { WRITTEN = 3 };

/* Seconds of training that a crash of the machine should not undo. */
static const double worth_a_flush = 1;

/* The files that a run writes; NULL where there is none. */
static void written_files(const struct train_command *command, const char **written) {
    written[0] = command->model_path;
    written[1] = command->settings.trace;
    written[2] = command->settings.report;
}

static FILE *for_people(const struct train_command *command) {
    const char *written[WRITTEN];

    written_files(command, written);
    return files_for_people(written, WRITTEN);
}

/* The data must outlive a slip of the pen; -i may name the model to be replaced. */
static int check_outputs(const struct train_command *command, struct error *e) {
    const struct train_settings *settings = &command->settings;
    const char *written[WRITTEN];

    written_files(command, written);
    for (int i = 0; i < WRITTEN; i++) {
        if (files_check_apart(written[i], command->data_path, e) != 0 ||
            files_check_apart(written[i], settings->weights, e) != 0) {
            return -1;
        }
    }
    return files_check_distinct(written, WRITTEN, e) == 0 &&
                   files_check_writable(command->model_path, e) == 0 &&
                   files_check_writable(settings->report, e) == 0
               ? 0
               : -1;
}

/* What can fail fails now, before hours of work: each file that will be written, the start. */
static int prepare(struct session *s, struct error *e) {
    const struct train_settings *settings = &s->command.settings;

    const struct solver *solver = s->command.solver;
    bool kernel = settings->kernel.map != MAP_NONE || (solver != NULL && solver->expands);

    threads_use((int)settings->threads, !kernel && threads_idle(s->command.data_path), s->argv);
    if (check_outputs(&s->command, e) != 0) {
        return -1;
    }
    if (settings->init != NULL && model_read(settings->init, &s->start, e) != 0) {
        return -1;
    }
    if (settings->trace != NULL) {
        s->trace = files_open_trace(settings->trace, e);
        return s->trace == NULL ? -1 : 0;
    }
    return 0;
}

/* Whether the risk can take them. */
static int check_data(const struct session *s, struct error *e) {
    const struct train_command *command = &s->command;

    if (task_has_groups(command->risk->task) && s->data.groups == 0) {
        return error_file(e, command->data_path,
                          "-L %s needs groups of rows: \"qid:\" on each line", command->risk->name);
    }

    return command->risk->check_data == NULL
               ? 0
               : command->risk->check_data(&s->data, command->data_path,
                                           command->settings.zero_based, e);
}

/* What the solver is to train on. */
static const struct dataset *training_data(const struct session *s) {
    return s->map != NULL ? &s->mapped : &s->data;
}

/* The time that mapping may take: that of -t. */
static bool is_late(void *deadline) {
    return omp_get_wtime() > *(const double *)deadline;
}

/* The map of --map, or of the model that training starts from, which becomes one over the map. */
static int make_map(struct session *s, const struct map_settings *settings, struct error *e) {
    const struct train_command *command = &s->command;
    bool warm = command->settings.init != NULL;
    double deadline = omp_get_wtime() + command->settings.time_limit, memory;
    int status;

    if (warm && kernel_model_check_start(&s->start, settings, command->settings.kernel.landmarks,
                                         command->settings.init, e) != 0) {
        return -1;
    }
    if (settings->kind == MAP_NONE) {
        return 0;
    }
    if (kernel_options_memory(command, settings, &s->data, &memory, e) != 0) {
        return -1;
    }
    s->map = warm ? kernel_model_start_map(&s->start, settings, e) : map_new(settings, &s->data, e);
    if (s->map == NULL || map_prepare(s->map, s->data.features, e) != 0 ||
        (warm && kernel_model_unmap(&s->start, s->map, e) != 0)) {
        return -1;
    }
    map_watch(s->map, is_late, &deadline);
    status = mapped_init(&s->mapped, s->map, &s->data, memory, e);
    map_watch(s->map, NULL, NULL);
    return status;
}

/* The kernel's side of the problem. */
static int prepare_kernel(struct session *s, struct error *e) {
    const struct train_command *command = &s->command;
    struct map_settings settings = kernel_options_map(command, s->data.features);
    double before = omp_get_wtime();

    s->kernel = (struct kernel_part){.kernel = settings.kernel, .basis = &s->basis};
    if (kernel_options_basis(command, &s->basis, e) != 0 || make_map(s, &settings, e) != 0) {
        return -1;
    }
    s->map_seconds = s->map == NULL ? 0 : omp_get_wtime() - before;
    return 0;
}

static int load(struct session *s, struct error *e) {
    const struct train_settings *settings = &s->command.settings;
    struct svmlight_options options = {.zero_based = settings->zero_based,
                                       .threads = (int)settings->threads,
                                       .line_limit = MEGABYTE * settings->line_limit};
    const struct class_weight *unused;
    double before = omp_get_wtime();

    if (dataset_load(s->command.data_path, &options, &s->data, e) != 0) {
        return -1;
    }
    s->load_seconds = omp_get_wtime() - before;
    if (check_data(s, e) != 0 || classes_find(&s->command, &s->data, &s->classes, e) != 0 ||
        example_weights_apply(&s->command, &s->data, e) != 0 ||
        example_weights_lambda(&s->command, &s->data, &s->lambda, e) != 0 ||
        prepare_kernel(s, e) != 0 ||
        train_command_choose(&s->command, training_data(s),
                             s->classes.joint ? s->classes.labels : 1, s->lambda, e) != 0) {
        return -1;
    }
    if (classes_look_like_numbers(&s->classes, &s->data) &&
        s->command.risk->task != TASK_SEQUENCES) {
        fprintf(
            stderr,
            "%s: warning: %lld labels, a weight vector each; if they are numbers to predict, use "
            "-L squared\n",
            program_name(), (long long)s->classes.labels);
    }
    if (s->command.window) {
        fprintf(stderr,
                "%s: warning: mapped examples take %.3g MB, more than --memory leaves; they are "
                "computed anew in every pass\n",
                program_name(), 8e-6 * (double)s->mapped.nonzeros);
    }
    unused = example_weights_unused(&s->command, &s->data);
    if (unused != NULL) {
        fprintf(stderr, "%s: warning: no example has the label %.10g of -w\n", program_name(),
                unused->label);
    }
    return settings->init == NULL ? 0 : warm_start_check(&s->command, &s->classes, &s->start, e);
}

static void start_monitor(struct session *s) {
    const struct train_settings *settings = &s->command.settings;
    bool live = !settings->quiet && isatty(STDERR_FILENO);

    monitor_catch_signals(); /* until here a signal ends the program, and nothing is lost */
    monitor_init(&s->monitor, &(struct monitor_settings){.epsilon = settings->epsilon,
                                                         .passes = settings->passes,
                                                         .time_limit = settings->time_limit,
                                                         .trace = s->trace,
                                                         .terminal = live ? stderr : NULL});
}

static struct training make_training(const struct session *s) {
    const struct train_settings *settings = &s->command.settings;

    return (struct training){
        .command = &s->command,
        .data = training_data(s),
        .kernel = &s->kernel,
        .classes = &s->classes,
        .lambda = s->lambda,
        .start = settings->init != NULL ? &s->start : NULL,
        .lambda_max = s->lambda_max,
    };
}

static double largest_lambda(const struct session *s) {
    return lambda_max_largest(s->lambda_max, s->classes.vectors);
}

/* The values of lambda to train, with lambda_max, where that is wanted. */
static int find_lambdas(struct session *s, struct error *e) {
    struct training training = make_training(s);

    s->lambda_max = memory_new(s->classes.vectors, sizeof *s->lambda_max, "lambda_max", e);
    if (s->lambda_max == NULL || lambda_max_find(&training, s->lambda_max, e) != 0) {
        return -1;
    }
    return path_values_make(&s->command, s->lambda, largest_lambda(s), &s->values, e);
}

static int write_report(const struct session *s, double lambda, const struct path *path,
                        const struct cross_validation *validation, struct error *e) {
    bool kernel = s->map != NULL || s->command.solver->expands;
    const struct run_report report = {.command = &s->command,
                                      .data = &s->data,
                                      .classes = &s->classes,
                                      .lambda = lambda,
                                      .lambda_max = s->lambda_max,
                                      .load_seconds = s->load_seconds,
                                      .map_seconds = s->map_seconds,
                                      .map = s->map,
                                      .kernel = kernel ? &s->kernel.kernel : NULL,
                                      .path = path,
                                      .validation = validation};

    return s->command.settings.report == NULL
               ? 0
               : run_report_write(&report, s->command.settings.report, e);
}

/* Whether to warn: once; but a signal, or a path that ended early, is told of after a limit. */
static bool note_limit(struct session *s, const struct outcome *total, bool early) {
    bool again = early || total->verdict == VERDICT_INTERRUPTED;
    bool warn = train_cut_short(total) && (!s->cut_short || again);

    s->cut_short = s->cut_short || warn;
    s->failed = s->failed || total->verdict != VERDICT_CONVERGED;
    return warn;
}

/* With --strict a limit that is a run's normal end is a failure, too, and says so. */
static void note_strict(const struct session *s) {
    if (s->command.settings.strict && s->failed && !s->cut_short) {
        train_warn_strict(&s->command, stderr);
    }
}

/* OF: as in train_warn_null. WARNED: what ended the run early was told of, and says enough of a model that is
 * still where it began. */
static void note_null(struct session *s, const struct null_comparison *null, const char *of,
                      bool warned) {
    int64_t outputs = s->classes.joint ? s->classes.labels : 1;
    struct feature_sizes sizes;

    if (null->failed == 0) {
        return;
    }
    s->failed = true;
    if (warned && !null_model_is_worse(null)) {
        return;
    }
    sizes = feature_sizes_find(&s->data);
    train_warn_null(&s->command, null, of, &sizes,
                    train_command_default(&s->command, training_data(s), outputs, s->lambda),
                    stderr);
    s->cut_short = true;
}

/* "12 labels" of a model that has a vector for each; otherwise "". */
static void describe_vectors(const struct session *s, char *text, size_t size) {
    text[0] = '\0';
    if (s->classes.vectors > 1) {
        snprintf(text, size, "%lld labels", (long long)s->classes.vectors);
    }
}

/* A row of the table, as soon as its model is there; what a signal cut off is the summary's. */
static int print_row(void *context, int64_t i, const struct model *model, const struct run *run,
                     struct error *e) {
    const struct session *s = context;

    (void)i;
    (void)e;
    if (run->total.verdict != VERDICT_INTERRUPTED) {
        path_print_row(model->lambda, (double)run->nonzeros, run->total.objective, run->gap, NULL,
                       for_people(&s->command));
    }
    return 0;
}

/* Writes the model of the last run, and says what was reached. */
static int finish(struct session *s, struct model *model, const struct path *path,
                  const struct cross_validation *validation, struct error *e) {
    char vectors[32];
    bool warned;
    int status = 0;

    if (s->map != NULL) {
        status = kernel_model_map(model, s->map, s->data.features, e);
    }
    if (status == 0) {
        status = model_write(model, s->command.model_path, path->seconds > worth_a_flush, e);
    }
    if (status == 0) {
        warned = note_limit(s, &path->total, path_out_of_time(path));
        if (warned) {
            train_warn_path(&s->command, path, stderr);
        }
        describe_vectors(s, vectors, sizeof vectors);
        note_null(s, &path_last(path)->null, vectors, warned);
        note_strict(s);
        if (!s->command.settings.quiet) {
            train_summary(&s->command, model, path, largest_lambda(s),
                          &(struct preparation){s->load_seconds, s->map_seconds},
                          for_people(&s->command));
        }
        status = write_report(s, model->lambda, path, validation, e);
    }
    return status;
}

/* Trains on the whole data; of a path the last model counts. */
static int train(struct session *s, const struct cross_validation *validation, struct error *e) {
    const struct train_settings *settings = &s->command.settings;
    bool table = settings->path > 0 && !settings->quiet && validation == NULL;
    const struct path_visitor visitor = {.visit = print_row, .context = s};
    struct training training = make_training(s);
    struct model model;
    struct path path;
    int status;

    if (table) {
        path_print_header(&s->values, largest_lambda(s), NULL, for_people(&s->command));
    }
    status =
        path_train(&training, &s->values, table ? &visitor : NULL, &s->monitor, &model, &path, e);
    if (status == 0) {
        status = finish(s, &model, &path, validation, e);
    }
    path_free(&path);
    model_free(&model);
    return status;
}

/* The model at the lambda that the folds chose. */
static int train_best(struct session *s, const struct cross_validation *validation,
                      struct error *e) {
    if (validation->best < 0 || validation->done < validation->folds) {
        if (write_report(s, s->lambda, NULL, validation, e) != 0) {
            return -1;
        }
        return error_set(e, "%s before lambda was chosen; no model is written",
                         validation->total.verdict == VERDICT_INTERRUPTED
                             ? "a signal came"
                             : "the time limit (-t) came");
    }
    s->values.count = validation->best + 1;
    return train(s, validation, e);
}

static void print_validation(struct session *s, const struct cross_validation *validation) {
    FILE *stream = for_people(&s->command);

    if (s->command.settings.path > 0) {
        cross_validation_print_path(validation, &s->values, largest_lambda(s), stream);
    }
    cross_validation_print(validation, stream);
    if (!s->command.settings.quiet) {
        train_validation_summary(&s->command, validation, largest_lambda(s),
                                 &(struct preparation){s->load_seconds, s->map_seconds}, stream);
    }
}

static int validate(struct session *s, struct error *e) {
    struct training training = make_training(s);
    struct cross_validation validation;
    bool warned;
    int status;

    if (s->command.model_path != NULL) {
        training.runs_after = s->classes.vectors;
    }
    status = cross_validate(&training, &s->values, &s->monitor, &validation, e);
    if (status == 0) {
        warned = note_limit(s, &validation.total, false);
        if (warned) {
            train_warn_validation(&s->command, &validation, stderr);
        }
        note_null(s, &validation.null, "the folds", warned);
        note_strict(s);
        print_validation(s, &validation);
        status = s->command.model_path != NULL ? train_best(s, &validation, e)
                                               : write_report(s, s->lambda, NULL, &validation, e);
    }
    cross_validation_free(&validation);
    return status;
}

/* Trains on examples as they come. */
static int train_stream(struct session *s, struct error *e) {
    struct stream_result result;
    struct model model;
    struct path path;
    int status;

    s->lambda_max = memory_new(1, sizeof *s->lambda_max, "lambda_max", e);
    if (s->lambda_max == NULL) {
        return -1;
    }
    s->lambda_max[0] = INFINITY; /* not known */
    s->lambda = s->command.settings.lambda;
    start_monitor(s);
    status = stream_train(&s->command, s->lambda, &s->monitor, &result, &model, &path, e);
    s->data = result.sizes;
    s->map = result.map;
    s->classes = result.classes;
    if (status == 0) {
        status = finish(s, &model, &path, NULL, e);
    }
    path_free(&path);
    model_free(&model);
    return status != 0 ? status : files_close_trace(&s->trace, s->command.settings.trace, e);
}

static int run_session(struct session *s, struct error *e) {
    if (prepare(s, e) != 0) {
        return -1;
    }
    if (s->command.solver_given && s->command.solver->stream != NULL) {
        return train_stream(s, e);
    }
    if (load(s, e) != 0) {
        return -1;
    }
    start_monitor(s);
    if (find_lambdas(s, e) != 0 ||
        (s->command.settings.folds > 0 ? validate(s, e) : train(s, NULL, e)) != 0) {
        return -1;
    }
    return files_close_trace(&s->trace, s->command.settings.trace, e);
}

static void session_free(struct session *s) {
    files_close_trace(&s->trace, NULL, NULL);
    path_values_free(&s->values);
    free(s->lambda_max);
    classes_free(&s->classes);
    dataset_free(&s->mapped);
    map_free(s->map);
    basis_free(&s->basis);
    dataset_free(&s->data);
    model_free(&s->start);
    train_command_free(&s->command);
}

int main(int argc, char **argv) {
    struct session session = {.argv = argv};
    struct error e = {0};
    program_start(argv[0], "train");
    int status = train_command_parse(argc, argv, &session.command, &e);

    if (status == 0 && session.command.action == TRAIN_RUN) {
        status = run_session(&session, &e);
    } else if (status == 0) {
        train_help(&session.command, stdout);
    }
    if (status == 0) {
        status = files_flush_output(&e);
    }
    if (status != 0) {
        error_print(&e, program_name(), stderr);
    }
    status = error_exit_status(&e);
    if (status == 0 && argc <= 1) {
        status = EXIT_USAGE; /* the help was not asked for */
    }
    if (status == 0 && session.failed && session.command.settings.strict) {
        status = EXIT_LIMIT;
    }
    session_free(&session);
    monitor_end_by_signal();
    return status;
}
