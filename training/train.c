/* train.c - trains a model from data and a request; see train.h. */
#include "training/train.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "io/scratch.h"
#include "kernel/mapped.h"
#include "training/classes/parallel_runs.h"
#include "training/defaults/choice.h"
#include "training/defaults/weights_memory.h"
#include "training/request/example_weights.h"
#include "training/request/kernel_lists.h"
#include "training/request/kernel_settings.h"
#include "training/run/kernel_model.h"
#include "training/run/lambda_max.h"
#include "training/run/scale_data.h"
#include "training/run/warm_start.h"
#include "training/search/calibration.h"
#include "training/search/measure_choice.h"
#include "training/session_data.h"
#include "training/session_kernel.h"
#include "training/session_memory.h"
#include "training/session_warnings.h"
#include "training/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void session_init(struct training_session *s, struct training_request *request,
                         const struct session_outputs *outputs) {
    *s = (struct training_session){.request = request, .outputs = *outputs};
    monitor_init(&s->monitor, &(struct monitor_settings){.observer = outputs->observer});
}

/* ---- preparing data and risk */

/* Whether the regularizer asks that the weights sum to 1, and there are none. */
static bool has_nothing_to_sum(const struct training_request *request, const struct dataset *data) {
    const struct regularizer *r = request->regularizer;
    bool sums_to_one = r->sum_one || (r->constraint && r->ball == NULL);
    return sums_to_one && data->features == 0 && request->settings.bias < 0 &&
           request->settings.kernel.map == MAP_NONE;
}

/* Checks that the risk and the regularizer can take the data. */
static int check_data(const struct training_session *s, struct error *e) {
    const struct training_request *request = s->request;
    if (task_has_groups(request->risk->task) && dataset_whole_groups(&s->data) == 0) {
        return error_file(
            e, request->data_name, "-L %s needs groups of rows: %s", request->risk->name,
            request->data_name[0] == '\0' ? "the array `group`" : "\"qid:\" on each line");
    }
    if (has_nothing_to_sum(request, &s->data))
        return error_file(e, request->data_name,
                          "no features: with -r %s the weights sum to 1; use another -r, or -B 1",
                          request->regularizer->name);
    int status =
        request->risk->check_data == NULL
            ? 0
            : request->risk->check_data(&s->data, request->data_name, request->zero_based, e);
    return communicator_agree(s->data.communicator, status, e);
}

/* Borrows the caller's rows; copies the weights, since class weights are multiplied into them. */
static int take_data(struct training_session *s, const struct dataset *data, struct error *e) {
    s->data = *data;
    s->data.weight = NULL;
    return data->weight == NULL ? 0 : example_weights_multiply(&s->data, data->weight, e);
}

/* Whether the solver and those tried before it do. */
static bool solvers_take_floats(const struct training_request *request) {
    bool all = request->solver->reads_floats;
    for (int k = 0; k < TRIALS_MOST && request->trial[k].solver != NULL; k++)
        all = all && request->trial[k].solver->reads_floats;
    return all;
}

/* Whether all that reads the values takes floats. CHOSEN: the solver, too; otherwise all that comes before it. */
static bool takes_floats(const struct training_session *s, bool chosen) {
    const struct training_request *request = s->request;
    const struct train_settings *settings = &request->settings;
    bool plain = request->risk->scalar != NULL && request->risk->check_data == NULL &&
                 settings->scale == SCALING_NONE && settings->kernel.map == MAP_NONE &&
                 !kernel_settings_expands(request);
    bool once = settings->folds == 0 && settings->checkpoint == NULL && !s->classes.pairs &&
                !request_fits_sigmoids(request) && s->held_out == NULL;
    return plain && (!chosen || (once && solvers_take_floats(request)));
}

/* Converts floats where they will not do. */
static int widen(struct training_session *s, bool chosen, struct error *e) {
    if (s->data.floats == NULL || takes_floats(s, chosen))
        return 0;
    int status = dataset_widen(&s->data, e);
    s->widened = s->data.value;
    return status;
}

static void warn_of_numbers(const struct training_session *s) {
    if (classes_look_like_numbers(&s->classes, &s->data) &&
        s->request->risk->task != TASK_SEQUENCES) {
        monitor_warn(
            &s->monitor,
            "%lld labels, a weight vector each; if they are numbers to predict, use -L squared",
            (long long)s->classes.labels);
    }
}

