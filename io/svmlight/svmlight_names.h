/* svmlight_names.h - parses the features of a row whose names are hashed (svmlight_options.hash_bits). */
#ifndef RRM_SVMLIGHT_NAMES_H
#define RRM_SVMLIGHT_NAMES_H

#include "io/svmlight/svmlight_rows.h"

/* Parses the features of the line that begins at LINE, from P on, into the arrays. Returns the line end or comment
 * behind them, or NULL with the error set. */
const char *svmlight_parse_names(struct svmlight_rows *rows, const char *line, const char *p);

#endif
