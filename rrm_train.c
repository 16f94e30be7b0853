/* rrm_train.c - the public library: settings, and training; see rrm.h. */
#include "rrm_parts.h"

#include "io/feature_hash.h"
#include "io/memory.h"
#include "training/defaults/check.h"
#include "training/defaults/choice.h"
#include "training/request/setting_names.h"
#include "training/train.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings */

struct setting {
    char *name;
    char *text; /* NULL: a flag */
};

/* What was set, one after another: each training has a request of its own, into which they are set again. */
struct rrm_settings {
    struct setting *setting;
    int64_t count, capacity;
    struct training_request check; /* has seen them all, and refused the wrong ones */
};

struct rrm_settings *rrm_settings_new(struct rrm_error *error) {
    struct error e = {0};
    locale_t before = rrm_enter();
    struct rrm_settings *settings = memory_zeroed(1, sizeof *settings, "settings", &e);
    int status = settings == NULL ? -1 : request_init(&settings->check, NULL, &e);
    rrm_leave(before);
    if (status != 0) {
        rrm_settings_free(settings);
        rrm_fail(error, &e);
        return NULL;
    }
    return settings;
}

void rrm_settings_free(struct rrm_settings *settings) {
    if (settings == NULL)
        return;
    for (int64_t k = 0; k < settings->count; k++) {
        free(settings->setting[k].name);
        free(settings->setting[k].text);
    }
    free(settings->setting);
    request_free(&settings->check);
    free(settings);
}

static char *copy_text(const char *text, struct error *e) {
    return memory_text(text, (int64_t)strlen(text), "a setting", e);
}

static int append(struct rrm_settings *settings, const char *name, const char *text,
                  struct error *e) {
    struct setting added = {0};
    if (memory_reserve((void **)&settings->setting, &settings->capacity, settings->count + 1,
                       sizeof added, "settings", e) != 0)
        return -1;
    added.name = copy_text(name, e);
    if (added.name != NULL && text != NULL)
        added.text = copy_text(text, e);
    if (added.name == NULL || (text != NULL && added.text == NULL)) {
        free(added.name);
        return -1;
    }
    settings->setting[settings->count++] = added;
    return 0;
}

int rrm_settings_set(struct rrm_settings *settings, const char *name, const char *text,
                     struct rrm_error *error) {
    struct error e = {0};
    if (settings == NULL || name == NULL)
        return rrm_fail_missing(error, settings == NULL ? "settings" : "name");
    locale_t before = rrm_enter();
    int status = request_set(&settings->check, name, text, &e);
    rrm_leave(before);
    return status == 0 && append(settings, name, text, &e) == 0 ? 0 : rrm_fail_as_is(error, &e);
}

/* ---- progress and warnings */

struct watcher {
    const struct rrm_training *training; /* the caller's */
    struct rrm_result *result;
    locale_t locale; /* the caller's, in which he is told */
};

/* A monitor_observer's report and prepare. */
static bool tell(void *context, const struct monitor *monitor) {
    const struct watcher *watcher = context;
    const struct report *last = &monitor->last;
    const struct rrm_progress progress = {.title = monitor->title,
                                          .seconds = monitor_seconds(monitor),
                                          .passes = last->passes,
                                          .iteration = last->iteration,
                                          .objective = last->objective,
                                          .bound = last->bound,
                                          .nonzeros = last->nonzeros};
    locale_t ours = uselocale(watcher->locale);
    int stop = watcher->training->progress(watcher->training->context, &progress);
    uselocale(ours);
    return stop != 0;
}

/* A monitor_observer's warn. */
static void keep_warning(void *context, const char *text) {
    struct rrm_result *result = ((struct watcher *)context)->result;
    size_t size = sizeof result->warning, used = strlen(result->warning);
    if (used > 0 && used + 1 < size)
        result->warning[used++] = '\n';
    setting_names(text, result->warning + used, size - used);
    result->warnings++;
}

static struct session_outputs outputs_of(struct watcher *watcher) {
    bool told = watcher->training->progress != NULL;
    return (struct session_outputs){.observer = {.context = watcher,
                                                 .report = told ? tell : NULL,
                                                 .prepare = told ? tell : NULL,
                                                 .warn = keep_warning}};
}

/* ---- rows as they come */

enum { BLOCK_ROWS = 1000 };

struct rows {
    const struct dataset *data;
    int64_t next;
};

/* An example_source's rewind and read. */
static int rewind_rows(void *context, struct error *e) {
    (void)e;
    ((struct rows *)context)->next = 0;
    return 0;
}

static int read_rows(void *context, struct dataset *block, struct error *e) {
    struct rows *rows = context;
    int64_t first = rows->next, remaining = rows->data->rows - first;
    int64_t count = remaining < BLOCK_ROWS ? remaining : BLOCK_ROWS;
    block->rows = block->nonzeros = 0;
    block->features = rows->data->features;
    rows->next += count;
    if (count == 0)
        return 0;
    return dataset_append(block, rows->data, first, first + count, e) == 0 ? 1 : -1;
}