static void warn_of_data(const struct training_session *s) {
    const struct class_weight *unused = example_weights_unused(s->request, &s->data);
    warn_of_numbers(s);
    if (s->request->window && s->map == NULL) {
        monitor_warn(
            &s->monitor,
            "the examples take %.3g MB, more than --memory allows; every pass reads the cache",
            1e-6 * (double)s->data.map_bytes);
    } else if (s->request->window && !mapped_is_recomputed(&s->mapped)) {
        monitor_warn(&s->monitor,
                     "mapped examples take %.3g MB, more than --memory leaves; every pass reads "
                     "them from a file in %s",
                     8e-6 * (double)s->mapped.nonzeros, scratch_folder());
    } else if (s->request->window) {
        monitor_warn(&s->monitor,
                     "mapped examples take %.3g MB, more than --memory leaves; those that fit are "
                     "kept with 7 digits, the others computed anew in every pass",
                     8e-6 * (double)s->mapped.nonzeros);
    }
    if (unused != NULL)
        monitor_warn(&s->monitor, "no example has the label %.10g of -w", unused->label);
}

/* The weights of kernel machines and of maps are not the features'. */
static int check_memory(const struct training_session *s, struct error *e) {
    const struct training_request *request = s->request;
    int64_t vectors = s->classes.joint ? s->classes.labels : s->classes.vectors;
    bool kernel = kernel_settings_expands(request) || request->settings.kernel.map != MAP_NONE;
    return weights_memory_check(request, s->data.features, kernel ? 0 : vectors, e);
}

/* With --scale: keeps the rows for the folds, and goes on with scaled ones. */
static int scale_examples(struct training_session *s, struct error *e) {
    const struct training_request *request = s->request;
    const struct scaling *before = s->start != NULL ? &s->start->scaling : NULL;
    if (s->start != NULL && scale_data_check_start(request, s->start, e) != 0)
        return -1;
    if (request->settings.scale == SCALING_NONE)
        return 0;
    s->unscaled = s->data;
    if (scale_data(request, &s->unscaled, before, &s->scaling, &s->scaled, e) != 0)
        return -1;
    s->data = s->scaled.data;
    if (s->data.nonzeros > 2 * s->unscaled.nonzeros)
        monitor_warn(
            &s->monitor,
            "%lld values became %lld, because zeros are scaled, too; --scale max keeps them",
            (long long)s->unscaled.nonzeros, (long long)s->data.nonzeros);
    return 0;
}

static int choose_solver(struct training_session *s, struct error *e) {
    return request_choose(s->request, session_training_data(s), session_vectors_at_once(s),
                          s->lambda, e);
}

/* A model of support vectors is a start for kernel machines, and they take no other. (With a linear kernel it is the
 * chosen solver that tells which of the two is trained.) */
static int check_support(const struct training_session *s, struct error *e) {
    const struct training_request *request = s->request;
    bool is_expansion = kernel_settings_expands(request);
    if (is_expansion && !model_is_support(s->start))
        return error_file(e, request->start_name,
                          "no kernel machine; -s %s starts from one of support vectors",
                          kernel_settings_solver(request));
    if (!is_expansion && model_is_support(s->start))
        return error_file(
            e, request->start_name, "a kernel machine, a start for -s smo, pdsg and mpd alone%s",
            request->linear_kernel ? "; --expand trains one with --kernel linear" : "");
    return 0;
}

int session_prepare(struct training_session *s, struct training_request *request,
                    const struct dataset *data, struct model *start,
                    const struct session_outputs *outputs, struct error *e) {
    char all[WINDOW_WORDS];
    session_init(s, request, outputs);
    s->start = start;
    if (take_data(s, data, e) != 0 || widen(s, false, e) != 0 || check_data(s, e) != 0 ||
        classes_find(request, &s->data, &s->classes, e) != 0 ||
        example_weights_apply(request, &s->data, e) != 0 || scale_examples(s, e) != 0 ||
        example_weights_lambda(request, &s->data, &s->lambda, e) != 0 || check_memory(s, e) != 0 ||
        session_check_landmark_counts(s, e) != 0 || session_prepare_kernel(s, e) != 0 ||
        choose_solver(s, e) != 0 || widen(s, true, e) != 0)
        return -1;
    if ((s->classes.pairs || request_fits_sigmoids(request)) && request->window) {
        request_describe_window(session_training_data(s), all);
        return error_usage(e, "--multiclass ovo and -b 1 need %s; raise --memory", all);
    }
    request->settings.multiclass = s->classes.pairs   ? MULTICLASS_OVO
                                   : s->classes.joint ? MULTICLASS_JOINT
                                                      : MULTICLASS_OVR;
    warn_of_data(s);
    return start == NULL || (check_support(s, e) == 0 &&
                             warm_start_check(request, &s->classes, start, e) == 0)
               ? 0
               : -1;
}

