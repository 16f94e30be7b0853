/* decided.c - which predictions of the exact minimizer are known; see decided.h. */
#include "training/search/decided.h"

#include "matrix/design.h"
#include "training/request/request.h"
#include "training/search/measure_choice.h"

#include <math.h>
#include <string.h>

/* Whether the models are linear with l2 and without an offset, and no sigmoids choose their labels. */
static bool are_linear(const struct training_request *request) {
    return request->risk->scalar != NULL && strcmp(request->regularizer->name, "l2") == 0 &&
           !request->settings.intercept && !request->solver->is_kernel_expansion &&
           request->settings.kernel.map == MAP_NONE;
}

/* Whether w* gives row i the label that w does, where the row's score is SCORE and ||w - w*|| at most RADIUS. */
static bool is_sure(double score, double radius, const struct dataset *data, int64_t i,
                    double bias) {
    return fabs(score) > radius * sqrt(row_square(data, i, bias));
}

bool decided_begin(const struct training *training, const struct model *model,
                   const struct run *run, struct decided *decided, struct decided_rows *rows) {
    double gap = fmax(run->total.objective - run->total.bound, 0);
    *rows = (struct decided_rows){
        .model = model, .radius = sqrt(2 * gap / model->lambda), .decided = decided};
    return model->vectors == 1 && model->labels == 2 && are_linear(training->request) &&
           !model_is_calibrated(model) && isfinite(rows->radius);
}

int decided_visit(void *context, const struct decoded *decoded, struct error *e) {
    const struct decided_rows *rows = context;
    const struct model *model = rows->model;
    (void)e;
    for (int64_t i = 0; i < decoded->rows; i++) {
        int64_t row = decoded->first + i;
        double label = decoded->data->label[row];
        if (isnan(label))
            continue;
        if (model->against_rest && label != model->label[0])
            label = model->label[1];
        rows->decided->rows++;
        if (!is_sure(decoded->scores[i], rows->radius, decoded->data, row, model->bias))
            continue;
        if (label == model->label[decoded->choice[i]])
            rows->decided->right++;
        else
            rows->decided->wrong++;
    }
    return 0;
}

/* Whether row i is so, or has no label. */
static bool is_decided(const struct decided_fold *fold, int64_t i, const double *w, double radius) {
    const struct dataset *test = fold->test;
    double score = row_dot(w, test, i, dataset_values(test, i));
    if (fold->bias >= 0)
        score += fold->bias * w[test->features];
    return isnan(test->label[i]) || is_sure(score, radius, test, i, fold->bias);
}

static bool is_enough(void *context, const struct problem *problem, const double *w, double gap) {
    struct decided_fold *fold = context;
    double radius = sqrt(2 * fmax(gap, 0) / problem->lambda);
    for (int64_t k = 0; k < fold->test->rows; k++) {
        if (!is_decided(fold, fold->open, w, radius))
            return false;
        fold->open = (fold->open + 1) % fold->test->rows;
    }
    return true;
}

bool decided_fold_begin(const struct training *training, const struct dataset *test,
                        struct decided_fold *fold) {
    const struct training_request *request = training->request;
    const struct classes *classes = training->classes;
    *fold = (struct decided_fold){.test = test,
                                  .bias = request->settings.bias,
                                  .enough = {.is_enough = is_enough, .context = fold}};
    return classes->vectors == 1 && classes->labels == 2 && are_linear(request) &&
           measure_choice_is_of_labels(request) && !request_fits_sigmoids(request);
}
