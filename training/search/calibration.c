/* calibration.c - fits the sigmoids of a model; see calibration.h.
 *
 * A problem is what one run of the training trains: a pair of labels, a label against the rest, two labels, or all
 * labels together. */
#include "training/search/calibration.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "prediction/predictor.h"
#include "training/classes/one_vs_one.h"
#include "training/classes/parallel_runs.h"
#include "training/request/example_weights.h"
#include "training/search/folds.h"
#include "training/search/isotonic_fit.h"
#include "training/search/scaled_fold.h"
#include "training/search/sigmoid_fit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct calibration {
    const struct training *training;
    struct model *model;
    int64_t problems;
    int threads;
    atomic_bool cut; /* a limit or a signal ended a run */
};

/* The cross-validated scores of a problem. */
struct scoring {
    struct calibration *calibration;
    const struct training *problem;
    int64_t outputs;
    double *scores; /* rows x outputs */
    struct folds folds;
};

/* ---- a fold */

/* Scores of examples whose fold leaves one label alone to be trained: 1 or -1, as in LIBSVM. False: there are two. */
static bool score_single(const struct scoring *scoring, const struct dataset *train, int64_t rows,
                         double *scores) {
    const struct classes *classes = scoring->problem->classes;
    int64_t positives = 0;
    for (int64_t i = 0; i < train->rows; i++)
        positives += train->label[i] == classes->label[0];
    if (classes->joint || (positives > 0 && positives < train->rows))
        return false;
    for (int64_t i = 0; i < rows; i++)
        scores[i] = positives > 0 ? 1 : -1;
    return true;
}

static int score_rows(const struct model *model, const struct dataset *test, double *scores,
                      struct error *e) {
    struct unknown_features unknown = {0}; /* stays 0: all folds have the same features */
    struct predictor *predictor = predictor_new(model, e);
    int status = predictor == NULL
                     ? -1
                     : predictor_scores(predictor, test, 0, test->rows, scores, &unknown, e);
    predictor_free(predictor);
    return status;
}

/* The largest nu of TRAIN, as in canonical_start: twice the smaller class's share of the weights. */
static double largest_nu(const struct scoring *scoring, const struct dataset *train) {
    double positive = 0, negative = 0;
    for (int64_t i = 0; i < train->rows; i++) {
        bool first = train->label[i] == scoring->problem->classes->label[0];
        *(first ? &positive : &negative) += train->weight != NULL ? train->weight[i] : 1;
    }
    return 2 * fmin(positive, negative) / (positive + negative);
}

/* The scores of TEST by a training on TRAIN. A learned margin's nu may be too large for TRAIN alone. */
static int train_fold(const struct scoring *scoring, const struct dataset *train,
                      const struct dataset *test, struct training *t, struct monitor *monitor,
                      double *scores, struct error *e) {
    struct training_request request = *t->request;
    struct model model = {0};
    struct run run = {0};
    double *nu = &request.settings.margin.nu;
    double all = example_weights_sum(scoring->problem->data), sum = example_weights_sum(train);
    if (!(sum > 0))
        return error_file(
            e, t->request->data_name,
            "-b 1: the examples' weights without a fold sum to %g; a positive number is needed",
            sum);
    if (request.risk->learned == LEARNS_MARGIN)
        *nu = fmin(*nu, largest_nu(scoring, train));
    t->request = &request;
    t->data = train;
    if (!t->request->regularizer->constraint)
        t->lambda *= all / sum;
    int status = run_train(t, monitor, &model, &run, e);
    if (status == 0 &&
        (run.total.verdict == VERDICT_TIME || run.total.verdict == VERDICT_INTERRUPTED))
        atomic_store(&scoring->calibration->cut, true);
    if (status == 0)
        status = score_rows(&model, test, scores, e);
    run_free(&run);
    model_free(&model);
    return status;
}

/* Puts the scores of a fold's rows in their places. */
static void place_scores(const struct scoring *scoring, int64_t fold, const double *scores) {
    const struct dataset *data = scoring->problem->data;
    for (int64_t i = 0; i < data->rows; i++)
        if (scoring->folds.fold[i] == fold) {
            memcpy(scoring->scores + i * scoring->outputs, scores,
                   sizeof *scores * (size_t)scoring->outputs);
            scores += scoring->outputs;
        }
}

/* Trains without the fold and scores it, unless one label alone is left. */
static int score_fold(const struct scoring *scoring, int64_t fold, const struct dataset *train,
                      const struct dataset *test, struct training *t, struct monitor *monitor,
                      struct error *e) {
    double *scores = memory_new(test->rows * scoring->outputs, sizeof *scores, "scores", e);
    int status = scores == NULL ? -1
                 : score_single(scoring, train, test->rows, scores)
                     ? 0
                     : train_fold(scoring, train, test, t, monitor, scores, e);
    if (status == 0)
        place_scores(scoring, fold, scores);
    free(scores);
    return status;
}

