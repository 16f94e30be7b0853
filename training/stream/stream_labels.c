/* stream_labels.c - the labels of a stream, which are met as the examples come. */
#include "training/stream/stream_labels.h"

#include "io/memory.h"

#include <math.h>
#include <string.h>

/* ---- the first examples */

/* Of one or two labels, which are ascending, or -P: the positive one, and the other. */
static int make_pair(struct stream_labels *labels, struct error *e) {
    struct classes *classes = labels->classes;
    const struct training_request *request = labels->request;
    int64_t count = classes->labels;
    double smallest = classes->label[0], largest = classes->label[count - 1];
    void *larger = classes->label;
    if (memory_resize(&larger, 2, sizeof *classes->label, "labels", e) != 0)
        return -1;
    classes->label = larger;
    classes->labels = 2;
    classes->label[0] = request->positive_given             ? request->settings.positive + 0.0
                        : largest > smallest || largest > 0 ? largest
                                                            : NAN;
    classes->label[1] = request->positive_given || smallest == classes->label[0] ? NAN : smallest;
    return 0;
}

/* Those of the model, in the order that training gives them. */
static int take_start(struct stream_labels *labels, const struct model *start, struct error *e) {
    struct classes *classes = labels->classes;
    const struct training_request *request = labels->request;
    bool numbers = request->risk->task == TASK_REGRESSION;
    bool one_against_rest = request->positive_given && start->labels > 2;
    if (one_against_rest)
        return error_file(e, request->start_name,
                          "trained for %lld labels; -P cannot go on from it",
                          (long long)start->labels);
    if (numbers != (start->labels == 0) || start->labels == 1)
        return error_file(e, request->start_name, "its labels are not those of the data");
    if (start->against_rest &&
        (!request->positive_given || start->label[0] != request->settings.positive))
        return error_file(e, request->start_name, "trained with -P %.10g; the same is needed here",
                          start->label[0]);
    classes->labels = start->labels;
    classes->against_rest = start->against_rest;
    classes->label = memory_new(start->labels, sizeof *classes->label, "labels", e);
    if (classes->label == NULL)
        return -1;
    if (start->labels > 0)
        memcpy(classes->label, start->label, sizeof *classes->label * (size_t)start->labels);
    return 0;
}

/* Of two labels of a start the positive one is the larger, or that of -P. */
static int order_pair(struct stream_labels *labels, struct error *e) {
    double *label = labels->classes->label, positive = labels->request->settings.positive + 0.0;
    bool given = labels->request->positive_given;
    if (given && label[0] != positive && label[1] != positive)
        return error_file(e, labels->request->start_name, "has no label %.10g (-P)", positive);
    if (given ? label[0] != positive : label[0] < label[1]) {
        double other = label[0];
        label[0] = label[1];
        label[1] = other;
    }
    return 0;
}

/* --multiclass ovr: more labels may come than the first examples have. */
static bool has_vector_each(const struct training_request *request) {
    return request_given(request, "multiclass");
}

/* One or two labels with a vector each; a second one that is not known yet is not-a-number. */
static int make_two(struct classes *classes, struct error *e) {
    void *larger = classes->label;
    if (memory_resize(&larger, 2, sizeof *classes->label, "labels", e) != 0)
        return -1;
    classes->label = larger;
    if (classes->labels == 1)
        classes->label[1] = NAN;
    classes->labels = classes->vectors = 2;
    return 0;
}

int stream_labels_find(struct stream_labels *labels, const struct dataset *first,
                       const struct model *start, struct error *e) {
    struct classes *classes = labels->classes;
    int status = 0;
    *classes = (struct classes){.vectors = 1};
    if (start != NULL)
        status = take_start(labels, start, e);
    else if (labels->request->risk->task != TASK_REGRESSION)
        status = classes_collect(labels->request, first, classes, e);
    if (status != 0 || classes->labels == 0)
        return status;
    if (classes->labels > 2 && !labels->request->positive_given) {
        classes->vectors = classes->labels;
        return 0;
    }
    if (has_vector_each(labels->request))
        return make_two(classes, e);
    return start != NULL ? order_pair(labels, e) : make_pair(labels, e);
}

/* ---- each example */

