/* cross_validation.c - trains on part of the rows and predicts the others; see cross_validation.h. */
#include "training/search/cross_validation.h"

#include "io/memory.h"
#include "training/classes/parallel_runs.h"
#include "training/request/example_weights.h"
#include "training/run/lambda_max.h"
#include "training/search/calibration.h"
#include "training/search/folds.h"
#include "training/search/measure_choice.h"
#include "training/search/scaled_fold.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void add_outcome(struct cross_validation *validation, double seconds, double gap,
                        const struct outcome *one) {
    struct outcome *total = &validation->total;
    validation->seconds += seconds;
    validation->gap = fmax(validation->gap, gap);
    total->passes = fmax(total->passes, one->passes);
    total->iterations += one->iterations;
    total->sought |= one->sought;
    run_keep_worst(total, one);
}

static void add_fold(struct cross_validation *validation, const struct path *path) {
    add_outcome(validation, path->seconds, path->gap, &path->total);
    if (path->total.verdict != VERDICT_INTERRUPTED) {
        validation->done++;
        if (validation->count > 1 && path->done < validation->finished)
            validation->finished = path->done;
    }
}

static void add_run(struct cross_point *point, const struct run *run) {
    point->folds++;
    point->objective += (run->total.objective - point->objective) / (double)point->folds;
    point->nonzeros += ((double)run->nonzeros - point->nonzeros) / (double)point->folds;
    point->gap = fmax(point->gap, run->gap);
}

struct fold {
    int64_t k;
    const struct training *training;
    struct monitor *monitor;
    struct cross_validation *validation;
    const struct dataset *test;
};

/* ---- the order of the folds */

/* Waits until the folds before K, which were begun before it, have passed *turn. False: the training ends. */
static bool wait_turn(const int64_t *turn, int64_t k, const struct monitor *monitor) {
    static const struct timespec moment = {.tv_nsec = 100000};
    for (;;) {
        int64_t now;
#pragma omp atomic read seq_cst
        now = *turn;
        if (now == k)
            return true;
        if (monitor_interrupted(monitor))
            return false;
        nanosleep(&moment, NULL);
    }
}

static void pass_turn(int64_t *turn) {
#pragma omp atomic update seq_cst
    *turn += 1;
}

/* ---- measures of a fold */

/* Adds the fold's own value of the measure (Welford). */
static int add_value(const struct training *all, struct decoding *decoding,
                     struct cross_point *point, struct error *e) {
    struct measure list[MEASURES_MAX];
    int count = decoding_finish(decoding, list, NULL, e);
    if (count <= 0)
        return count;
    double value = list[measure_choice_find(all->request, list, count)].value;
    double deviation = value - point->fold_mean;
    point->fold_mean += deviation / (double)point->folds;
    point->fold_square += deviation * (value - point->fold_mean);
    return 0;
}

/* Measures the fold alone, for the standard error. */
static int measure_fold(const struct fold *fold, const struct model *model,
                        struct cross_point *point, struct error *e) {
    struct unknown_features unknown = {0};
    struct decoding *decoding;
    if (fold->validation->folds == 1 || fold->validation->count == 1)
        return 0;
    decoding = measure_choice_decoding(fold->training, e);
    int status =
        decoding == NULL ? -1 : decoding_data(decoding, model, fold->test, NULL, &unknown, e);
    if (status == 0)
        status = add_value(fold->training, decoding, point, e);
    decoding_free(decoding);
    return status;
}

/* A single lambda counts even if the time limit cut it off; of a path, only finished values count. */
static bool counts(const struct cross_validation *validation, const struct run *run) {
    return run->total.verdict != VERDICT_INTERRUPTED &&
           (run->total.verdict != VERDICT_TIME || validation->count == 1);
}

/* Predicts the fold by the model of a point, in the fold's turn. */
static int measure_point(const struct fold *fold, struct cross_point *point,
                         const struct model *model, const struct run *run, struct error *e) {
    struct unknown_features unknown_features = {
        0}; /* of held-out rows; all folds have the same features */
    if (measure_fold(fold, model, point, e) != 0)
        return -1;
    struct decided_rows rows;
    const struct decoded_visitor visitor = {.visit = decided_visit, .context = &rows};
    bool known = decided_begin(fold->training, model, run, &point->decided, &rows);
    point->decided.known = known && (point->decided.known || point->folds == 1);
    return decoding_data(point->decoding, model, fold->test, known ? &visitor : NULL,
                         &unknown_features, e);
}

