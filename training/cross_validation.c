/* cross_validation.c - for each fold, trains on the other folds and predicts the rows of this one. */
#include "training/cross_validation.h"

#include "io/memory.h"
#include "training/calibration.h"
#include "training/example_weights.h"
#include "training/folds.h"
#include "training/lambda_max.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_fold(struct cross_validation *validation, const struct path *path) {
    struct outcome *total = &validation->total;
    validation->seconds += path->seconds;
    validation->gap = fmax(validation->gap, path->gap);
    total->passes = fmax(total->passes, path->total.passes);
    total->iterations += path->total.iterations;
    total->sought |= path->total.sought;
    run_keep_worst(total, &path->total);
    if (path->total.verdict != VERDICT_INTERRUPTED) {
        validation->done++;
        validation->finished = validation->count > 1 ? path->done : 1;
    }
}

static void add_run(struct cross_point *point, const struct run *run) {
    point->folds++;
    point->objective += (run->total.objective - point->objective) / (double)point->folds;
    point->nonzeros += ((double)run->nonzeros - point->nonzeros) / (double)point->folds;
    point->gap = fmax(point->gap, run->gap);
}

struct fold {
    struct cross_validation *validation;
    const struct dataset *test;
    const struct training *training;
    struct monitor *monitor;
};

/* A single lambda counts even if the time limit cut it off; of a path, only finished values count. */
static bool counts(const struct cross_validation *validation, const struct run *run) {
    return run->total.verdict != VERDICT_INTERRUPTED &&
           (run->total.verdict != VERDICT_TIME || validation->count == 1);
}

/* Predicts the fold, by a model with sigmoids where probabilities need them: fitted without the fold, too. */
static int predict(const struct fold *fold, const struct model *model, struct decoding *decoding,
                   struct error *e) {
    struct unknown_features unknown_features = {0}; /* stays 0: all folds have the same features */
    struct model fitted = *model;
    struct training training = *fold->training;
    bool done = true;
    int status = 0;
    training.lambda = model->lambda;
    fitted.sigmoid = NULL;
    if (request_fits_sigmoids(training.request))
        status = calibration_train(&training, fold->monitor, &fitted, &done, e);
    if (!done)
        run_keep_worst(&fold->validation->total,
                       &(struct outcome){.verdict = monitor_interrupted(fold->monitor)
                                                        ? VERDICT_INTERRUPTED
                                                        : VERDICT_TIME});
    if (status == 0 && done)
        status = decoding_data(decoding, &fitted, fold->test, NULL, &unknown_features, e);
    free(fitted.sigmoid);
    return status;
}

/* Predicts the fold by the model at the i-th lambda. */
static int visit(void *context, int64_t i, const struct model *model, const struct run *run,
                 struct error *e) {
    const struct fold *fold = context;
    struct cross_point *point = &fold->validation->point[i];
    if (!counts(fold->validation, run))
        return 0;
    add_run(point, run);
    null_model_join(&run->null, &fold->validation->null);
    return predict(fold, model, point->decoding, e);
}

/* Trains one fold. lambda_max is computed for the fold; without --path and with -c, lambda also. */
static int prepare_fold(struct training *training, double *lambda_max, struct error *e) {
    training->lambda_max = lambda_max;
    if (training->request->settings.path == 0 &&
        example_weights_lambda(training->request, training->data, &training->lambda, e) != 0)
        return -1;
    return lambda_max_find(training, lambda_max, e);
}

static int train_fold(struct training *training, const struct path_values *values,
                      const struct dataset *test, struct monitor *monitor,
                      struct cross_validation *validation, struct error *e) {
    struct fold fold = {
        .validation = validation, .test = test, .training = training, .monitor = monitor};
    const struct path_visitor visitor = {.visit = visit, .context = &fold};
    struct path_values fold_values = {.count = validation->finished, .lambda = values->lambda};
    struct model model = {0};
    struct path path = {0};
    int status;
    if (training->request->settings.path == 0)
        fold_values.lambda = &training->lambda;
    status = path_train(training, &fold_values, &visitor, monitor, &model, &path, e);
    if (status == 0)
        add_fold(validation, &path);
    path_free(&path);
    model_free(&model);
    return status;
}

/* Checks nu for the fold's rows, which are fewer than those of the data. */
static int check_nu(const struct training *all, const char *title, int64_t rows, struct error *e) {
    double nu = all->request->settings.boost.nu;
    return nu <= (double)rows
               ? 0
               : error_usage(e, "--nu %g: out of range: there are %" PRId64 " examples without %s",
                             nu, rows, title);
}

