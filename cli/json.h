/* json.h - what the reports of train and predict have in common.
 *
 * A key is lower-case words joined by "_", of options and measures too: "gamma_kernel", "auc", "ndcg@10". */
#ifndef RRM_JSON_H
#define RRM_JSON_H

#include "prediction/measures.h"

#include <stdio.h>

/* TEXT in quotes, escaped; NULL becomes null. */
void json_string(FILE *stream, const char *text);

/* With all its digits; null when it is not finite, which JSON cannot say. */
void json_number(FILE *stream, double value);

/* NAME as a key, and a colon. */
void json_key(FILE *stream, const char *name);

/* "measures": {"accuracy": 0.9, ...} of COUNT measures; shares of 1. */
void json_measures(FILE *stream, const struct measure *list, int count);

#endif
