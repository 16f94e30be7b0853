/* progressive_table.c - prints the progressive validation of a stream as a table for people. */
#include "cli/progressive_table.h"

#include <inttypes.h>
#include <math.h>

/* A number, or "-" if it is not known. */
static void print_number(double value, FILE *stream) {
    if (isnan(value))
        fprintf(stream, " %10s", "-");
    else
        fprintf(stream, " %10.6g", value);
}

static void print_row(void *context, const struct progressive_row *row) {
    FILE *stream = context;
    if (row->examples == 1)
        fprintf(stream, "%10s %10s %9s %12s %12s %10s %10s %10s\n", "loss", "since last", "errors",
                "examples", "weight", "label", "predicted", "features");
    fprintf(stream, "%10.6f %10.6f", row->loss, row->last_loss);
    if (isnan(row->error))
        fprintf(stream, " %9s", "-");
    else
        fprintf(stream, " %8.2f%%", 100 * row->error);
    fprintf(stream, " %12" PRId64 " %12.10g", row->examples, row->weight);
    print_number(row->label, stream);
    print_number(row->predicted, stream);
    fprintf(stream, " %10" PRId64 "\n", row->features);
    fflush(stream); /* the next examples may be long in coming */
}

struct progressive_visitor progressive_table(FILE *stream) {
    return (struct progressive_visitor){.tell = print_row, .context = stream};
}
