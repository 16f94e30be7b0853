/* measures_lines.h - prints measures as text: all, or those of a list. */
#ifndef RRM_MEASURES_LINES_H
#define RRM_MEASURES_LINES_H

#include "prediction/decoding.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes a line for each measure: "Accuracy = 84.9825% (13836/16281)" as LIBLINEAR prints it, "MSE = 0.654",
 * "F1 = 0.654 (of label 1)". POSITIVE: the name of the label that counts as positive; NULL: its number. */
void measures_print(const struct measure *list, int count, const char *positive, FILE *stream);

/* The label that one of the COUNT measures counts as positive; not-a-number: none does. */
double measures_positive(const struct measure *list, int count);

/* Whether LIST, "auc,f1" (NULL: none), asks for NAME. */
bool measures_asked(const char *list, const char *name);

/* Refuses a LIST that asks for something else than the decoding measures and, with HAS_CONFUSION, "confusion". */
int measures_check(const char *list, const struct decoding *decoding, bool has_confusion,
                   struct error *e);

/* Puts the COUNT measures that LIST asks for first, in its order (NULL: all as they are); their number. */
int measures_choose(struct measure *measure, int count, const char *list);

/* Writes the matrix as a table: a row for each true label, a column for each predicted one. NAMES: of the labels, in
 * the order of the matrix; NULL: the labels are numbers. 0, or -1 with the error set. */
int confusion_print(const struct confusion *confusion, const char *const *names, FILE *stream,
                    struct error *e);

#endif
