/* choice.c - what holds where a request says nothing. */
#include "training/defaults/choice.h"

#include "io/model/model.h"
#include "math/vector.h"

#include "training/defaults/check.h"
#include "training/defaults/default_solver.h"
#include "training/defaults/default_trial.h"
#include "training/defaults/linear_kernel.h"
#include "training/defaults/solver_memory.h"
#include "training/request/feature_sizes.h"
#include "training/request/kernel_lists.h"
#include "training/request/kernel_settings.h"
#include "training/request/path_text.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* The gap of each solve of a certified path, as a share of the gap at every lambda. Where it falls slowly, a smaller
 * gap costs more than the longer steps save; dual variables end with a gap far below it where they end at all. */
static double certified_share(const struct solver *solver) {
    bool ends_below = solver->mixes && solver->begins_anew == NULL;
    return solver->needs == SOLVER_NEEDS_SMOOTH ? 0.25 : ends_below ? 0.75 : 0.5;
}

/* What the solver takes where nothing was given. */
static void fill_in_solver(struct training_request *request) {
    const struct option_group *group = request_group(request, request->solver->name);
    struct train_settings *s = &request->settings;
    if (!request_given(request, "epsilon"))
        s->epsilon = s->path_gap > 0 ? certified_share(request->solver) * s->path_gap
                                     : request->solver->epsilon;
    if (!request->passes_given)
        s->passes = request->solver->passes;
    request->options = group != NULL ? group->settings : NULL;
}

/* As --multiclass says; by default in kernel machines. */
static bool wants_pairs(const struct training_request *request) {
    if (request_given(request, "multiclass"))
        return request->settings.multiclass == MULTICLASS_OVO;
    return kernel_settings_expands(request) && model_loss_has_pairs(request->risk->name);
}

/* --nu is a parameter of several losses. */
static void fill_in_nu(struct training_request *request) {
    static const double usual_nu = 0.5; /* LIBSVM's */
    struct train_settings *s = &request->settings;
    s->margin.learned = request->risk->learned;
    s->margin.nu = request_given(request, "nu") ? s->nu : usual_nu;
    s->boost.nu = request->risk->boosts ? s->nu : 0;
}

/* What holds where nothing was given. */
static void fill_in(struct training_request *request) {
    struct train_settings *s = &request->settings;
    request->solver_given = request_given(request, "solver");
    request->cost_given = request_given(request, "cost");
    request->positive_given = request_given(request, "positive");
    request->passes_given = request_given(request, "passes");
    request->one_vs_one = wants_pairs(request);
    fill_in_nu(request);
    if (!request_given(request, "time-limit"))
        s->time_limit = INFINITY;
    if (!request->cost_given)
        s->cost = NAN;
    if (request->regularizer->constraint && !request_given(request, "lambda"))
        s->lambda = NAN;
    if (!request->positive_given)
        s->positive = NAN;
    if (s->threads == 0) {
        int threads = omp_get_max_threads(); /* the processors, or OMP_NUM_THREADS */
        s->threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    }
    if (request->solver_given)
        fill_in_solver(request);
}

/* What --search means where nothing else was given. */
static void fill_in_search(struct training_request *request) {
    static const char usual_path[] = "20";
    struct train_settings *s = &request->settings;
    if (!s->search)
        return;
    if (s->path_text == NULL)
        s->path_text = usual_path;
    if (s->folds == 0 && !request->held_out)
        s->folds = 5;
}

/* Its end, which is LIBLINEAR's largest C. */
static void fill_in_search_end(struct training_request *request) {
    static const double largest_cost = 1024;
    struct train_settings *s = &request->settings;
    if (s->search && s->path_to == 0 && !request_given(request, "lambda") && !request->cost_given) {
        request->cost_given = true;
        s->cost = largest_cost;
    }
}

int request_complete(struct training_request *request, struct error *e) {
    fill_in_search(request);
    if (path_text_read(&request->settings, e) != 0 ||
        kernel_lists_read(&request->settings.kernel, e) != 0)
        return -1;
    fill_in(request);
    fill_in_search_end(request);
    return request_check(request, e);
}

/* How far the steps of the groups change the scores of others: struct default_request. */
static double find_overlap(const struct dataset *data, double lambda) {
    double groups = (double)dataset_whole_groups(data);
    if (groups == 0 || data->window != NULL)
        return 0;
    double square = 0;
    for (int64_t k = 0; k < data->nonzeros; k++)
        square += dataset_entry(data, k) * dataset_entry(data, k);
    square = communicator_sum_one(data->communicator, square);
    return square / lambda / (groups * groups);
}

/* Every process has its own rows, so that there they are not asked. */
static struct feature_sizes sizes_asked_for(const struct training_request *request,
                                            const struct dataset *data) {
    bool counts = request->risk->scalar != NULL || request->risk == risk_row_by_name("softmax");
    if (!counts || data->communicator != NULL || data->window != NULL)
        return (struct feature_sizes){0};
    return feature_sizes_find(data);
}