/* ---- a training */

/* What one call of rrm_train holds. */
struct job {
    struct dataset data; /* the caller's arrays; with hashed names, of all their columns */
    struct training_request request;
    struct training_session session;
    struct model start; /* a copy of the caller's; empty without */
};

static void job_close(struct job *job) {
    session_free(&job->session);
    model_free(&job->start);
    request_free(&job->request);
}

static int check_settings(const struct training_request *request, struct error *e) {
    if (request->settings.folds > 0 && request->settings.path == 0)
        return error_usage(e, "folds chooses the best lambda of a path: set path, too");
    return 0;
}

/* The columns that names are hashed to; 0: there are no names. */
static int32_t hashed_features(const struct job *job) {
    return feature_hash_columns((int)job->request.settings.hash_bits);
}

/* The hash of the data and that of the setting are one. */
static int take_hash(struct training_request *request, const struct rrm_data *data,
                     struct error *e) {
    int64_t *bits = &request->settings.hash_bits;
    if (*bits > 0 && data->hash_bits > 0 && *bits != data->hash_bits)
        return error_usage(e, "hash %lld: the data were read with %d bits", (long long)*bits,
                           data->hash_bits);
    if (*bits == 0)
        *bits = data->hash_bits;
    return 0;
}

static int take_data(struct job *job, const struct rrm_data *data, struct error *e) {
    int32_t features = hashed_features(job);
    job->data = data->csr.data;
    if (features == 0)
        return 0;
    if (job->data.dense && job->data.features != features)
        return error_usage(e, "hash %lld: dense rows have all its %d features; these have %d",
                           (long long)job->request.settings.hash_bits, (int)features,
                           (int)job->data.features);
    if (job->data.features > features)
        return error_usage(e, "hash %lld: the data have %d features; a hash of so few bits has %d",
                           (long long)job->request.settings.hash_bits, (int)job->data.features,
                           (int)features);
    job->data.features = features;
    return 0;
}

static int make_request(struct job *job, const struct rrm_data *data,
                        const struct rrm_settings *settings, const struct rrm_training *training,
                        struct error *e) {
    struct training_request *request = &job->request;
    if (request_init(request, NULL, e) != 0)
        return -1;
    for (int64_t k = 0; k < settings->count; k++)
        if (request_set(request, settings->setting[k].name, settings->setting[k].text, e) != 0)
            return -1;
    request->data_name = data->name;
    request->zero_based = data->zero_based;
    request->start_name = "the model to start from";
    request->lister = "librrm-train ";
    request->start_given = training->start != NULL;
    return take_hash(request, data, e) != 0 || take_data(job, data, e) != 0 ||
                   request_find_names(request, e) != 0 || request_complete(request, e) != 0
               ? -1
               : check_settings(request, e);
}

static int check_labels(const struct dataset *data, struct error *e) {
    for (int64_t i = 0; i < data->rows; i++)
        if (isnan(data->label[i]))
            return error_set(e, "row %lld has no label", (long long)i);
    return 0;
}

/* Whether the solver was named, and meets the examples as they come. */
static bool streams(const struct job *job) {
    return job->request.solver_given && job->request.solver->stream != NULL;
}

/* A copy of the caller's start, which training may change; NULL: there is none. */
static int take_start(struct job *job, const struct rrm_training *training, struct model **start,
                      struct error *e) {
    *start = training->start != NULL ? &job->start : NULL;
    return *start == NULL ? 0 : model_copy(&training->start->model, *start, e);
}

static int train_stream(struct job *job, const struct rrm_training *training,
                        const struct session_outputs *outputs, struct error *e) {
    struct rows rows = {.data = &job->data};
    const struct example_source source = {.context = &rows,
                                          .size = job->data.rows,
                                          .features = job->data.features,
                                          .rewind = rewind_rows,
                                          .read = read_rows};
    struct model *start;
    return take_start(job, training, &start, e) == 0
               ? session_stream(&job->session, &job->request, &source, start, outputs, e)
               : -1;
}

static int status_of(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_CONVERGED:
        return RRM_CONVERGED;
    case VERDICT_SETTLED:
        return RRM_SETTLED;
    case VERDICT_INTERRUPTED:
        return RRM_INTERRUPTED;
    default:
        return RRM_LIMIT;
    }
}

/* What the last model of the path is. */
static void take_run(const struct training_session *session, const struct run *run,
                     const struct model *model, struct rrm_result *result) {
    result->status = status_of(run->total.verdict);
    result->objective = run->total.objective;
    result->bound = run->total.bound;
    result->gap = run->gap;
    result->lambda = session->request->regularizer->constraint ? NAN : model->lambda;
    result->passes = run->total.passes;
    result->iterations = run->total.iterations;
    result->seconds = run->seconds;
    result->nonzeros = run->nonzeros;
    result->solver = solver_by_name(model->solver)->name;
}

