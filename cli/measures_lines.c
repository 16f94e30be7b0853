/* measures_lines.c - prints measures as text; see measures_lines.h. */
#include "cli/measures_lines.h"

#include <inttypes.h>
#include <math.h>

void measures_print(const struct measure *list, int count, FILE *stream) {
    for (int i = 0; i < count; i++)
        if (list[i].whole > 0)
            fprintf(stream, "%s = %g%% (%" PRId64 "/%" PRId64 ")\n", list[i].name,
                    (double)list[i].part / (double)list[i].whole * 100, list[i].part,
                    list[i].whole);
        else
            fprintf(stream, "%s = %g%s\n", list[i].name, isnan(list[i].value) ? NAN : list[i].value,
                    list[i].approximate ? " (approximate)" : "");
}
