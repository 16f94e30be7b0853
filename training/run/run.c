/* run.c - training the weight vectors of one model, one after another. */
#include "training/run/run.h"

#include "io/memory.h"
#include "io/model/label_pairs.h"
#include "risk/boost.h"
#include "training/classes/joint_weights.h"
#include "training/classes/one_vs_one.h"
#include "training/classes/parallel_runs.h"
#include "training/classes/vector_training.h"
#include "training/run/journal.h"
#include "training/run/kernel_model.h"
#include "training/run/scale_data.h"
#include "training/run/support_start.h"
#include "training/run/warm_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_name(char name[MODEL_NAME], const char *text) {
    snprintf(name, MODEL_NAME, "%s", text);
}

static int set_labels(const struct classes *classes, struct model *model, struct error *e) {
    model->labels = classes->labels;
    model->against_rest = classes->against_rest;
    model->vectors = classes_outputs(classes);
    model->pairs = classes->pairs;
    if (classes->labels == 0)
        return 0;
    model->label = memory_new(classes->labels, sizeof *model->label, "labels", e);
    if (model->label == NULL)
        return -1;
    memcpy(model->label, classes->label, sizeof *model->label * (size_t)classes->labels);
    return 0;
}

/* Whether the vectors have coefficients for different rows. */
static bool has_own_rows(const struct training *t) {
    return t->classes->pairs && t->request->solver->is_kernel_expansion;
}

int run_model(const struct training *t, struct model *model, struct error *e) {
    const struct train_settings *s = &t->request->settings;
    const struct boost_parameters boost = boost_chosen(s->boost, t->data->rows);
    bool learns = t->request->risk->learned != LEARNS_NOTHING;
    *model = (struct model){.tube = s->parameters.tube,
                            .quantile = s->parameters.quantile,
                            .huber = s->parameters.huber,
                            .nu = learns ? s->margin.nu : boost.nu,
                            .at = s->at,
                            .eta = boost.eta,
                            .elastic = s->regularizer_parameters.elastic,
                            .ball = s->regularizer_parameters.ball,
                            .lambda = t->lambda,
                            .bias = s->bias,
                            .intercept = s->intercept,
                            .zero_based = t->request->zero_based,
                            .hash_bits = s->hash_bits,
                            .seed = s->seed,
                            .features = t->data->features};
    if (t->request->risk->features > model->features)
        model->features = t->request->risk->features;
    set_name(model->solver, t->request->solver->name);
    set_name(model->loss, t->request->risk->name);
    set_name(model->regularizer, t->request->regularizer->name);
    model->dimension = t->request->solver->is_kernel_expansion
                           ? t->data->rows + t->kernel->basis->count
                           : model->features + (s->bias >= 0) + s->intercept;
    if (set_labels(t->classes, model, e) != 0)
        return -1;
    if (t->request->risk->shared != NULL)
        model->shared = t->request->risk->shared(model->labels);
    if (t->scaling != NULL && scale_data_keep(t->scaling, model, e) != 0)
        return -1;
    model->w = memory_zeroed(has_own_rows(t) ? pairs_weights(t) : model_weights(model),
                             sizeof *model->w, "the weights", e);
    return model->w == NULL ? -1 : 0;
}

int64_t run_nonzeros(double *w, int64_t n) {
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++) {
        if (w[j] == 0 && signbit(w[j]))
            w[j] = 0;
        count += w[j] != 0;
    }
    return count;
}

double run_share(const struct training *t, int64_t runs, int64_t all,
                 const struct monitor *monitor) {
    double limit = t->deadline > 0 ? t->deadline : t->request->settings.time_limit;
    double spent = monitor_seconds(monitor);
    return spent + fmax(0, limit - spent) * ((double)runs / (double)all);
}

/* The runs that are left, K of them done, share the time that is left, THREADS of them at once; where others took more
 * than theirs, each still has half of its share. */
static void share_time(const struct training *t, int64_t k, int threads, struct monitor *monitor) {
    int64_t vectors = t->classes->vectors, all = vectors + t->runs_after;
    double share = run_share(t, 1, (all - k + threads - 1) / threads, monitor);
    double half = t->request->settings.time_limit / (2 * ceil((double)all / threads));
    monitor->settings.time_limit =
        vectors > 1 ? fmax(share, monitor_seconds(monitor) + half) : share;
}