/* Sets a label of two that was not known to LABEL. */
static int meet_second(struct stream_labels *labels, double label, int64_t example,
                       struct error *e) {
    struct classes *classes = labels->classes;
    const struct training_request *request = labels->request;
    int unknown = isnan(classes->label[1]) ? 1 : isnan(classes->label[0]) ? 0 : -1;
    if (unknown < 0 && request->positive_given) {
        classes->against_rest =
            true; /* a third label counts as negative, as all but the positive do */
        classes->label[1] = classes->label[0] == -1 ? 1 : -1;
        return 0;
    }
    if (unknown < 0) {
        return error_file(e, request->data_name,
                          "example %lld has a third label, %.10g, after many examples of two "
                          "labels; --multiclass ovr trains a vector for each, -P LABEL only one",
                          (long long)example, label);
    }
    classes->label[unknown] = label;
    if (!request->positive_given && classes->label[0] < classes->label[1]) {
        return error_file(e, request->data_name,
                          "example %lld has label %.10g, after many examples of label %.10g alone; "
                          "say which is positive by -P",
                          (long long)example, label, classes->label[1 - unknown]);
    }
    return 0;
}

static int target_of_pair(struct stream_labels *labels, double label, int64_t example,
                          double *target, struct error *e) {
    const struct classes *classes = labels->classes;
    if (!classes->against_rest && label != classes->label[0] && label != classes->label[1] &&
        meet_second(labels, label, example, e) != 0)
        return -1;
    *target = label == classes->label[0] ? 1 : -1;
    labels->seen[*target < 0] = true;
    return 0;
}

int stream_labels_target(struct stream_labels *labels, double label, int64_t example,
                         double *target, struct error *e) {
    const struct classes *classes = labels->classes;
    int64_t k = 0;
    *target = label;
    if (classes->labels == 0)
        return 0;
    label += 0.0; /* -0 becomes 0 */
    if (classes->vectors == 1)
        return target_of_pair(labels, label, example, target, e);
    while (k < classes->labels && classes->label[k] != label && !isnan(classes->label[k]))
        k++;
    if (k < classes->labels)
        classes->label[k] = label; /* it is there, or was not known yet */
    *target = (double)k;
    return k == classes->labels;
}

int stream_labels_add(struct stream_labels *labels, double label, struct error *e) {
    struct classes *classes = labels->classes;
    void *larger = classes->label;
    if (classes->labels == CLASSES_MOST)
        return classes_refuse_more(labels->request, e);
    if (memory_resize(&larger, classes->labels + 1, sizeof *classes->label, "labels", e) != 0)
        return -1;
    classes->label = larger;
    classes->label[classes->labels++] = label + 0.0;
    classes->vectors = classes->labels;
    return 0;
}

double stream_labels_predict(const struct stream_labels *labels, const double *score) {
    const struct classes *classes = labels->classes;
    int64_t best = 0;
    if (classes->labels == 0)
        return score[0];
    if (classes->vectors == 1)
        return classes->label[!(score[0] > 0)];
    for (int64_t k = 1; k < classes->labels; k++) {
        bool first = score[k] == score[best] && classes->label[k] < classes->label[best];
        if (score[k] > score[best] || first)
            best = k;
    }
    return classes->label[best];
}

/* ---- the end */

int stream_labels_check(const struct stream_labels *labels, struct error *e) {
    const struct classes *classes = labels->classes;
    const struct training_request *request = labels->request;
    bool each = classes->vectors > 1;
    bool both = each ? !isnan(classes->label[1]) : labels->seen[0] && labels->seen[1];
    if (classes->labels == 0 || request->start_given || (each && both))
        return 0;
    if (request->positive_given && !labels->seen[0])
        return error_file(e, request->data_name, "label %.10g (-P) does not occur",
                          classes->label[0]);
    if (!both)
        return error_file(e, request->data_name, "only one label (%.10g); two are needed",
                          classes->label[!each && labels->seen[1]]);
    return 0;
}

/* Two vectors become one. */
static void finish_two(struct classes *classes, int64_t *order) {
    double first = classes->label[0], second = classes->label[1];
    order[0] = second > first;
    classes->label[0] = second > first ? second : first;
    classes->label[1] = second > first ? first : second;
    classes->vectors = 1;
}

void stream_labels_finish(struct stream_labels *labels, int64_t *order) {
    struct classes *classes = labels->classes;
    if (classes->vectors == 2) {
        finish_two(classes, order);
        return;
    }
    for (int64_t k = 0; k < classes->vectors; k++) {
        double label = classes->vectors > 1 ? classes->label[k] : 0;
        int64_t at = k;
        for (; at > 0 && classes->label[at - 1] > label; at--) {
            classes->label[at] = classes->label[at - 1];
            order[at] = order[at - 1];
        }
        order[at] = k;
        if (classes->vectors > 1)
            classes->label[at] = label;
    }
}
