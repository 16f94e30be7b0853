/* example_weights.c - what each example counts. */
#include "training/request/example_weights.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

static int ensure_weights(struct dataset *data, struct error *e) {
    if (data->weight != NULL)
        return 0;
    data->weight = memory_new(data->rows, sizeof *data->weight, "example weights", e);
    if (data->weight == NULL)
        return -1;
    for (int64_t i = 0; i < data->rows; i++)
        data->weight[i] = 1;
    return 0;
}

int example_weights_multiply(struct dataset *data, const double *factor, struct error *e) {
    if (ensure_weights(data, e) != 0)
        return -1;
    for (int64_t i = 0; i < data->rows; i++)
        data->weight[i] *= factor[i];
    return 0;
}

/* The last one given for a label counts. */
static double class_weight(const struct train_settings *settings, double label) {
    for (int64_t k = settings->class_weights; k-- > 0;)
        if (settings->class_weight[k].label == label)
            return settings->class_weight[k].weight;
    return 1;
}

double example_weights_sum(const struct dataset *data) {
    double sum = data->weight == NULL ? (double)data->rows : 0;
    for (int64_t i = 0; data->weight != NULL && i < data->rows; i++)
        sum += data->weight[i];
    return communicator_sum_one(data->communicator, sum);
}

/* Weights that are all 1 are the same as none, and leave the same random choices. */
static void drop_ones(struct dataset *data) {
    for (int64_t i = 0; data->weight != NULL && i < data->rows; i++)
        if (data->weight[i] != 1)
            return;
    free(data->weight);
    data->weight = NULL;
}

/* The weights that remain are within the range, as smaller ones are nothing beside others. */
static int limit_weights(struct dataset *data, struct error *e) {
    for (int64_t i = 0; data->weight != NULL && i < data->rows; i++) {
        if (data->weight[i] > example_weight_most)
            return error_set(e, "the weight of an example is %g; at most %g", data->weight[i],
                             example_weight_most);
        if (data->weight[i] < example_weight_least)
            data->weight[i] = 0;
    }
    return 0;
}

int example_weights_classes(const struct training_request *request, struct dataset *data,
                            struct error *e) {
    const struct train_settings *settings = &request->settings;
    if (settings->class_weights > 0) {
        if (ensure_weights(data, e) != 0)
            return -1;
        for (int64_t i = 0; i < data->rows; i++)
            data->weight[i] *= class_weight(settings, data->label[i]);
    }
    drop_ones(data);
    return limit_weights(data, e);
}

int example_weights_apply(const struct training_request *request, struct dataset *data,
                          struct error *e) {
    double sum;
    if (example_weights_classes(request, data, e) != 0)
        return -1;
    sum = example_weights_sum(data);
    if (!isfinite(sum) || sum <= 0) {
        return error_file(e, request->data_name,
                          "the examples' weights sum to %g; a positive number is needed", sum);
    }
    return 0;
}

/* The same of groups, whose rows have one weight each; a risk of groups refuses others. */
static double group_weight_sum(const struct dataset *data) {
    double sum = data->weight == NULL ? (double)data->groups : 0;
    for (int64_t g = 0; data->weight != NULL && g < data->groups; g++)
        sum += data->weight[data->group_start[g]];
    return communicator_sum_one(data->communicator, sum);
}

int example_weights_lambda(const struct training_request *request, const struct dataset *data,
                           double *lambda, struct error *e) {
    const struct train_settings *settings = &request->settings;
    if (request->regularizer->constraint) {
        *lambda = 1;
        return 0;
    }
    *lambda = settings->lambda;
    if (request->risk->learned == LEARNS_MARGIN || request->risk->learned == LEARNS_LEVEL) {
        *lambda = 1 / example_weights_sum(data); /* coefficients as large as LIBSVM's */
    } else if (request->cost_given) {
        *lambda = 1 / (settings->cost * (task_has_groups(request->risk->task)
                                             ? group_weight_sum(data)
                                             : example_weights_sum(data)));
    }
    if (!(*lambda >= LAMBDA_LEAST) || !isfinite(*lambda)) {
        return error_usage(e, "-c %g: out of range: lambda = 1/(C m) would be %g; at least %g",
                           settings->cost, *lambda, LAMBDA_LEAST);
    }
    return 0;
}

static bool label_occurs(const struct dataset *data, double label) {
    bool occurs = false;
    for (int64_t i = 0; i < data->rows && !occurs; i++)
        occurs = data->label[i] == label;
    return communicator_any(data->communicator, occurs);
}

void example_weights_mark(const struct training_request *request, const struct dataset *data,
                          bool *occurs) {
    for (int64_t k = 0; k < request->settings.class_weights; k++)
        occurs[k] = occurs[k] || label_occurs(data, request->settings.class_weight[k].label);
}

const struct class_weight *example_weights_unused(const struct training_request *request,
                                                  const struct dataset *data) {
    for (int64_t k = 0; k < request->settings.class_weights; k++)
        if (!label_occurs(data, request->settings.class_weight[k].label))
            return &request->settings.class_weight[k];
    return NULL;
}