/* Gives the model sigmoids where probabilities need them: fitted without the fold, too. *done: whether they were. */
static int fit_sigmoids(const struct fold *fold, struct model *model, bool *done, struct error *e) {
    struct training training = *fold->training;
    *done = true;
    model->sigmoid = NULL;
    model->isotonic = NULL;
    model->isotonics = 0;
    training.lambda = model->lambda;
    return request_fits_sigmoids(training.request)
               ? calibration_train(&training, fold->monitor, model, done, e)
               : 0;
}

/* Counts the run in the fold's turn, and measures its model unless its sigmoids were cut off. */
static int count_point(const struct fold *fold, struct cross_point *point,
                       const struct model *model, bool fitted, const struct run *run,
                       struct error *e) {
    add_run(point, run);
    null_model_join(&run->null, &point->null);
    if (fitted)
        return measure_point(fold, point, model, run, e);
    bool interrupted = monitor_interrupted(fold->monitor);
    run_keep_worst(&point->sigmoids,
                   &(struct outcome){.verdict = interrupted ? VERDICT_INTERRUPTED : VERDICT_TIME});
    return 0;
}

/* A path_visitor. */
static int visit(void *context, int64_t i, const struct model *model, const struct run *run,
                 struct error *e) {
    const struct fold *fold = context;
    struct cross_point *point = &fold->validation->point[i];
    struct model fitted = *model;
    bool done;
    if (!counts(fold->validation, run))
        return 0;
    int status = fit_sigmoids(fold, &fitted, &done, e);
    if (status == 0 && wait_turn(&point->turn, fold->k, fold->monitor)) {
        status = count_point(fold, point, &fitted, done, run, e);
        pass_turn(&point->turn);
    }
    model_free_calibration(&fitted);
    return status;
}

/* Lets the next fold go on where this one did not come to. PATH: that of the fold; NULL: it was not trained. */
static void end_fold(const struct fold *fold, const struct path *path) {
    struct cross_validation *validation = fold->validation;
    for (int64_t i = 0; i < validation->count; i++) {
        int64_t turn;
#pragma omp atomic read seq_cst
        turn = validation->point[i].turn;
        if (turn <= fold->k && wait_turn(&validation->point[i].turn, fold->k, fold->monitor))
            pass_turn(&validation->point[i].turn);
    }
    if (!wait_turn(&validation->turn, fold->k, fold->monitor) && path == NULL)
        return;
#pragma omp critical(cross_validation_end)
    if (path != NULL)
        add_fold(validation, path);
    pass_turn(&validation->turn);
}

/* Trains one fold. lambda_max is computed for the fold; without --path and with -c, lambda also. */
static int prepare_fold(struct training *training, double *lambda_max, struct error *e) {
    training->lambda_max = lambda_max;
    if (training->request->settings.path == 0 &&
        example_weights_lambda(training->request, training->data, &training->lambda, e) != 0)
        return -1;
    return lambda_max_find(training, lambda_max, e);
}

