/* measure_choice.h - the measure by which folds or held-out examples choose lambda. */
#ifndef RRM_MEASURE_CHOICE_H
#define RRM_MEASURE_CHOICE_H

#include "prediction/decoding.h"
#include "training/classes/training.h"
#include "training/request/request.h"

/* 0, or a usage error if predictions of the request's loss have no measure of this name (--measure). */
int measure_choice_check(const struct training_request *request, struct error *e);

/* The same for data with so many labels, once they are known. */
int measure_choice_check_labels(const struct training_request *request, int64_t labels,
                                struct error *e);

/* Whether the predicted labels alone give the request's measure, if the risk is one of classes. */
bool measure_choice_is_of_labels(const struct training_request *request);

/* A decoding of models of the training's labels, with what the measure needs. NULL with the error set. */
struct decoding *measure_choice_decoding(const struct training *training, struct error *e);

/* The index of the request's measure among COUNT: --measure, else that of the risk, else the first. */
int measure_choice_find(const struct training_request *request, const struct measure *list,
                        int count);

/* Refuses a measure that is not a number, such as the AUC of examples of one class: it chooses nothing. 0, or -1 with
 * the error set. */
int measure_choice_check_value(const struct measure *measure, struct error *e);

#endif
