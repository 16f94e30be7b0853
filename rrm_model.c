/* rrm_model.c - the public library: models, and what they predict; see rrm.h. */
#include "rrm_parts.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "prediction/decoding.h"

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- models */

/* Untrained labels say nothing: prediction leaves them out, the file keeps them. */
static int make_ready(struct rrm_model *model, struct error *e) {
    struct model copy;
    model->ready = model->model;
    if (model_untrained(&model->model) == 0)
        return 0;
    if (model_copy(&model->model, &copy, e) != 0)
        return -1;
    model_drop_untrained(&copy);
    model->ready = copy;
    return 0;
}

int rrm_model_borrow(const struct model *model, struct rrm_model *made, struct error *e) {
    made->model = *model;
    return make_ready(made, e);
}

void rrm_model_return(struct rrm_model *made) {
    if (made->ready.w != made->model.w)
        model_free(&made->ready);
}

struct rrm_model *rrm_model_make(struct model *model, struct error *e) {
    struct rrm_model *made = memory_zeroed(1, sizeof *made, "a model", e);
    if (made == NULL) {
        model_free(model);
        return NULL;
    }
    made->model = *model;
    if (make_ready(made, e) != 0) {
        rrm_model_free(made);
        return NULL;
    }
    return made;
}

void rrm_model_free(struct rrm_model *model) {
    if (model == NULL)
        return;
    rrm_model_return(model);
    model_free(&model->model);
    free(model);
}

/* The model that a function made, or NULL with the caller's error. */
static struct rrm_model *hand_over(struct model *model, int status, struct error *e,
                                   struct rrm_error *error) {
    struct rrm_model *made = status == 0 ? rrm_model_make(model, e) : NULL;
    if (made == NULL)
        rrm_fail(error, e);
    return made;
}

struct rrm_model *rrm_model_read(const char *path, struct rrm_error *error) {
    struct error e = {0};
    struct model model;
    if (path == NULL) {
        rrm_fail_missing(error, "path");
        return NULL;
    }
    locale_t before = rrm_enter();
    int status = model_read(path, &model, &e);
    rrm_leave(before);
    return hand_over(&model, status, &e, error);
}

int rrm_model_write(const struct rrm_model *model, const char *path, struct rrm_error *error) {
    struct error e = {0};
    if (model == NULL || path == NULL)
        return rrm_fail_missing(error, model == NULL ? "model" : "path");
    locale_t before = rrm_enter();
    int status = model_write(&model->model, path, false, &e);
    rrm_leave(before);
    return status == 0 ? 0 : rrm_fail(error, &e);
}

struct rrm_model *rrm_model_copy(const struct rrm_model *model, struct rrm_error *error) {
    struct error e = {0};
    struct model copy = {0};
    if (model == NULL) {
        rrm_fail_missing(error, "model");
        return NULL;
    }
    return hand_over(&copy, model_copy(&model->model, &copy, &e), &e, error);
}

static bool has_probabilities(const struct model *model) {
    const struct risk_row *risk = risk_row_by_name(model->loss);
    return model_is_calibrated(model) || (risk != NULL && risk->probabilities);
}

void rrm_model_describe(const struct rrm_model *model, struct rrm_model_info *info) {
    const struct model *m = &model->ready;
    *info = (struct rrm_model_info){.loss = m->loss,
                                    .solver = m->solver,
                                    .kernel = model_has_map(m) ? m->kernel : NULL,
                                    .labels = m->labels,
                                    .label = m->label,
                                    .probabilities = has_probabilities(m),
                                    .features = m->features,
                                    .vectors = m->vectors,
                                    .dimension = m->dimension,
                                    .bias = m->bias,
                                    .intercept = m->intercept,
                                    .shared = m->shared,
                                    .weight = m->w,
                                    .pairs = m->pairs,
                                    .hash = (int)model->model.hash_bits,
                                    .scaled = m->scaling.method != SCALING_NONE};
}