void run_keep_worst(struct outcome *total, const struct outcome *one) {
    if (one->verdict > total->verdict) { /* the verdicts stand from best to worst */
        total->verdict = one->verdict;
        total->obstacle = one->obstacle;
    }
    if (total->note[0] == '\0')
        memcpy(total->note, one->note, sizeof total->note);
    if (total->finished_by[0] == '\0')
        memcpy(total->finished_by, one->finished_by, sizeof total->finished_by);
}

enum { NONE_YET = -1 }; /* run->tried, before the first vector */

static void add(struct run *run, const struct vector_run *vector) {
    const struct outcome *one = &vector->outcome;
    struct outcome *total = &run->total;
    run->trained += vector->trained;
    run->seconds += vector->seconds;
    run->nonzeros += vector->nonzeros;
    run->gap = fmax(run->gap, outcome_gap(one));
    total->objective += one->objective;
    total->bound += one->bound;
    total->passes = fmax(total->passes, one->passes);
    total->iterations += one->iterations;
    total->sought |= one->sought;
    total->penalty += one->penalty;
    run->mixed &= vector->mixed || vector->empty;
    if (!vector->empty)
        run->tried = run->tried == NONE_YET || run->tried == vector->tried ? vector->tried : 0;
    total->low = fmax(total->low, one->low);
    total->high = fmin(total->high, one->high);
    run_keep_worst(total, one);
}

/* Where the weights of each vector begin, and the last end. The caller frees it. NULL with the error set. */
static int64_t *find_starts(const struct training *t, const struct model *model, struct error *e) {
    int64_t vectors = t->classes->vectors;
    int64_t each = t->classes->joint ? model_weights(model) : model->dimension;
    int64_t *start = memory_zeroed(vectors + 1, sizeof *start, "the weights", e);
    for (int64_t k = 0; start != NULL && k < vectors; k++) {
        int64_t size = each;
        if (has_own_rows(t)) {
            struct pair_rows own;
            pair_rows_init(&own, model, k, t->data);
            for (size = t->kernel->basis->count; pair_rows_next(&own) >= 0;)
                size++;
        }
        start[k + 1] = start[k] + size;
    }
    return start;
}

/* The start of a kernel machine: a coefficient for each row of the data. */
static int take_support(const struct training *t, struct model *model, struct error *e) {
    struct model rows;
    int64_t all = t->data->rows, bases = t->kernel->basis->count;
    double *w = memory_new(all + bases, sizeof *w, "the start", e), *to = model->w;
    int status = support_start(t->start, t->kernel, t->data, t->lambda, &rows, e);
    if (w == NULL)
        status = -1;
    for (int64_t k = 0; status == 0 && k < model->vectors; k++) {
        struct pair_rows own;
        warm_start_vector(&rows, t->classes, k, all, w);
        pair_rows_init(&own, model, k, t->data);
        for (int64_t i; (i = pair_rows_next(&own)) >= 0;)
            *to++ = w[i];
        for (int64_t j = 0; j < bases; j++)
            *to++ = w[all + j];
    }
    free(rows.w);
    free(w);
    return status;
}

/* Vectors that a signal leaves untrained stay there. */
static int take_start(const struct training *t, struct model *model, struct error *e) {
    if (t->start != NULL && t->request->solver->is_kernel_expansion)
        return take_support(t, model, e);
    for (int64_t k = 0; t->start != NULL && k < model->vectors; k++) {
        warm_start_vector(t->start, t->classes, k, t->data->features,
                          model->w + k * model->dimension);
    }
    if (t->start != NULL && t->start->shared == model->shared) {
        memcpy(model->w + model_weights(model) - model->shared,
               t->start->w + model_weights(t->start) - model->shared,
               sizeof *model->w * (size_t)model->shared);
    }
    return 0;
}

