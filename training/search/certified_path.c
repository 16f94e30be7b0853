/* certified_path.c - models within a gap at every lambda of a range; see certified_path.h. */
#include "training/search/certified_path.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/linearization.h"
#include "training/search/path_bounds.h"
#include "training/search/path_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_step = 1e-9; /* of log(lambda) */

/* A model that is trained, and what its run left. */
struct node {
    double lambda;
    struct model model;
    struct run run;
    struct linearization *linearization; /* of each vector; NULL: none is kept */
    struct kept *kept;                   /* the same */
    struct node *next;                   /* the trained model at the next smaller lambda */
};

struct certified_path {
    const struct training *training;
    struct path_values *values;
    const struct path_visitor *visitor;
    struct monitor *monitor;
    struct path *path;
    int64_t vectors, trained; /* models so far */
    bool mixes;               /* Omega is ||w||^2/2, and linearizations are kept */
    bool begins_anew;         /* a start is of little use to the solver */
    double gap;
    double held;             /* down to this lambda they hold */
    double step;             /* in log(lambda), for which two models are about enough */
    const struct node *last; /* that was trained; may be freed */
    struct node *above;      /* the last model that was shown: all above hold; NULL: none */
    struct node *below;      /* those that are trained below it, from the largest lambda on */
};

static void free_node(struct certified_path *p, struct node *node) {
    if (node == NULL)
        return;
    for (int64_t k = 0; k < p->vectors; k++) {
        if (node->linearization != NULL)
            linearization_free(&node->linearization[k]);
        if (node->kept != NULL)
            kept_free(&node->kept[k]);
    }
    free(node->linearization);
    free(node->kept);
    run_free(&node->run);
    model_free(&node->model);
    free(node);
}

/* With lists for what is kept. NULL with the error set. */
static struct node *new_node(struct certified_path *p, double lambda, struct error *e) {
    struct node *node = memory_zeroed(1, sizeof *node, "the path", e);
    if (node == NULL)
        return NULL;
    node->lambda = lambda;
    if (p->training->kept == NULL)
        return node;
    node->linearization = memory_zeroed(p->vectors, sizeof *node->linearization, "the path", e);
    node->kept = memory_zeroed(p->vectors, sizeof *node->kept, "the path", e);
    if (node->linearization != NULL && node->kept != NULL)
        return node;
    free_node(p, node);
    return NULL;
}

/* ---- a run between two models */

/* The part of B in a dual variable, or a slope, that is linear in lambda. */
static double part_of(const struct node *a, const struct node *b, double lambda) {
    return (a->lambda - lambda) / (a->lambda - b->lambda);
}

/* The model between A and B of the same slope: w = -s/lambda. An empty one without B. */
static int mix_models(const struct node *a, const struct node *b, double lambda,
                      struct model *model, struct error *e) {
    *model = (struct model){0};
    if (b == NULL)
        return 0;
    double fraction = part_of(a, b, lambda) * b->lambda / lambda;
    if (model_copy(&a->model, model, e) != 0)
        return -1;
    for (int64_t j = 0; j < model_weights(model); j++)
        model->w[j] += fraction * (b->model.w[j] - model->w[j]);
    return 0;
}

/* What runs at both left is mixed for the next one, where it is of one lambda; else it stays that of the last run. */
static int mix_kept(struct certified_path *p, const struct node *a, const struct node *b,
                    double lambda, struct error *e) {
    double fraction = b != NULL ? part_of(a, b, lambda) : 0;
    for (int64_t k = 0; p->training->kept != NULL && k < p->vectors; k++) {
        struct kept *kept = &p->training->kept[k];
        const struct kept *one = &a->kept[k], *other = b != NULL ? &b->kept[k] : one;
        kept->risk = one->risk;
        kept->mixed = b != NULL || p->last != a;
        if (one->state == NULL || other->state == NULL)
            continue;
        kept_free(kept);
        *kept = *one;
        kept->state = one->kind->mix(one->state, other->state, fraction, e);
        if (kept->state == NULL)
            return -1;
    }
    return 0;
}