static int check_linear(const struct rrm_model_info *info, struct error *e) {
    if (info->loss == NULL)
        return error_usage(e, "loss is NULL");
    if (info->kernel != NULL)
        return error_usage(e, "kernel %s: only linear models are made of weights", info->kernel);
    if (risk_row_by_name(info->loss) == NULL)
        return error_usage(e, "%.40s: there is no such loss", info->loss);
    if (info->scaled != 0)
        return error_usage(
            e,
            "scaled is %d: weights of scaled features are no model without their scaling; keep "
            "such a model by rrm_model_copy or rrm_model_write",
            info->scaled);
    return rrm_check_flag("intercept", info->intercept, e) != 0
               ? -1
               : rrm_check_flag("pairs", info->pairs, e);
}

static struct rrm_model *from_weights(const struct rrm_model_info *info, struct rrm_error *error) {
    struct error e = {0};
    struct model model, shape = {.labels = info->labels,
                                 .label = (double *)info->label,
                                 .features = info->features,
                                 .vectors = info->vectors,
                                 .dimension = info->dimension,
                                 .pairs = info->pairs != 0,
                                 .bias = info->bias,
                                 .intercept = info->intercept != 0,
                                 .shared = info->shared,
                                 .w = (double *)info->weight,
                                 .hash_bits = info->hash};
    int status = check_linear(info, &e);
    if (status == 0) {
        snprintf(shape.loss, sizeof shape.loss, "%s", info->loss);
        status = model_of_weights(&shape, &model, &e);
    }
    return hand_over(&model, status, &e, error);
}

struct rrm_model *rrm_model_from_weights(const struct rrm_model_info *info,
                                         struct rrm_error *error) {
    if (info != NULL)
        return from_weights(info, error);
    rrm_fail_missing(error, "info");
    return NULL;
}

/* ---- prediction */

/* Where the predictions go. */
struct targets {
    const struct model *model;
    double *label, *score, *probability;
};

static void take_labels(const struct targets *targets, const struct decoded *decoded) {
    const struct model *model = targets->model;
    double *label = targets->label + decoded->first;
    for (int64_t i = 0; i < decoded->rows; i++)
        if (decoded->choice == NULL)
            label[i] = decoded->scores[i * model->vectors];
        else if (model->labels == 0)
            label[i] = decoded->choice[i] + 1.0;
        else
            label[i] = model->label[decoded->choice[i]];
}

static void take_numbers(const struct decoded *decoded, const double *from, int64_t width,
                         double *to) {
    if (to != NULL && decoded->rows * width > 0)
        memcpy(to + decoded->first * width, from,
               sizeof *to * (size_t)decoded->rows * (size_t)width);
}

/* A decoded_visitor's visit. */
static int take(void *context, const struct decoded *decoded, struct error *e) {
    const struct targets *targets = context;
    (void)e;
    if (targets->label != NULL)
        take_labels(targets, decoded);
    take_numbers(decoded, decoded->scores, targets->model->vectors, targets->score);
    take_numbers(decoded, decoded->probability, targets->model->labels, targets->probability);
    return 0;
}

/* Columns of names mean the same only with as many bits. Data of numbers or of arrays go with any model. */
static int check_hash(const struct model *model, const struct rrm_data *data, struct error *e) {
    if (data->hash_bits == 0 || data->hash_bits == model->hash_bits)
        return 0;
    if (model->hash_bits == 0)
        return error_usage(e, "the data were read with %d bits of a hash; the model has none",
                           data->hash_bits);
    return error_usage(e, "the data were read with %d bits of a hash; the model has %d",
                       data->hash_bits, (int)model->hash_bits);
}

/* The rows with values that are doubles, to be returned. */
static int take_rows(const struct rrm_data *data, struct dataset *rows, struct error *e) {
    *rows = data->csr.data;
    return rows->floats == NULL ? 0 : dataset_widen(rows, e);
}

static void return_rows(const struct rrm_data *data, struct dataset *rows) {
    if (data->csr.data.floats != NULL)
        free(rows->value);
}

