/* train.c - options -> data -> solver -> model file. Nothing numerical.
 *
 * Exit status: 0 success, 1 failure, 2 usage, 3 a limit, or rounding, came before the tolerance
 * with --strict. */
#include "cli/cross_validation.h"
#include "cli/example_weights.h"
#include "cli/files.h"
#include "cli/run_report.h"
#include "cli/threads.h"
#include "cli/train_help.h"
#include "cli/train_summary.h"
#include "cli/warm_start.h"
#include "io/svmlight.h"

#include <omp.h>
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
    double load_seconds;
    struct classes classes;
    double lambda;
    struct monitor monitor;
    bool cut_short; /* a limit, or rounding, came before the tolerance */
};

enum { WRITTEN = 3, MANY_LABELS = 100 };

/* Seconds of training that a crash of the machine should not undo. */
static const double worth_a_flush = 1;

/* The files that a run writes; NULL where there is none. */
static void written_files(const struct train_command *command, const char **written) {
    written[0] = command->settings.folds > 0 ? NULL : command->model_path;
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

    threads_use((int)settings->threads, s->command.data_path, s->argv);
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

static int load(struct session *s, struct error *e) {
    const struct train_settings *settings = &s->command.settings;
    struct svmlight_options options = {.zero_based = settings->zero_based,
                                       .threads = (int)settings->threads};
    const struct class_weight *unused;
    double before = omp_get_wtime();

    if (dataset_load(s->command.data_path, &options, &s->data, e) != 0) {
        return -1;
    }
    s->load_seconds = omp_get_wtime() - before;
    if (classes_find(&s->command, &s->data, &s->classes, e) != 0 ||
        example_weights_apply(&s->command, &s->data, e) != 0 ||
        example_weights_lambda(&s->command, &s->data, &s->lambda, e) != 0 ||
        train_command_choose(&s->command, &s->data, s->lambda, e) != 0) {
        return -1;
    }
    if (s->classes.labels > MANY_LABELS) {
        fprintf(stderr,
                "train: warning: %lld labels, a weight vector each; for numbers -L squared, "
                "for instance, is meant\n",
                (long long)s->classes.labels);
    }
    unused = example_weights_unused(&s->command, &s->data);
    if (unused != NULL) {
        fprintf(stderr, "train: warning: no example has the label %.10g of -w\n", unused->label);
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
        .data = &s->data,
        .classes = &s->classes,
        .lambda = s->lambda,
        .start = settings->init != NULL ? &s->start : NULL,
    };
}

static int write_report(const struct session *s, const struct run *run,
                        const struct cross_validation *validation, struct error *e) {
    const struct run_report report = {.command = &s->command,
                                      .data = &s->data,
                                      .classes = &s->classes,
                                      .lambda = s->lambda,
                                      .load_seconds = s->load_seconds,
                                      .run = run,
                                      .validation = validation};

    return s->command.settings.report == NULL
               ? 0
               : run_report_write(&report, s->command.settings.report, e);
}

static void note_limit(struct session *s, const struct outcome *total, double gap) {
    s->cut_short = train_cut_short(total);
    if (s->cut_short) {
        train_warn_limit(&s->command, total, gap, stderr);
    }
}

static int train(struct session *s, struct error *e) {
    struct training training = make_training(s);
    struct model model = {0};
    struct run run;
    int status = run_train(&training, &s->monitor, &model, &run, e);

    if (status == 0) {
        status = model_write(&model, s->command.model_path, run.seconds > worth_a_flush, e);
    }
    if (status == 0) {
        note_limit(s, &run.total, run.gap);
        if (!s->command.settings.quiet) {
            train_summary(&s->command, &model, &run, s->load_seconds, for_people(&s->command));
        }
        status = write_report(s, &run, NULL, e);
    }
    run_free(&run);
    model_free(&model);
    return status;
}

static int validate(struct session *s, struct error *e) {
    struct training training = make_training(s);
    struct cross_validation validation;
    int status = cross_validate(&training, &s->monitor, &validation, e);

    if (status == 0) {
        note_limit(s, &validation.total, validation.gap);
        cross_validation_print(&validation, for_people(&s->command));
        if (!s->command.settings.quiet) {
            train_validation_summary(&s->command, &validation, s->load_seconds,
                                     for_people(&s->command));
        }
        status = write_report(s, NULL, &validation, e);
    }
    cross_validation_free(&validation);
    return status;
}

static int run_session(struct session *s, struct error *e) {
    if (prepare(s, e) != 0 || load(s, e) != 0) {
        return -1;
    }
    start_monitor(s);
    if ((s->command.settings.folds > 0 ? validate : train)(s, e) != 0) {
        return -1;
    }
    return files_close_trace(&s->trace, s->command.settings.trace, e);
}

static void session_free(struct session *s) {
    files_close_trace(&s->trace, NULL, NULL);
    classes_free(&s->classes);
    dataset_free(&s->data);
    model_free(&s->start);
    train_command_free(&s->command);
}

int main(int argc, char **argv) {
    struct session session = {.argv = argv};
    struct error e = {0};
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
        error_print(&e, "train", stderr);
    }
    status = error_exit_status(&e);
    if (status == 0 && argc <= 1) {
        status = EXIT_USAGE; /* the help was not asked for */
    }
    if (status == 0 && session.cut_short && session.command.settings.strict) {
        status = EXIT_LIMIT;
    }
    session_free(&session);
    return status;
}
