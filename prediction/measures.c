/* measures.c - accuracy, AUC, F1, precision, recall; MSE, MAE, R2; see measures.h.
 *
 * Means are updated as m += (x - m)/n and the variance of the labels by Welford's recurrence
 * (1962), so that millions of rows, or labels far from zero, lose no digits. */
#include "prediction/measures.h"

#include "io/memory.h"
#include "prediction/auc.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The names of all measures, in the order of measures_finish. */
static const char *const names_of_numbers[] = {"MSE", "MAE", "R2"};
static const char *const names_of_labels[] = {"Accuracy", "AUC", "F1", "precision", "recall"};
static const char *const names_of_probabilities[] = {"log loss", "Brier score"};

struct measures {
    double *sorted; /* the model's labels, ascending, */
    double *label;  /* and in its order */
    int64_t labels;
    double positive;
    int64_t rows, correct, unknown;
    double first_unknown;
    int64_t true_positives, said_positive, positives;
    struct auc *auc; /* two classes only */
    int64_t at;      /* K of precision@K; 0: without it */
    char at_name[40];
    int64_t weighed;         /* rows with probabilities */
    double log_loss, brier;  /* their means */
    int64_t *confusion;      /* as in struct confusion; NULL: not counted */
    double square, absolute; /* mean errors */
    double mean, spread;     /* of the labels: mean, sum of squared deviations */
};

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct measures *measures_new(const double *label, int64_t labels, int64_t at, struct error *e) {
    struct measures *measures = memory_zeroed(1, sizeof *measures, "measures", e);
    if (measures == NULL)
        return NULL;
    measures->labels = labels;
    measures->at = at;
    snprintf(measures->at_name, sizeof measures->at_name, "precision@%" PRId64, at);
    measures->sorted = memory_new(labels, sizeof *measures->sorted, "labels", e);
    measures->label = memory_new(labels, sizeof *measures->label, "labels", e);
    if (labels == 2)
        measures->auc = auc_new(AUC_EXACT_ROWS, e);
    if (measures->sorted == NULL || measures->label == NULL ||
        (labels == 2 && measures->auc == NULL)) {
        measures_free(measures);
        return NULL;
    }
    if (labels > 0) {
        measures->positive = label[0];
        memcpy(measures->sorted, label, (size_t)labels * sizeof *label);
        memcpy(measures->label, label, (size_t)labels * sizeof *label);
        qsort(measures->sorted, (size_t)labels, sizeof *label, compare);
    }
    return measures;
}

void measures_free(struct measures *measures) {
    if (measures == NULL)
        return;
    auc_free(measures->auc);
    free(measures->sorted);
    free(measures->label);
    free(measures->confusion);
    free(measures);
}

static void add_value(struct measures *measures, double label, double prediction) {
    double n = (double)measures->rows;
    double error = prediction - label;
    double deviation = label - measures->mean;
    measures->square += (error * error - measures->square) / n;
    measures->absolute += (fabs(error) - measures->absolute) / n;
    measures->mean += deviation / n;
    measures->spread += deviation * (label - measures->mean);
}

/* The place of a label in ascending order; `labels` if the model does not have it. */
static int64_t place_of(const struct measures *measures, double label) {
    const double *found =
        bsearch(&label, measures->sorted, (size_t)measures->labels, sizeof label, compare);
    return found == NULL ? measures->labels : found - measures->sorted;
}

int measures_add(struct measures *measures, double label, double prediction, double score,
                 struct error *e) {
    if (isnan(label))
        return 0;
    measures->rows++;
    if (measures->labels == 0) {
        add_value(measures, label, prediction);
        return 0;
    }
    measures->correct += label == prediction;
    if (label != prediction && place_of(measures, label) == measures->labels &&
        measures->unknown++ == 0)
        measures->first_unknown = label;
    if (measures->confusion != NULL)
        measures->confusion[place_of(measures, label) * measures->labels +
                            place_of(measures, prediction)]++;
    if (measures->labels != 2)
        return 0;
    bool is = label == measures->positive, said = prediction == measures->positive;
    measures->positives += is;
    measures->said_positive += said;
    measures->true_positives += is && said;
    return auc_add(measures->auc, score, is, e);
}

void measures_add_probabilities(struct measures *measures, double label, bool others,
                                const double *probability) {
    double square = 0;
    int64_t k = 0, labels = measures->labels;
    if (isnan(label))
        return;
    if (others && label != measures->label[0])
        label = measures->label[1];
    while (k < labels && measures->label[k] != label)
        k++;
    if (k == labels)
        return;
    for (int64_t l = 0; l < labels; l++)
        square += (probability[l] - (l == k)) * (probability[l] - (l == k));
    measures->weighed++;
    double n = (double)measures->weighed;
    measures->log_loss += (-log(fmax(probability[k], DBL_EPSILON)) - measures->log_loss) / n;
    measures->brier += ((labels == 2 ? square / 2 : square) - measures->brier) / n;
}

