/* classes.c - from the labels of the data to the targets of each weight vector. */
#include "training/classes/classes.h"

#include "io/memory.h"
#include "io/model/label_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ascending distinct labels. */
struct label_set {
    int64_t count, capacity;
    double *label;
};

/* The first place whose label is not less. */
static int64_t find_place(const struct label_set *set, double label) {
    int64_t low = 0, high = set->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (set->label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int insert(struct label_set *set, int64_t position, double label, struct error *e) {
    if (memory_reserve((void **)&set->label, &set->capacity, set->count + 1, sizeof *set->label,
                       "labels", e) != 0)
        return -1;
    memmove(set->label + position + 1, set->label + position,
            sizeof *set->label * (size_t)(set->count - position));
    set->label[position] = label;
    set->count++;
    return 0;
}

int classes_refuse_more(const struct training_request *request, struct error *e) {
    return error_file(
        e, request->data_name,
        "more than %d distinct labels for %s, a loss of classes; -L squared fits real labels",
        CLASSES_MOST, request->risk->name);
}

static int insert_labels(const struct training_request *request, const double *labels,
                         int64_t count, struct label_set *set, struct error *e) {
    for (int64_t i = 0; i < count; i++) {
        double label = labels[i] + 0.0; /* -0 becomes 0 */
        int64_t position = find_place(set, label);
        if (position < set->count && set->label[position] == label)
            continue;
        if (set->count == CLASSES_MOST)
            return classes_refuse_more(request, e);
        if (insert(set, position, label, e) != 0)
            return -1;
    }
    return 0;
}

/* Adds the labels of all processes. */
static int join_labels(const struct training_request *request, struct communicator *c,
                       struct label_set *set, struct error *e) {
    double *own = memory_new(2 * CLASSES_MOST, sizeof *own, "labels", e);
    double *received = own + CLASSES_MOST;
    int64_t count = set->count;
    int status = communicator_agree(c, own == NULL ? -1 : 0, e);
    if (status == 0 && count > 0)
        memcpy(own, set->label, sizeof *own * (size_t)count);
    for (int from = 0; status == 0 && from < c->size; from++) {
        int64_t sent = communicator_numbers(c, count)[from];
        memcpy(received, own, sizeof *own * (size_t)count);
        c->broadcast(c, from, received, sent * (int64_t)sizeof *received);
        status = insert_labels(request, received, sent, set, e);
    }
    free(own);
    return status;
}

static int collect(const struct training_request *request, const struct dataset *data,
                   struct label_set *set, struct error *e) {
    struct communicator *c = data->communicator;
    int status = insert_labels(request, data->label, data->rows, set, e);
    status = communicator_agree(c, status, e);
    return status != 0 || c == NULL ? status : join_labels(request, c, set, e);
}

int classes_collect(const struct training_request *request, const struct dataset *data,
                    struct classes *classes, struct error *e) {
    struct label_set set = {0};
    int status = collect(request, data, &set, e);
    classes->label = set.label;
    classes->labels = set.count;
    return status;
}

/* -P: this label, and the other one or a stand-in for the others. */
static int choose_positive(const struct training_request *request, const struct label_set *set,
                           struct classes *classes, struct error *e) {
    double positive = request->settings.positive + 0.0;
    int64_t position = find_place(set, positive);
    double other = positive == -1 ? 1 : -1;
    if (position == set->count || set->label[position] != positive)
        return error_file(e, request->data_name, "label %.10g (-P) does not occur", positive);
    classes->against_rest = set->count > 2;
    if (!classes->against_rest)
        other = set->label[1 - position];
    classes->labels = 2;
    classes->label[0] = positive;
    classes->label[1] = other;
    return 0;
}

/* *classes has taken over the set's array. */
static int make_classes(const struct training_request *request, const struct label_set *set,
                        struct classes *classes, struct error *e) {
    double smaller = set->label[0];
    if (set->count == 1)
        return error_file(e, request->data_name, "only one label (%.10g); two are needed", smaller);
    if (request->positive_given)
        return choose_positive(request, set, classes, e);
    classes->labels = set->count;
    if (classes->labels == 2) {
        classes->label[0] = classes->label[1];
        classes->label[1] = smaller;
    }
    return 0;
}

static int set_pairs(const struct training_request *request, struct classes *classes,
                     struct error *e) {
    if (classes->labels > LABEL_PAIRS_MAX)
        return error_file(e, request->data_name,
                          "%lld labels, too many for their pairs; --multiclass ovr works",
                          (long long)classes->labels);
    classes->pairs = true;
    classes->vectors = label_pairs_count(classes->labels);
    return 0;
}

/* Whatever the labels are: +1 is predicted for examples like those of training, -1 for others. */
static int make_one_class(struct classes *classes, struct error *e) {
    classes->one = true;
    classes->label = memory_new(2, sizeof *classes->label, "labels", e);
    if (classes->label == NULL)
        return -1;
    classes->labels = 2;
    classes->label[0] = 1;
    classes->label[1] = -1;
    return 0;
}

int classes_find(const struct training_request *request, const struct dataset *data,
                 struct classes *classes, struct error *e) {
    struct label_set set = {0};
    int status;
    *classes = (struct classes){.vectors = 1,
                                .joint = task_is_joint(request->risk->task),
                                .scalar = request->risk->scalar != NULL};
    if (!task_has_classes(request->risk->task))
        return 0;
    if (request->risk->learned == LEARNS_LEVEL)
        return make_one_class(classes, e);
    status = collect(request, data, &set, e);
    classes->label = set.label;
    if (status == 0)
        status = make_classes(request, &set, classes, e);
    classes->vectors = classes->labels > 2 && !classes->joint ? classes->labels : 1;
    if (status == 0 && classes->vectors > 1 && request->one_vs_one)
        return set_pairs(request, classes, e);
    return status;
}

bool classes_look_like_numbers(const struct classes *classes, const struct dataset *data) {
    enum { MANY_LABELS = 100, FEW_EXAMPLES = 3 };
    bool all_integers = true;
    for (int64_t k = 0; k < classes->labels; k++)
        all_integers = all_integers && classes->label[k] == floor(classes->label[k]);
    return classes->labels > MANY_LABELS &&
           (!all_integers || dataset_whole_rows(data) < FEW_EXAMPLES * classes->labels);
}

int64_t classes_outputs(const struct classes *classes) {
    return classes->joint ? classes->labels : classes->vectors;
}

void classes_free(struct classes *classes) {
    free(classes->label);
    *classes = (struct classes){0};
}

/* The place of LABEL in the list: ascending, but of two labels, where the first is positive and the second
 * may stand for all others. */
static int64_t place_of(const struct classes *classes, double label) {
    struct label_set set = {.count = classes->labels, .label = classes->label};
    return classes->labels == 2 ? label != classes->label[0] : find_place(&set, label);
}

static bool has(const struct classes *classes, double label) {
    int64_t k = place_of(classes, label);
    return classes->labels == 0 || classes->against_rest ||
           (k < classes->labels && classes->label[k] == label);
}

struct measured_rows classes_measure(const struct classes *classes, const struct dataset *data) {
    struct measured_rows rows = {0};
    for (int64_t i = 0; i < data->rows; i++) {
        double label = data->label[i];
        if (isnan(label))
            continue;
        rows.labelled++;
        if (!has(classes, label) && rows.unknown++ == 0)
            rows.first_unknown = label;
    }
    return rows;
}

/* Whether the labels are the targets of vector 0: numbers, or 1 and -1 of two classes. */
static bool are_targets(const struct classes *classes) {
    bool two = classes->labels == 2 && !classes->joint && !classes->one && !classes->against_rest;
    return classes->labels == 0 || (two && classes->label[0] == 1 && classes->label[1] == -1);
}

const double *classes_positive(const struct classes *classes, int64_t vector) {
    bool found = classes->scalar && !classes->joint && !classes->one && !are_targets(classes);
    return found ? &classes->label[vector] : NULL;
}

/* Whether the targets are read from the labels. */
static bool are_read(const struct classes *classes) {
    return are_targets(classes) || classes_positive(classes, 0) != NULL;
}

int64_t classes_work(const struct classes *classes, const struct dataset *data) {
    return are_read(classes) ? 0 : data->rows;
}

const double *classes_targets(const struct classes *classes, const struct dataset *data,
                              int64_t vector, double *work) {
    if (are_read(classes))
        return data->label;
    for (int64_t i = 0; i < data->rows; i++)
        if (classes->one)
            work[i] = 1;
        else if (classes->joint)
            work[i] = (double)place_of(classes, data->label[i]);
        else
            work[i] = data->label[i] == classes->label[vector] ? 1 : -1;
    return work;
}
