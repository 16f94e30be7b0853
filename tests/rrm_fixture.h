/* rrm_fixture.h - what the tests of the public library share: data in arrays, settings from a list, trained models.
 * Include after cmocka.h. */
#ifndef RRM_RRM_FIXTURE_H
#define RRM_RRM_FIXTURE_H

#include "rrm.h"
#include "tests/random_data.h"
#include "tests/temporary.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 300, FEATURES = 12, CLASSES = 3 };

/* Numbers that a float holds, so that both types of values are the same; labels are set by each test. */
static struct dataset rows;
static double labels[ROWS], classes[ROWS], numbers[ROWS], weights[ROWS], grades[ROWS];
static int64_t groups[ROWS];

static inline int set_up(void **state) {
    rows = random_data(ROWS, FEATURES, false, 4);
    for (int64_t k = 0; k < rows.nonzeros; k++)
        rows.value[k] = (float)rows.value[k];
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t from = rows.start[i], to = rows.start[i + 1];
        labels[i] = rows.label[i];
        numbers[i] = to > from ? 3 * rows.value[from] : 0;
        classes[i] = to > from ? rows.column[from] % CLASSES + 2 : 2;
        weights[i] = 0.5 + (double)(i % 4);
        grades[i] = labels[i] > 0 ? 2 : (double)(i % 2);
        groups[i] = i / 5;
    }
    return make_path(state);
}

static inline int tear_down(void **state) {
    dataset_free(&rows);
    return remove_path(state);
}

static inline struct rrm_csr arrays(const double *label) {
    return (struct rrm_csr){.rows = ROWS,
                            .start = rows.start,
                            .column = rows.column,
                            .value = rows.value,
                            .label = label};
}

static inline struct rrm_data *lend(const struct rrm_csr *csr) {
    struct rrm_error error = {0};
    struct rrm_data *data = rrm_data_csr(csr, &error);
    assert_string_equal(error.message, "");
    assert_non_null(data);
    return data;
}

/* Settings from "name=text,name,..."; a semicolon in a text stands for a comma. */
static inline struct rrm_settings *settings_of(const char *list) {
    struct rrm_settings *settings = rrm_settings_new(NULL);
    char copy[256], *rest = copy;
    struct rrm_error error = {0};
    assert_non_null(settings);
    snprintf(copy, sizeof copy, "%s", list);
    for (char *name; (name = strsep(&rest, ",")) != NULL && *name != '\0';) {
        char *sign = strchr(name, '=');
        if (sign != NULL)
            *sign = '\0';
        for (char *comma = sign; comma != NULL && (comma = strchr(comma + 1, ';')) != NULL;)
            *comma = ',';
        if (rrm_settings_set(settings, name, sign == NULL ? NULL : sign + 1, &error) != 0)
            fail_msg("%s", error.message);
    }
    return settings;
}

static inline struct rrm_model *train(const struct rrm_data *data, const char *list,
                                      struct rrm_result *result) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model = NULL;
    struct rrm_error error = {0};
    if (rrm_train(data, settings, NULL, &model, result, &error) != 0)
        fail_msg("%s", error.message);
    rrm_settings_free(settings);
    return model;
}

/* The text of the model's file, to be freed. */
static inline char *text_of(const struct rrm_model *model) {
    size_t size = 1 << 20;
    char *text = calloc(1, size);
    assert_int_equal(rrm_model_write(model, path, NULL), 0);
    FILE *file = fopen(path, "r");
    assert_true(text != NULL && file != NULL);
    assert_true(fread(text, 1, size - 1, file) < size - 1);
    fclose(file);
    return text;
}

/* The model's file, and the model freed. */
static inline char *file_of(struct rrm_model *model) {
    char *text = text_of(model);
    rrm_model_free(model);
    return text;
}

static inline void check_same(char *a, char *b) {
    assert_string_equal(a, b);
    free(b);
}

static inline void refuse_training(const struct rrm_data *data, const char *list, int code,
                                   const char *words) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model = (struct rrm_model *)settings;
    struct rrm_error error = {0};
    assert_int_equal(rrm_train(data, settings, NULL, &model, NULL, &error), -1);
    assert_null(model);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(error.code, code);
    rrm_settings_free(settings);
}

#endif
