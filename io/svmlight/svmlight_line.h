/* svmlight_line.h - the line number of a row in its file, for error messages. */
#ifndef RRM_SVMLIGHT_LINE_H
#define RRM_SVMLIGHT_LINE_H

#include <stdint.h>

/* The line (from 1) of the row with index ROW (from 0). Reads the file again. 0 if that is impossible, as for
 * standard input. */
int64_t svmlight_line(const char *path, int64_t row);

#endif
