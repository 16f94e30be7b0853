/* multiclass.c - risks of one weight vector a class. */
#include "risk/multiclass.h"

#include "math/exponential.h"
#include "math/lambert.h"
#include "risk/items.h"

#include <math.h>

struct multiclass_risk {
    struct items items; /* first */
    double log_classes, pull;
};

static int64_t class_of(const struct items *items, int64_t i) {
    return (int64_t)items->target[i];
}

/* The largest; of equal ones Y, else the first. */
static int64_t largest(const double *z, int64_t classes, int64_t y) {
    int64_t best = y;
    for (int64_t k = 0; k < classes; k++)
        if (z[k] > z[best])
            best = k;
    return best;
}

/* z -> exp((z - TOP)/mu); their sum. */
static double weigh(double *z, int64_t classes, double top, double mu) {
    double sum = 0;
    for (int64_t k = 0; k < classes; k++)
        z[k] = (z[k] - top) / mu;
    exponentials(z, classes);
    for (int64_t k = 0; k < classes; k++)
        sum += z[k];
    return sum;
}

/* p = z / sum, less e_y. */
static void normalize(double *z, int64_t classes, int64_t y, double sum) {
    for (int64_t k = 0; k < classes; k++)
        z[k] /= sum;
    z[y] -= 1;
}

static double crammer_singer(const struct items *items, int64_t i, double *u, const double *v,
                             double mu, double *by_shared, double *constant, void *room) {
    int64_t classes = items->width, y = class_of(items, i);
    double own = u[y];
    (void)v;
    (void)room;
    for (int64_t k = 0; k < classes; k++)
        u[k] += 1 - own;
    u[y] = 0;
    int64_t best = largest(u, classes, y);
    double top = u[best];
    if (mu > 0) {
        double sum = weigh(u, classes, top, mu);
        normalize(u, classes, y, sum);
        *constant = -u[y];
        return top + mu * (log(sum) - ((const struct multiclass_risk *)items)->log_classes);
    }
    if (by_shared == NULL)
        return top;
    for (int64_t k = 0; k < classes; k++)
        u[k] = 0;
    u[best] += 1;
    u[y] -= 1;
    return top;
}

static double softmax(const struct items *items, int64_t i, double *u, const double *v, double mu,
                      double *by_shared, double *constant, void *room) {
    int64_t classes = items->width, y = class_of(items, i);
    double top = u[largest(u, classes, y)], below = top - u[y];
    (void)v;
    (void)mu;
    (void)by_shared;
    (void)constant;
    (void)room;
    double sum = weigh(u, classes, top, 1);
    normalize(u, classes, y, sum);
    return log(sum) + below;
}

/* ---- constants */

static double lipschitz(const struct items *items, int64_t i) {
    return M_SQRT2 * sqrt(items_row_square(items, i));
}

static double pull(const struct items *items, int64_t i) {
    (void)i;
    return ((const struct multiclass_risk *)items)->pull;
}

static double smoothing(const struct items *items, int64_t i) {
    (void)i;
    return ((const struct multiclass_risk *)items)->log_classes;
}

double softmax_pull(int64_t classes) {
    return lambert_of_exp(log((double)(classes - 1)) - 1);
}

static const struct item_loss crammer_singer_loss = {.name = "crammer-singer",
                                                     .value = crammer_singer,
                                                     .lipschitz = lipschitz,
                                                     .pull = pull,
                                                     .smoothing = smoothing};

static const struct item_loss softmax_loss = {
    .name = "softmax", .value = softmax, .lipschitz = lipschitz, .pull = pull};

static struct risk *make(const struct risk_settings *settings, const struct item_loss *loss,
                         double pull, struct error *e) {
    struct multiclass_risk *risk = items_new(sizeof *risk, loss, e);
    if (risk == NULL)
        return NULL;
    risk->log_classes = log((double)settings->labels);
    risk->pull = pull;
    const struct items_settings wanted = {
        .scalar = &settings->scalar, .loss = loss, .width = settings->labels};
    if (items_init(&risk->items, &wanted, e) != 0) {
        risk_free(&risk->items.risk);
        return NULL;
    }
    return &risk->items.risk;
}

struct risk *crammer_singer_risk_new(const struct risk_settings *settings, struct error *e) {
    return make(settings, &crammer_singer_loss, 1, e);
}

struct risk *softmax_risk_new(const struct risk_settings *settings, struct error *e) {
    return make(settings, &softmax_loss, softmax_pull(settings->labels), e);
}
