/* rrm_parts.h - what the objects of the public library are made of; for rrm*.c alone. */
#ifndef RRM_PARTS_H
#define RRM_PARTS_H

#include "rrm.h"

#include "io/csr.h"
#include "io/dataset.h"
#include "io/error.h"
#include "io/model/model.h"

#include <stdbool.h>

struct rrm_data {
    struct csr_dataset csr; /* of a file all arrays are owned */
    char *name;             /* of the file; "": arrays of the caller */
    bool zero_based;        /* the file's first index, for messages */
};

struct rrm_model {
    struct model model; /* as it was trained or read */
    struct model
        ready; /* the same without its untrained labels: shares all arrays if there are none, else has
                         * its own labels and weights */
};

/* Turns E into the caller's error (NULL: not wanted); -1. */
int rrm_fail(struct rrm_error *error, const struct error *e);

/* Whether the first index of a file is 0, and how many threads work. */
void rrm_settings_for_reading(const struct rrm_settings *settings, bool *zero_based, int *threads);

/* The caller's model of *model, whose arrays it takes over; they are freed if that fails. NULL with the error set. */
struct rrm_model *rrm_model_make(struct model *model, struct error *e);

#endif
