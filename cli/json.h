/* json.h - writes JSON; shared by the reports of train and predict.
 *
 * A key is lower-case words joined by "_", of options and measures too: "gamma_kernel", "auc", "ndcg@10". */
#ifndef RRM_JSON_H
#define RRM_JSON_H

#include "prediction/measures.h"

#include <stdio.h>

/* Writes TEXT in quotes, escaped; NULL becomes null. */
void json_string(FILE *stream, const char *text);

/* Writes a number with all digits; null if it is not finite, since JSON has no such numbers. */
void json_number(FILE *stream, double value);

/* "measures": {"accuracy": 0.9, ...} of COUNT measures; shares of 1. */
void json_measures(FILE *stream, const struct measure *list, int count);

#endif
