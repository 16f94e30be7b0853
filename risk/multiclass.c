/* multiclass.c - risks with one weight vector for each class. */
#include "risk/multiclass.h"

#include "math/exponential.h"
#include "math/lambert.h"
#include "math/vector.h"
#include "risk/class_offsets.h"
#include "risk/items.h"

#include <math.h>
#include <string.h>

struct multiclass_risk {
    struct items items; /* first */
    double log_classes, norm_bound;
    struct class_terms margins; /* of crammer-singer */
    struct class_offsets
        offsets; /* empty without --intercept; they are the items' shared weights */
};

static int64_t class_of(const struct items *items, int64_t i) {
    return (int64_t)items->target[i];
}

/* The index of the largest; among equal ones Y, else the first. */
static int64_t index_of_largest(const double *z, int64_t classes, int64_t y) {
    int64_t best = y;
    for (int64_t k = 0; k < classes; k++)
        if (z[k] > z[best])
            best = k;
    return best;
}

/* z_k = exp((z_k - TOP)/mu). Returns their sum. */
static double exponentiate(double *z, int64_t classes, double highest, double mu) {
    double sum = 0;
    for (int64_t k = 0; k < classes; k++)
        z[k] = (z[k] - highest) / mu;
    exponentials(z, classes);
    for (int64_t k = 0; k < classes; k++)
        sum += z[k];
    return sum;
}

/* u += the offsets */
static void add_offsets(const struct items *items, double *u, const double *v) {
    for (int64_t k = 0; k < items->shared; k++)
        u[k] += v[k];
}

/* Copies the derivatives with respect to the scores: those with respect to the offsets are the same. */
static void copy_to_offsets(const struct items *items, const double *u, double *by_shared) {
    if (by_shared != NULL)
        memcpy(by_shared, u, sizeof *u * (size_t)items->shared);
}

/* z = p - e_y, where p = z / sum. */
static void normalize(double *z, int64_t classes, int64_t y, double sum) {
    for (int64_t k = 0; k < classes; k++)
        z[k] /= sum;
    z[y] -= 1;
}

static double crammer_singer(const struct items *items, int64_t i, double *u, const double *v,
                             double mu, double *by_shared, double *constant, void *work) {
    int64_t classes = items->width, y = class_of(items, i);
    add_offsets(items, u, v);
    double true_score = u[y];
    (void)work;
    for (int64_t k = 0; k < classes; k++)
        u[k] += 1 - true_score;
    u[y] = 0;
    int64_t best = index_of_largest(u, classes, y);
    double highest = u[best];
    if (mu > 0) {
        double sum = exponentiate(u, classes, highest, mu);
        normalize(u, classes, y, sum);
        copy_to_offsets(items, u, by_shared);
        *constant = -u[y];
        return highest + mu * (log(sum) - ((const struct multiclass_risk *)items)->log_classes);
    }
    if (by_shared == NULL)
        return highest;
    for (int64_t k = 0; k < classes; k++)
        u[k] = 0;
    u[best] += 1;
    u[y] -= 1;
    copy_to_offsets(items, u, by_shared);
    return highest;
}

static double softmax(const struct items *items, int64_t i, double *u, const double *v, double mu,
                      double *by_shared, double *constant, void *work) {
    int64_t classes = items->width, y = class_of(items, i);
    add_offsets(items, u, v);
    double highest = u[index_of_largest(u, classes, y)], gap_to_highest = highest - u[y];
    (void)mu;
    (void)constant;
    (void)work;
    double sum = exponentiate(u, classes, highest, 1);
    normalize(u, classes, y, sum);
    copy_to_offsets(items, u, by_shared);
    return log(sum) + gap_to_highest;
}

/* ---- offsets */

static double profile(struct items *items, double *w, bool again, double slack, double *gradient,
                      double *constant) {
    struct class_offsets *o = &((struct multiclass_risk *)items)->offsets;
    double *b = w + items->risk.regularized;
    (void)again;
    items_scores(items, w, o->score);
    memcpy(o->b, b, sizeof *b * (size_t)o->classes);
    double value = class_offsets_find(o, slack, constant);
    memcpy(b, o->b, sizeof *b * (size_t)o->classes);
    items_combine(items, o->p, gradient);
    return value;
}

static void free_offsets(struct items *items) {
    class_offsets_free(&((struct multiclass_risk *)items)->offsets);
}

static int make_offsets(struct multiclass_risk *risk, struct error *e) {
    const struct items *items = &risk->items;
    risk->offsets = (struct class_offsets){.rows = items->count,
                                           .classes = items->width,
                                           .target = items->target,
                                           .weight = items->weight,
                                           .weight_sum = items->weight_sum,
                                           .margin = items->loss->smoothing != NULL};
    return class_offsets_init(&risk->offsets, e);
}

/* ---- constants */

static double lipschitz(const struct items *items, int64_t i) {
    return M_SQRT2 * sqrt(items_row_square(items, i) + (items->shared > 0));
}

static double norm_bound(const struct items *items, int64_t i) {
    (void)i;
    return ((const struct multiclass_risk *)items)->norm_bound;
}

static double smoothing(const struct items *items, int64_t i) {
    (void)i;
    return ((const struct multiclass_risk *)items)->log_classes;
}

double softmax_norm_bound(int64_t classes) {
    return lambert_of_exp(log((double)(classes - 1)) - 1);
}

static const struct item_loss crammer_singer_loss = {.name = "crammer-singer",
                                                     .value = crammer_singer,
                                                     .lipschitz = lipschitz,
                                                     .norm_bound = norm_bound,
                                                     .smoothing = smoothing,
                                                     .profile = profile,
                                                     .free = free_offsets};

static const struct item_loss softmax_loss = {.name = "softmax",
                                              .value = softmax,
                                              .lipschitz = lipschitz,
                                              .norm_bound = norm_bound,
                                              .profile = profile,
                                              .free = free_offsets};

static struct risk *make(const struct risk_settings *settings, const struct item_loss *loss,
                         double norm_bound, struct error *e) {
    struct multiclass_risk *risk = items_new(sizeof *risk, loss, e);
    if (risk == NULL)
        return NULL;
    int64_t offsets = settings->scalar.intercept ? settings->labels : 0;
    risk->log_classes = log((double)settings->labels);
    risk->norm_bound = norm_bound;
    const struct items_settings given = {.scalar = &settings->scalar,
                                         .loss = loss,
                                         .width = settings->labels,
                                         .shared = offsets,
                                         .offsets = offsets};
    if (items_init(&risk->items, &given, e) != 0 || (offsets > 0 && make_offsets(risk, e) != 0)) {
        risk_free(&risk->items.risk);
        return NULL;
    }
    return &risk->items.risk;
}

static void show_margins(struct multiclass_risk *risk) {
    const struct items *items = &risk->items;
    risk->margins = (struct class_terms){.data = items->data,
                                         .bias = items->bias,
                                         .target = items->target,
                                         .weight = items->weight,
                                         .weight_sum = items->weight_sum,
                                         .classes = items->width,
                                         .margin = 1};
    risk->items.risk.margins = &risk->margins;
}

struct risk *crammer_singer_risk_new(const struct risk_settings *settings, struct error *e) {
    struct risk *risk = make(settings, &crammer_singer_loss, 1, e);
    if (risk != NULL && !settings->scalar.intercept)
        show_margins((struct multiclass_risk *)risk);
    return risk;
}

struct risk *softmax_risk_new(const struct risk_settings *settings, struct error *e) {
    return make(settings, &softmax_loss, softmax_norm_bound(settings->labels), e);
}
