/* stream.c - trains on examples as they arrive. */
#include "training/stream.h"

#include "io/feature_hash.h"
#include "io/memory.h"
#include "training/example_weights.h"
#include "training/kernel_settings.h"

#include <math.h>
#include <stdlib.h>

struct streaming {
    const struct training_request *request;
    const struct example_source *source;
    struct monitor *monitor;
    struct stream_result *result;
    double lambda;
    struct stream_state *state; /* NULL before the first block */
    struct dataset block;
    struct dataset first; /* examples collected until the solver can begin */
    double *target;
    int64_t target_capacity;
    int64_t pass;             /* from 0 */
    bool label_seen[2];       /* whether the positive and the other label have occurred */
    double null_loss, weight; /* sums over the examples: weight times loss at score 0; weight */
};

/* The columns that names are hashed to; 0: features are numbers. */
static int32_t hashed_features(const struct training_request *request) {
    return feature_hash_columns((int)request->settings.hash_bits);
}

/* ---- labels */

/* Sets the labels from the first examples. A label that is not known yet is not-a-number. */
static int find_classes(struct streaming *s, const struct dataset *data, struct error *e) {
    struct classes *classes = &s->result->classes;
    double first = data->label[0] + 0.0, largest = first, smallest = first;
    *classes = (struct classes){.vectors = 1};
    if (s->request->risk->task == TASK_REGRESSION)
        return 0;
    for (int64_t i = 1; i < data->rows; i++) {
        largest = fmax(largest, data->label[i]);
        smallest = fmin(smallest, data->label[i]);
    }
    classes->label = memory_new(2, sizeof *classes->label, "labels", e);
    if (classes->label == NULL)
        return -1;
    classes->labels = 2;
    classes->label[0] = s->request->positive_given          ? s->request->settings.positive + 0.0
                        : largest > smallest || largest > 0 ? largest
                                                            : NAN;
    classes->label[1] =
        s->request->positive_given || smallest == classes->label[0] ? NAN : smallest;
    return 0;
}

/* Sets a label that was not known to LABEL. */
static int meet_label(struct streaming *s, double label, struct error *e) {
    struct classes *classes = &s->result->classes;
    int unknown = isnan(classes->label[1]) ? 1 : isnan(classes->label[0]) ? 0 : -1;
    if (unknown < 0 && s->request->positive_given) {
        classes->rest = true; /* a third label counts as negative, as all but the positive do */
        classes->label[1] = classes->label[0] == -1 ? 1 : -1;
        return 0;
    }
    if (unknown < 0) {
        return error_file(e, s->request->data_name,
                          "a third label, %.10g; a stream has two labels, or -P LABEL", label);
    }
    classes->label[unknown] = label;
    if (!s->request->positive_given && classes->label[0] < classes->label[1]) {
        return error_file(e, s->request->data_name,
                          "label %.10g comes after many examples of label %.10g alone; say which "
                          "is positive by -P",
                          label, classes->label[1 - unknown]);
    }
    return 0;
}

static int take_targets(struct streaming *s, const struct dataset *data, struct error *e) {
    const struct classes *classes = &s->result->classes;
    void *grown = s->target;
    if (data->rows > s->target_capacity) {
        if (memory_resize(&grown, data->rows, sizeof *s->target, "targets", e) != 0)
            return -1;
        s->target = grown;
        s->target_capacity = data->rows;
    }
    for (int64_t i = 0; i < data->rows; i++) {
        double label = data->label[i] + 0.0;
        if (classes->labels > 0 && !classes->rest && label != classes->label[0] &&
            label != classes->label[1] && meet_label(s, label, e) != 0)
            return -1;
        s->target[i] = classes->labels == 0 ? label : label == classes->label[0] ? 1 : -1;
        s->label_seen[s->target[i] < 0] = true;
    }
    return 0;
}

/* ---- passes */

/* Begins the run with the first examples. */
static int begin(struct streaming *s, const struct dataset *first, struct error *e) {
    const struct training_request *request = s->request;
    const struct train_settings *settings = &request->settings;
    struct stream_problem problem = {.loss = request->risk->scalar,
                                     .parameters = settings->parameters,
                                     .lambda = s->lambda,
                                     .intercept = settings->intercept};
    if (settings->kernel.map != MAP_NONE) {
        struct map_settings map = kernel_settings_map(request, first->features);
        problem.memory = kernel_settings_limit(request);
        problem.map = s->result->map = map_new(&map, NULL, e);
        if (problem.map == NULL)
            return -1;
    }
    s->state = request->solver->stream->begin(&problem, request->options, first, s->target, e);
    return s->state == NULL ? -1 : 0;
}

