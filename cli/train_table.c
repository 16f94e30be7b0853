/* train_table.c - prints tables of paths and measures of folds. */
#include "cli/train_table.h"

#include "cli/measures_lines.h"

#include <math.h>
#include <string.h>

void train_table_header(const struct path_values *values, double lambda_max, const char *measure,
                        FILE *stream) {
    fprintf(stream, "lambda_max %.6g", lambda_max);
    if (values->count == 1)
        fprintf(stream, ", not above lambda %.6g: all weights are 0", values->lambda[0]);
    fputc('\n', stream);
    fprintf(stream, "%-12s %9s %12s %9s", "lambda", "nonzeros", "objective", "gap");
    if (measure != NULL)
        fprintf(stream, " %10s", measure);
    fputc('\n', stream);
    fflush(stream);
}

void train_table_row(double lambda, double nonzeros, double objective, double gap,
                     const char *value, FILE *stream) {
    fprintf(stream, "%-12.6g %9.*f %12.6g", lambda, nonzeros != floor(nonzeros), nonzeros,
            objective);
    if (isfinite(gap))
        fprintf(stream, " %8.3g%%", 100 * gap);
    else
        fprintf(stream, " %9s", "-");
    if (value != NULL)
        fprintf(stream, " %10s", value);
    fputc('\n', stream);
    fflush(stream); /* the next line may take long */
}

/* Prints a row once its model is trained; the summary reports a model that a signal cut off. */
static int print_row(void *context, int64_t i, const struct model *model, const struct run *run,
                     struct error *e) {
    (void)i;
    (void)e;
    if (run->total.verdict != VERDICT_INTERRUPTED) {
        train_table_row(model->lambda, (double)run->nonzeros, run->total.objective, run->gap, NULL,
                        context);
    }
    return 0;
}

struct path_visitor train_table_rows(FILE *stream) {
    return (struct path_visitor){.visit = print_row, .context = stream};
}

static void print_measures(const struct cross_point *point, FILE *stream) {
    if (point->measure_count > 0)
        fputs("Cross Validation ", stream);
    measures_print(point->list, point->measure_count, stream);
}

/* An accuracy as "97.5%". */
static void describe_measure(const struct measure *measure, char *text, size_t size) {
    if (strcmp(measure->name, "Accuracy") == 0)
        snprintf(text, size, "%.6g%%", 100 * measure->value);
    else
        snprintf(text, size, "%.6g", measure->value);
}

void train_measures(const struct cross_validation *validation, FILE *stream) {
    if (validation->best >= 0)
        print_measures(&validation->point[validation->best], stream);
}

void train_table_folds(const struct cross_validation *validation, const struct path_values *values,
                       double lambda_max, FILE *stream) {
    for (int64_t i = 0; i < validation->finished && validation->point[i].folds > 0; i++) {
        const struct cross_point *point = &validation->point[i];
        char value[32];
        if (i == 0)
            train_table_header(values, lambda_max, point->list[validation->chosen_measure].name,
                               stream);
        describe_measure(&point->list[validation->chosen_measure], value, sizeof value);
        train_table_row(point->lambda, point->nonzeros, point->objective, point->gap, value,
                        stream);
    }
    if (validation->best >= 0)
        fprintf(stream, "best lambda %.6g\n", validation->point[validation->best].lambda);
}