/* ---- training */

static void start_monitor(struct training_session *s) {
    const struct train_settings *settings = &s->request->settings;
    monitor_init(&s->monitor, &(struct monitor_settings){.epsilon = settings->epsilon,
                                                         .passes = settings->passes,
                                                         .time_limit = settings->time_limit,
                                                         .trace = s->outputs.trace,
                                                         .communicator = s->data.communicator,
                                                         .observer = s->outputs.observer});
}

static struct training make_training(struct training_session *s) {
    return (struct training){
        .request = s->request,
        .data = session_training_data(s),
        .kernel = &s->kernel,
        .classes = &s->classes,
        .lambda = s->lambda,
        .start = s->start,
        .lambda_max = s->lambda_max,
        .journal = s->resumption.checkpoint == NULL ? NULL : &s->journal,
        .unscaled = s->scaling.method != SCALING_NONE ? &s->unscaled : NULL,
        .start_scaling = s->start != NULL ? &s->start->scaling : NULL,
    };
}

double session_lambda_max(const struct training_session *s) {
    return s->request->solver->is_kernel_expansion && s->request->settings.path > 0
               ? lambda_max_of_kernel(&s->kernel.kernel, &s->data)
               : lambda_max_largest(s->lambda_max, s->classes.vectors);
}

/* Opens the checkpoint, if one is wanted. */
static int open_checkpoint(struct training_session *s, struct error *e) {
    if (s->request->settings.checkpoint == NULL)
        return 0;
    if (resumption_open(s->request, &s->data, s->start, &s->resumption, e) != 0)
        return -1;
    s->monitor.settings.checkpoint = s->journal.checkpoint = s->resumption.checkpoint;
    if (monitor_go_on(&s->monitor, e) != 0)
        return -1;
    return monitor_enter(&s->monitor, journal_visit, &s->journal, e) == CHECKPOINT_REFUSED ? -1 : 0;
}

/* The lambda from which a path descends. */
static double first_lambda(const struct training_session *s) {
    const struct training_request *request = s->request;
    bool known = request->settings.path == 0 || request->solver->is_kernel_expansion ||
                 lambda_max_exists(request);
    if (request->settings.path_from > 0)
        return request->settings.path_from;
    if (known)
        return session_lambda_max(s);
    return s->map != NULL ? lambda_max_of_kernel(map_kernel(s->map), &s->data)
                          : lambda_max_of_rows(&s->data);
}

static int find_values(struct training_session *s, struct error *e) {
    const struct training training = make_training(s);
    s->lambda_max = memory_new(s->classes.vectors, sizeof *s->lambda_max, "lambda_max", e);
    if (s->lambda_max == NULL || lambda_max_find(&training, s->lambda_max, e) != 0)
        return -1;
    return path_values_make(s->request, s->lambda, first_lambda(s), &s->values, e);
}

static void free_values(struct training_session *s) {
    path_values_free(&s->values);
    free(s->lambda_max);
    s->lambda_max = NULL;
}

/* Held-out examples whose label training lacks count as errors. */
static void warn_of_held_out(const struct training_session *s) {
    struct measured_rows rows = classes_measure(&s->classes, s->held_out);
    char text[UNKNOWN_LABELS_SIZE];
    if (rows.unknown == 0)
        return;
    unknown_labels_sentence(&rows, text);
    monitor_warn(&s->monitor, "held-out examples: %s", text);
}

int session_begin(struct training_session *s, struct error *e) {
    start_monitor(s);
    session_warn_of_memory(s);
    if (s->held_out != NULL)
        warn_of_held_out(s);
    return open_checkpoint(s, e) == 0 ? find_values(s, e) : -1;
}

/* Goes on with another kernel of the lists: with its map, its solver and its path. */
static int take_kernel(struct training_session *s, int64_t pair, struct error *e) {
    kernel_lists_take(&s->request->settings.kernel, pair);
    session_free_kernel(s);
    free_values(s);
    return session_prepare_kernel(s, e) == 0 && choose_solver(s, e) == 0 ? find_values(s, e) : -1;
}

