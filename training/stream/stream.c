/* stream.c - trains on examples as they arrive. */
#include "training/stream/stream.h"

#include "io/feature_hash.h"
#include "io/memory.h"
#include "training/defaults/weights_memory.h"
#include "training/request/example_weights.h"
#include "training/request/kernel_settings.h"
#include "training/run/kernel_model.h"
#include "training/run/scale_data.h"
#include "training/run/warm_start.h"
#include "training/stream/stream_labels.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE_SCORES = 1 << 20 }; /* scores of the rows that are learned at a time */

struct streaming {
    const struct training_request *request;
    const struct example_source *source;
    struct monitor *monitor;
    struct stream_result *result;
    double lambda;
    struct model *start;        /* of -i; NULL: none */
    struct stream_state *state; /* NULL before the first block */
    struct stream_labels labels;
    struct dataset block;
    struct dataset first; /* examples collected until the solver can begin */
    double *target, *score;
    int64_t target_capacity, score_capacity;
    int64_t pass;     /* from 0 */
    int64_t row;      /* rows of this pass that are learned, */
    uint64_t hash;    /* and their hash, if there is a checkpoint */
    int64_t skip;     /* of these rows, how many are still to be read again */
    uint64_t skipped; /* hash of those that were */
    bool turns;       /* the state that was taken is of another pass than the first */
    bool learned;     /* some row of the latest block */
};

/* The features that there are at least: with names, the columns that these are hashed to. */
static int32_t least_features(const struct training_request *request,
                              const struct example_source *source) {
    int32_t hashed = feature_hash_columns((int)request->settings.hash_bits);
    return hashed > source->features ? hashed : source->features;
}

/* ---- the beginning */

static int make_map(struct streaming *s, const struct dataset *first,
                    struct stream_problem *problem, struct error *e) {
    const struct training_request *request = s->request;
    const struct map_settings settings = kernel_settings_map(request, first->features);
    const int64_t landmarks = request->settings.kernel.landmarks;
    if (s->start != NULL &&
        kernel_model_check_start(s->start, &settings, landmarks, request->start_name, e) != 0)
        return -1;
    if (settings.kind == MAP_NONE)
        return 0;
    problem->memory = kernel_settings_limit(request);
    problem->map = s->result->map = map_new(&settings, NULL, e);
    if (problem->map == NULL)
        return -1;
    return s->start == NULL ? 0 : kernel_model_unmap(s->start, problem->map, e);
}

/* The vectors begin at those of the start, which are the first ones; those of further labels begin at 0. A start that
 * does not say how many examples trained it counts as one of as many as the solver needs to begin. */
static int take_start(struct streaming *s, struct error *e) {
    const struct stream_method *method = s->request->solver->stream;
    const struct classes *classes = &s->result->classes;
    int64_t n = method->dimension(s->state), examples = s->start->examples;
    double *w = memory_new(n, sizeof *w, "the start", e);
    if (w == NULL)
        return -1;
    if (examples == 0)
        examples = method->begin_rows(s->request->options);
    for (int64_t k = 0; k < classes->vectors && (k == 0 || k < s->start->labels); k++) {
        warm_start_vector(s->start, classes, k, n - s->request->settings.intercept, w);
        method->start(s->state, k, w, examples);
    }
    free(w);
    return 0;
}

/* Begins the run with the first examples. */
static int begin(struct streaming *s, const struct dataset *first, struct error *e) {
    const struct training_request *request = s->request;
    const struct train_settings *settings = &request->settings;
    const struct classes *classes = &s->result->classes;
    struct stream_problem problem = {.loss = request->risk->scalar,
                                     .parameters = settings->parameters,
                                     .lambda = s->lambda,
                                     .intercept = settings->intercept,
                                     .vectors = classes->vectors};
    if (make_map(s, first, &problem, e) != 0 ||
        (problem.map == NULL &&
         weights_memory_check(request, first->features, classes->vectors, e) != 0))
        return -1;
    if (s->start != NULL && problem.map == NULL)
        problem.features = (int32_t)s->start->features;
    s->state = request->solver->stream->begin(&problem, request->options, first, s->target, e);
    if (s->state == NULL ||
        progressive_init(&s->result->progressive, problem.loss, &problem.parameters,
                         problem.vectors, &s->result->visitor, e) != 0)
        return -1;
    return s->start == NULL ? 0 : take_start(s, e);
}

/* ---- examples */