static int train_fold(struct training *training, const struct path_values *values, int64_t k,
                      const struct dataset *test, struct monitor *monitor,
                      struct cross_validation *validation, struct error *e) {
    struct fold fold = {
        .k = k, .training = training, .monitor = monitor, .validation = validation, .test = test};
    const struct path_visitor visitor = {.visit = visit, .context = &fold};
    struct path_values fold_values = {.lambda = values->lambda};
    struct decided_fold decided;
    struct model model = {0};
    struct path path = {0};
    int status;
#pragma omp critical(cross_validation_end)
    fold_values.count = validation->finished;
    if (training->request->settings.path == 0)
        fold_values.lambda = &training->lambda;
    if (validation->folds > 1 && values->count > 1 && decided_fold_begin(training, test, &decided))
        training->enough = &decided.enough;
    status = path_train(training, &fold_values, &visitor, monitor, &model, &path, e);
    end_fold(&fold, status == 0 ? &path : NULL);
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

/* Says that the training failed without a fold: of all data the message may be wrong. */
static void name_fold(const char *title, struct error *e) {
    char words[sizeof e->words];
    if (e == NULL || e->kind != ERROR_FAILURE || e->file[0] != '\0' ||
        strncmp(e->words, title, strlen(title)) == 0)
        return;
    memcpy(words, e->words, sizeof words);
    snprintf(e->words, sizeof e->words, "with %s left out: %.450s", title, words);
}

/* Trains one fold and predicts it. A path has the same values in every fold: those of the full data. */
static int run_fold(const struct training *all, const struct path_values *values, int64_t k,
                    const struct dataset *train, const struct dataset *test,
                    struct monitor *monitor, struct cross_validation *validation, struct error *e) {
    int threads = parallel_runs_threads_of(all, monitor, validation->folds);
    struct training training = *all;
    int64_t vectors = all->classes->vectors;
    double *lambda_max = memory_new(vectors, sizeof *lambda_max, "lambda_max", e);
    char title[32];
    int status = -1;
    snprintf(title, sizeof title, "fold %" PRId64, k + 1);
    training.data = train;
    training.title = validation->folds > 1 ? title : NULL;
    training.stream = (uint64_t)(k * values->count * vectors);
    training.runs_after += parallel_runs_behind(k, validation->folds, threads) * vectors;
    if (lambda_max != NULL && check_nu(all, title, train->rows, e) == 0 &&
        prepare_fold(&training, lambda_max, e) == 0)
        status = train_fold(&training, values, k, test, monitor, validation, e);
    if (status != 0 && validation->folds > 1)
        name_fold(title, e);
    free(lambda_max);
    return status;
}

/* With --scale: trains and predicts rows that were scaled by the training rows alone. */
static int run_scaled(const struct training *all, const struct path_values *values, int64_t k,
                      const struct dataset *train, const struct dataset *test,
                      struct monitor *monitor, struct cross_validation *validation,
                      struct error *e) {
    struct training training = *all;
    struct scaled_fold scaled;
    training.unscaled = train; /* for the folds of -b 1 */
    int status = scaled_fold_init(all, train, test, &scaled, e);
    if (status == 0)
        status = run_fold(&training, values, k, &scaled.train.data, &scaled.test.data, monitor,
                          validation, e);
    scaled_fold_free(&scaled);
    return status;
}

/* What the folds share. */
struct fold_runs {
    const struct training *all;
    const struct path_values *values;
    struct folds folds;
    struct cross_validation *validation;
};

/* Copies of the rows: of the others, and of the fold. */
static int select_rows(struct fold_runs *runs, int64_t k, struct dataset *train,
                       struct dataset *test, struct error *e) {
    const struct dataset *data =
        runs->all->unscaled != NULL ? runs->all->unscaled : runs->all->data;
    int status;
#pragma omp critical(cross_validation_rows)
    status = folds_select(&runs->folds, data, k, false, train, e) != 0 ||
                     folds_select(&runs->folds, data, k, true, test, e) != 0
                 ? -1
                 : 0;
    return status;
}

/* A parallel_run: one fold, unless the time is over. */
static int run_next(void *context, int64_t k, struct monitor *monitor, struct error *e) {
    struct fold_runs *runs = context;
    struct dataset train = {0}, test = {0};
    struct fold fold = {.k = k, .monitor = monitor, .validation = runs->validation};
    int64_t finished;
#pragma omp critical(cross_validation_end)
    finished = runs->validation->finished;
    if (finished == 0 || monitor_poll(monitor) != VERDICT_GO_ON) {
        end_fold(&fold, NULL);
        return 0;
    }
    monitor_resume(monitor);
    int status = select_rows(runs, k, &train, &test, e);
    if (status == 0)
        status = (runs->all->unscaled != NULL ? run_scaled : run_fold)(
            runs->all, runs->values, k, &train, &test, monitor, runs->validation, e);
    dataset_free(&train);
    dataset_free(&test);
    monitor->settings.time_limit =
        runs->all->request->settings.time_limit; /* the limit without the division by folds */
    monitor_pause(monitor);
    return status;
}

static int run_folds(const struct training *all, const struct path_values *values,
                     struct monitor *monitor, struct cross_validation *validation,
                     struct error *e) {
    struct fold_runs runs = {.all = all, .values = values, .validation = validation};
    const struct train_settings *s = &all->request->settings;
    int status = folds_make(all->data, s->folds, s->seed, all->request->data_name, &runs.folds, e);
    for (int64_t k = 0; status == 0 && all->journal != NULL && k < s->folds; k++)
        status = run_next(&runs, k, monitor, e);
    if (status == 0 && all->journal == NULL)
        status = parallel_runs(monitor, s->folds, run_next, &runs, e);
    folds_free(&runs.folds);
    if (validation->done < validation->folds && validation->finished > 0) {
        validation->total.verdict =
            monitor_interrupted(monitor) ? VERDICT_INTERRUPTED : VERDICT_TIME;
    }
    return status;
}

static int make_points(const struct training *all, const struct path_values *values,
                       struct cross_validation *validation, struct error *e) {
    const struct kernel_settings *kernel = &all->request->settings.kernel;
    validation->point = memory_zeroed(values->count, sizeof *validation->point, "the path", e);
    if (validation->point == NULL)
        return -1;
    validation->count = validation->finished = values->count;
    for (int64_t i = 0; i < values->count; i++) {
        validation->point[i].lambda = values->lambda[i];
        validation->point[i].place = i;
        validation->point[i].gamma = kernel->gammas.count > 1 ? kernel->gamma : NAN;
        validation->point[i].landmarks = kernel->landmark_counts.count > 1 ? kernel->landmarks : 0;
        validation->point[i].pair = kernel->pair;
        validation->point[i].decoding = measure_choice_decoding(all, e);
        if (validation->point[i].decoding == NULL)
            return -1;
    }
    return 0;
}

/* Whether the mean over the folds of the chosen measure at point i is better than another. */
static bool is_better(const struct cross_validation *validation, int64_t i, double other) {
    double sign = validation->point[0].list[validation->chosen_measure].error ? -1 : 1;
    return sign * validation->point[i].fold_mean > sign * other;
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

/* The largest lambda whose measure is within a standard error of the best one's, of the same kernel. */
static void choose(struct cross_validation *validation, int chosen) {
    validation->chosen = validation->best;
    if (validation->best <= 0 || chosen == CHOSEN_BEST)
        return;
    const struct cross_point *best = &validation->point[validation->best];
    for (int64_t i = validation->best - 1; i >= validation->best - best->place; i--)
        if (fabs(validation->point[i].fold_mean - best->fold_mean) <= best->standard_error ||
            is_better(validation, i, best->fold_mean))
            validation->chosen = i;
}

/* Folds count different points at once, so that what belongs to all points is joined at the end, in their order. */
static void join_points(struct cross_validation *validation) {
    for (int64_t i = 0; i < validation->count; i++) {
        null_model_join(&validation->point[i].null, &validation->null);
        run_keep_worst(&validation->total, &validation->point[i].sigmoids);
    }
}

static int finish(struct cross_validation *validation, const struct training_request *request,
                  struct error *e) {
    join_points(validation);
    for (int64_t i = 0; i < validation->count; i++) {
        struct cross_point *point = &validation->point[i];
        double folds = (double)point->folds;
        point->measure_count = decoding_finish(point->decoding, point->list, NULL, e);
        if (point->measure_count < 0)
            return -1;
        point->standard_error = sqrt(point->fold_square / (folds - 1) / folds); /* 0/0 for one */
    }
    const struct cross_point *first = &validation->point[0];
    validation->chosen_measure = measure_choice_find(request, first->list, first->measure_count);
    find_best(validation);
    choose(validation, request->settings.chosen);
    bool chooses = validation->count > 1 && validation->best >= 0 && first->measure_count > 0;
    return chooses ? measure_choice_check_value(
                         &validation->point[validation->best].list[validation->chosen_measure], e)
                   : 0;
}

int cross_validation_join(struct cross_validation *total, struct cross_validation *one,
                          const struct training_request *request, struct error *e) {
    void *grown = total->point;
    if (memory_resize(&grown, total->count + one->count, sizeof *total->point, "the path", e) != 0)
        return -1;
    total->point = grown;
    memcpy(total->point + total->count, one->point, sizeof *one->point * (size_t)one->count);
    total->finished = total->count + one->finished;
    total->count += one->count;
    one->count = 0; /* the points belong to the total */
    total->done = one->done < total->done ? one->done : total->done;
    add_outcome(total, one->seconds, one->gap, &one->total);
    null_model_join(&one->null, &total->null);
    find_best(total);
    choose(total, request->settings.chosen);
    return 0;
}

/* Trains on all rows, and predicts those that are held out. */
static int run_held_out(const struct training *all, const struct path_values *values,
                        const struct dataset *held_out, struct monitor *monitor,
                        struct cross_validation *validation, struct error *e) {
    monitor_resume(monitor);
    int status = all->unscaled == NULL
                     ? run_fold(all, values, 0, all->data, held_out, monitor, validation, e)
                     : run_scaled(all, values, 0, all->unscaled, held_out, monitor, validation, e);
    monitor_pause(monitor);
    monitor->settings.time_limit = all->request->settings.time_limit;
    return status;
}

int cross_validate(const struct training *all, const struct path_values *values,
                   const struct dataset *held_out, struct monitor *monitor,
                   struct cross_validation *validation, struct error *e) {
    const struct train_settings *s = &all->request->settings;
    int status;
    *validation = (struct cross_validation){.folds = held_out != NULL ? 1 : s->folds};
    if (measure_choice_check_labels(all->request, all->classes->labels, e) != 0 ||
        make_points(all, values, validation, e) != 0)
        return -1;
    status = held_out != NULL ? run_held_out(all, values, held_out, monitor, validation, e)
                              : run_folds(all, values, monitor, validation, e);
    return status == 0 ? finish(validation, all->request, e) : -1;
}

void cross_validation_free(struct cross_validation *validation) {
    for (int64_t i = 0; i < validation->count; i++)
        decoding_free(validation->point[i].decoding);
    free(validation->point);
    *validation = (struct cross_validation){0};
}
