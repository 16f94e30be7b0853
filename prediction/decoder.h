/* decoder.h - predictions of models whose items are groups of rows (queries, sequences, RNA), and how good
 * they are. decoding.h calls them. */
#ifndef RRM_DECODER_H
#define RRM_DECODER_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/interruption.h"
#include "io/model/model.h"
#include "prediction/measures.h"

struct decoder_settings {
    const struct model *model; /* the first of those that predict; labels are the same in all */
    bool probabilities;        /* a probability a label is wanted */
    const char *asked;         /* what asked for them, in errors, "-b 1"; NULL: "probability" */
    bool parts;                /* the parts of the scores are wanted (decoding.h) */
    const char *const *names;  /* of the model's labels, in their order; NULL: they have none */

    /* Asked now and then where groups may take long: once it came, the predictions are of no use. */
    struct interruption interrupted;
};

/* Where the predictions of a run of rows go. */
struct decoder_arrays {
    int32_t *choice;     /* rows; what it is, the decoder says */
    double *probability; /* rows x labels; NULL: not wanted */
};

struct decoder_kind {
    bool chooses; /* it fills `choice`; otherwise a row's score is its prediction */

    /* Its state: what it needs, and its measures so far. NULL with the error set. */
    void *(*open)(const struct decoder_settings *settings, struct error *e);

    /* Predicts groups from <= g < to of DATA by MODEL into *out, whose arrays begin with the first row of
     * the first group, and adds them to the measures; a group with a label that is not-a-number counts in
     * no measure. SCORES: those of the groups' rows, rows x model->vectors. */
    int (*groups)(void *state, const struct model *model, const struct dataset *data, int64_t from,
                  int64_t to, const double *scores, const struct decoder_arrays *out,
                  struct error *e);

    /* The measures, of which the first is the one to choose a model by; how many, or -1 with the error
     * set; rows that were measured, and those of them whose label the model does not know. */
    int (*finish)(void *state, struct measure list[MEASURES_MOST], int64_t *rows, int64_t *unknown,
                  struct error *e);

    void (*free)(void *state);
};

#endif
