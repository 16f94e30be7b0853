/* decoder.h - predictions of models whose items are groups of rows (queries, sequences, RNA), and how good
 * they are. A risk's row in the table names its decoder; cli/decoding.h calls it. */
#ifndef RRM_DECODER_H
#define RRM_DECODER_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/interruption.h"
#include "io/model/model.h"
#include "prediction/measures.h"

#include <stdio.h>

struct decoder_settings {
    const struct model
        *model;         /* the first of those that `groups` will be given; labels are the same in
                                  all of them */
    bool probabilities; /* -b 1 */
    bool decisions;     /* -d */
    const char *const *names; /* of the model's labels, in their order; NULL: they have none */

    /* Asked now and then where groups may take long: once it came, the predictions are of no use. */
    struct interruption interrupted;
};

struct decoder_kind {
    /* Its state: what it needs, and its measures so far. NULL with the error set. */
    void *(*open)(const struct decoder_settings *settings, struct error *e);

    /* What stands above all lines. NULL: nothing. */
    void (*header)(const void *state, FILE *stream);

    /* Predicts groups from <= g < to of DATA by MODEL, writes their lines to STREAM (NULL: none are
     * wanted) and adds them to the measures; a group with a label that is not-a-number counts in no
     * measure. SCORES: those of the groups' rows, rows x model->vectors. */
    int (*groups)(void *state, const struct model *model, const struct dataset *data, int64_t from,
                  int64_t to, const double *scores, FILE *stream, struct error *e);

    /* The measures, of which the first is the one to choose a model by; how many, or -1 with the error
     * set; rows that were measured, and those of them whose label the model does not know. */
    int (*finish)(void *state, struct measure list[MEASURES_MOST], int64_t *rows, int64_t *unknown,
                  struct error *e);

    void (*free)(void *state);
};

#endif