/* What decodes ROWS, those of DATA, by MODEL; NULL with the error set. */
static struct decoding *open_decoding(const struct rrm_model *model, const struct rrm_data *data,
                                      const struct dataset *rows, bool probabilities,
                                      struct error *e) {
    const struct model *m = &model->ready;
    const struct risk_row *risk = risk_row_by_name(m->loss);
    const struct decoder_settings settings = {.model = m, .probabilities = probabilities};
    if (check_hash(m, data, e) != 0 || decoding_check_model(&settings, NULL, e) != 0 ||
        decoding_check_data(risk, rows, data->name, data->zero_based, e) != 0)
        return NULL;
    return decoding_new(risk, &settings, e);
}

/* How many threads are worth starting. For few rows that takes longer than the rows themselves. */
static int threads_worth(const struct model *model, const struct dataset *data) {
    enum { PARALLEL_WORK = 100000 }; /* feature times weight, and steps from label to label */
    double labels = (double)model->vectors;
    double work = labels * ((double)data->nonzeros + labels * (double)data->rows);
    bool plain = !model_has_map(model) && model->vectors > 0; /* neither a kernel nor RNA */
    return data->rows == 1 || (plain && work < PARALLEL_WORK) ? 1 : omp_get_max_threads();
}

/* By as many of the calling thread's OpenMP threads as can be started. */
static int decode(struct decoding *decoding, const struct rrm_model *model,
                  const struct dataset *rows, const struct decoded_visitor *visitor,
                  struct error *e) {
    struct unknown_features unknown_features = {0};
    if (decoding == NULL)
        return -1;
    int before = rrm_limit_threads(threads_worth(&model->ready, rows));
    int status = decoding_data(decoding, &model->ready, rows, visitor, &unknown_features, e);
    omp_set_num_threads(before);
    return status;
}

int rrm_predict(const struct rrm_model *model, const struct rrm_data *data, double *label,
                double *score, double *probability, struct rrm_error *error) {
    struct error e = {0};
    if (model == NULL || data == NULL)
        return rrm_fail_missing(error, model == NULL ? "model" : "data");
    struct targets targets = {&model->ready, label, score, probability};
    const struct decoded_visitor visitor = {take, &targets};
    struct dataset rows;
    struct decoding *decoding = NULL;
    if (take_rows(data, &rows, &e) == 0)
        decoding = open_decoding(model, data, &rows, probability != NULL, &e);
    int status = decode(decoding, model, &rows, &visitor, &e);
    decoding_free(decoding);
    return_rows(data, &rows);
    return status == 0 ? 0 : rrm_fail(error, &e);
}

static void take_measure(const struct measure *from, struct rrm_measure *to) {
    *to = (struct rrm_measure){
        .value = from->value, .smaller = from->error, .approximate = from->approximate};
    snprintf(to->name, sizeof to->name, "%s", from->name);
}

int rrm_measures(const struct rrm_model *model, const struct rrm_data *data,
                 struct rrm_measure list[RRM_MEASURES_MAX], struct rrm_error *error) {
    _Static_assert((int)RRM_MEASURES_MAX == (int)MEASURES_MAX, "room for every measure");
    if (model == NULL || data == NULL || list == NULL)
        return rrm_fail_missing(error, model == NULL ? "model" : data == NULL ? "data" : "list");
    struct error e = {0};
    struct measure measured[MEASURES_MAX];
    struct dataset rows;
    int count = -1;
    struct decoding *decoding = NULL;
    if (take_rows(data, &rows, &e) == 0)
        decoding = open_decoding(model, data, &rows, false, &e);
    if (decode(decoding, model, &rows, NULL, &e) == 0)
        count = decoding_finish(decoding, measured, NULL, &e);
    for (int i = 0; i < count; i++) /* the names are the decoding's */
        take_measure(&measured[i], &list[i]);
    decoding_free(decoding);
    return_rows(data, &rows);
    return count < 0 ? rrm_fail(error, &e) : count;
}
