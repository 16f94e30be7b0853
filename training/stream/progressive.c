/* progressive.c - progressive validation: the loss of each example before it is learned. */
#include "training/stream/progressive.h"

#include "io/memory.h"
#include "solvers/stream.h"

#include <math.h>
#include <stdlib.h>

/* With the one for labels to come. */
static int64_t all_vectors(const struct progressive *p) {
    return stream_scores(p->vectors);
}

int progressive_init(struct progressive *p, const struct loss *loss,
                     const struct loss_parameters *parameters, int64_t vectors,
                     const struct progressive_visitor *visitor, struct error *e) {
    *p = (struct progressive){.loss = loss,
                              .parameters = *parameters,
                              .visitor = *visitor,
                              .vectors = vectors,
                              .next = 1,
                              .late_end = 2,
                              .last_label = NAN};
    p->vector = memory_zeroed(all_vectors(p), sizeof *p->vector, "losses", e);
    return p->vector == NULL ? -1 : 0;
}

int progressive_add_vector(struct progressive *p, struct error *e) {
    int64_t rest = p->vectors;
    void *larger = p->vector;
    if (memory_resize(&larger, rest + 2, sizeof *p->vector, "losses", e) != 0)
        return -1;
    p->vector = larger;
    p->vector[rest + 1] = p->vector[rest];
    p->vector[rest].examples = 0;
    p->vectors++;
    return 0;
}

/* ---- rows */

static int add_row(struct progressive *p, struct error *e) {
    if (memory_reserve((void **)&p->row, &p->capacity, p->rows + 1, sizeof *p->row, "losses", e) !=
        0)
        return -1;
    p->now.loss = progressive_loss(p);
    p->row[p->rows++] = p->now;
    if (p->visitor.tell != NULL)
        p->visitor.tell(p->visitor.context, &p->now);
    p->next = 2 * p->now.examples;
    p->last_weight = p->now.last_loss = 0;
    return 0;
}

int progressive_close(struct progressive *p, struct error *e) {
    bool more = p->rows > 0 && p->row[p->rows - 1].examples < p->now.examples;
    if (p->closed)
        return 0;
    p->closed = true;
    return more ? add_row(p, e) : 0;
}

/* ---- examples */

static void add_to_mean(double *mean, double value, double weight, double weight_sum) {
    if (weight > 0)
        *mean += (value - *mean) * (weight / weight_sum);
}

static void add_to_means(struct progressive_means *means, const struct progressive_means *one,
                         double weight, double weight_sum) {
    add_to_mean(&means->loss, one->loss, weight, weight_sum);
    add_to_mean(&means->null_loss, one->null_loss, weight, weight_sum);
}

/* At a power of 2 the late examples become those before. */
static void begin_late(struct progressive *p) {
    for (int64_t k = 0; k < all_vectors(p); k++) {
        p->vector[k].before = p->vector[k].late;
        p->vector[k].late = (struct progressive_means){0};
    }
    p->weight_before = p->late_weight;
    p->late_weight = 0;
    p->late_end *= 2;
}

static void count_label(struct progressive *p, const struct progressive_example *example) {
    int64_t k = p->vectors == 1 ? 0 : (int64_t)example->target;
    if (!example->classes || p->closed || example->weight == 0)
        return;
    if (p->vectors > 1 || example->target > 0)
        p->vector[k >= 0 && k < p->vectors ? k : 0].examples++;
    p->changes += p->counted > 0 && example->label != p->last_label;
    p->counted++;
    p->last_label = example->label;
}

/* Adds the losses of each vector; returns their sum over those of the model. */
static double add_losses(struct progressive *p, const struct progressive_example *example) {
    double sum = 0, slope;
    for (int64_t k = 0; k < all_vectors(p); k++) {
        double y = p->vectors == 1 ? example->target : example->target == (double)k ? 1 : -1;
        const struct progressive_means one = {
            p->loss->value(example->score[k], y, &p->parameters, &slope),
            p->loss->value(0, y, &p->parameters, &slope)};
        sum += k < stream_models(p->vectors) ? one.loss : 0;
        add_to_means(&p->vector[k].all, &one, example->weight, p->now.weight);
        add_to_means(&p->vector[k].late, &one, example->weight, p->late_weight);
    }
    return sum;
}