/* Adds the loss of a model with weights 0. */
static void add_null_losses(struct streaming *s, const struct dataset *data) {
    for (int64_t i = 0; i < data->rows; i++) {
        double weight = data->weight == NULL ? 1 : data->weight[i], slope;
        s->null_loss += weight * s->request->risk->scalar->value(
                                     0, s->target[i], &s->request->settings.parameters, &slope);
        s->weight += weight;
    }
}

/* Learns DATA; begins the run first if it has not begun. */
static int learn(struct streaming *s, const struct dataset *data, struct error *e) {
    struct dataset *sizes = &s->result->sizes;
    bool first = s->state == NULL;
    if ((first && find_classes(s, data, e) != 0) || take_targets(s, data, e) != 0 ||
        (first && begin(s, data, e) != 0))
        return -1;
    if (data->features > sizes->features)
        sizes->features = data->features;
    sizes->rows += s->pass == 0 ? data->rows : 0;
    sizes->nonzeros += s->pass == 0 ? data->nonzeros : 0;
    add_null_losses(s, data);
    return s->request->solver->stream->learn(s->state, data, s->target, e);
}

/* Learns the collected examples, even if they are fewer than needed. */
static int learn_first(struct streaming *s, struct error *e) {
    int status = s->state == NULL && s->first.rows > 0 ? learn(s, &s->first, e) : 0;
    dataset_free(&s->first);
    return status;
}

/* Learns the block. Before the run has begun, moves examples to those collected until there are exactly as many as
 * needed. */
static int take_block(struct streaming *s, struct error *e) {
    struct dataset remainder = {.features = hashed_features(s->request)};
    int64_t needed, taken;
    int status;
    if (s->request->settings.class_weights > 0 &&
        example_weights_apply(s->request, &s->block, e) != 0)
        return -1;
    if (s->state != NULL)
        return learn(s, &s->block, e);
    needed = s->request->solver->stream->begin_rows(s->request->options) - s->first.rows;
    taken = needed < s->block.rows ? needed : s->block.rows;
    if (dataset_append(&s->first, &s->block, 0, taken, e) != 0)
        return -1;
    if (taken < needed)
        return 0;
    status = dataset_append(&remainder, &s->block, taken, s->block.rows, e);
    if (status == 0)
        status = learn_first(s, e);
    if (status == 0 && remainder.rows > 0)
        status = learn(s, &remainder, e);
    dataset_free(&remainder);
    return status;
}

/* Reports to the monitor; DONE: passes so far. */
static enum verdict report(struct streaming *s, double done) {
    struct stream_progress now;
    s->request->solver->stream->progress(s->state, &now);
    return monitor_report(
        s->monitor, &(struct report){.iteration = now.examples,
                                     .passes = done,
                                     .objective = now.loss + s->lambda / 2 * now.norm * now.norm,
                                     .bound = -INFINITY,
                                     .nonzeros = -1,
                                     .norm = now.norm,
                                     .delta = NAN});
}

static double passes_done(const struct streaming *s, int64_t row) {
    return s->pass == 0 ? 0 : (double)s->pass + (double)row / (double)s->result->sizes.rows;
}

static int pass_over(struct streaming *s, enum verdict *verdict, struct error *e) {
    const struct example_source *source = s->source;
    int64_t row = 0;
    int more = source->rewind(source->context, e) != 0 ? -1 : 1;
    *verdict = VERDICT_GO_ON;
    dataset_free(&s->block); /* another reader's */
    while (more == 1 && *verdict == VERDICT_GO_ON) {
        more = source->read(source->context, &s->block, e);
        if (more == 1) {
            row += s->block.rows;
            more = take_block(s, e) == 0 ? 1 : -1;
        }
        if (more == 1 && s->state != NULL)
            *verdict = report(s, passes_done(s, row));
    }
    return more < 0 ? -1 : learn_first(s, e);
}

