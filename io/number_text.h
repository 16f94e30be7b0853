/* number_text.h - doubles as decimal text that is read as the same double, short where a few decimals suffice. */
#ifndef RRM_NUMBER_TEXT_H
#define RRM_NUMBER_TEXT_H

enum { NUMBER_TEXT = 32 /* bytes of the longest text and a 0 */ };

/* Writes VALUE to `text`; returns where the text ends. "0.397", not "%.17g", which is 0.39700000000000002. */
char *number_text(double value, char *text);

/* The same with 17 digits, the bytes of "%.17g" in less time (number_digits.c). */
char *number_digits_text(double value, char *text);

#endif