/* The same with rows that are scaled by those of TRAIN alone. */
static int score_scaled(const struct scoring *scoring, int64_t fold, const struct dataset *train,
                        const struct dataset *test, struct training *t, struct monitor *monitor,
                        struct error *e) {
    struct scaled_fold scaled;
    int status = scaled_fold_init(t, train, test, &scaled, e);
    if (status == 0)
        status = score_fold(scoring, fold, &scaled.train.data, &scaled.test.data, t, monitor, e);
    scaled_fold_free(&scaled);
    return status;
}

static int run_fold(const struct scoring *scoring, int64_t fold, int64_t runs_after,
                    struct monitor *monitor, struct error *e) {
    struct training t = *scoring->problem;
    const struct dataset *data = t.unscaled != NULL ? t.unscaled : t.data;
    struct dataset train = {0}, test = {0};
    char title[128];
    int status = -1;
    snprintf(title, sizeof title, "probabilities, %s%sfold %lld", t.title != NULL ? t.title : "",
             t.title != NULL ? ", " : "", (long long)fold + 1);
    t.title = title;
    t.runs_after = runs_after;
    t.stream += (uint64_t)fold;
    if (folds_select(&scoring->folds, data, fold, false, &train, e) == 0 &&
        folds_select(&scoring->folds, data, fold, true, &test, e) == 0)
        status = (t.unscaled != NULL ? score_scaled : score_fold)(scoring, fold, &train, &test, &t,
                                                                  monitor, e);
    dataset_free(&train);
    dataset_free(&test);
    return status;
}

/* ---- a problem */

/* The sigmoid or the isotonic regression of vector V. */
static int fit_vector(struct model *model, int64_t v, const double *score, const double *target,
                      int64_t rows, struct error *e) {
    if (model->isotonic != NULL)
        return isotonic_fit(score, target, rows, &model->isotonic[v], e);
    sigmoid_fit(score, target, rows, model->sigmoid + 2 * v);
    return 0;
}

/* PLACE: the first vector of the problem. */
static int fit_outputs(const struct scoring *scoring, int64_t place, struct error *e) {
    const struct training *t = scoring->problem;
    int64_t rows = t->data->rows;
    double *score = memory_new(rows, sizeof *score, "scores", e);
    double *target = memory_new(rows, sizeof *target, "targets", e);
    int status = score == NULL || target == NULL ? -1 : 0;
    for (int64_t v = 0; status == 0 && v < scoring->outputs; v++) {
        for (int64_t i = 0; i < rows; i++) {
            score[i] = scoring->scores[i * scoring->outputs + v];
            target[i] = t->data->label[i] == t->classes->label[v] ? 1 : -1;
        }
        status = fit_vector(scoring->calibration->model, place + v, score, target, rows, e);
    }
    free(score);
    free(target);
    return status;
}

/* Runs the folds of problem K, and fits the vectors from PLACE on, one for each output. */
static int fit_problem(struct calibration *c, int64_t k, const struct training *problem,
                       struct monitor *monitor, int64_t place, struct error *e) {
    struct scoring scoring = {
        .calibration = c, .problem = problem, .outputs = classes_outputs(problem->classes)};
    int64_t rows = problem->data->rows;
    int64_t folds = rows < CALIBRATION_FOLDS ? rows : CALIBRATION_FOLDS;
    const struct train_settings *settings = &problem->request->settings;
    scoring.scores = memory_new(rows * scoring.outputs, sizeof *scoring.scores, "scores", e);
    int status = scoring.scores == NULL
                     ? -1
                     : folds_make(problem->data, folds, settings->seed, problem->request->data_name,
                                  &scoring.folds, e);
    int64_t left = folds * (1 + parallel_runs_behind(k, c->problems, c->threads));
    for (int64_t f = 0; status == 0 && f < folds && !atomic_load(&c->cut); f++)
        status = run_fold(&scoring, f, --left, monitor, e);
    if (status == 0 && !atomic_load(&c->cut))
        status = fit_outputs(&scoring, place, e);
    folds_free(&scoring.folds);
    free(scoring.scores);
    return status;
}

static bool occurs(const struct dataset *data, double label) {
    for (int64_t i = 0; i < data->rows; i++)
        if (data->label[i] == label)
            return true;
    return false;
}

