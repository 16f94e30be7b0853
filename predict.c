/* predict.c - predicts the rows of a file with a model; see predict --help.
 *
 * The test set streams through: a block of rows is read, scored and written, then forgotten. Where groups
 * of rows are predicted together it is held in memory. */
#include "cli/label_names.h"
#include "cli/measures_lines.h"
#include "cli/options.h"
#include "cli/predict_options.h"
#include "cli/predict_progress.h"
#include "cli/predict_report.h"
#include "cli/prediction_lines.h"
#include "cli/program_name.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "io/clock.h"
#include "io/output.h"
#include "io/svmlight/svmlight.h"
#include "prediction/precomputed_rows.h"

#include <omp.h>

struct run {
    char **argv;
    struct predict_command command;
    struct model model;
    const struct risk_row *risk; /* NULL: one that librrm does not train */
    struct label_names names;    /* --names */
    struct decoding *decoding;
    struct prediction_lines *lines;
    struct svmlight_reader *reader; /* of rows; NULL: groups, all of them in `block` */
    struct dataset block;
    struct output *output;
    struct predict_result result;
    struct predict_progress progress;
};

static void run_free(struct run *run) {
    output_abandon(run->output);
    svmlight_close(run->reader);
    dataset_free(&run->block);
    prediction_lines_free(run->lines);
    decoding_free(run->decoding);
    label_names_free(&run->names);
    model_free(&run->model);
}

static bool has_groups(const struct run *run) {
    return run->risk != NULL && task_has_groups(run->risk->task);
}

static int open_model(struct run *run, struct error *e) {
    if (model_read(run->command.model_path, &run->model, e) != 0)
        return -1;
    if (run->command.settings.quiet < 2)
        predict_warn_untrained(&run->model, stderr);
    model_drop_untrained(&run->model);
    run->risk = risk_row_by_name(run->model.loss);
    return 0;
}

static int open_decoding(struct run *run, struct error *e) {
    enum prediction_form form = predict_form(&run->command.settings);
    struct decoder_settings decoder = {
        .model = &run->model,
        .probabilities = run->command.settings.probabilities == 1,
        .asked = "-b 1",
        .confusion = measures_asked(run->command.settings.measures, "confusion"),
        .parts = form == PREDICTION_PARTS,
        .measures = run->command.settings.measures,
        .interrupted = {.stop = signals_stop}};
    if (decoding_check_model(&decoder, run->command.model_path, e) != 0 ||
        label_names_read(&run->names, run->command.settings.names, &run->model, e) != 0)
        return -1;
    decoder.names = run->names.name;
    run->lines = prediction_lines_new(
        &run->model, form,
        form == PREDICTION_PLAIN ? (const char *const *)run->names.shown : run->names.name, e);
    run->decoding = decoding_new(run->risk, &decoder, e);
    if (run->lines == NULL || run->decoding == NULL ||
        measures_check(run->command.settings.measures, run->decoding,
                       run->model.labels > 0 && !has_groups(run), e) != 0)
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
    predict_progress_begin(&run->progress, &run->command);
    run->output = output_open(run->command.output_path, e);
    return run->output == NULL ? -1 : 0;
}

/* A decoded_visitor's visit. */
static int write_predictions(void *context, const struct decoded *decoded, struct error *e) {
    struct run *run = context;
    prediction_lines_write(run->lines, decoded, output_stream(run->output));
    int64_t rows = decoded->first + decoded->rows;
    if (run->reader == NULL) /* the block is all rows */
        predict_progress_show(&run->progress, rows, (double)rows / (double)run->block.rows);
    return output_check(run->output, e);
}

static int predict_block(struct run *run, struct error *e) {
    const struct decoded_visitor visitor = {.visit = write_predictions, .context = run};
    if (precomputed_rows_check(&run->model, &run->block, run->command.test_path, run->result.rows,
                               e) != 0)
        return -1;
    run->result.rows += run->block.rows;
    return decoding_block(run->decoding, &run->block, &visitor, &run->result.unknown_features, e);
}

static int predict_rows(struct run *run, struct error *e) {
    int more, status = 0;
    while (status == 0 && (more = svmlight_read(run->reader, &run->block, e)) == 1) {
        status = predict_block(run, e);
        predict_progress_show(&run->progress, run->result.rows, svmlight_share_read(run->reader));
    }
    return status == 0 ? more : -1;
}

static int predict_all(struct run *run, struct error *e) {
    double start = clock_seconds();
    prediction_lines_header(run->lines, output_stream(run->output));
    int status = run->reader != NULL ? predict_rows(run, e) : predict_block(run, e);
    predict_progress_end(&run->progress);
    if (status != 0)
        return -1;
    if (signals_came())
        return error_set(e, "interrupted by a signal; no predictions were written");
    struct output *output = run->output;
    run->output = NULL;
    if (output_commit(output, e) != 0)
        return -1;
    run->result.seconds = clock_seconds() - start;
    return 0;
}

/* The measures; 0, or -1 with the error set. */
static int measure(struct run *run, struct error *e) {
    struct predict_result *result = &run->result;
    result->count = decoding_finish(run->decoding, result->list, &result->measured, e);
    if (result->count < 0)
        return -1;
    result->count = measures_choose(result->list, result->count, run->command.settings.measures);
    result->positive = run->names.shown == NULL ? NULL : run->names.shown[0];
    result->confusion = decoding_confusion(run->decoding);
    return label_names_sort(&run->names, &run->model, &result->confusion, &result->names, e);
}

static int run_all(struct run *run, struct error *e) {
    struct predict_command *command = &run->command;
    int64_t threads =
        command->settings.threads > 0 ? command->settings.threads : omp_get_max_threads();
    command->settings.threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    threads_use((int)command->settings.threads,
                threads_idle(command->test_path) && threads_idle(command->model_path), run->argv);
    signals_catch();
    if (run_open(run, e) != 0 || predict_all(run, e) != 0 || measure(run, e) != 0)
        return -1;
    return predict_report(command, &run->model, &run->result, e);
}

int main(int argc, char **argv) {
    struct error e = {0};
    struct run run = {.argv = argv};
    program_start(argv[0], "predict");
    bool parsed = predict_command_parse(argc, argv, &run.command, &e) == 0;
    if (parsed && predict_command_asks(&run.command))
        predict_command_tell(&run.command, &e);
    else if (parsed)
        run_all(&run, &e);
    run_free(&run);
    if (e.kind != ERROR_NONE)
        error_print(&e, program_name(), stderr);
    signals_end();
    return error_exit_status(&e);
}