/* Leaves the node what the next run would otherwise replace. */
static void take_kept(struct certified_path *p, struct node *node) {
    for (int64_t k = 0; node->kept != NULL && k < p->vectors; k++) {
        struct kept *kept = &p->training->kept[k];
        node->kept[k].risk = kept->risk;
        if (kept->state == NULL || kept->kind->mix == NULL)
            continue;
        node->kept[k] = *kept;
        *kept = (struct kept){0};
    }
}

/* Trains NODE, from the models at the next larger and at the next smaller lambda; NULL: there is none. */
static int train_between(struct certified_path *p, const struct node *above,
                         const struct node *below, struct node *node, struct error *e) {
    struct training t = *p->training;
    const struct node *other = p->mixes ? below : NULL;
    const struct model empty = {0};
    struct model mixed = {0};
    struct between between = {.now = node->linearization,
                              .above = other != NULL ? above->linearization : NULL,
                              .below = other != NULL ? below->linearization : NULL};
    t.between = p->training->kept != NULL ? &between : NULL;
    int status = 0;
    if (above != NULL && (mix_models(above, other, node->lambda, &mixed, e) != 0 ||
                          mix_kept(p, above, other, node->lambda, e) != 0))
        status = -1;
    const struct model *start = mixed.w != NULL ? &mixed : above != NULL ? &above->model : &empty;
    if (status == 0)
        status = path_train_model(&t, node->lambda, p->trained, start, p->monitor, &node->model,
                                  &node->run, e);
    model_free(&mixed);
    take_kept(p, node);
    p->trained++;
    p->last = node;
    p->values->solves += !node->run.mixed;
    return status;
}

/* ---- what holds */

/* Whether the model is within the gap at its own lambda. */
static bool is_within(const struct run *run) {
    return !path_cut_off(run) && run->total.low <= run->total.high;
}

static struct path_point point_of(struct node *node) {
    return (struct path_point){node->lambda, &node->run.total, node->linearization};
}

/* The distance of `above` and `below` in log(lambda). */
static double distance(const struct certified_path *p) {
    return log(p->above->lambda / p->below->lambda);
}

/* A lambda between them: where both have the same J, or one of equal steps. */
static double between_both(const struct certified_path *p, double crossing, double step) {
    static const double least_part = 0.1, nearly_one = 0.1, most_parts = 64;
    double all = distance(p), terms = clip(ceil(all / step - nearly_one), 2, most_parts);
    double fraction =
        p->begins_anew ? log(p->above->lambda / crossing) / all : floor(terms / 2) / terms;
    return p->above->lambda * exp(-all * clip(fraction, least_part, 1 - least_part));
}

/* Whether `above` and `below` hold at all lambdas between; then the step to the next one below, in log(lambda), for
 * which about the same is enough. Otherwise the lambda between them that is to be trained. */
static bool joins(struct certified_path *p, double *next) {
    static const double most_growth = 2;
    struct path_point a = point_of(p->above), b = point_of(p->below);
    struct outcome a_before = *a.at, b_before = *b.at;
    struct path_pair pair;
    path_pair_init(&pair, &a, &b, p->gap, p->vectors, p->mixes);
    double step = path_pair_step(&pair);
    if (path_pair_join(&pair)) {
        p->step = fmin(step, most_growth * distance(p));
        p->path->run[p->path->reached - 1].total = *a.at;
        return true;
    }
    *a.at = a_before;
    *b.at = b_before;
    *next = between_both(p, path_pair_crossing(&pair), step);
    return false;
}

/* The steps to the next lambda below, where mixtures serve those between: fewer where the solver follows a curve that
 * has kinks, since a start far away on its tangent takes it long. */
static double farthest(const struct certified_path *p) {
    static const double far = 3, far_with_kinks = 1.6;
    const struct loss *loss = p->training->request->risk->scalar;
    const struct kept *kept = &p->above->kept[0];
    bool follows = kept->kind != NULL && kept->kind->place != NULL;
    return follows && loss->second == NULL ? far_with_kinks : far;
}

/* The next lambda below all others: so far that models between are needed, where mixtures of dual variables are good
 * starts; the last one where it is not much farther, or where a run does not gain from a near start. */