/* Validates the path of the i-th kernel. AFTER: vectors that are trained after the validation. */
static int validate_kernel(struct training_session *s, int64_t i, int64_t after,
                           struct cross_validation *validation, struct error *e) {
    struct training training = make_training(s);
    int64_t folds = s->held_out != NULL ? 1 : s->request->settings.folds;
    int threads = parallel_runs_threads_of(&training, &s->monitor, folds);
    int64_t rounds = 1 + parallel_runs_behind(0, folds, threads);
    int64_t left = kernel_lists_pairs(&s->request->settings.kernel) - i - 1;
    training.runs_after = after + left * rounds * s->classes.vectors;
    return cross_validate(&training, &s->values, s->held_out, &s->monitor, validation, e);
}

static int validate_each(struct training_session *s, int64_t after, struct error *e) {
    const int64_t pairs = kernel_lists_pairs(&s->request->settings.kernel);
    struct cross_validation *total = &s->validation, one = {0};
    int status = validate_kernel(s, 0, after, total, e);
    for (int64_t i = 1;
         status == 0 && i < pairs && total->best >= 0 && total->finished == total->count; i++) {
        status = take_kernel(s, i, e);
        if (status == 0)
            status = validate_kernel(s, i, after, &one, e);
        if (status == 0)
            status = cross_validation_join(total, &one, s->request, e);
        cross_validation_free(&one);
    }
    return status;
}

int session_validate(struct training_session *s, bool then_trains, struct error *e) {
    s->validated = true;
    if (validate_each(s, then_trains ? s->classes.vectors : 0, e) != 0)
        return -1;
    session_warn_of_validation(s);
    return 0;
}

bool session_has_lambda(const struct training_session *s) {
    return !s->validated || (s->validation.best >= 0 && s->validation.done == s->validation.folds);
}

/* Cuts the path after the lambda that the folds chose. */
static int choose_lambda(struct training_session *s, struct error *e) {
    const struct cross_validation *validation = &s->validation;
    if (!session_has_lambda(s) && validation->total.verdict == VERDICT_INTERRUPTED) {
        return error_interrupted(e, "%s before lambda was chosen, so there is no model",
                                 monitor_interruption(&s->monitor));
    }
    if (!session_has_lambda(s)) {
        return error_time(
            e, "the time limit came before lambda was chosen, so there is no model; raise -t");
    }
    const struct cross_point *chosen = &validation->point[validation->chosen];
    if (kernel_lists_pairs(&s->request->settings.kernel) > 1 &&
        take_kernel(s, chosen->pair, e) != 0)
        return -1;
    s->values.count = chosen->place + 1;
    return 0;
}

/* Converts the model to the form of the file: with points, if there is a map, and with the scaling. */
static int finish_model(struct training_session *s, struct error *e) {
    if (s->map == NULL)
        return 0;
    if (kernel_model_map(&s->model, s->map, s->data.features, e) != 0)
        return -1;
    return s->scaling.method == SCALING_NONE ? 0 : scale_data_keep(&s->scaling, &s->model, e);
}

/* Fits the sigmoids of the model at its lambda. */
static int calibrate(struct training_session *s, struct error *e) {
    struct training training = make_training(s);
    double before = monitor_seconds(&s->monitor);
    bool done;
    training.lambda = s->model.lambda;
    if (calibration_train(&training, &s->monitor, &s->model, &done, e) != 0)
        return -1;
    s->path.seconds += monitor_seconds(&s->monitor) - before;
    if (!done) {
        monitor_warn(
            &s->monitor,
            "the training ended before the probabilities (-b 1) were fitted; the model has none%s",
            monitor_interrupted(&s->monitor) ? "" : "; raise -t");
        s->warned = s->failed = true;
        s->path.total.verdict = s->path.run->total.verdict =
            monitor_interrupted(&s->monitor) ? VERDICT_INTERRUPTED : VERDICT_TIME;
    }
    return 0;
}

/* The held-out examples end the run, where they do not choose lambda. */
static int begin_early_stop(struct training_session *s, const struct training *training,
                            struct error *e) {
    if (s->classes.vectors > 1)
        return error_usage(e,
                           "--validation without --search ends a single run, not those of %lld "
                           "labels; -L crammer-singer and softmax train them together",
                           (long long)s->classes.labels);
    if (measure_choice_check_labels(s->request, s->classes.labels, e) != 0)
        return -1;
    return early_stop_init(&s->early_stop, training, s->held_out, e);
}