/* Makes sure that *array has room for COUNT numbers. */
static int reserve(double **array, int64_t *capacity, int64_t count, const char *what,
                   struct error *e) {
    return memory_reserve((void **)array, capacity, count, sizeof **array, what, e);
}

/* Shows the rows of a slice and their scores to the validation. */
static int validate(struct streaming *s, const struct stream_rows *rows, struct error *e) {
    const struct dataset *block = rows->block;
    const struct classes *classes = &s->result->classes;
    int64_t width = stream_scores(classes->vectors);
    for (int64_t i = rows->from; i < rows->to; i++) {
        const double *score = rows->score + (i - rows->from) * width;
        double predicted = stream_labels_predict(&s->labels, score), target = rows->target[i];
        bool right =
            classes->vectors == 1 ? (score[0] > 0) == (target > 0) : predicted == block->label[i];
        const struct progressive_example example = {
            .weight = block->weight == NULL ? 1 : block->weight[i],
            .score = score,
            .target = target,
            .label = block->label[i],
            .predicted = predicted,
            .classes = classes->labels > 0,
            .right = right,
            .features = dataset_count(block, i)};
        if (progressive_add(&s->result->progressive, &example, e) != 0)
            return -1;
    }
    return 0;
}

/* Learns rows from <= i < to, whose targets are known. */
static int learn_rows(struct streaming *s, const struct dataset *data, int64_t from, int64_t to,
                      struct error *e) {
    int64_t width = stream_scores(s->result->classes.vectors);
    int64_t slice = width < SLICE_SCORES ? SLICE_SCORES / width : 1;
    for (int64_t i = from; i < to; i += slice) {
        int64_t end = i + slice < to ? i + slice : to;
        if (reserve(&s->score, &s->score_capacity, (end - i) * width, "scores", e) != 0)
            return -1;
        const struct stream_rows rows = {data, i, end, s->target, s->score};
        if (s->request->solver->stream->learn(s->state, &rows, e) != 0 ||
            validate(s, &rows, e) != 0)
            return -1;
    }
    return 0;
}

/* A label that did not occur before gets a vector. */
static int add_label(struct streaming *s, double label, struct error *e) {
    return stream_labels_add(&s->labels, label, e) == 0 &&
                   s->request->solver->stream->add_vector(s->state, e) == 0
               ? progressive_add_vector(&s->result->progressive, e)
               : -1;
}

/* Learns the rows; those before a further label are learned before its vector is made. */
static int learn_all(struct streaming *s, const struct dataset *data, struct error *e) {
    int64_t from = 0, before = s->row - data->rows;
    for (int64_t i = 0; i < data->rows; i++) {
        int further =
            stream_labels_target(&s->labels, data->label[i], before + i + 1, &s->target[i], e);
        if (further < 0)
            return -1;
        if (further == 0)
            continue;
        if (learn_rows(s, data, from, i, e) != 0 || add_label(s, data->label[i], e) != 0)
            return -1;
        from = i;
    }
    return learn_rows(s, data, from, data->rows, e);
}

/* Finds the labels of the first examples, and begins. */
static int begin_with(struct streaming *s, const struct dataset *first, struct error *e) {
    if (stream_labels_find(&s->labels, first, s->start, e) != 0 ||
        (s->start != NULL && (scale_data_check_start(s->request, s->start, e) != 0 ||
                              warm_start_check(s->request, &s->result->classes, s->start, e) != 0)))
        return -1;
    for (int64_t i = 0; i < first->rows; i++) {
        int further = stream_labels_target(&s->labels, first->label[i], i + 1, &s->target[i], e);
        if (further < 0 || (further == 1 && stream_labels_add(&s->labels, first->label[i], e) != 0))
            return -1;
    }
    return begin(s, first, e);
}

/* ---- a checkpoint */

static void visit_labels(struct streaming *s, struct state *state) {
    struct classes *classes = &s->result->classes;
    int64_t labels = state_integer(state, classes->labels, classes->labels, CLASSES_MOST);
    while (classes->labels < labels && !state_failed(state))
        if (classes->vectors == 1 || stream_labels_add(&s->labels, 0, state_cause(state)) != 0)
            state_fail(state);
    if (!state_failed(state))
        state_doubles(state, classes->label, classes->labels);
    classes->against_rest = state_flag(state, classes->against_rest);
    for (int i = 0; i < 2; i++)
        s->labels.seen[i] = state_flag(state, s->labels.seen[i]);
    for (int64_t k = 0; k < s->request->settings.class_weights; k++)
        s->result->weighted[k] = state_flag(state, s->result->weighted[k]);
}

