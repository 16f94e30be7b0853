/* risk.c - what all risks share. */
#include "risk/risk.h"

#include "io/memory.h"

#include <math.h>

void risk_free(struct risk *risk) {
    if (risk != NULL)
        risk->kind->free(risk);
}

int risk_smooth(const struct risk *risk, struct error *e) {
    return risk->kind->smooth == NULL ? 0 : risk->kind->smooth(risk, e);
}

static struct dataset_window *window_of(const struct risk *risk) {
    return risk->scalar == NULL ? NULL : risk->scalar->design->data->window;
}

void risk_watch(const struct risk *risk, bool (*stop)(void *opaque), void *opaque) {
    struct risk *watched = (struct risk *)risk;
    struct dataset_window *window = window_of(risk);
    watched->stop = stop;
    watched->opaque = opaque;
    if (window != NULL)
        window->interrupted = (struct interruption){stop, opaque};
}

bool risk_lacks_rows(const struct risk *risk) {
    return window_of(risk) != NULL && risk_stopped(risk);
}

double risk_linearize(const struct risk *risk, const double *w, double mu, double *gradient,
                      double *constant) {
    *constant = -INFINITY;
    double value = risk->kind->evaluate(risk, w, mu, gradient, mu > 0 ? constant : NULL);
    if (*constant == -INFINITY) /* nothing better is known */
        *constant = value - vector_dot(gradient, w, risk->dimension);
    return value;
}

/* In one piece: the items, their numbers, their columns. */
struct risk_item *risk_items_new(const struct risk *risk, int64_t count, struct error *e) {
    int64_t size = (int64_t)sizeof(struct risk_item) +
                   risk->item_numbers * (int64_t)sizeof(double) +
                   risk->item_columns * (int64_t)sizeof(int32_t);
    struct risk_item *items = memory_zeroed(count, (size_t)size, "the items of a step", e);
    if (items == NULL)
        return NULL;
    double *number = (double *)(items + count);
    int32_t *column = (int32_t *)(number + count * risk->item_numbers);
    for (int64_t i = 0; i < count; i++) {
        items[i].number = risk->item_numbers > 0 ? number + i * risk->item_numbers : NULL;
        items[i].column = risk->item_columns > 0 ? column + i * risk->item_columns : NULL;
    }
    return items;
}

int risk_equal_weights(const char *name, const double *weight, int64_t rows, struct error *e) {
    for (int64_t i = 1; weight != NULL && i < rows; i++)
        if (weight[i] != weight[0])
            return error_usage(
                e, "-L %s needs examples of one weight: no -w, --weights or \"cost:\" of several",
                name);
    return 0;
}
