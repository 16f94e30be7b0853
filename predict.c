/* predict.c - predicts the rows of a file with a model; see predict --help.
 *
 * The test set streams through: a block of rows is read, scored and written, then forgotten. Where groups
 * of rows are predicted together it is held in memory. */
#include "cli/options.h"
#include "cli/predict_options.h"
#include "cli/predict_report.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "io/memory.h"
#include "io/names.h"
#include "io/output.h"
#include "io/program_name.h"
#include "io/svmlight/svmlight.h"
#include "prediction/decoding.h"
#include "prediction/prediction.h"
#include "prediction/predictor.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE_NUMBERS = 1 << 16 }; /* scores held at a time; at least a row */

struct run {
    char **argv;
    struct predict_command command;
    struct model model;
    struct predictor *predictor;
    struct prediction *prediction;
    struct measures *measures;
    const struct risk_row *risk;
    struct decoding
        *decoding; /* of models that predict groups; then no prediction, measures, reader */
    const char *const *names; /* of the labels; NULL: none */
    struct svmlight_reader *reader;
    struct dataset block;
    double *scores;
    double *kernel, *parametric; /* the parts of the scores; NULL without --parts */
    int64_t slice;               /* rows scored at a time */
    struct output *output;
    struct predict_result result;
};

static void run_free(struct run *run) {
    output_abandon(run->output);
    svmlight_close(run->reader);
    dataset_free(&run->block);
    measures_free(run->measures);
    decoding_free(run->decoding);
    prediction_free(run->prediction);
    predictor_free(run->predictor);
    names_free(run->names, run->model.labels);
    model_free(&run->model);
    free(run->scores);
    free(run->kernel);
    free(run->parametric);
}

/* Whether both are for the same kind of labels: of two classes or more is the same. */
static bool alike(enum task a, enum task b) {
    bool classes = a == TASK_CLASSIFICATION || a == TASK_CLASSES;
    return a == b || (classes && (b == TASK_CLASSIFICATION || b == TASK_CLASSES));
}

/* "; train with -L logistic or softmax": the losses with probabilities for such labels, "" if there are none. */
static void name_losses(enum task task, char *text, size_t size) {
    int count;
    const struct risk_row *table = risk_table(&count);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        if (table[i].probabilities && alike(table[i].task, task))
            snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "; train with -L ",
                     table[i].name);
    }
}

/* Probabilities are to be had from some losses only, and parts from a basis. */
static int check_form(const struct run *run, struct error *e) {
    if (run->command.settings.parts && run->model.basis.count == 0)
        return error_usage(e, "--parts: the model has no basis functions; train with --basis");
    if (run->command.settings.names != NULL &&
        (run->risk == NULL || run->risk->task != TASK_SEQUENCES))
        return error_usage(e, "--names is for models of sequences (crf, m3n), not of %s",
                           run->model.loss);
    char losses[128];
    if (run->command.settings.probabilities == 0 || run->model.has_sigmoid ||
        (run->risk != NULL && run->risk->probabilities))
        return 0;
    name_losses(run->risk == NULL ? TASK_CLASSIFICATION : run->risk->task, losses, sizeof losses);
    return error_usage(e, "-b 1: the model's loss, %s, has no probabilities%s", run->model.loss,
                       losses);
}

static enum prediction_form form_of(const struct predict_settings *settings) {
    if (settings->probabilities == 1)
        return PREDICTION_PROBABILITIES;
    if (settings->parts)
        return PREDICTION_PARTS;
    return settings->decisions ? PREDICTION_DECISIONS : PREDICTION_PLAIN;
}

/* Of a slice of rows. */
static int make_scores(struct run *run, struct error *e) {
    size_t row = (size_t)run->model.vectors * sizeof(double);
    run->slice = run->model.vectors < SLICE_NUMBERS ? SLICE_NUMBERS / run->model.vectors : 1;
    run->scores = memory_new(run->slice, row, "scores", e);
    if (run->scores == NULL || !run->command.settings.parts)
        return run->scores == NULL ? -1 : 0;
    run->kernel = memory_new(run->slice, row, "scores", e);
    run->parametric = memory_new(run->slice, row, "scores", e);
    return run->kernel == NULL || run->parametric == NULL ? -1 : 0;
}

