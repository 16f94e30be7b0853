/* path_bounds.c - what two models of a certified path prove; see path_bounds.h. */
#include "training/search/path_bounds.h"

#include "math/vector.h"

#include <math.h>

/* Those of a pair of labels are of a multiple of the path's lambda, by which their slopes' products are divided. */
static void add_products(struct path_pair *pair, const struct linearization *above,
                         const struct linearization *below) {
    int64_t n = above->size;
    if (above->slope == NULL || below->slope == NULL)
        return; /* nothing is to be trained */
    pair->constant[0] += above->constant;
    pair->constant[1] += below->constant;
    pair->square[0] += vector_dot(above->slope, above->slope, n) / above->share;
    pair->square[1] += vector_dot(below->slope, below->slope, n) / above->share;
    pair->product += vector_dot(above->slope, below->slope, n) / above->share;
}

void path_pair_init(struct path_pair *pair, const struct path_point *above,
                    const struct path_point *below, double gap, int64_t vectors, bool squares) {
    bool known = squares && above->linearization != NULL && below->linearization != NULL;
    *pair = (struct path_pair){
        .above = *above, .below = *below, .gap = gap, .product = known ? 0 : NAN};
    for (int64_t k = 0; known && k < vectors; k++)
        add_products(pair, &above->linearization[k], &below->linearization[k]);
}

/* J of the model, which is linear, at another lambda. */
static double objective_at(const struct path_point *model, double lambda) {
    return model->at->objective + (lambda / model->lambda - 1) * model->at->penalty;
}

/* min J is concave in lambda, so that the chord between the bounds of two models is a bound. */
static double chord_at(const struct path_pair *pair, double lambda) {
    const struct path_point *a = &pair->above, *b = &pair->below;
    double fraction = (lambda - b->lambda) / (a->lambda - b->lambda);
    return b->at->bound + fraction * (a->at->bound - b->at->bound);
}

/* With Omega = ||w||^2/2: a mixture of the linearizations of both bounds R as well. The best part theta of the lower
 * one gives the lower bound of min J
 *
 *     t_a + theta (t_b - t_a) - ||s_a + theta (s_b - s_a)||^2 / (2 lambda),
 *
 * which is concave in lambda. With the part of the chord it is above the chord by lambda_a lambda_b/(2 lambda) theta
 * (1 - theta) ||s_a/lambda_a - s_b/lambda_b||^2. Not-a-number where a product is. */
static double mixture_at(const struct path_pair *pair, double lambda) {
    double constant = pair->constant[1] - pair->constant[0];
    double linear = pair->product - pair->square[0];
    double square = pair->square[1] - 2 * pair->product + pair->square[0]; /* ||s_b - s_a||^2 */
    double theta = fmin(fmax((lambda * constant - linear) / square, 0), 1);
    return pair->constant[0] + theta * constant -
           (pair->square[0] + theta * (2 * linear + theta * square)) / (2 * lambda);
}

/* How far from its lambda towards that of OTHER the model is within the gap by the chord: a part from 0 to 1. */
static double chord_reach(const struct path_point *model, const struct path_point *other,
                          double gap) {
    double here = (1 - gap) * model->at->objective - model->at->bound;
    double there = (1 - gap) * objective_at(model, other->lambda) - other->at->bound;
    return there <= 0 ? 1 : here < 0 ? -here / (there - here) : 0;
}

/* The same by mixtures. */
static double mixture_reach(const struct path_pair *pair, const struct path_point *model,
                            const struct path_point *other) {
    enum { MAX_HALVINGS = 40 };
    double low = 0, high = 1;
    for (int i = 0; i < MAX_HALVINGS && low < high; i++) {
        double fraction = i == 0 ? high : (low + high) / 2;
        double lambda = model->lambda + fraction * (other->lambda - model->lambda);
        bool holds = (1 - pair->gap) * objective_at(model, lambda) <= mixture_at(pair, lambda);
        *(holds ? &low : &high) = fraction;
    }
    return low;
}

static double reach(const struct path_pair *pair, const struct path_point *model,
                    const struct path_point *other) {
    return fmax(chord_reach(model, other, pair->gap), mixture_reach(pair, model, other));
}

bool path_pair_join(const struct path_pair *pair) {
    const struct path_point *a = &pair->above, *b = &pair->below;
    double between = a->lambda - b->lambda;
    double down = reach(pair, a, b), up = reach(pair, b, a);
    a->at->low = fmin(a->at->low, (a->lambda - down * between) / a->lambda);
    b->at->high = fmax(b->at->high, (b->lambda + up * between) / b->lambda);
    return log(b->at->high) - log(a->at->low) >= log(a->lambda / b->lambda);
}

static double relative_gap(double objective, double bound) {
    return (objective - bound) / objective;
}

double path_pair_crossing(const struct path_pair *pair) {
    const struct path_point *a = &pair->above, *b = &pair->below;
    double slope_a = a->at->penalty / a->lambda, slope_b = b->at->penalty / b->lambda;
    double apart = objective_at(a, b->lambda) - b->at->objective;
    if (!(apart > 0))
        return b->lambda;
    return slope_b > slope_a ? fmin(b->lambda + apart / (slope_b - slope_a), a->lambda) : a->lambda;
}

double path_pair_step(const struct path_pair *pair) {
    const struct path_point *a = &pair->above, *b = &pair->below;
    double lambda = path_pair_crossing(pair);
    double bound = fmax(chord_at(pair, lambda), mixture_at(pair, lambda));
    double middle = relative_gap(objective_at(a, lambda), bound);
    double ends = (relative_gap(a->at->objective, a->at->bound) +
                   relative_gap(b->at->objective, b->at->bound)) /
                  2;
    if (!(pair->gap > ends))
        return 0;
    return middle > ends ? log(a->lambda / b->lambda) * sqrt((pair->gap - ends) / (middle - ends))
                         : INFINITY; /* min J is linear there */
}
