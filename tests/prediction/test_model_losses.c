/* test_model_losses.c - the labels and the lines that a model file may have, for every loss of the table of risks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/model/model_format.h"
#include "risk/risk_table.h"

enum { MAX_LABELS = 3, MAX_WEIGHTS = 1000 };

/* Whether a model of the risk can have so many labels. */
static bool can_be(const struct risk_row *risk, int64_t labels) {
    static double label[MAX_LABELS] = {3, 1, 2}, w[MAX_WEIGHTS];
    struct model shape = {.labels = labels, .label = label, .bias = -1, .w = w}, model;
    struct error e = {0};
    snprintf(shape.loss, sizeof shape.loss, "%s", risk->name);
    shape.features = risk->features > 0 ? 0 : 2;
    shape.dimension = shape.features;
    shape.vectors = risk->features > 0 ? 0 : labels > 2 || task_is_joint(risk->task) ? labels : 1;
    shape.shared = risk->shared != NULL ? risk->shared(labels) : 0;
    bool made = model_of_weights(&shape, &model, &e) == 0;
    if (made)
        model_free(&model);
    return made;
}

static void labels_fit_the_loss(void **state) {
    int count;
    const struct risk_row *table = risk_table(&count);
    (void)state;
    for (int i = 0; i < count; i++) {
        bool classes = task_has_classes(table[i].task);
        for (int64_t labels = 0; labels <= MAX_LABELS; labels++)
            if (can_be(&table[i], labels) != (classes ? labels >= 2 : labels == 0))
                fail_msg("%s with %d labels", table[i].name, (int)labels);
    }
}

/* Whether models of the risk have this line. */
static void check_line(const struct risk_row *risk, const char *line, bool has) {
    struct model model = {0};
    const struct model_key *key = model_keys;
    const char *conflict;
    snprintf(model.loss, sizeof model.loss, "%s", risk->name);
    while (strcmp(key->name, line) != 0)
        assert_true(++key < model_keys + MODEL_KEYS);
    if ((model_key_conflict(key, &model, &conflict) == NULL) != has)
        fail_msg("%s: %s %s", risk->name, has ? "no line" : "the line", line);
}

static void lines_fit_the_loss(void **state) {
    int count;
    const struct risk_row *table = risk_table(&count);
    (void)state;
    for (int i = 0; i < count; i++) {
        const struct risk_row *risk = &table[i];
        bool of_groups = risk->shared != NULL, scores_classes = task_has_classes(risk->task);
        bool calibrated = scores_classes && !of_groups && risk->learned != LEARNS_LEVEL;
        if (!risk->probabilities) {
            check_line(risk, "sigmoid", calibrated);
            check_line(risk, "isotonic", calibrated);
        }
        check_line(risk, "at", risk->cut);
        check_line(risk, "shared", of_groups);
        check_line(risk, "multiclass",
                   risk->task == TASK_CLASSIFICATION && risk->scalar != NULL &&
                       risk->learned != LEARNS_LEVEL);
        check_line(risk, "nu", risk->boosts || risk->learned != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_fit_the_loss),
                                       cmocka_unit_test(lines_fit_the_loss)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