int measures_confuse(struct measures *measures, struct error *e) {
    int64_t labels = measures->labels;
    if (labels > CONFUSION_LABELS)
        return error_set(e, "%" PRId64 " labels, but a confusion matrix has at most %d", labels,
                         CONFUSION_LABELS);
    measures->confusion = memory_zeroed((labels + 1) * labels, sizeof *measures->confusion,
                                        "the confusion matrix", e);
    return measures->confusion == NULL ? -1 : 0;
}

struct confusion measures_confusion(const struct measures *measures) {
    return measures->confusion == NULL ? (struct confusion){0}
                                       : (struct confusion){.labels = measures->labels,
                                                            .label = measures->sorted,
                                                            .count = measures->confusion};
}

struct measured_rows measures_rows(const struct measures *measures) {
    return (struct measured_rows){.labelled = measures->rows,
                                  .unknown = measures->unknown,
                                  .first_unknown = measures->first_unknown};
}

void unknown_labels_sentence(const struct measured_rows *rows, char text[UNKNOWN_LABELS_SIZE]) {
    snprintf(text, UNKNOWN_LABELS_SIZE,
             "%" PRId64 " of %" PRId64 " labelled rows have a label that the model does not know "
             "(the first is %.10g): they count as errors",
             rows->unknown, rows->labelled, rows->first_unknown);
}

double measure_ratio(int64_t a, int64_t b) {
    return b == 0 ? NAN : (double)a / (double)b;
}

struct measure measure_of_counts(const char *name, int64_t numerator, int64_t denominator) {
    return (struct measure){.name = name,
                            .value = measure_ratio(numerator, denominator),
                            .numerator = numerator,
                            .denominator = denominator};
}

static int finish_regression(const struct measures *measures, struct measure *list) {
    double spread = measures->spread / (double)measures->rows;
    list[0] =
        (struct measure){.name = names_of_numbers[0], .value = measures->square, .error = true};
    list[1] =
        (struct measure){.name = names_of_numbers[1], .value = measures->absolute, .error = true};
    list[2] = (struct measure){.name = names_of_numbers[2],
                               .value = spread > 0 ? 1 - measures->square / spread : NAN};
    return 3;
}

/* The measures of labels; their number. */
static int finish_labels(struct measures *measures, struct measure list[MEASURES_MAX],
                         struct error *e) {
    list[0] = measure_of_counts(names_of_labels[0], measures->correct, measures->rows);
    if (measures->labels != 2)
        return 1;
    int64_t hits = measures->true_positives;
    list[1] = (struct measure){.name = names_of_labels[1]};
    if (auc_value(measures->auc, &list[1].value, &list[1].approximate, e) != 0)
        return -1;
    list[2] = (struct measure){
        .name = names_of_labels[2],
        .positive = measures->label,
        .value = measure_ratio(2 * hits, measures->positives + measures->said_positive)};
    list[3] = (struct measure){.name = names_of_labels[3],
                               .value = measure_ratio(hits, measures->said_positive)};
    list[4] = (struct measure){.name = names_of_labels[4],
                               .value = measure_ratio(hits, measures->positives)};
    if (measures->at == 0)
        return 5;
    list[5] = (struct measure){.name = measures->at_name,
                               .value = auc_precision(measures->auc, measures->at),
                               .approximate = list[1].approximate};
    return 6;
}

int measures_finish(struct measures *measures, struct measure list[MEASURES_MAX], struct error *e) {
    if (measures->rows == 0)
        return 0;
    if (measures->labels == 0)
        return finish_regression(measures, list);
    int count = finish_labels(measures, list, e);
    if (count < 0 || measures->weighed == 0)
        return count;
    list[count++] = (struct measure){
        .name = names_of_probabilities[0], .value = measures->log_loss, .error = true};
    list[count++] = (struct measure){
        .name = names_of_probabilities[1], .value = measures->brier, .error = true};
    return count;
}

/* Adds COUNT names. */
static void add_names(const char *const *from, int count, const char **names, int *used) {
    for (int i = 0; i < count; i++)
        names[(*used)++] = from[i];
}

void measures_names(const struct measures *measures, bool probabilities,
                    const char *names[MEASURES_MAX + 1]) {
    int used = 0;
    if (measures->labels == 0)
        add_names(names_of_numbers, 3, names, &used);
    else
        add_names(names_of_labels, measures->labels == 2 ? 5 : 1, names, &used);
    if (measures->labels == 2 && measures->at > 0)
        names[used++] = measures->at_name;
    if (measures->labels > 0 && probabilities)
        add_names(names_of_probabilities, 2, names, &used);
    names[used] = NULL;
}

static int plain(char c) {
    return c == '-' || c == '_' ? ' ' : tolower((unsigned char)c);
}

bool measure_is_called(const char *name, const char *asked) {
    while (*name != '\0' && plain(*name) == plain(*asked)) {
        name++;
        asked++;
    }
    return *name == '\0' && *asked == '\0';
}

bool measures_next_word(const char **list, char word[MEASURE_WORD]) {
    if (*list == NULL || **list == '\0')
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(word, MEASURE_WORD, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}
