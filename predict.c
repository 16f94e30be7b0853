/* predict.c - predicts the rows of a file with a model; see predict --help.
 *
 * The test set streams through: a block of rows is read, scored and written, then forgotten. Where groups
 * of rows are predicted together it is held in memory. */
#include "cli/measures_lines.h"
#include "cli/options.h"
#include "cli/predict_options.h"
#include "cli/predict_report.h"
#include "cli/prediction_lines.h"
#include "cli/program_name.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "io/memory.h"
#include "io/names.h"
#include "io/output.h"
#include "io/svmlight/svmlight.h"
#include "kernel/kernel.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    char **argv;
    struct predict_command command;
    struct model model;
    const struct risk_row *risk;  /* NULL: one that librrm does not train */
    const char *const *names;     /* of the labels; NULL: none */
    const char **confusion_names; /* the same in ascending order of the labels */
    struct decoding *decoding;
    struct prediction_lines *lines;
    struct svmlight_reader *reader; /* of rows; NULL: groups, all of them in `block` */
    struct dataset block;
    struct output *output;
    struct predict_result result;
    bool shows;   /* there is a terminal for the progress */
    double shown; /* when it was last drawn; 0: never */
};

static void run_free(struct run *run) {
    output_abandon(run->output);
    svmlight_close(run->reader);
    dataset_free(&run->block);
    prediction_lines_free(run->lines);
    decoding_free(run->decoding);
    names_free(run->names, run->model.labels);
    free(run->confusion_names);
    model_free(&run->model);
}

static bool has_groups(const struct run *run) {
    return run->risk != NULL && task_has_groups(run->risk->task);
}

static int open_model(struct run *run, struct error *e) {
    const struct predict_command *command = &run->command;
    if (model_read(command->model_path, &run->model, e) != 0)
        return -1;
    if (command->settings.quiet < 2)
        predict_warn_untrained(&run->model, stderr);
    model_drop_untrained(&run->model);
    run->risk = risk_row_by_name(run->model.loss);
    return 0;
}

/* The names of --names. */
static int open_names(struct run *run, struct error *e) {
    const char *path = run->command.settings.names;
    if (path == NULL)
        return 0;
    if (run->model.labels == 0)
        return error_usage(e, "--names names labels, which a model of %s has not", run->model.loss);
    run->names = names_read(path, run->model.label, run->model.labels, e);
    return run->names == NULL ? -1 : 0;
}

static bool is_signalled(void *opaque) {
    (void)opaque;
    return signals_came();
}

static int check_measures(const struct run *run, struct error *e) {
    const char *names[MEASURES_MAX + 1];
    decoding_measure_names(run->decoding, names);
    return measures_check(run->command.settings.measures, names,
                          run->model.labels > 0 && !has_groups(run), e);
}

static int open_decoding(struct run *run, struct error *e) {
    enum prediction_form form = predict_form(&run->command.settings);
    struct decoder_settings decoder = {
        .model = &run->model,
        .probabilities = run->command.settings.probabilities == 1,
        .asked = "-b 1",
        .confusion = measures_asked(run->command.settings.measures, "confusion"),
        .parts = form == PREDICTION_PARTS,
        .interrupted = {.stop = is_signalled}};
    if (decoding_check_model(&decoder, run->command.model_path, e) != 0 || open_names(run, e) != 0)
        return -1;
    decoder.names = run->names;
    run->lines = prediction_lines_new(&run->model, form, run->names, e);
    run->decoding = decoding_new(run->risk, &decoder, e);
    if (run->lines == NULL || run->decoding == NULL || check_measures(run, e) != 0)
        return -1;
    return decoding_use(run->decoding, &run->model, e);
}

/* Rows are read one block at a time, groups all at once. */
static int open_data(struct run *run, struct error *e) {
    const struct predict_command *command = &run->command;
    struct svmlight_options options = {.zero_based = run->model.zero_based,
                                       .hash_bits = (int)run->model.hash_bits,
                                       .unlabeled = true,
                                       .threads = has_groups(run) ? omp_get_max_threads() : 1,
                                       .line_limit = MEGABYTE * command->settings.line_limit};
    if (!has_groups(run)) {
        run->reader = svmlight_open(command->test_path, &options, e);
        return run->reader == NULL ? -1 : 0;
    }
    return dataset_load(command->test_path, &options, &run->block, e) != 0
               ? -1
               : decoding_check_data(run->risk, &run->block, command->test_path, options.zero_based,
                                     e);
}

static int run_open(struct run *run, struct error *e) {
    if (open_model(run, e) != 0 || open_decoding(run, e) != 0 || open_data(run, e) != 0)
        return -1;
    run->shows = run->command.settings.quiet == 0 && isatty(STDERR_FILENO) &&
                 !(strcmp(run->command.output_path, "-") == 0 && isatty(STDOUT_FILENO));
    run->output = output_open(run->command.output_path, e);
    return run->output == NULL ? -1 : 0;
}