/* Whether another solver may run first: not with a start, a path, or -p. */
static bool takes_trials(const struct training_request *request, const struct dataset *data) {
    const struct train_settings *s = &request->settings;
    bool starts = s->path > 0 || s->path_gap > 0 || request->start_given;
    bool ends_by_gap =
        !request->passes_given && !(request_given(request, "epsilon") && s->epsilon == 0);
    return !starts && ends_by_gap && data->window == NULL && data->communicator == NULL;
}

/* Rows that a disk reads. Over processes these have more than one memory. */
static bool comes_from_disk(const struct dataset *data) {
    return data->window != NULL && data->map != NULL && data->communicator == NULL;
}

static bool slacks_fit(const struct training_request *request, const struct dataset *data) {
    static const double numbers = 4; /* a score and its change, and as much for cuts */
    return comes_from_disk(data) &&
           numbers * sizeof(double) * (double)data->rows <= kernel_settings_limit(request);
}

static bool newton_fits(const struct training_request *request, const struct dataset *data) {
    const struct solver *ipm = solver_by_name("ipm");
    const struct loss *loss = request->risk->scalar;
    if (!comes_from_disk(data) || ipm == NULL || loss == NULL || loss->second == NULL)
        return false;
    double bytes = solver_memory_told(request, ipm, data);
    return bytes > 0 && bytes <= kernel_settings_limit(request);
}

/* Of few features it takes little. */
static bool newton_lacks(const struct training_request *request, const struct dataset *data,
                         int64_t features) {
    static const int64_t few_features = 1000;
    const struct solver *ipm = solver_by_name("ipm");
    return ipm != NULL && features > few_features &&
           solver_memory_told(request, ipm, data) > kernel_settings_limit(request);
}

static struct default_request default_request_of(const struct training_request *request,
                                                 const struct dataset *data, int64_t outputs,
                                                 double lambda) {
    const struct train_settings *s = &request->settings;
    int64_t features = data->features + (s->bias >= 0) + s->intercept;
    const struct feature_sizes sizes = sizes_asked_for(request, data);
    return (struct default_request){.needs = request_needs(request),
                                    .lambda = lambda,
                                    .epsilon = request_given(request, "epsilon") ? s->epsilon : 0,
                                    .rows = dataset_whole_rows(data),
                                    .features = features,
                                    .weights = features * outputs,
                                    .nonzeros = dataset_whole_nonzeros(data),
                                    .overlap = find_overlap(data, lambda),
                                    .uneven = feature_sizes_matter(&sizes, lambda),
                                    .mean_square = sizes.mean_square,
                                    .effective = sizes.effective,
                                    .slacks_fit = slacks_fit(request, data),
                                    .newton_fits = newton_fits(request, data),
                                    .newton_lacks = newton_lacks(request, data, features),
                                    .trials = takes_trials(request, data)};
}

const struct solver *request_default_solver(const struct training_request *request,
                                            const struct dataset *data, int64_t outputs,
                                            double lambda) {
    struct default_request asked = default_request_of(request, data, outputs, lambda);
    asked.needs.batches = false;
    return default_solver(&asked);
}

const struct default_rule *request_default_rule(const struct training_request *request,
                                                const struct dataset *data, int64_t outputs,
                                                double lambda) {
    struct default_request asked = default_request_of(request, data, outputs, lambda);
    asked.needs.batches = false;
    return default_solver_rule(&asked);
}

void request_describe_window(const struct dataset *data, char text[WINDOW_WORDS]) {
    bool file = data->map != NULL;
    snprintf(text, WINDOW_WORDS, "all %sexamples in memory, %.3g MB", file ? "" : "mapped ",
             file ? 1e-6 * (double)data->map_bytes : 8e-6 * (double)data->nonzeros);
}

int request_choose(struct training_request *request, const struct dataset *data, int64_t outputs,
                   double lambda, struct error *e) {
    struct train_settings *s = &request->settings;
    struct default_request asked;
    struct error wrong = {0};
    char all[WINDOW_WORDS];
    request->window = data->window != NULL;
    memset(request->trial, 0, sizeof request->trial);
    if (linear_kernel_replace(request, e) != 0)
        return -1;
    request_describe_window(data, all);
    if (request->window && s->folds > 0)
        return error_usage(e, "-v needs %s; raise --memory", all);
    if (request->solver_given)
        return request->window || request->linear_kernel ? request_check(request, e) : 0;
    asked = default_request_of(request, data, outputs, lambda);
    request->solver = default_solver(&asked);
    if (request->solver == NULL)
        return error_usage(e, "no solver can do this without %s; raise --memory", all);
    request->solver = default_trials(&asked, request->solver, request->trial);
    s->solver = request->solver->name;
    fill_in_solver(request);
    if (request_check(request, &wrong) == 0)
        return 0;
    if (wrong.kind != ERROR_MEMORY)
        return error_usage(e, "solver %s (by default): %s", s->solver, wrong.words);
    *e = wrong;
    return -1;
}