int session_train(struct training_session *s, const struct path_visitor *visitor, struct error *e) {
    if (s->validated && choose_lambda(s, e) != 0)
        return -1;
    struct training training = make_training(s);
    s->trained = true;
    if (s->scaling.method != SCALING_NONE && s->map == NULL)
        training.scaling = &s->scaling; /* that of a map is kept at the end */
    if (request_fits_sigmoids(s->request))
        training.runs_after = CALIBRATION_FOLDS * s->classes.vectors;
    if (s->held_out != NULL && s->request->settings.path == 0) {
        if (begin_early_stop(s, &training, e) != 0)
            return -1;
        training.judge = &s->early_stop.judge;
    }
    if (path_train(&training, &s->values, visitor, &s->monitor, &s->model, &s->path, e) != 0 ||
        (request_fits_sigmoids(s->request) && calibrate(s, e) != 0))
        return -1;
    return finish_model(s, e);
}

static bool is_cut_short(enum verdict verdict) {
    return verdict == VERDICT_INTERRUPTED || verdict == VERDICT_TIME;
}

void session_saved(struct training_session *s) {
    bool short_of_end = (s->trained && is_cut_short(s->path.total.verdict)) ||
                        (s->validated && is_cut_short(s->validation.total.verdict));
    if (s->resumption.checkpoint != NULL && !short_of_end)
        checkpoint_remove(s->resumption.checkpoint);
}

/* ---- streams */

/* lambda_max of each vector is not known. */
static int forget_lambda_max(struct training_session *s, struct error *e) {
    int64_t vectors = s->classes.vectors;
    s->lambda_max = memory_new(vectors, sizeof *s->lambda_max, "lambda_max", e);
    for (int64_t k = 0; s->lambda_max != NULL && k < vectors; k++)
        s->lambda_max[k] = INFINITY;
    return s->lambda_max == NULL ? -1 : 0;
}

static void warn_of_unused_weight(struct training_session *s, const bool *occurs) {
    const struct train_settings *settings = &s->request->settings;
    for (int64_t k = 0; k < settings->class_weights; k++)
        if (!occurs[k]) {
            monitor_warn(&s->monitor, "no example has the label %.10g of -w",
                         settings->class_weight[k].label);
            return;
        }
}

/* Opens the checkpoint of a stream, if one is wanted. */
static int open_stream_checkpoint(struct training_session *s, const struct example_source *source,
                                  const struct model *start, struct error *e) {
    if (s->request->settings.checkpoint == NULL)
        return 0;
    if (source->size < 0)
        return error_usage(e, "--checkpoint needs examples that can be read again, from a file");
    if (resumption_open_stream(s->request, source->size, start, &s->resumption, e) != 0)
        return -1;
    s->monitor.settings.checkpoint = s->resumption.checkpoint;
    return monitor_go_on(&s->monitor, e);
}

int session_stream(struct training_session *s, struct training_request *request,
                   const struct example_source *source, struct model *start,
                   const struct session_outputs *outputs, struct error *e) {
    struct stream_result result;
    int status;
    session_init(s, request, outputs);
    s->lambda = request->settings.lambda;
    start_monitor(s);
    if (open_stream_checkpoint(s, source, start, e) != 0)
        return -1;
    s->trained = true;
    status = stream_train(request, source, start, s->lambda, &s->monitor, &outputs->progressive,
                          &result, &s->model, &s->path, e);
    s->data = result.sizes;
    s->map = result.map;
    s->classes = result.classes;
    s->progressive = result.progressive;
    if (status == 0)
        warn_of_unused_weight(s, result.weighted);
    free(result.weighted);
    if (status != 0 || forget_lambda_max(s, e) != 0)
        return -1;
    warn_of_numbers(s);
    return finish_model(s, e);
}

/* ---- the end */

const struct kernel *session_kernel(const struct training_session *s) {
    return s->map != NULL                            ? map_kernel(s->map)
           : s->request->solver->is_kernel_expansion ? &s->kernel.kernel
                                                     : NULL;
}

void session_free(struct training_session *s) {
    if (s->trained) {
        path_free(&s->path);
        model_free(&s->model);
    }
    if (s->validated)
        cross_validation_free(&s->validation);
    free_values(s);
    early_stop_free(&s->early_stop);
    progressive_free(&s->progressive);
    journal_free(&s->journal);
    resumption_free(&s->resumption);
    classes_free(&s->classes);
    session_free_kernel(s);
    free(s->data.weight);
    scaling_free(&s->scaling);
    scaled_free(&s->scaled);
    free(s->widened);
    *s = (struct training_session){0};
}
