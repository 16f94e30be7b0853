/* gamma.c - a step size for sgd, tg, fobos and rda from a few runs over a sample of the rows. */
#include "solvers/sparse/gamma.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/row_sample.h"

#include <math.h>
#include <stdlib.h>

enum {
    MIN_SAMPLE_ROWS = 16,
    MAX_SAMPLE_ROWS = 4096,
    MAX_SAMPLE_NONZEROS = 1 << 17,
    FACTOR_HALVINGS = 2
};

/* The factor between neighbouring trials of gamma, before the halvings. */
static const double search_factor = 8;
static const double growth_factor = 64;     /* while J shows that the steps are far too long */
static const double clearly_worse = 1.01;   /* J above this times R(0) is clearly above it */
static const double gamma_without_data = 1; /* gamma_0 where G^2/R(0) is not positive and finite */

/* ---- the sample */

/* The rows of the sample: as many as the limits allow; 0: all, also where the limits leave more than half of them. */
static int64_t sample_size(const struct dataset *data, double fraction) {
    double all = (double)data->rows, mean = (double)data->nonzeros / all;
    double rows = fmin(MAX_SAMPLE_ROWS, MAX_SAMPLE_NONZEROS / mean);
    if (2 * rows >= all)
        rows = all;
    rows = fmax(MIN_SAMPLE_ROWS, fmin(rows, fraction * all));
    return rows < all ? (int64_t)rows : 0;
}

/* Without a risk the problem itself is to be used. 0, or -1 with the error set; to be freed in either case. */
static int sample_init(struct row_sample *sample, const struct problem *problem, double fraction,
                       uint64_t seed, struct error *e) {
    const struct scalar_terms *terms = problem->risk->scalar;
    *sample = (struct row_sample){0};
    int64_t size = terms == NULL ? 0 : sample_size(terms->design->data, fraction);
    return size == 0 ? 0 : row_sample_init(sample, terms, size, seed, e);
}

/* ---- gamma_0 */

/* ||gradient of the item's loss||^2 over the regularized coordinates. The squares of the offset's
 * coordinates are added to *offset_square. */
static double square_of_item(const struct risk_item *item, int64_t regularized,
                             double *offset_square) {
    double square = 0;
    for (int p = 0; p < item->rows; p++) {
        const struct scaled_row *row = &item->row[p];
        double length = sparse_square(row->value, row->count);
        *(row->offset < regularized ? &square : offset_square) +=
            row->coefficient * row->coefficient * length;
    }
    return square;
}

/* gamma_0 = G^2/R(0), as in gamma.h. ZERO is the point 0. */
static double first_gamma(const struct risk *risk, const double *zero) {
    double sum = 0, loss = 0, length = 0, offset = 0;
    for (int64_t i = 0; i < risk->items; i++) {
        struct risk_item item = {0};
        double c = risk->item_weight == NULL ? 1 : risk->item_weight[i], offset_square = 0;
        if (c == 0)
            continue;
        risk->kind->item(risk, i, zero, 1, &item);
        sum += c;
        loss += c * item.loss;
        length += c * sqrt(square_of_item(&item, risk->regularized, &offset_square));
        offset += c * sqrt(offset_square);
    }
    double g = fmax(length, offset) / sum, gamma = g / (loss / sum) * g;
    return gamma > 0 && isfinite(gamma) && isfinite(1 / gamma) ? gamma : gamma_without_data;
}

/* ---- the search */

struct search {
    gamma_trial *trial;
    void *opaque;
    const struct problem *problem;
    int trials;
    bool stopped;         /* there was no time, or no memory, for a trial */
    double max_objective; /* a J above it is clearly above R(0) */
    double best;          /* the best gamma so far; before the first trial gamma_0 */
    double objective;     /* its J; infinite before the first trial */
    double largest;       /* the largest gamma tried */
};

/* The J above which w = 0 is clearly better; infinite when R(0) is 0 or not a number. */
static double objective_limit(const struct problem *problem, const double *zero) {
    double limit = clearly_worse * problem_objective(problem, zero);
    return limit > 0 ? limit : INFINITY;
}

static bool beats_zero(const struct search *s) {
    return isfinite(s->objective) && s->objective <= s->max_objective;
}

static bool may_try(const struct search *s, double gamma) {
    return !s->stopped && s->trials < GAMMA_TRIALS && gamma > 0 && isfinite(gamma);
}

/* Runs a trial with gamma. True when it is the best so far. */
static bool attempt(struct search *s, double gamma) {
    double objective;
    if (!may_try(s, gamma))
        return false;
    s->stopped = !s->trial(s->opaque, s->problem, gamma, &objective);
    if (s->stopped)
        return false;
    s->trials++;
    s->largest = fmax(s->largest, gamma);
    if (!(objective < s->objective)) /* also when it is not a number */
        return false;
    s->objective = objective;
    s->best = gamma;
    return true;
}

/* Multiplies gamma by the factor as long as J falls. */
static void descend(struct search *s, double factor) {
    while (attempt(s, s->best * factor))
        ;
}

/* Raises gamma from steps that are far too long until J is not clearly above R(0). Returns the factor
 * between the last two trials. */
static double grow(struct search *s) {
    double factor = search_factor;
    attempt(s, s->largest * factor);
    while (!beats_zero(s) && may_try(s, s->largest * growth_factor)) {
        factor = growth_factor;
        attempt(s, s->largest * factor);
    }
    return factor;
}

static double find_gamma(struct search *s) {
    double start = s->best, factor = search_factor;
    attempt(s, start);
    /* Smaller gammas (longer steps) come first, unless the steps of gamma_0 were too long already. */
    if (s->trials > 0 && !beats_zero(s)) {
        bool grew_fast = grow(s) > search_factor;
        if (!grew_fast || !attempt(s, s->best / search_factor))
            descend(s, search_factor);
    } else if (attempt(s, start / search_factor)) {
        descend(s, 1 / search_factor);
    } else {
        descend(s, search_factor);
    }
    /* Both neighbours at the square root of the factor, then of that. */
    for (int i = 0; i < FACTOR_HALVINGS && beats_zero(s); i++) {
        double middle = s->best;
        factor = sqrt(factor);
        if (!attempt(s, middle / factor))
            attempt(s, middle * factor);
    }
    return s->trials == 0 || beats_zero(s) ? s->best : s->largest;
}

/* The search on the sample (or on the whole problem). 0 with the error set when memory is short. */
static double search_sample(const struct problem *sample, gamma_trial *trial, void *opaque,
                            struct error *e) {
    double *zero = memory_zeroed(sample->risk->dimension, sizeof *zero, "a point", e);
    if (zero == NULL)
        return 0;
    struct search search = {.trial = trial,
                            .opaque = opaque,
                            .problem = sample,
                            .best = first_gamma(sample->risk, zero),
                            .objective = INFINITY,
                            .max_objective = objective_limit(sample, zero)};
    free(zero);
    return find_gamma(&search);
}

double gamma_search(const struct problem *problem, double fraction, uint64_t seed, double growth,
                    gamma_trial *trial, void *opaque, struct error *e) {
    struct row_sample sample;
    struct problem smaller = *problem;
    int status = sample_init(&sample, problem, fraction, seed, e);
    if (sample.risk != NULL)
        smaller.risk = sample.risk;
    double gamma = status == 0 ? search_sample(&smaller, trial, opaque, e) : 0;
    gamma *= pow((double)problem->risk->items / (double)smaller.risk->items, growth);
    row_sample_free(&sample);
    return gamma;
}
