/* json.h - the two things of JSON that need care. */
#ifndef RRM_JSON_H
#define RRM_JSON_H

#include <stdio.h>

/* TEXT in quotes, escaped; NULL becomes null. */
void json_string(FILE *stream, const char *text);

/* With all its digits; null when it is not finite, which JSON cannot say. */
void json_number(FILE *stream, double value);

#endif