/* After a block. */
static void visit(struct state *state, void *context) {
    struct streaming *s = context;
    struct dataset *sizes = &s->result->sizes;
    s->pass = state_integer(state, s->pass, 0, INT64_MAX - 1);
    s->row = state_integer(state, s->row, 0, INT64_MAX);
    state_bytes(state, &s->hash, sizeof s->hash);
    sizes->rows = state_integer(state, sizes->rows, 0, INT64_MAX);
    sizes->nonzeros = state_integer(state, sizes->nonzeros, 0, INT64_MAX);
    sizes->features = (int32_t)state_integer(state, sizes->features, 0, INT32_MAX);
    visit_labels(s, state);
    progressive_visit(&s->result->progressive, state);
    s->request->solver->stream->visit(s->state, state);
    if (state_reads(state) && s->result->progressive.vectors != s->result->classes.vectors)
        state_fail(state);
}

/* The run begins, or goes on where the checkpoint has it. */
static int enter(struct streaming *s, struct error *e) {
    enum checkpoint_entry entry = monitor_enter_run(s->monitor, visit, s, e);
    if (entry == CHECKPOINT_GOES_ON) {
        s->skip = s->row;
        s->turns = s->pass > 0;
    }
    return entry == CHECKPOINT_REFUSED ? -1 : 0;
}

static uint64_t mix(uint64_t hash, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 29;
}

/* Adds the rows to *hash. It does not depend on whether values or weights of 1 are stored. */
static void add_hash(const struct dataset *data, int64_t rows, uint64_t *hash) {
    for (int64_t i = 0; i < rows; i++) {
        const double *value = dataset_values(data, i);
        const int32_t *column = dataset_columns(data, i);
        *hash = mix(mix(*hash, data->label[i]), data->weight == NULL ? 1 : data->weight[i]);
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            *hash = mix(mix(*hash, column[k]), value == NULL ? 1 : value[k]);
    }
}

static int refuse_other_data(const struct streaming *s, struct error *e) {
    return error_file(e, s->request->data_name,
                      "other examples than those of the checkpoint; remove it to begin anew");
}

/* Passes over the rows that the state has learned; how many of DATA these are, or -1 with the error set. */
static int64_t skip(struct streaming *s, const struct dataset *data, struct error *e) {
    int64_t rows = s->skip < data->rows ? s->skip : data->rows;
    if (rows == 0)
        return 0;
    add_hash(data, rows, &s->skipped);
    s->skip -= rows;
    return s->skip == 0 && s->skipped != s->hash ? refuse_other_data(s, e) : rows;
}

/* ---- blocks */

/* Learns DATA, all of which is new. */
static int learn_new(struct streaming *s, const struct dataset *data, struct error *e) {
    struct dataset *sizes = &s->result->sizes;
    if (data->features > sizes->features)
        sizes->features = data->features;
    sizes->rows += s->pass == 0 ? data->rows : 0;
    sizes->nonzeros += s->pass == 0 ? data->nonzeros : 0;
    s->row += data->rows;
    s->learned = true;
    if (s->monitor->settings.checkpoint != NULL)
        add_hash(data, data->rows, &s->hash);
    return learn_all(s, data, e);
}

