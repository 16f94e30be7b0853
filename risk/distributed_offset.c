/* distributed_offset.c - the offset of a risk over several processes; see distributed_offset.h. */
#include "risk/distributed_offset.h"

#include "io/memory.h"
#include "math/rounding.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_TRIALS = 40 }; /* points on one side of the offset */

struct distributed_offset {
    struct offset offset;
    double *score; /* rows of this process */
    double *other; /* dimension: a second gradient */
};

struct distributed_offset *distributed_offset_new(const struct scalar_terms *terms,
                                                  struct error *e) {
    struct distributed_offset *o = memory_zeroed(1, sizeof *o, "the offset", e);
    if (o == NULL)
        return NULL;
    o->offset = (struct offset){.terms = terms, .last = NAN};
    o->score = memory_new(terms->design->rows, sizeof *o->score, "scores", e);
    o->other = memory_new(terms->design->columns, sizeof *o->other, "the gradient", e);
    if (o->score == NULL || o->other == NULL) {
        distributed_offset_free(o);
        return NULL;
    }
    return o;
}

void distributed_offset_free(struct distributed_offset *o) {
    if (o == NULL)
        return;
    free(o->score);
    free(o->other);
    free(o);
}

/* R(v) >= constant + <gradient, v>, from R and a subgradient at w. */
struct linearization {
    double value, constant;
    double *gradient;
};

/* At w with the offset B. */
static void linearize(const struct risk *risk, double *w, double b, struct linearization *at) {
    w[risk->regularized] = b;
    at->value = risk_evaluate(risk, w, 0, at->gradient);
    at->constant = at->value - vector_dot(at->gradient, w, risk->dimension);
}

/* The same at B or, where the slope has the wrong SIGN there by rounding, further away. Returns the offset. */
static double linearize_side(const struct risk *risk, double *w, double b, double sign,
                             struct linearization *at) {
    double step = rounding_of_terms * (1 + fabs(b));
    linearize(risk, w, b, at);
    for (int i = 0; i < MAX_TRIALS && sign * at->gradient[risk->regularized] < 0; i++) {
        b += sign * step;
        step *= 4;
        linearize(risk, w, b, at);
    }
    return b;
}

/* *low becomes the mean of the two whose slope in the offset is 0. */
static void mix(const struct risk *risk, struct linearization *low,
                const struct linearization *high) {
    int64_t j = risk->regularized;
    double below = low->gradient[j], above = high->gradient[j];
    double share = above > below ? clip(-below / (above - below), 0, 1) : 0;
    for (int64_t k = 0; k < j; k++)
        low->gradient[k] += share * (high->gradient[k] - low->gradient[k]);
    low->constant += share * (high->constant - low->constant);
}

double distributed_offset_profile(struct distributed_offset *o, const struct risk *risk, double *w,
                                  double *gradient, double *constant) {
    const struct scalar_terms *terms = o->offset.terms;
    struct linearization low = {.gradient = gradient}, high = {.gradient = o->other};
    double below, above, best;
    w[risk->regularized] = 0;
    design_scores(terms->design, w, o->score);
    best = offset_search(&o->offset, o->score, &below, &above);
    if (terms->loss->second != NULL || below == above) {
        linearize(risk, w, best, &low);
    } else {
        below = linearize_side(risk, w, below, -1, &low);
        above = linearize_side(risk, w, above, 1, &high);
        best = low.value <= high.value ? below : above;
        low.value = fmin(low.value, high.value);
        mix(risk, &low, &high);
    }
    w[risk->regularized] = best;
    gradient[risk->regularized] = 0; /* but for rounding it is */
    *constant = low.constant;
    return low.value;
}
