/* decoding.h - predicts data by a model and measures the predictions: by groups of rows if the model's risk has
 * groups, otherwise row by row. */
#ifndef RRM_DECODING_H
#define RRM_DECODING_H

#include "prediction/decoder.h"
#include "prediction/predictor.h"
#include "risk/risk_table.h"

/* The predictions of a run of rows, for a visitor. */
struct decoded {
    const struct dataset *data;
    int64_t first, rows;               /* the run's first row and their number */
    int64_t first_group, groups;       /* 0 if rows are predicted one by one */
    const double *scores;              /* rows x vectors */
    const double *kernel, *parametric; /* the parts of the scores; NULL: not computed */

    /* The index of each row's label in the model's list; for RNA the partner's position in the sequence, from 0, or -1.
     * NULL: the score is the prediction (regression, rankings). */
    const int32_t *choice;

    const double *probability; /* rows x labels; NULL: not computed */
};

/* Receives the predictions of one run of rows, which are valid only during the call; -1 with the error set ends the
 * decoding. */
struct decoded_visitor {
    int (*visit)(void *context, const struct decoded *decoded, struct error *e);
    void *context;
};

/* 0, or an error if settings->model cannot predict: none of its labels was trained, or it lacks the probabilities
 * or parts that the settings ask for. PATH: its file, for the message; NULL: none. */
int decoding_check_model(const struct decoder_settings *settings, const char *path,
                         struct error *e);

/* 0, or an error if a model of this risk (NULL: rows) cannot predict DATA: groups are missing, or the risk cannot
 * take the rows. PATH: the file of the data, for the message; NULL: none. */
int decoding_check_data(const struct risk_row *risk, const struct dataset *data, const char *path,
                        bool zero_based, struct error *e);

struct decoding;

/* A decoding for models of this risk (NULL: rows) with the labels of settings->model. NULL with the error set. */
struct decoding *decoding_new(const struct risk_row *risk, const struct decoder_settings *settings,
                              struct error *e);

/* Sets the model that predicts; it must outlive the decoding. 0, or -1 with the error set. */
int decoding_use(struct decoding *decoding, const struct model *model, struct error *e);

/* Predicts all of DATA, adds the predictions to the measures, and passes them to VISITOR (NULL: none) run by run,
 * in the order of the rows. With a visitor, an interruption is an error. Counts features that the model does not
 * know in *unknown_features. 0, or -1 with the error set. */
int decoding_block(struct decoding *decoding, const struct dataset *data,
                   const struct decoded_visitor *visitor, struct unknown_features *unknown_features,
                   struct error *e);

/* The same by MODEL, which need not outlive the call. */
int decoding_data(struct decoding *decoding, const struct model *model, const struct dataset *data,
                  const struct decoded_visitor *visitor, struct unknown_features *unknown_features,
                  struct error *e);

/* Writes the measures and what rows were measured (NULL: not asked). Returns the number of measures, or -1 with the
 * error set. Afterwards nothing may be added. */
int decoding_finish(struct decoding *decoding, struct measure list[MEASURES_MAX],
                    struct measured_rows *rows, struct error *e);

/* The names of the measures that decoding_finish may write, NULL at the end. */
void decoding_measure_names(const struct decoding *decoding, const char *names[MEASURES_MAX + 1]);

/* The counts that the settings asked for, owned by the decoding; of no labels: groups are predicted. */
struct confusion decoding_confusion(const struct decoding *decoding);

/* NULL does nothing. */
void decoding_free(struct decoding *decoding);

#endif