static double next_below(const struct certified_path *p) {
    static const double longest = 2, longest_single = 1.25;
    double last = p->values->to, lambda = p->above->lambda;
    double caution = p->mixes ? 0.87 : 0.8; /* a mixture between two models is a cheap one */
    bool mixes = p->mixes && p->training->request->solver->mixes;
    double step = fmax((mixes ? farthest(p) : caution) * p->step, least_step);
    bool ends = lambda * exp(-(mixes ? longest : longest_single) * step) <= last;
    return ends || p->begins_anew ? last : lambda * exp(-step);
}

static void stop_short(struct path_values *values, struct outcome *total) {
    total->verdict = VERDICT_STALLED;
    values->ends_early = true;
}

/* ---- the path */

/* The first of `below` becomes `above`, and is shown. */
static int show(struct certified_path *p, struct error *e) {
    struct node *node = p->below;
    int64_t i = p->path->reached;
    free_node(p, p->above);
    p->above = node;
    p->below = node->next;
    p->values->lambda[i] = node->lambda;
    p->path->run[i] = node->run;
    int status = path_finish_model(p->visitor, &node->model, p->path, e);
    node->run.vector = NULL;
    return status;
}

static int train_at(struct certified_path *p, double lambda, struct error *e) {
    struct node *node = new_node(p, lambda, e);
    if (node == NULL)
        return -1;
    int status = train_between(p, p->above, p->below, node, e);
    node->next = p->below;
    p->below = node;
    return status;
}

/* Trains one below, or between, or shows one. *over: that ends the path. */
static int advance(struct certified_path *p, bool *over, struct error *e) {
    double next;
    if (p->below == NULL)
        return train_at(p, next_below(p), e);
    bool within = is_within(&p->below->run);
    if (!within || joins(p, &next)) {
        *over = !within;
        if (show(p, e) != 0)
            return -1;
        p->held = within ? p->above->lambda : p->held;
        return 0;
    }
    *over = distance(p) < 2 * least_step;
    return *over ? 0 : train_at(p, next, e);
}

static int train_all(struct certified_path *p, struct error *e) {
    static const double both_reaches = 1.4;
    if (train_at(p, p->values->from, e) != 0 || show(p, e) != 0)
        return -1;
    const struct outcome *first = &p->above->run.total;
    bool over = !is_within(&p->above->run);
    p->step = both_reaches * fmin(log(first->high), -log(first->low));
    while (!over && (p->above->lambda > p->values->to || p->below != NULL) &&
           p->trained < p->values->count && path_goes_on(p->training, p->monitor, p->path))
        if (advance(p, &over, e) != 0)
            return -1;
    return 0;
}

/* Those that were not shown count, too. */
static void free_all(struct certified_path *p) {
    while (p->below != NULL) {
        struct node *next = p->below->next;
        p->path->seconds += p->below->run.seconds;
        p->path->total.passes += p->below->run.total.passes;
        p->path->total.iterations += p->below->run.total.iterations;
        free_node(p, p->below);
        p->below = next;
    }
    free_node(p, p->above);
}

static bool begins_anew(const struct training_request *request) {
    const struct solver *solver = request->solver;
    return solver->begins_anew != NULL && request->risk->scalar != NULL &&
           solver->begins_anew(request->risk->scalar, request->regularizer);
}

int certified_path_train(const struct training *training, struct path_values *values,
                         const struct path_visitor *visitor, struct monitor *monitor,
                         struct model *model, struct path *path, struct error *e) {
    struct certified_path p = {
        .training = training,
        .values = values,
        .visitor = visitor,
        .monitor = monitor,
        .path = path,
        .vectors = training->classes->vectors,
        .mixes = training->kept != NULL && strcmp(training->request->regularizer->name, "l2") == 0,
        .begins_anew = begins_anew(training->request),
        .gap = training->request->settings.path_gap,
    };
    p.held = values->from;
    int status = train_all(&p, e);
    if (p.above != NULL) {
        *model = p.above->model;
        p.above->model = (struct model){0};
    }
    free_all(&p);
    values->count = path->reached;
    if (p.held > values->to && path->total.verdict <= VERDICT_SETTLED)
        stop_short(values, &path->total);
    values->to = p.held;
    return status;
}