static int pass_all(struct streaming *s, enum verdict *verdict, struct error *e) {
    *verdict = VERDICT_GO_ON;
    while (*verdict == VERDICT_GO_ON) {
        if (pass_over(s, verdict, e) != 0)
            return -1;
        if (*verdict == VERDICT_GO_ON) {
            s->pass += !monitor_interrupted(s->monitor);
            *verdict = report(s, (double)s->pass);
        }
    }
    return 0;
}

/* ---- the model */

static int check_data(const struct streaming *s, struct error *e) {
    const struct classes *classes = &s->result->classes;
    const char *path = s->request->data_name;
    struct stream_progress now;
    s->request->solver->stream->progress(s->state, &now);
    if (!(now.weight > 0)) {
        return error_file(e, path, "the examples' weights sum to %g; a positive number is needed",
                          now.weight);
    }
    if (classes->labels > 0 && s->request->positive_given && !s->label_seen[0])
        return error_file(e, path, "label %.10g (-P) does not occur", classes->label[0]);
    if (classes->labels > 0 && !(s->label_seen[0] && s->label_seen[1])) {
        return error_file(e, path, "only one label (%.10g); two are needed",
                          classes->label[s->label_seen[1]]);
    }
    return 0;
}

static int make_model(struct streaming *s, enum verdict verdict, struct model *model,
                      struct run *run, struct error *e) {
    const struct stream_method *method = s->request->solver->stream;
    struct training training = {.request = s->request,
                                .data = &s->result->sizes,
                                .classes = &s->result->classes,
                                .lambda = s->lambda};
    struct dataset sizes = s->result->sizes;
    sizes.features = (int32_t)(method->dimension(s->state) - s->request->settings.intercept);
    training.data = &sizes;
    if (run_model(&training, model, e) != 0)
        return -1;
    method->copy(s->state, model->w);
    run->nonzeros = run_nonzeros(model->w, model->dimension);
    run->vector[0] = (struct vector_run){
        .trained = true, .seconds = monitor_seconds(s->monitor), .nonzeros = run->nonzeros};
    run->total = (struct outcome){.objective = s->monitor->last.objective,
                                  .bound = -INFINITY,
                                  .passes = s->monitor->last.passes,
                                  .iterations = s->monitor->last.iteration,
                                  .verdict = verdict};
    null_model_add(run->total.objective, s->null_loss / s->weight, &run->null);
    run->seconds = run->vector[0].seconds;
    run->trained = 1;
    run->gap = INFINITY;
    if (method->note != NULL)
        method->note(s->state, run->total.note, sizeof run->total.note);
    run->vector[0].outcome = run->total;
    run_finish(&run->total, model);
    return 0;
}

/* A path of one run. */
static int make_path(struct path *path, struct error *e) {
    static const struct path_values one = {.count = 1};
    *path = (struct path){.values = &one, .reached = 1, .done = 1};
    path->run = memory_zeroed(1, sizeof *path->run, "the outcome", e);
    if (path->run == NULL)
        return -1;
    path->run->vectors = 1;
    path->run->vector = memory_zeroed(1, sizeof *path->run->vector, "the outcome", e);
    return path->run->vector == NULL ? -1 : 0;
}

int stream_train(const struct training_request *request, const struct example_source *source,
                 double lambda, struct monitor *monitor, struct stream_result *result,
                 struct model *model, struct path *path, struct error *e) {
    struct streaming s = {.request = request,
                          .source = source,
                          .monitor = monitor,
                          .result = result,
                          .lambda = lambda,
                          .first = {.features = hashed_features(request)}};
    enum verdict verdict = VERDICT_GO_ON;
    int status;
    *result = (struct stream_result){0};
    *model = (struct model){0};
    status = make_path(path, e);
    monitor_begin(monitor, NULL);
    if (status == 0)
        status = pass_all(&s, &verdict, e);
    monitor_end(monitor);
    if (status == 0)
        status = check_data(&s, e);
    if (status == 0)
        status = make_model(&s, verdict, model, path->run, e);
    if (status == 0) {
        path->total = path->run->total;
        path->seconds = path->run->seconds;
        path->gap = path->run->gap;
    }
    if (s.state != NULL)
        request->solver->stream->free(s.state);
    dataset_free(&s.block);
    dataset_free(&s.first);
    free(s.target);
    return status;
}
