/* decoder.h - predicts and measures groups of rows (queries, sequences, RNA); the interface that decoding.h calls. */
#ifndef RRM_DECODER_H
#define RRM_DECODER_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/interruption.h"
#include "io/model/model.h"
#include "prediction/measures.h"

struct decoder_settings {
    const struct model *model; /* the first model that predicts; all models have the same labels */
    bool probabilities;        /* compute a probability for each label */
    const char *asked; /* the option that asked for them, for errors: "-b 1"; NULL: "probability" */
    bool confusion;    /* count the predictions of each label; not of groups */
    bool parts;        /* compute the parts of the scores (decoding.h) */
    /* a list with commas: rankings are also measured by each "ndcg@K" in it; NULL: none */
    const char *measures;
    const char *const *names; /* of the model's labels, in their order; NULL: they have none */

    /* Polled in long computations; after an interruption the predictions are not valid. */
    struct interruption interrupted;
};

/* Receives the predictions of a run of rows. */
struct decoder_arrays {
    int32_t *choice;     /* rows; the decoder defines its meaning */
    double *probability; /* rows x labels; NULL: not computed */
};

struct decoder_kind {
    bool chooses; /* it fills `choice`; else the prediction of a row is its score */

    /* Makes the decoder's state, which includes its measures. NULL with the error set. */
    void *(*open)(const struct decoder_settings *settings, struct error *e);

    /* The names of all measures that `finish` may write, NULL at the end; owned by the state. */
    const char *const *(*measures)(const void *state);

    /* Predicts groups from <= g < to of DATA by MODEL into *out, whose arrays begin with the first row of
     * the first group, and adds them to the measures. A group with a label that is not-a-number is not
     * measured. SCORES: of the groups' rows, rows x model->vectors. */
    int (*groups)(void *state, const struct model *model, const struct dataset *data, int64_t from,
                  int64_t to, const double *scores, const struct decoder_arrays *out,
                  struct error *e);

    /* Writes the measures, the one for choosing a model first, and what rows were measured. Returns the number of
     * measures, or -1 with the error set. */
    int (*finish)(void *state, struct measure list[MEASURES_MAX], struct measured_rows *rows,
                  struct error *e);

    void (*free)(void *state);
};

#endif
