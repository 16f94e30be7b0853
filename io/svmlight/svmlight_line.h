/* svmlight_line.h - where a row stands in its file, for messages about what was read. */
#ifndef RRM_SVMLIGHT_LINE_H
#define RRM_SVMLIGHT_LINE_H

#include <stdint.h>

/* The line, from 1, of the row numbered from 0: reads the file once more. 0 where that cannot be told,
 * such as of standard input. */
int64_t svmlight_line(const char *path, int64_t row);

#endif