/* For rows, one at a time, from a file that is not held. */
static int open_rows(struct run *run, struct error *e) {
    const struct predict_command *command = &run->command;
    struct model *model = &run->model;
    struct svmlight_options options = {.zero_based = model->zero_based,
                                       .unlabeled = true,
                                       .threads = 1,
                                       .line_limit = MEGABYTE * command->settings.line_limit};
    if (make_scores(run, e) != 0)
        return -1;
    run->predictor = predictor_new(model, e);
    run->prediction = prediction_new(model, form_of(&command->settings), e);
    run->measures = measures_new(model->label, model->labels, model->at, e);
    if (run->predictor == NULL || run->prediction == NULL || run->measures == NULL)
        return -1;
    run->reader = svmlight_open(command->test_path, &options, e);
    return run->reader == NULL ? -1 : 0;
}

static bool is_signalled(void *opaque) {
    (void)opaque;
    return signals_came();
}

/* For groups, all of them in `block`. */
static int open_groups(struct run *run, struct error *e) {
    const struct predict_command *command = &run->command;
    struct svmlight_options options = {.zero_based = run->model.zero_based,
                                       .unlabeled = true,
                                       .threads = omp_get_max_threads(),
                                       .line_limit = MEGABYTE * command->settings.line_limit};
    if (command->settings.names != NULL) {
        run->names = names_read(command->settings.names, run->model.label, run->model.labels, e);
        if (run->names == NULL)
            return -1;
    }
    struct decoder_settings settings = {.model = &run->model,
                                        .probabilities = command->settings.probabilities == 1,
                                        .decisions = command->settings.decisions,
                                        .names = run->names,
                                        .interrupted = {.stop = is_signalled}};
    run->decoding = decoding_new(run->risk, &settings, e);
    if (run->decoding == NULL || dataset_load(command->test_path, &options, &run->block, e) != 0)
        return -1;
    if (run->block.groups == 0)
        return error_file(e, command->test_path,
                          "a model of %s predicts groups of rows: \"qid:\" is needed on each line",
                          run->model.loss);
    return run->risk->check_data == NULL
               ? 0
               : run->risk->check_data(&run->block, command->test_path, options.zero_based, e);
}

static int run_open(struct run *run, struct error *e) {
    const struct predict_command *command = &run->command;
    if (model_read(command->model_path, &run->model, e) != 0)
        return -1;
    if (run->model.labels > 0 && model_untrained(&run->model) == run->model.labels)
        return error_file(e, command->model_path, "none of its labels was trained");
    predict_warn_untrained(&run->model, stderr);
    model_drop_untrained(&run->model);
    run->risk = risk_row_by_name(run->model.loss);
    if (check_form(run, e) != 0)
        return -1;
    bool groups = run->risk != NULL && run->risk->decoder != NULL;
    if ((groups ? open_groups(run, e) : open_rows(run, e)) != 0)
        return -1;
    run->output = output_open(command->output_path, e);
    return run->output == NULL ? -1 : 0;
}

static int score_slice(struct run *run, int64_t first, int64_t count, struct error *e) {
    if (run->kernel == NULL) {
        if (predictor_scores(run->predictor, &run->block, first, count, run->scores,
                             &run->result.unknown_features, e) != 0)
            return -1;
        if (run->command.settings.probabilities == 1 && run->model.has_sigmoid)
            predictor_calibrate(&run->model, run->scores, count);
        return 0;
    }
    if (predictor_parts(run->predictor, &run->block, first, count, run->kernel, run->parametric,
                        &run->result.unknown_features, e) != 0)
        return -1;
    for (int64_t k = 0; k < count * run->model.vectors; k++)
        run->scores[k] = run->kernel[k] + run->parametric[k];
    return 0;
}