int progressive_add(struct progressive *p, const struct progressive_example *example,
                    struct error *e) {
    struct progressive_row *now = &p->now;
    now->examples++;
    now->weight += example->weight;
    p->last_weight += example->weight;
    if (now->examples >= p->late_end)
        begin_late(p);
    p->late_weight += example->weight;
    count_label(p, example);
    double loss = add_losses(p, example);
    add_to_mean(&now->last_loss, loss, example->weight, p->last_weight);
    add_to_mean(&now->error, example->right ? 0 : 1, example->weight, now->weight);
    if (!example->classes)
        now->error = NAN;
    now->label = example->label;
    now->predicted = example->predicted;
    now->features = example->features;
    return p->closed || now->examples < p->next ? 0 : add_row(p, e);
}

/* ---- a checkpoint */

static void visit_row(struct progressive_row *row, struct state *state) {
    row->examples = state_integer(state, row->examples, 0, INT64_MAX / 2);
    row->features = state_integer(state, row->features, 0, INT64_MAX);
    STATE_REALS(state, &row->weight, &row->loss, &row->last_loss, &row->error, &row->label,
                &row->predicted);
}

static void visit_vector(struct progressive_vector *vector, struct state *state) {
    STATE_REALS(state, &vector->all.loss, &vector->all.null_loss, &vector->late.loss,
                &vector->late.null_loss, &vector->before.loss, &vector->before.null_loss);
    vector->examples = state_integer(state, vector->examples, 0, INT64_MAX);
}

/* Makes room for what is read. */
static void make_room(struct progressive *p, struct state *state) {
    struct error *e = state_cause(state);
    int64_t vectors = state_integer(state, p->vectors, p->vectors, INT32_MAX);
    int64_t rows = state_integer(state, p->rows, p->rows, INT32_MAX);
    if (!state_reads(state) || !state_holds(state, rows + vectors, sizeof *p->vector))
        return;
    while (p->vectors < vectors && !state_failed(state))
        if (p->vectors == 1 || progressive_add_vector(p, e) != 0)
            state_fail(state);
    if (memory_reserve((void **)&p->row, &p->capacity, rows, sizeof *p->row, "losses", e) != 0)
        state_fail(state);
    else
        p->rows = rows;
}

void progressive_visit(struct progressive *p, struct state *state) {
    make_room(p, state);
    for (int64_t k = 0; k < all_vectors(p) && !state_failed(state); k++)
        visit_vector(&p->vector[k], state);
    for (int64_t i = 0; i < p->rows && !state_failed(state); i++)
        visit_row(&p->row[i], state);
    visit_row(&p->now, state);
    STATE_REALS(state, &p->last_weight, &p->late_weight, &p->weight_before, &p->last_label);
    p->late_end = state_integer(state, p->late_end, 1, INT64_MAX);
    p->counted = state_integer(state, p->counted, 0, INT64_MAX);
    p->changes = state_integer(state, p->changes, 0, INT64_MAX);
    p->next = state_integer(state, p->next, 1, INT64_MAX);
    p->closed = state_flag(state, p->closed);
}

double progressive_loss(const struct progressive *p) {
    double sum = 0;
    for (int64_t k = 0; k < stream_models(p->vectors); k++)
        sum += p->vector[k].all.loss;
    return sum;
}

/* The mean of the examples since the last power of 2, and of those of the one before while these are more than twice as
 * many. */
struct progressive_means progressive_late(const struct progressive *p, int64_t k) {
    const struct progressive_vector *vector = &p->vector[k];
    struct progressive_means means = vector->late;
    double sum = p->late_weight + p->weight_before;
    if (2 * p->late_weight < p->weight_before)
        add_to_means(&means, &vector->before, p->weight_before, sum);
    return means;
}

bool progressive_is_sorted(const struct progressive *p) {
    static const double least = 50, share = 0.1;
    double all = (double)p->counted, squares = 0, rest = all;
    for (int64_t k = 0; k < p->vectors; k++) {
        squares += (double)p->vector[k].examples * (double)p->vector[k].examples;
        rest -= (double)p->vector[k].examples;
    }
    double expected = all - (squares + rest * rest) / fmax(1, all); /* changes in a random order */
    return expected >= least && (double)p->changes < share * expected;
}

void progressive_free(struct progressive *p) {
    free(p->vector);
    free(p->row);
    *p = (struct progressive){0};
}