/* What the i-th model of a certified path is known to hold. */
static void take_interval(const struct path *path, int64_t i, const struct run *run,
                          struct rrm_result *result) {
    const double *lambda = path->values->lambda;
    if (!path->values->certified)
        return;
    result->low = run->total.low * lambda[i];
    result->high = run->total.high * lambda[i];
    result->penalty = run->total.penalty;
    if (i > 0)
        result->low_before = path->run[i - 1].total.low * lambda[i - 1];
}

/* A path_visitor's context and visit. */
struct showing {
    const struct rrm_training *training;
    const struct training_session *session;
};

static int show(void *context, int64_t i, const struct model *model, const struct run *run,
                struct error *e) {
    const struct showing *showing = context;
    struct rrm_result result = {0};
    struct rrm_model shown;
    if (rrm_model_borrow(model, &shown, e) != 0)
        return -1;
    take_run(showing->session, run, model, &result);
    take_interval(&showing->session->path, i, run, &result);
    int stop = showing->training->visit(showing->training->context, &shown, &result);
    rrm_model_return(&shown);
    return stop == 0 ? 0 : error_interrupted(e, "the visit function ended the training");
}

static int train_data(struct job *job, const struct rrm_training *training,
                      const struct session_outputs *outputs, struct error *e) {
    struct training_session *session = &job->session;
    struct model *start;
    if (take_start(job, training, &start, e) != 0 ||
        session_prepare(session, &job->request, &job->data, start, outputs, e) != 0 ||
        session_begin(session, e) != 0)
        return -1;
    if (job->request.settings.folds > 0 && session_validate(session, true, e) != 0)
        return -1;
    struct showing showing = {training, session};
    const struct path_visitor visitor = {show, &showing};
    return session_train(session, training->visit != NULL && session->map == NULL ? &visitor : NULL,
                         e);
}

/* A model none of whose labels was trained, or no pair of them, predicts nothing. (Where the time limit was the reason,
 * the session fails.) */
static int check_trained(const struct model *model, struct error *e) {
    int64_t untrained = model_untrained(model), least = model->pairs ? 2 : 1;
    return untrained == 0 || model->labels - untrained >= least
               ? 0
               : error_interrupted(e, "the training was interrupted before a label was trained, so "
                                      "there is no model");
}

static int train(struct job *job, struct watcher *watcher, struct error *e) {
    const struct session_outputs outputs = outputs_of(watcher);
    if (check_labels(&job->data, e) != 0 ||
        (streams(job) ? train_stream(job, watcher->training, &outputs, e)
                      : train_data(job, watcher->training, &outputs, e)) != 0 ||
        check_trained(&job->session.model, e) != 0)
        return -1;
    session_judge(&job->session);
    return 0;
}

/* The same with the threads of the settings, which the calling thread has for this time alone. */
static int train_by_threads(struct job *job, struct watcher *watcher, struct error *e) {
    int before = rrm_limit_threads((int)job->request.settings.threads);
    int status = train(job, watcher, e);
    omp_set_num_threads(before);
    return status;
}

static void take_result(const struct training_session *session, struct rrm_result *result) {
    const struct path *path = &session->path;
    take_run(session, path_last(path), &session->model, result);
    /* a path that ended at a value before the last one is cut short, even if that value converged */
    if (path_out_of_time(path))
        result->status = RRM_LIMIT;
    result->passes = path->total.passes;
    result->iterations = path->total.iterations;
    result->seconds = path->seconds;
}

/* The model leaves the session. */
static int take_model(struct training_session *session, struct rrm_model **model, struct error *e) {
    struct model trained = session->model;
    session->model = (struct model){0};
    *model = rrm_model_make(&trained, e);
    return *model == NULL ? -1 : 0;
}

static const char *missing(const struct rrm_data *data, const struct rrm_settings *settings,
                           struct rrm_model **model) {
    if (model == NULL)
        return "model";
    if (data == NULL)
        return "data";
    return settings == NULL ? "settings" : NULL;
}

int rrm_train(const struct rrm_data *data, const struct rrm_settings *settings,
              const struct rrm_training *training, struct rrm_model **model,
              struct rrm_result *result, struct rrm_error *error) {
    const char *argument = missing(data, settings, model);
    if (model != NULL)
        *model = NULL;
    if (result != NULL)
        *result = (struct rrm_result){0};
    if (argument != NULL)
        return rrm_fail_missing(error, argument);
    struct rrm_result unused = {0};
    struct error e = {0};
    struct job job = {0};
    struct watcher watcher = {training != NULL ? training : &(struct rrm_training){0},
                              result != NULL ? result : &unused, rrm_enter()};
    int status = make_request(&job, data, settings, watcher.training, &e);
    if (status == 0)
        status = train_by_threads(&job, &watcher, &e);
    if (status == 0) {
        take_result(&job.session, watcher.result);
        status = take_model(&job.session, model, &e);
    }
    if (status == 0)
        session_saved(&job.session);
    job_close(&job);
    rrm_leave(watcher.locale);
    return status == 0 ? 0 : rrm_fail(error, &e);
}