static void write_row(struct run *run, int64_t i) {
    int64_t place = i * run->model.vectors;
    FILE *stream = output_stream(run->output);
    if (run->kernel == NULL)
        prediction_write(run->prediction, run->scores + place, stream);
    else
        prediction_write_parts(run->prediction, run->scores + place, run->kernel + place,
                               run->parametric + place, stream);
}

/* Writes and measures the rows whose scores are at hand. */
static int finish_slice(struct run *run, int64_t first, int64_t count, struct error *e) {
    const struct model *model = &run->model;
    for (int64_t i = 0; i < count; i++) {
        const double *scores = run->scores + i * model->vectors;
        write_row(run, i);
        if (predictor_measure(model, run->block.label[first + i], scores, run->measures, e) != 0)
            return -1;
    }
    return output_check(run->output, e);
}

static int predict_block(struct run *run, struct error *e) {
    for (int64_t first = 0; first < run->block.rows; first += run->slice) {
        int64_t rest = run->block.rows - first;
        int64_t count = rest < run->slice ? rest : run->slice;
        if (signals_came())
            return error_set(e, "interrupted by a signal; no predictions were written");
        if (score_slice(run, first, count, e) != 0 || finish_slice(run, first, count, e) != 0)
            return -1;
    }
    run->result.rows += run->block.rows;
    return 0;
}

static int predict_rows(struct run *run, struct error *e) {
    int more;
    prediction_header(run->prediction, output_stream(run->output));
    while ((more = svmlight_read(run->reader, &run->block, e)) == 1)
        if (predict_block(run, e) != 0)
            return -1;
    return more < 0 ? -1 : 0;
}

static int predict_groups(struct run *run, struct error *e) {
    run->result.rows = run->block.rows;
    return decoding_data(run->decoding, &run->model, &run->block, output_stream(run->output),
                         &run->result.unknown_features, e);
}

static int predict_all(struct run *run, struct error *e) {
    double start = omp_get_wtime();
    if ((run->decoding != NULL ? predict_groups(run, e) : predict_rows(run, e)) != 0)
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

/* The measures; 0, or -1 with the error set. */
static int measure(struct run *run, struct error *e) {
    struct predict_result *result = &run->result;
    if (run->decoding != NULL) {
        result->count =
            decoding_finish(run->decoding, result->list, &result->measured, &result->unknown, e);
    } else {
        result->measured = measures_rows(run->measures);
        result->unknown = measures_unknown(run->measures);
        result->count = measures_finish(run->measures, result->list, e);
    }
    return result->count < 0 ? -1 : 0;
}

static int run_all(struct run *run, struct error *e) {
    struct predict_command *command = &run->command;
    struct predict_result *result = &run->result;
    int threads = omp_get_max_threads();
    if (command->settings.threads > 0)
        threads = (int)command->settings.threads;
    command->settings.threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    threads_use((int)command->settings.threads,
                threads_idle(command->test_path) && threads_idle(command->model_path), run->argv);
    signals_catch();
    if (run_open(run, e) != 0 || predict_all(run, e) != 0 || measure(run, e) != 0)
        return -1;
    predict_warn(&run->model, result, stderr);
    if (!command->settings.quiet && predict_print_measures(command, result, e) != 0)
        return -1;
    return predict_report_write(command, &run->model, result, e);
}

/* Help, version or man page. */
static int tell(struct predict_command *command, struct error *e) {
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    predict_command_tell(command, output_stream(output));
    return output_commit(output, e);
}

int main(int argc, char **argv) {
    struct error e = {0};
    struct run run = {.argv = argv};
    bool told = false;
    program_start(argv[0], "predict");
    if (predict_command_parse(argc, argv, &run.command, &e) == 0) {
        told = predict_command_asks(&run.command);
        if (told)
            tell(&run.command, &e);
        else
            run_all(&run, &e);
    }
    run_free(&run);
    if (e.kind != ERROR_NONE)
        error_print(&e, program_name(), stderr);
    signals_end();
    if (e.kind == ERROR_NONE && told && run.command.bare)
        return 2;
    return error_exit_status(&e);
}
