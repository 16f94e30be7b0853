/* escape.h - text of others, such as file names, on a terminal. */
#ifndef RRM_ESCAPE_H
#define RRM_ESCAPE_H

#include <stdio.h>

/* Bytes of the well-formed UTF-8 character at TEXT, which ends with a 0; 0 when there is none. */
int escape_utf8(const char *text);

/* Writes TEXT so that it stays in its line and no terminal obeys it: control characters, and bytes that are
 * no UTF-8, as \n, \t, \r or \xHH; all else as it is. */
void escape_print(const char *text, FILE *stream);

#endif