/* A joint task, whose risk has the weights in another order. */
static int train_joint(const struct training *t, const double *target, struct monitor *monitor,
                       struct model *model, struct vector_run *vector, struct error *e) {
    struct risk *risk = vector_risk(t, 0, target, e);
    double *w = NULL;
    int status = -1;
    if (risk != NULL)
        w = memory_zeroed(risk->dimension, sizeof *w, "the weights", e);
    if (w != NULL) {
        if (t->start != NULL) /* else the model's weights, all 0, take no memory until the end */
            joint_weights_of_model(model, risk, w);
        status = vector_train_risk(t, 0, risk, monitor, w, vector, e);
        joint_weights_to_model(w, risk, model);
    }
    free(w);
    risk_free(risk);
    return status;
}

/* Run K, which trains the weights W. */
static int train_one(const struct training *t, int64_t k, const double *target,
                     struct monitor *monitor, struct model *model, double *w,
                     struct vector_run *vector, struct error *e) {
    return t->classes->joint && model->vectors > 1
               ? train_joint(t, target, monitor, model, vector, e)
               : vector_train(t, k, target, monitor, w, vector, e);
}

/* Whether the time limit or a signal left the weights as they began, all 0. */
static bool is_untrained(const struct run *run, const struct vector_run *vector) {
    enum verdict verdict = vector->outcome.verdict;
    return run->vectors > 1 && !run->warm && vector->nonzeros == 0 &&
           (verdict == VERDICT_TIME || verdict == VERDICT_INTERRUPTED);
}

/* What the runs of a model share. */
struct runs {
    const struct training *training;
    struct model *model;
    struct run *run;
    double *target;
    int64_t *start; /* vectors + 1: where the weights of each begin */
    int threads;
    int64_t place; /* of the first in the journal */
};

/* Vector K as the journal has it; TURN: its number in the order of training. */
static struct journal_vector journal_vector_of(const struct runs *runs, int64_t k, int64_t turn) {
    const struct training *t = runs->training;
    return (struct journal_vector){.place = runs->place + turn,
                                   .weights = runs->start[k + 1] - runs->start[k],
                                   .w = runs->model->w + runs->start[k],
                                   .run = &runs->run->vector[k],
                                   .k = k,
                                   .pack = t->packs != NULL ? &t->packs[k] : NULL};
}

/* Run K, on the thread of all runs. */
static int train_next(const struct runs *runs, int64_t k, struct monitor *monitor,
                      struct error *e) {
    const struct training *t = runs->training;
    const struct journal_vector place = journal_vector_of(runs, k, k);
    struct vector_run *vector = place.run;
    double before = monitor_seconds(monitor);
    int recalled = journal_recall(t->journal, &place, e);
    if (recalled != 0)
        return recalled > 0 ? 0 : -1;
    const double *target = classes_targets(t->classes, t->data, k, runs->target);
    share_time(t, k, 1, monitor);
    monitor->place = place.place;
    vector->begun = true;
    if (train_one(t, k, target, monitor, runs->model, place.w, vector, e) != 0)
        return -1;
    /* a run that goes on from a checkpoint began before */
    vector->seconds = monitor_seconds(monitor) - fmin(before, monitor->began);
    vector->nonzeros = run_nonzeros(place.w, place.weights);
    vector->trained = !is_untrained(runs->run, vector);
    return journal_keep(t->journal, &place, monitor, e);
}

/* ---- pairs of labels */

/* The pair that is trained as number TURN: (0, 1), (0, 2), (1, 2), (0, 3), ...: where the training ends early, the
 * pairs of the first labels are complete. */
static int64_t pair_of_turn(int64_t labels, int64_t turn) {
    int64_t j = 1;
    while (turn >= j)
        turn -= j++;
    return label_pairs_index(labels, turn, j);
}

static int train_pair_of(struct pair_training *pair, struct monitor *monitor, double *w,
                         int64_t weights, struct vector_run *vector, struct error *e) {
    double *target =
        memory_new(classes_work(&pair->classes, &pair->data), sizeof *target, "targets", e);
    int status = -1;
    if (target != NULL) {
        status = vector_train(&pair->training, 0,
                              classes_targets(&pair->classes, &pair->data, 0, target), monitor, w,
                              vector, e);
        vector->nonzeros = run_nonzeros(w, weights);
    }
    free(target);
    return status;
}

