/* measures_lines.h - prints measures as text. */
#ifndef RRM_MEASURES_LINES_H
#define RRM_MEASURES_LINES_H

#include "prediction/measures.h"

#include <stdio.h>

/* Writes a line for each measure: "Accuracy = 84.9825% (13836/16281)" as LIBLINEAR prints it, "F1 = 0.654". */
void measures_print(const struct measure *list, int count, FILE *stream);

#endif
