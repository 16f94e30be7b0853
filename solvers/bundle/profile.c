/* profile.c - linearizations of the risk at the best offset. */
#include "solvers/bundle/profile.h"

#include "io/memory.h"
#include "solvers/dual_bound.h"

#include <math.h>
#include <stdlib.h>

static bool has_offset(const struct risk *risk) {
    return risk->dimension > risk->regularized;
}

int profile_init(struct profile *profile, const struct risk *risk, struct error *e) {
    *profile = (struct profile){.risk = risk};
    if (risk->scalar == NULL || !has_offset(risk))
        return 0;
    int64_t m = risk->scalar->design->rows;
    profile->score = memory_new(4 * m, sizeof(double), "dual variables", e);
    if (profile->score == NULL || offset_init(&profile->offset, risk->scalar, e) != 0)
        return -1;
    profile->dual = profile->score + m;
    profile->low = profile->dual + m;
    profile->high = profile->low + m;
    scores_domains(risk->scalar, profile->low, profile->high);
    return 0;
}

void profile_free(struct profile *profile) {
    free(profile->score);
    offset_free(&profile->offset);
    *profile = (struct profile){0};
}

void profile_visit(struct profile *profile, struct state *state) {
    profile->linearized = state_flag(state, profile->linearized);
    if (profile->risk->kind->visit != NULL)
        profile->risk->kind->visit(profile->risk, state);
    if (profile->score != NULL)
        offset_visit(&profile->offset, state);
}

/* The derivatives of the loss just below and just above u_i + b, so that a kink within rounding of u_i + b
 * is between them. */
static void derivatives(const struct scalar_terms *terms, double u, double y, double b,
                        double *below, double *above) {
    static const double relative_rounding = 1e-13;
    double h = relative_rounding * (fabs(u) + fabs(y) + fabs(b));
    terms->loss->value(u + b - h, y, &terms->parameters, below);
    terms->loss->value(u + b + h, y, &terms->parameters, above);
}

/* Weighted sums of the derivatives just below and just above u_i + b. */
struct one_sided {
    double below, above;
};

static struct one_sided sum_block(const struct profile *p, double b, int block) {
    const struct scalar_terms *terms = p->risk->scalar;
    int64_t end = design_block_start(terms->design, block + 1);
    struct one_sided sum = {0};
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double below, above, c = scalar_weight(terms, i);
        derivatives(terms, p->score[i], scalar_target(terms, i), b, &below, &above);
        sum.below += c * below;
        sum.above += c * above;
    }
    return sum;
}

static struct one_sided sum_derivatives(const struct profile *p, double b) {
    const struct design *design = p->risk->scalar->design;
    struct one_sided block_sum[DESIGN_BLOCKS_MOST], sum = {0};
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = sum_block(p, b, block);
    for (int block = 0; block < design->blocks; block++) {
        sum.below += block_sum[block].below;
        sum.above += block_sum[block].above;
    }
    return sum;
}

/* Sets a_i between the two derivatives, at the same fraction for all rows, so that sum c_i a_i = 0 up to
 * rounding. */
static void set_duals(const struct profile *p, double b) {
    const struct scalar_terms *terms = p->risk->scalar;
    struct one_sided sum = sum_derivatives(p, b);
    double width = sum.above - sum.below, fraction = width > 0 ? -sum.below / width : 0;
    fraction = fraction > 0 ? fmin(fraction, 1) : 0;
#pragma omp parallel for schedule(static) if (terms->design->threads)
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double below, above;
        derivatives(terms, p->score[i], scalar_target(terms, i), b, &below, &above);
        p->dual[i] = below + fraction * (above - below);
    }
}

static double linearize_scores(struct profile *p, double *w, double *gradient, double *constant) {
    const struct risk *risk = p->risk;
    struct smoothing exact = {.low = p->low, .high = p->high};
    double centre, *b = &w[risk->regularized];
    *b = 0;
    design_scores(risk->scalar->design, w, p->score);
    exact.shift = *b = offset_find(&p->offset, p->score, &exact);
    set_duals(p, *b);
    *constant = dual_linearize(risk, p->dual, gradient, &centre);
    return scores_smooth_risk(risk->scalar, p->score, &exact, NULL);
}

double profile_linearize(struct profile *p, double *w, double slack, double *gradient,
                         double *constant) {
    const struct risk *risk = p->risk;
    if (!has_offset(risk)) {
        double value = risk_evaluate(risk, w, 0, gradient);
        *constant = value - vector_dot(gradient, w, risk->dimension);
        return value;
    }
    bool again = p->linearized;
    p->linearized = true;
    return risk->scalar != NULL ? linearize_scores(p, w, gradient, constant)
                                : risk->kind->profile(risk, w, again, slack, gradient, constant);
}