/* Learns DATA; begins the run first if it has not begun. */
static int learn(struct streaming *s, const struct dataset *data, struct error *e) {
    struct dataset remainder = {.features = least_features(s->request, s->source)};
    if (reserve(&s->target, &s->target_capacity, data->rows, "targets", e) != 0 ||
        (s->state == NULL && (begin_with(s, data, e) != 0 || enter(s, e) != 0)))
        return -1;
    if (s->turns)
        return 0;
    int64_t known = skip(s, data, e);
    if (known <= 0)
        return known < 0 ? -1 : learn_new(s, data, e);
    if (known == data->rows)
        return 0;
    int status = dataset_append(&remainder, data, known, data->rows, e);
    if (status == 0)
        status = learn_new(s, &remainder, e);
    dataset_free(&remainder);
    return status;
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
    struct dataset remainder = {.features = least_features(s->request, s->source)};
    int64_t needed, taken;
    int status;
    if (s->request->settings.class_weights > 0) {
        example_weights_mark(s->request, &s->block, s->result->weighted);
        if (example_weights_classes(s->request, &s->block, e) != 0)
            return -1;
    }
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

/* The square of the norm of all vectors. */
static double norm_square(const struct streaming *s) {
    double sum = 0;
    for (int64_t k = 0; k < stream_models(s->result->classes.vectors); k++)
        sum += s->request->solver->stream->square(s->state, k);
    return sum;
}

/* The objective, with the loss of each example before it was learned. */
static double objective(const struct streaming *s) {
    return progressive_loss(&s->result->progressive) + s->lambda / 2 * norm_square(s);
}

/* Reports to the monitor; DONE: passes so far. */
static enum verdict report(struct streaming *s, double done) {
    return monitor_report(s->monitor,
                          &(struct report){.iteration = s->result->progressive.now.examples,
                                           .passes = done,
                                           .objective = objective(s),
                                           .bound = -INFINITY,
                                           .nonzeros = -1,
                                           .norm = sqrt(norm_square(s)),
                                           .delta = NAN});
}

static double passes_done(const struct streaming *s) {
    return s->pass == 0 ? 0 : (double)s->pass + (double)s->row / (double)s->result->sizes.rows;
}

/* Reads a block and learns it, but for what is known already. As the source's `read`. */
static int read_block(struct streaming *s, enum verdict *verdict, struct error *e) {
    s->learned = false;
    int more = s->source->read(s->source->context, &s->block, e);
    if (more == 1 && take_block(s, e) != 0)
        return -1;
    if (s->learned)
        *verdict = report(s, passes_done(s));
    if (*verdict == VERDICT_GO_ON && s->state != NULL && s->skip == 0 && monitor_save(s->monitor))
        *verdict = VERDICT_INTERRUPTED;
    return more;
}

static int pass_over(struct streaming *s, enum verdict *verdict, struct error *e) {
    int more = s->source->rewind(s->source->context, e) != 0 ? -1 : 1;
    *verdict = VERDICT_GO_ON;
    dataset_free(&s->block); /* another reader's */
    while (more == 1 && *verdict == VERDICT_GO_ON && !s->turns)
        more = read_block(s, verdict, e);
    if (more < 0 || learn_first(s, e) != 0)
        return -1;
    if (s->turns)
        return 0;
    if (s->skip > 0)
        return refuse_other_data(s, e);
    return progressive_close(&s->result->progressive, e);
}

/* The next pass, or that of the state that was taken. */
static void turn(struct streaming *s) {
    if (!s->turns && monitor_poll(s->monitor) == VERDICT_GO_ON) {
        s->pass++;
        s->row = 0;
        s->hash = 0;
    }
    s->skipped = 0;
    s->turns = false;
}

static int pass_all(struct streaming *s, enum verdict *verdict, struct error *e) {
    *verdict = VERDICT_GO_ON;
    while (*verdict == VERDICT_GO_ON) {
        if (pass_over(s, verdict, e) != 0)
            return -1;
        if (*verdict == VERDICT_GO_ON) { /* the source ended, or was told to */
            bool again = s->turns;
            turn(s);
            if (!again)
                *verdict = report(s, (double)s->pass);
        }
    }
    return 0;
}

/* ---- the model */

static int check_data(const struct streaming *s, enum verdict verdict, struct error *e) {
    double weight = s->result->progressive.now.weight;
    if (s->state == NULL && verdict == VERDICT_TIME)
        return error_time(e, "no example was learned within the limit of %g s; raise -t",
                          s->request->settings.time_limit);
    if (s->state == NULL && verdict == VERDICT_INTERRUPTED)
        return error_interrupted(e, "%s before an example was learned, so there is no model",
                                 monitor_interruption(s->monitor));
    if (!(weight > 0)) {
        return error_file(e, s->request->data_name,
                          "the examples' weights sum to %g; a positive number is needed", weight);
    }
    return stream_labels_check(&s->labels, e);
}

/* Copies the vectors to the model in the order of its labels. */
static void copy_vectors(const struct streaming *s, const int64_t *order, struct model *model,
                         struct run *run) {
    const struct stream_method *method = s->request->solver->stream;
    for (int64_t k = 0; k < run->vectors; k++) {
        const struct progressive_vector *losses = &s->result->progressive.vector[order[k]];
        double *w = model->w + k * model->dimension;
        double penalty = s->lambda / 2 * method->square(s->state, order[k]);
        struct progressive_means late = progressive_late(&s->result->progressive, order[k]);
        method->copy(s->state, order[k], w);
        run->vector[k] = (struct vector_run){.trained = true,
                                             .seconds = monitor_seconds(s->monitor),
                                             .nonzeros = run_nonzeros(w, model->dimension),
                                             .outcome = run->total};
        run->vector[k].outcome.objective = losses->all.loss + penalty;
        run->nonzeros += run->vector[k].nonzeros;
        null_model_add(late.loss + penalty, late.null_loss, &run->null);
    }
}

static int make_vectors(struct streaming *s, struct model *model, struct run *run,
                        struct error *e) {
    struct training training = {.request = s->request,
                                .data = &s->result->sizes,
                                .classes = &s->result->classes,
                                .lambda = s->lambda};
    struct dataset sizes = s->result->sizes;
    int64_t *order = memory_new(s->result->classes.vectors, sizeof *order, "labels", e);
    int64_t vectors = stream_models(s->result->classes.vectors);
    int status = -1;
    sizes.features =
        (int32_t)(s->request->solver->stream->dimension(s->state) - s->request->settings.intercept);
    training.data = &sizes;
    run->vectors = run->trained = run->labels = run->labels_trained = vectors;
    run->vector = memory_zeroed(vectors, sizeof *run->vector, "the outcome", e);
    if (order != NULL && run->vector != NULL) {
        stream_labels_finish(&s->labels, order);
        status = run_model(&training, model, e);
    }
    if (status == 0)
        copy_vectors(s, order, model, run);
    free(order);
    return status;
}

static void warn_of_order(const struct streaming *s) {
    const struct progressive *losses = &s->result->progressive;
    if (progressive_is_sorted(losses))
        monitor_warn(s->monitor,
                     "the labels come in long runs: in %" PRId64 " examples %" PRId64
                     " have another label than the one before, and what comes last counts most; "
                     "shuffle the lines (shuf), or use a solver that sees all examples at once",
                     losses->counted, losses->changes);
}

static int make_model(struct streaming *s, enum verdict verdict, struct model *model,
                      struct run *run, struct error *e) {
    const struct stream_method *method = s->request->solver->stream;
    /* A run that goes on and is interrupted before it learns anything has reported nothing. */
    run->total = (struct outcome){.objective = objective(s),
                                  .bound = -INFINITY,
                                  .passes = passes_done(s),
                                  .iterations = s->result->progressive.now.examples,
                                  .verdict = verdict};
    warn_of_order(s);
    if (method->note != NULL)
        method->note(s->state, run->total.note, sizeof run->total.note);
    run->seconds = monitor_seconds(s->monitor);
    run->gap = INFINITY;
    if (make_vectors(s, model, run, e) != 0)
        return -1;
    model->examples = run->total.iterations + (s->start != NULL ? s->start->examples : 0);
    run_finish(&run->total, model);
    return 0;
}

/* A path of one run. */
static int make_path(struct path *path, struct error *e) {
    static const struct path_values one = {.count = 1};
    *path = (struct path){.values = &one, .reached = 1, .done = 1};
    path->run = memory_zeroed(1, sizeof *path->run, "the outcome", e);
    return path->run == NULL ? -1 : 0;
}

int stream_train(const struct training_request *request, const struct example_source *source,
                 struct model *start, double lambda, struct monitor *monitor,
                 const struct progressive_visitor *visitor, struct stream_result *result,
                 struct model *model, struct path *path, struct error *e) {
    struct streaming s = {.request = request,
                          .source = source,
                          .monitor = monitor,
                          .result = result,
                          .lambda = lambda,
                          .start = start,
                          .labels = {.request = request, .classes = &result->classes},
                          .first = {.features = least_features(request, source)}};
    enum verdict verdict = VERDICT_GO_ON;
    int status;
    *result = (struct stream_result){.visitor = *visitor};
    *model = (struct model){0};
    status = make_path(path, e);
    result->weighted =
        memory_zeroed(request->settings.class_weights + 1, sizeof *result->weighted, "labels", e);
    if (result->weighted == NULL)
        status = -1;
    monitor_begin(monitor, NULL);
    if (status == 0)
        status = pass_all(&s, &verdict, e);
    monitor_end(monitor);
    if (status == 0)
        status = check_data(&s, verdict, e);
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
    free(s.score);
    return status;
}
