/* decoding.h - predicting data by a model, and measuring the predictions: by groups of rows where the model's
 * risk has groups, otherwise row by row. */
#ifndef RRM_DECODING_H
#define RRM_DECODING_H

#include "prediction/decoder.h"
#include "prediction/predictor.h"
#include "risk/risk_table.h"

/* The predictions of a run of rows, which `visit` sees. */
struct decoded {
    const struct dataset *data;
    int64_t first, rows;               /* the run's first row and their number */
    int64_t first_group, groups;       /* of data that are predicted by groups; otherwise 0 */
    const double *scores;              /* rows x vectors */
    const double *kernel, *parametric; /* their parts; NULL: not wanted */

    /* A row's label, by its place in the model's list; of RNA the partner within the sequence, from 0, or -1.
     * NULL: the score is the prediction (regression, rankings). */
    const int32_t *choice;

    const double *probability; /* rows x labels; NULL: not wanted */
};

/* Takes the predictions of one run of rows, which are gone when it returns; -1 with the error set ends the
 * decoding. */
struct decoded_visitor {
    int (*visit)(void *context, const struct decoded *decoded, struct error *e);
    void *context;
};

/* 0, or an error where settings->model cannot predict: none of its labels was trained (PATH is its file, for the message;
 * NULL: there is none), or it has not what the settings want. */
int decoding_check_model(const struct decoder_settings *settings, const char *path,
                         struct error *e);

/* 0, or an error when a model of this risk (NULL: rows) cannot predict DATA: its groups are missing, or its
 * rows are not what the risk takes. PATH is the file of the data, for the message; NULL: there is none. */
int decoding_check_data(const struct risk_row *risk, const struct dataset *data, const char *path,
                        bool zero_based, struct error *e);

struct decoding;

/* For models of this risk (NULL: rows) with the labels of settings->model. NULL with the error set. */
struct decoding *decoding_new(const struct risk_row *risk, const struct decoder_settings *settings,
                              struct error *e);

/* From here on MODEL, which must outlive this, is the one that predicts. 0, or -1 with the error set. */
int decoding_use(struct decoding *decoding, const struct model *model, struct error *e);

/* Predicts all of DATA by the model in use, adds to the measures, and shows the predictions to VISITOR (NULL:
 * they are only measured), run by run in the order of the rows; with a visitor an interruption ends it with an error. Features that the model does not know are
 * counted in *unknown_features. 0, or -1 with the error set. */
int decoding_block(struct decoding *decoding, const struct dataset *data,
                   const struct decoded_visitor *visitor, struct unknown_features *unknown_features,
                   struct error *e);

/* The same by MODEL, which afterwards is in use no more. */
int decoding_data(struct decoding *decoding, const struct model *model, const struct dataset *data,
                  const struct decoded_visitor *visitor, struct unknown_features *unknown_features,
                  struct error *e);

/* The measures, and of the rows measured how many there were and how many had a label that the model does
 * not know; how many measures, or -1 with the error set. Nothing may be added afterwards. */
int decoding_finish(struct decoding *decoding, struct measure list[MEASURES_MOST], int64_t *rows,
                    int64_t *unknown, struct error *e);

/* NULL does nothing. */
void decoding_free(struct decoding *decoding);

#endif