/* A pair for which the training part of a fold lacks a label: the other one is certain. */
static int fit_empty_pair(const struct calibration *c, int64_t k, const struct pair_training *pair,
                          const struct dataset *data, struct error *e) {
    static const double certain = 50; /* exp(-50) is below the rounding of 1 */
    double first = occurs(data, pair->label[0]), second = occurs(data, pair->label[1]);
    double score = 0, target = first > 0 ? 1 : -1;
    if (c->model->isotonic != NULL)
        return isotonic_fit(&score, &target, 1, &c->model->isotonic[k], e);
    c->model->sigmoid[2 * k] = 0;
    c->model->sigmoid[2 * k + 1] = (second - first) * certain;
    return 0;
}

static int fit_pair(struct calibration *c, int64_t k, const struct training *t,
                    struct monitor *monitor, struct error *e) {
    struct pair_training pair;
    struct dataset unscaled = {0};
    int status = pair_training_init(t, k, &pair, e);
    if (status == 0 && pair.empty) {
        status = fit_empty_pair(c, k, &pair, t->data, e);
        pair_training_free(&pair);
        return status;
    }
    if (status == 0 && t->unscaled != NULL) {
        status = dataset_select(t->unscaled, pair.row, pair.data.rows, &unscaled, e);
        pair.training.unscaled = &unscaled;
    }
    if (status == 0)
        status = fit_problem(c, k, &pair.training, monitor, k, e);
    dataset_free(&unscaled);
    pair_training_free(&pair);
    return status;
}

/* A label against the rest. */
static int fit_label(struct calibration *c, int64_t k, const struct training *t,
                     struct monitor *monitor, struct error *e) {
    double label[2] = {t->classes->label[k], t->classes->label[k == 0]};
    const struct classes classes = {.labels = 2,
                                    .label = label,
                                    .against_rest = true,
                                    .vectors = 1,
                                    .scalar = t->classes->scalar};
    struct training problem = *t;
    char title[32];
    snprintf(title, sizeof title, "label %.10g", label[0]);
    problem.classes = &classes;
    problem.title = title;
    return fit_problem(c, k, &problem, monitor, k, e);
}

/* A parallel_run: problem K. */
static int fit(void *context, int64_t k, struct monitor *monitor, struct error *e) {
    struct calibration *c = context;
    const struct classes *classes = c->training->classes;
    struct kernel_part kernel;
    struct training t = *c->training;
    monitor->settings.time_limit = t.request->settings.time_limit;
    if (monitor_poll(monitor) != VERDICT_GO_ON)
        atomic_store(&c->cut, true);
    if (atomic_load(&c->cut))
        return 0;
    if (t.kernel != NULL) {
        kernel = (struct kernel_part){.kernel = t.kernel->kernel, .basis = t.kernel->basis};
        t.kernel = &kernel;
    }
    t.start = NULL;
    t.lambda_max = NULL;
    if (t.request->settings.kernel.map != MAP_NONE)
        t.unscaled = NULL; /* the map is of the scaled features of all rows */
    t.stream = (uint64_t)(classes->vectors + k * CALIBRATION_FOLDS);
    if (classes->pairs) {
        t.stream -= (uint64_t)k; /* pair_training_init adds it */
        return fit_pair(c, k, &t, monitor, e);
    }
    return classes->vectors > 1 ? fit_label(c, k, &t, monitor, e)
                                : fit_problem(c, k, &t, monitor, 0, e);
}

static int allocate(const struct training *t, struct model *model, struct error *e) {
    if (t->request->settings.calibration == CALIBRATION_SIGMOID) {
        model->sigmoid = memory_zeroed(2 * model->vectors, sizeof(double), "sigmoids", e);
        return model->sigmoid == NULL ? -1 : 0;
    }
    model->isotonic =
        memory_zeroed(model->vectors, sizeof *model->isotonic, "isotonic regression", e);
    model->isotonics = model->isotonic == NULL ? 0 : model->vectors;
    return model->isotonic == NULL ? -1 : 0;
}

/* All problems: with a journal, which counts their vectors fold by fold, one after another. */
static int fit_all(struct calibration *c, struct monitor *monitor, struct error *e) {
    int status = 0;
    if (c->training->journal == NULL)
        return parallel_runs(monitor, c->problems, fit, c, e);
    for (int64_t k = 0; status == 0 && k < c->problems && !monitor_interrupted(monitor); k++)
        status = fit(c, k, monitor, e);
    return status;
}

int calibration_train(const struct training *t, struct monitor *monitor, struct model *model,
                      bool *done, struct error *e) {
    int64_t problems = t->classes->vectors;
    struct calibration c = {.training = t,
                            .model = model,
                            .problems = problems,
                            .threads = parallel_runs_threads_of(t, monitor, problems)};
    int status = allocate(t, model, e);
    if (status == 0)
        status = fit_all(&c, monitor, e);
    *done = status == 0 && !atomic_load(&c.cut) && monitor_poll(monitor) != VERDICT_INTERRUPTED;
    if (!*done)
        model_free_calibration(model);
    return status;
}