/* Whether the limit was missed by more than the half shares of share_time: to set up many pairs takes time, too. */
static bool is_late(const struct training *t, const struct monitor *monitor) {
    static const double factor = 1.5;
    double limit = t->deadline > 0 ? t->deadline : t->request->settings.time_limit;
    return monitor_seconds(monitor) > factor * limit;
}

/* A parallel_run. */
static int train_pair(void *context, int64_t turn, struct monitor *monitor, struct error *e) {
    const struct runs *runs = context;
    const struct training *t = runs->training;
    int64_t k = pair_of_turn(t->classes->labels, turn);
    const struct journal_vector place = journal_vector_of(runs, k, turn);
    struct vector_run *vector = place.run;
    struct pair_training pair;
    double before = monitor_seconds(monitor);
    int recalled = journal_recall(t->journal, &place, e);
    if (recalled != 0)
        return recalled > 0 ? 0 : -1;
    if (turn > 0 && is_late(t, monitor)) {
        vector->outcome.verdict = VERDICT_TIME;
        return 0;
    }
    int status = pair_training_init(t, k, &pair, e);
    vector->begun = true;
    vector->empty = pair.empty;
    vector->outcome.high =
        INFINITY; /* where there is nothing to train, the model holds for any lambda */
    if (t->kept != NULL)
        pair.training.kept = &t->kept[k];
    pair.training.packs = place.pack;
    struct between between;
    if (t->between != NULL) {
        between = between_of(t->between, k);
        pair.training.between = &between;
    }
    share_time(t, turn, runs->threads, monitor);
    monitor->place = place.place;
    if (status == 0 && !pair.empty)
        status = train_pair_of(&pair, monitor, place.w, place.weights, vector, e);
    if (t->between != NULL)
        t->between->now[k].share = pair.share;
    pair_training_free(&pair);
    vector->seconds = monitor_seconds(monitor) - before;
    vector->trained = !is_untrained(runs->run, vector);
    return status == 0 ? journal_keep(t->journal, &place, monitor, e) : -1;
}

/* ---- all vectors */

static bool is_out_of_time(const struct run *run) {
    for (int64_t k = 0; k < run->vectors; k++)
        if (run->vector[k].outcome.verdict == VERDICT_TIME)
            return true;
    return false;
}

/* Several at once have no checkpoint of their own: those that were trained are saved where the others were cut off. */
static void save_trained(const struct runs *runs, struct monitor *monitor) {
    struct journal *journal = runs->training->journal;
    if (is_out_of_time(runs->run))
        journal_cut_off(journal, monitor);
    else if (monitor_interrupted(monitor))
        journal_save(journal, monitor);
}

static int train_vectors(struct runs *runs, struct monitor *monitor, struct error *e) {
    int64_t vectors = runs->run->vectors;
    runs->place = journal_places(runs->training->journal, vectors);
    if (runs->training->classes->pairs) {
        runs->threads = parallel_runs_threads(monitor, vectors);
        int status = parallel_runs(monitor, vectors, train_pair, runs, e);
        if (runs->threads > 1)
            save_trained(runs, monitor);
        return status;
    }
    for (int64_t k = 0; k < vectors && (k == 0 || !monitor_interrupted(monitor)); k++)
        if (train_next(runs, k, monitor, e) != 0)
            return -1;
    return 0;
}

/* Adds up the runs. The limit of time or a signal left those that were not begun. */
static void add_all(const struct runs *runs) {
    struct run *run = runs->run;
    run->total.high = INFINITY;
    run->mixed = true;
    run->tried = NONE_YET;
    for (int64_t k = 0; k < run->vectors; k++) {
        struct vector_run *vector = &run->vector[k];
        null_model_join(&vector->null, &run->null);
        if (vector->begun) {
            add(run, vector);
            continue;
        }
        vector->nonzeros =
            run_nonzeros(runs->model->w + runs->start[k], runs->start[k + 1] - runs->start[k]);
        run->nonzeros += vector->nonzeros;
        enum verdict end =
            vector->outcome.verdict == VERDICT_TIME ? VERDICT_TIME : VERDICT_INTERRUPTED;
        run_keep_worst(&run->total, &(struct outcome){.verdict = end});
    }
}