/* A decoded_visitor's visit. */
static int write_predictions(void *context, const struct decoded *decoded, struct error *e) {
    struct run *run = context;
    prediction_lines_write(run->lines, decoded, output_stream(run->output));
    return output_check(run->output, e);
}

/* Rows without index 0 are most likely features, not kernel values. */
static int check_precomputed(const struct run *run, struct error *e) {
    const struct dataset *block = &run->block;
    if (strcmp(run->model.kernel, kernel_names[KERNEL_PRECOMPUTED]) != 0)
        return 0;
    for (int64_t i = 0; i < block->rows; i++)
        if (dataset_count(block, i) == 0 || dataset_columns(block, i)[0] != 0)
            return error_file(e, run->command.test_path,
                              "example %" PRId64 " has no index 0, which a model of --kernel "
                              "precomputed needs: 0:1 1:K(x,1) 2:K(x,2) ...",
                              run->result.rows + i + 1);
    return 0;
}

static int predict_block(struct run *run, struct error *e) {
    const struct decoded_visitor visitor = {.visit = write_predictions, .context = run};
    if (check_precomputed(run, e) != 0)
        return -1;
    run->result.rows += run->block.rows;
    return decoding_block(run->decoding, &run->block, &visitor, &run->result.unknown_features, e);
}

/* A line on the terminal, a few times a second, once the run takes longer than a glance. */
static void show_progress(struct run *run, double began) {
    static const double first_seconds = 1, seconds_apart = 0.2;
    double now = omp_get_wtime();
    if (!run->shows || now - began < first_seconds || now - run->shown < seconds_apart)
        return;
    fprintf(stderr, "\r\033[K%" PRId64 " examples, %.1f s", run->result.rows, now - began);
    fflush(stderr);
    run->shown = now;
}

static void end_progress(const struct run *run) {
    if (run->shown > 0)
        fputs("\r\033[K", stderr);
}

static int predict_rows(struct run *run, struct error *e) {
    double began = omp_get_wtime();
    int more, status = 0;
    while (status == 0 && (more = svmlight_read(run->reader, &run->block, e)) == 1) {
        status = predict_block(run, e);
        show_progress(run, began);
    }
    end_progress(run);
    return status == 0 ? more : -1;
}

static int predict_all(struct run *run, struct error *e) {
    double start = omp_get_wtime();
    prediction_lines_header(run->lines, output_stream(run->output));
    if ((run->reader != NULL ? predict_rows(run, e) : predict_block(run, e)) != 0)
        return -1;
    if (signals_came())
        return error_set(e, "interrupted by a signal; no predictions were written");
    struct output *output = run->output;
    run->output = NULL;
    if (output_commit(output, e) != 0)
        return -1;
    run->result.seconds = omp_get_wtime() - start;
    return 0;
}

/* The names of the labels in the order of the confusion matrix. */
static int name_confusion(struct run *run, struct error *e) {
    const struct confusion *confusion = &run->result.confusion;
    run->confusion_names = memory_new(confusion->labels, sizeof *run->confusion_names, "names", e);
    if (run->confusion_names == NULL)
        return -1;
    for (int64_t i = 0; i < confusion->labels; i++)
        for (int64_t k = 0; k < run->model.labels; k++)
            if (run->model.label[k] == confusion->label[i])
                run->confusion_names[i] = run->names[k];
    run->result.names = run->confusion_names;
    return 0;
}

/* The measures; 0, or -1 with the error set. */
static int measure(struct run *run, struct error *e) {
    struct predict_result *result = &run->result;
    result->count =
        decoding_finish(run->decoding, result->list, &result->measured, &result->unknown, e);
    if (result->count < 0)
        return -1;
    result->count = measures_choose(result->list, result->count, run->command.settings.measures);
    result->confusion = decoding_confusion(run->decoding);
    return run->names == NULL || result->confusion.labels == 0 ? 0 : name_confusion(run, e);
}

static int run_all(struct run *run, struct error *e) {
    struct predict_command *command = &run->command;
    struct predict_result *result = &run->result;
    int threads = omp_get_max_threads();
    if (command->settings.threads > 0)
        threads = (int)command->settings.threads;
    command->settings.threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    threads_use((int)command->settings.threads,
                threads_idle(command->test_path) && threads_idle(command->model_path), run->argv);
    signals_catch();
    if (run_open(run, e) != 0 || predict_all(run, e) != 0 || measure(run, e) != 0)
        return -1;
    if (command->settings.quiet < 2)
        predict_warn(&run->model, result, stderr);
    if (!command->settings.quiet && predict_print_measures(command, result, e) != 0)
        return -1;
    return predict_report_write(command, &run->model, result, e);
}

int main(int argc, char **argv) {
    struct error e = {0};
    struct run run = {.argv = argv};
    program_start(argv[0], "predict");
    if (predict_command_parse(argc, argv, &run.command, &e) == 0) {
        if (predict_command_asks(&run.command))
            predict_command_tell(&run.command, &e);
        else
            run_all(&run, &e);
    }
    run_free(&run);
    if (e.kind != ERROR_NONE)
        error_print(&e, program_name(), stderr);
    signals_end();
    return error_exit_status(&e);
}
