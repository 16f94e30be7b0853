/* escape.h - prints untrusted text, such as file names, on a terminal. */
#ifndef RRM_ESCAPE_H
#define RRM_ESCAPE_H

#include <stdio.h>

/* Bytes of the well-formed UTF-8 character at TEXT (a string ended by 0); 0: there is none. */
int escape_utf8(const char *text);

/* Writes TEXT on one line and without terminal escapes: control characters and bytes that are not UTF-8 become \n,
 * \t, \r or \xHH; all other characters are unchanged. */
void escape_print(const char *text, FILE *stream);

#endif