/* Whether label L has no examples: it is in the fold that is left out alone. */
static bool is_absent(const struct runs *runs, int64_t l) {
    const struct model *model = runs->model;
    const struct dataset *data = runs->training->data;
    int64_t i = l == 0 ? 0 : l - 1, j = l == 0 ? 1 : l;
    if (!runs->run->vector[label_pairs_index(model->labels, i, j)].empty)
        return false;
    for (int64_t row = 0; row < data->rows; row++)
        if (data->label[row] == model->label[l])
            return false;
    return true;
}

/* Whether a vector of label L and of labels before it that were trained is missing. */
static bool lacks_vector(const struct runs *runs, int64_t l) {
    const struct run *run = runs->run;
    const struct model *model = runs->model;
    if (!model->pairs)
        return !run->vector[l].trained;
    for (int64_t i = 0; i < l; i++) {
        const struct vector_run *pair = &run->vector[label_pairs_index(model->labels, i, l)];
        bool before = model->untrained == NULL || !model->untrained[i];
        if (before && !pair->trained)
            return true;
    }
    return false;
}

/* Marks the labels that predictions leave out. */
static int mark_untrained(const struct runs *runs, struct model *model, struct error *e) {
    struct run *run = runs->run;
    run->labels = run->labels_trained = run->vectors > 1 ? model->labels : run->vectors;
    for (int64_t l = 0; l < run->labels && run->vectors > 1; l++) {
        bool absent = model->pairs && is_absent(runs, l);
        if (!absent && !lacks_vector(runs, l))
            continue;
        run->labels_trained--;
        if ((absent || !run->warm) && model_mark_untrained(model, l, e) != 0)
            return -1;
    }
    return 0;
}

static int train_all(struct runs *runs, struct monitor *monitor, struct error *e) {
    const struct training *t = runs->training;
    struct run *run = runs->run;
    double before = monitor_seconds(monitor);
    if (take_start(t, runs->model, e) != 0 || train_vectors(runs, monitor, e) != 0)
        return -1;
    add_all(runs);
    if (t->classes->pairs) /* several at a time */
        run->seconds = monitor_seconds(monitor) - before;
    if (t->request->risk->learned == LEARNS_TUBE)
        runs->model->tube = fmax(0, -run->vector[0].outcome.margin);
    if (run->vectors > 1 && run->trained == 0 && run->total.verdict == VERDICT_TIME && !run->warm) {
        return error_time(e, "no label was trained within the limit of %g s; raise -t",
                          t->request->settings.time_limit);
    }
    run_finish(&run->total, runs->model);
    if (run->tried > 0)
        set_name(runs->model->solver, t->request->trial[run->tried - 1].solver->name);
    return t->request->solver->is_kernel_expansion
               ? kernel_model_expand(runs->model, t->kernel, t->data, e)
               : 0;
}

int run_train(const struct training *t, struct monitor *monitor, struct model *model,
              struct run *run, struct error *e) {
    struct runs runs = {.training = t, .model = model, .run = run};
    int status = -1;
    *run = (struct run){.vectors = t->classes->vectors, .warm = t->start != NULL};
    *model = (struct model){0};
    run->vector = memory_zeroed(run->vectors, sizeof *run->vector, "the outcomes", e);
    runs.target = memory_new(classes_work(t->classes, t->data), sizeof *runs.target, "targets", e);
    if (runs.target != NULL && run->vector != NULL && run_model(t, model, e) == 0)
        runs.start = find_starts(t, model, e);
    if (runs.start != NULL && train_all(&runs, monitor, e) == 0)
        status = mark_untrained(&runs, model, e);
    free(runs.target);
    free(runs.start);
    return status;
}

void run_finish(const struct outcome *total, struct model *model) {
    set_name(model->status, verdict_status(total->verdict));
    model->objective = total->objective;
    model->bound = total->bound;
    model->passes = total->passes;
}

void run_free(struct run *run) {
    free(run->vector);
    *run = (struct run){0};
}
