/* decoding.h - predicting a data set that is in memory, and measuring the predictions: by groups where the
 * model's risk has a decoder, otherwise row by row. */
#ifndef RRM_DECODING_H
#define RRM_DECODING_H

#include "prediction/predictor.h"
#include "risk/risk_table.h"

struct decoding;

/* For models of this risk (NULL: rows) with the labels of settings->model. NULL with the error set. */
struct decoding *decoding_new(const struct risk_row *risk, const struct decoder_settings *settings,
                              struct error *e);

/* Predicts all of DATA, which is to have groups where the risk's are, by MODEL, and adds to the measures.
 * STREAM: where the lines go; NULL: no lines are wanted, and only decoders have any. Features that the
 * model does not know are counted in *unknown_features. With a STREAM a signal ends it with an error. */
int decoding_data(struct decoding *decoding, const struct model *model, const struct dataset *data,
                  FILE *stream, struct unknown_features *unknown_features, struct error *e);

/* The measures, and of the rows measured how many there were and how many had a label that the model does
 * not know; how many measures, or -1 with the error set. Nothing may be added afterwards. */
int decoding_finish(struct decoding *decoding, struct measure list[MEASURES_MOST], int64_t *rows,
                    int64_t *unknown, struct error *e);

/* NULL does nothing. */
void decoding_free(struct decoding *decoding);

#endif
