/* measure_choice.c - the measure by which folds or held-out examples choose lambda; see measure_choice.h. */
#include "training/search/measure_choice.h"

#include "io/nearest.h"
#include "prediction/ranking_decoder.h"

#include <math.h>
#include <string.h>

enum { CLASSES, TWO_CLASSES, PROBABILITIES, NUMBERS, RANKINGS, SEQUENCES, FOLDINGS };

/* The measures of prediction/, as options name them: without capitals and blanks. */
static const struct {
    const char *name;
    int kind;
} known[] = {{"accuracy", CLASSES},
             {"auc", TWO_CLASSES},
             {"f1", TWO_CLASSES},
             {"precision", TWO_CLASSES},
             {"recall", TWO_CLASSES},
             {"log-loss", PROBABILITIES},
             {"brier-score", PROBABILITIES},
             {"mse", NUMBERS},
             {"mae", NUMBERS},
             {"r2", NUMBERS},
             {"ndcg", RANKINGS},
             {"ndcg@K", RANKINGS},
             {"accuracy", SEQUENCES},
             {"sequence-accuracy", SEQUENCES},
             {"f", FOLDINGS},
             {"sensitivity", FOLDINGS},
             {"ppv", FOLDINGS},
             {"mean-f", FOLDINGS}};

enum { KNOWN = sizeof known / sizeof *known };

static bool has_kind(const struct training_request *request, int kind) {
    const struct risk_row *risk = request->risk;
    bool rows = risk->task == TASK_CLASSIFICATION || risk->task == TASK_CLASSES;
    switch (kind) {
    case CLASSES:
    case TWO_CLASSES:
        return rows;
    case PROBABILITIES:
        return rows && (risk->probabilities || request_fits_sigmoids(request));
    case NUMBERS:
        return risk->task == TASK_REGRESSION;
    case RANKINGS:
        return risk->task == TASK_RANKING;
    case SEQUENCES:
        return risk->task == TASK_SEQUENCES;
    default:
        return risk->task == TASK_FOLDING;
    }
}

enum { NAME = 48 };

/* Of the kinds that the risk has; -1: none. "ndcg@5" is an "ndcg@K". */
static int find_known(const struct training_request *request) {
    const char *asked = request->settings.measure;
    char name[NAME];
    size_t base = strcspn(asked, "@");
    snprintf(name, sizeof name, "%.*s%s", (int)base, asked, asked[base] == '@' ? "@K" : "");
    for (int i = 0; i < KNOWN; i++)
        if (has_kind(request, known[i].kind) && measure_is_called(known[i].name, name))
            return i;
    return -1;
}

int measure_choice_check(const struct training_request *request, struct error *e) {
    const char *names[KNOWN + 1] = {NULL}, *measure = request->settings.measure;
    char list[256];
    int64_t K;
    int count = 0;
    if (measure == NULL)
        return 0;
    if (find_known(request) >= 0)
        return ranking_cutoff(measure, &K, e);
    for (int i = 0; i < KNOWN; i++)
        if (has_kind(request, known[i].kind))
            names[count++] = known[i].name;
    join_names(names, list, sizeof list);
    return error_usage(e,
                       "--measure %.40s: predictions of -L %s have no such measure; they have %s",
                       measure, request->risk->name, list);
}

int measure_choice_check_labels(const struct training_request *request, int64_t labels,
                                struct error *e) {
    const char *measure = request->settings.measure;
    return measure == NULL || labels <= 2 || known[find_known(request)].kind != TWO_CLASSES
               ? 0
               : error_usage(e, "--measure %.40s is for two classes; -P makes two of several",
                             measure);
}

/* Whether the request's measure needs the probabilities of predictions. */
static bool needs_probabilities(const struct training_request *request) {
    return request->settings.measure != NULL && known[find_known(request)].kind == PROBABILITIES;
}

bool measure_choice_is_of_labels(const struct training_request *request) {
    const char *measure = request->settings.measure;
    return !needs_probabilities(request) && (measure == NULL || !measure_is_called("auc", measure));
}

struct decoding *measure_choice_decoding(const struct training *training, struct error *e) {
    const struct training_request *request = training->request;
    const struct model model = {.labels = training->classes->labels,
                                .label = training->classes->label,
                                .at = request->settings.at};
    const struct decoder_settings settings = {
        .model = &model,
        .probabilities = request->settings.probabilities == 1 || needs_probabilities(request),
        .measures = request->settings.measure};
    return decoding_new(request->risk, &settings, e);
}

/* Whether the measure that is printed as SHOWN is NAME at some K: "NDCG@10" is "ndcg". */
static bool is_at_some_k(const char *shown, const char *name) {
    char base[NAME];
    size_t length = strcspn(shown, "@");
    snprintf(base, sizeof base, "%.*s", (int)length, shown);
    return shown[length] == '@' && measure_is_called(base, name);
}

int measure_choice_find(const struct training_request *request, const struct measure *list,
                        int count) {
    const char *given = request->settings.measure;
    const char *name = given != NULL ? given : request->risk->measure;
    for (int k = 0; name != NULL && k < count; k++) /* "precision@50" before "precision" */
        if (is_at_some_k(list[k].name, name))
            return k;
    for (int k = 0; name != NULL && k < count; k++)
        if (measure_is_called(list[k].name, name))
            return k;
    return 0;
}

int measure_choice_check_value(const struct measure *measure, struct error *e) {
    if (!isnan(measure->value))
        return 0;
    return error_set(e, "the %s of the held-out examples is not a number: give another --measure",
                     measure->name);
}
