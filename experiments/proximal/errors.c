/* errors.c - test errors in the course of a run (Do, Le & Foo 2009, Figure 2): linked with train, whose calls of
 * scalar_risk_new come here (ld --wrap).
 *
 *     ERRORS_TEST=FILE ERRORS_OUT=FILE errors OPTION... DATA MODEL      as train
 *
 * ERRORS_OUT gets a line for each point w at which the run evaluates R: R(w), ||w||^2/2 and the share of the rows of
 * ERRORS_TEST that w has on the wrong side. Two classes, without a constant feature. */
#include "io/svmlight/svmlight.h"
#include "risk/risk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct risk *__real_scalar_risk_new(const struct scalar_settings *settings, struct error *e);
struct risk *__wrap_scalar_risk_new(const struct scalar_settings *settings, struct error *e);

static struct dataset test;
static double positive; /* the larger label: that of positive scores */
static FILE *lines;
static struct risk_kind watched;
static double (*evaluate)(const struct risk *risk, const double *w, double mu, double *gradient,
                          double *constant);

static double score(const double *w, int64_t features, int64_t row) {
    double sum = 0;
    for (int64_t k = test.start[row]; k < test.start[row + 1]; k++) {
        int32_t j = test.column[test.dense ? k - test.start[row] : k];
        if (j < features)
            sum += w[j] * (test.value == NULL ? 1 : test.value[k]);
    }
    return sum;
}

static double test_error(const double *w, int64_t features) {
    int64_t wrong = 0;
    for (int64_t row = 0; row < test.rows; row++)
        wrong += (score(w, features, row) > 0) != (test.label[row] == positive);
    return (double)wrong / (double)test.rows;
}

static double evaluate_and_watch(const struct risk *risk, const double *w, double mu,
                                 double *gradient, double *constant) {
    double value = evaluate(risk, w, mu, gradient, constant), square = 0;
    for (int64_t j = 0; j < risk->regularized; j++)
        square += w[j] * w[j];
    fprintf(lines, "%.10g\t%.10g\t%.6f\n", value, square / 2, test_error(w, risk->regularized));
    return value;
}

static void fail(const struct error *e) {
    error_print(e, "errors", stderr);
    exit(1);
}

static void open_files(void) {
    static const struct svmlight_options plain = {.threads = 1};
    struct error e = {0};
    const char *data = getenv("ERRORS_TEST"), *out = getenv("ERRORS_OUT");
    if (data == NULL || out == NULL || (lines = fopen(out, "w")) == NULL) {
        fputs("errors: ERRORS_TEST and ERRORS_OUT are to name files\n", stderr);
        exit(2);
    }
    if (dataset_load(data, &plain, &test, &e) != 0)
        fail(&e);
    positive = test.label[0];
    for (int64_t i = 1; i < test.rows; i++)
        positive = fmax(positive, test.label[i]);
}

struct risk *__wrap_scalar_risk_new(const struct scalar_settings *settings, struct error *e) {
    struct risk *risk = __real_scalar_risk_new(settings, e);
    if (risk == NULL || lines != NULL)
        return risk;
    open_files();
    watched = *risk->kind;
    evaluate = watched.evaluate;
    watched.evaluate = evaluate_and_watch;
    risk->kind = &watched;
    return risk;
}
