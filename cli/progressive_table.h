/* progressive_table.h - prints the progressive validation of a stream as a table for people. */
#ifndef RRM_PROGRESSIVE_TABLE_H
#define RRM_PROGRESSIVE_TABLE_H

#include "training/stream/progressive.h"

#include <stdio.h>

/* Prints each row when it is known, the first one under a heading. */
struct progressive_visitor progressive_table(FILE *stream);

#endif