/* Trains one fold and predicts it. A path has the same values in every fold: those of the full data. */
static int run_fold(const struct training *all, const struct path_values *values, int64_t k,
                    const struct dataset *part, const struct dataset *test, struct monitor *monitor,
                    struct cross_validation *validation, struct error *e) {
    struct training training = *all;
    int64_t vectors = all->classes->vectors;
    double *lambda_max = memory_new(vectors, sizeof *lambda_max, "lambda_max", e);
    char title[32];
    int status = -1;
    snprintf(title, sizeof title, "fold %" PRId64, k + 1);
    training.data = part;
    training.title = title;
    training.stream = (uint64_t)(k * values->count * vectors);
    training.runs_after += (validation->folds - k - 1) * vectors;
    if (lambda_max != NULL && check_nu(all, title, part->rows, e) == 0 &&
        prepare_fold(&training, lambda_max, e) == 0)
        status = train_fold(&training, values, test, monitor, validation, e);
    free(lambda_max);
    return status;
}

static int run_folds(const struct training *all, const struct path_values *values,
                     const struct folds *folds, struct monitor *monitor,
                     struct cross_validation *validation, struct error *e) {
    int status = 0;
    for (int64_t k = 0; status == 0 && k < folds->count && validation->finished > 0 &&
                        monitor_poll(monitor) == VERDICT_GO_ON;
         k++) {
        struct dataset part = {0}, test = {0};
        monitor_resume(monitor);
        if (folds_select(folds, all->data, k, false, &part, e) != 0 ||
            folds_select(folds, all->data, k, true, &test, e) != 0)
            status = -1;
        else
            status = run_fold(all, values, k, &part, &test, monitor, validation, e);
        dataset_free(&part);
        dataset_free(&test);
        monitor->settings.time_limit =
            all->request->settings.time_limit; /* the limit without the division by folds */
    }
    monitor_pause(monitor);
    if (validation->done < validation->folds && validation->finished > 0) {
        validation->total.verdict =
            monitor_interrupted(monitor) ? VERDICT_INTERRUPTED : VERDICT_TIME;
    }
    return status;
}

static int make_points(const struct training *all, const struct path_values *values,
                       struct cross_validation *validation, struct error *e) {
    const struct model model = {.labels = all->classes->labels,
                                .label = all->classes->label,
                                .at = all->request->settings.at};
    const struct decoder_settings settings = {
        .model = &model, .probabilities = all->request->settings.probabilities == 1};
    validation->point = memory_zeroed(values->count, sizeof *validation->point, "the path", e);
    if (validation->point == NULL)
        return -1;
    validation->count = validation->finished = values->count;
    for (int64_t i = 0; i < values->count; i++) {
        validation->point[i].lambda = values->lambda[i];
        validation->point[i].decoding = decoding_new(all->request->risk, &settings, e);
        if (validation->point[i].decoding == NULL)
            return -1;
    }
    return 0;
}

/* The index in the lists of the measure that belongs to the risk: "precision@50" before "precision". */
static int find_measure(const struct cross_point *point, const char *name) {
    for (int k = point->measure_count - 1; name != NULL && k > 0; k--) {
        size_t length = strcspn(point->list[k].name, "@");
        if (length == strlen(name) && strncmp(point->list[k].name, name, length) == 0)
            return k;
    }
    return 0;
}

/* Chooses the best point. lambda decreases from point to point. A measure that is not-a-number is never better. */
static void find_best(struct cross_validation *validation) {
    const int chosen_measure = validation->chosen_measure;
    double sign = validation->point[0].list[chosen_measure].error ? -1 : 1;
    if (validation->count > 1 &&
        (validation->done < validation->folds || validation->finished == 0)) {
        validation->best = -1; /* a signal ended a fold, so some lambdas lack measures */
        return;
    }
    for (int64_t i = 1; i < validation->finished; i++) {
        double value = validation->point[i].list[chosen_measure].value;
        double best = validation->point[validation->best].list[chosen_measure].value;
        if (sign * value > sign * best || (isnan(best) && !isnan(value)))
            validation->best = i;
    }
}

static int finish(struct cross_validation *validation, const char *measure, struct error *e) {
    for (int64_t i = 0; i < validation->count; i++) {
        struct cross_point *point = &validation->point[i];
        int64_t rows, unknown;
        point->measure_count = decoding_finish(point->decoding, point->list, &rows, &unknown, e);
        if (point->measure_count < 0)
            return -1;
    }
    validation->chosen_measure = find_measure(&validation->point[0], measure);
    find_best(validation);
    return 0;
}

int cross_validate(const struct training *all, const struct path_values *values,
                   struct monitor *monitor, struct cross_validation *validation, struct error *e) {
    const struct train_settings *s = &all->request->settings;
    struct folds folds;
    int status;
    *validation = (struct cross_validation){.folds = s->folds};
    if (make_points(all, values, validation, e) != 0)
        return -1;
    status = folds_make(all->data, s->folds, s->seed, all->request->data_name, &folds, e);
    if (status == 0)
        status = run_folds(all, values, &folds, monitor, validation, e);
    folds_free(&folds);
    return status == 0 ? finish(validation, all->request->risk->measure, e) : -1;
}

void cross_validation_free(struct cross_validation *validation) {
    for (int64_t i = 0; i < validation->count; i++)
        decoding_free(validation->point[i].decoding);
    free(validation->point);
    *validation = (struct cross_validation){0};
}
