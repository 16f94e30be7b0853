/* train_table.c - prints tables of paths and measures of folds. */
#include "cli/train_table.h"

#include "cli/measures_lines.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What a table has beside the columns of every path. */
static void print_columns(const struct path_values *values, const char *measure, bool bounds,
                          FILE *stream) {
    fprintf(stream, "%-12s %9s %12s %9s", "lambda", "nonzeros", "objective", "gap");
    if (values->certified)
        fprintf(stream, " %12s %12s", "within from", "down to");
    if (measure != NULL)
        fprintf(stream, " %10s %10s", measure, "+-");
    if (bounds)
        fprintf(stream, " %9s %9s", "at least", "at most");
    fputc('\n', stream);
    fflush(stream);
}

void train_table_header(const struct path_values *values, double lambda_max, const char *measure,
                        bool bounds, FILE *stream) {
    if (isfinite(lambda_max))
        fprintf(stream, "lambda_max %.6g", lambda_max);
    else
        fprintf(stream, "lambda from %.6g down to %.6g", values->from, values->to);
    if (values->count == 1)
        fprintf(stream, ", not above lambda %.6g%s", values->to,
                isfinite(lambda_max) ? ": all weights are 0" : "");
    fputc('\n', stream);
    print_columns(values, measure, bounds, stream);
}

static void print_start(double lambda, double nonzeros, double objective, double gap,
                        FILE *stream) {
    fprintf(stream, "%-12.6g %9.*f %12.6g", lambda, nonzeros != floor(nonzeros), nonzeros,
            objective);
    if (isfinite(gap))
        fprintf(stream, " %8.3g%%", 100 * gap);
    else
        fprintf(stream, " %9s", "-");
}

static void print_end(FILE *stream) {
    fputc('\n', stream);
    fflush(stream); /* the next line may take long */
}

void train_table_row(const struct run *run, double lambda, FILE *stream) {
    const struct outcome *total = &run->total;
    if (total->verdict == VERDICT_INTERRUPTED)
        return;
    print_start(lambda, (double)run->nonzeros, total->objective, run->gap, stream);
    if (total->low > 0 && total->low <= total->high)
        fprintf(stream, " %12.6g %12.6g", total->high * lambda, total->low * lambda);
    print_end(stream);
}

/* Held-out examples are one fold. */
static void print_measures(const struct cross_validation *validation,
                           const struct cross_point *point, FILE *stream) {
    if (point->measure_count > 0)
        fputs(validation->folds == 1 ? "Validation " : "Cross Validation ", stream);
    measures_print(point->list, point->measure_count, NULL, stream);
}

void train_describe_measure(const char *name, double value, char text[TRAIN_MEASURE]) {
    if (strcmp(name, "Accuracy") == 0)
        snprintf(text, TRAIN_MEASURE, "%.6g%%", 100 * value);
    else
        snprintf(text, TRAIN_MEASURE, "%.6g", value);
}

/* The accuracy of the models that no tolerance kept from their optimum, where the gaps say something about it. */
static void print_decided(const struct decided *decided, FILE *stream) {
    static const double useful_width = 0.1;
    double low = decided_least(decided), high = decided_most(decided);
    if (decided->known && high - low <= useful_width)
        fprintf(stream, "Accuracy of the exact minimizers: between %.6g%% and %.6g%%\n", 100 * low,
                100 * high);
}

void train_measures(const struct cross_validation *validation, FILE *stream) {
    if (validation->chosen < 0)
        return;
    const struct cross_point *chosen = &validation->point[validation->chosen];
    print_measures(validation, chosen, stream);
    print_decided(&chosen->decided, stream);
}

/* Whether the rows have what is known of the accuracy of the exact minimizers. */
static bool shows_bounds(const struct cross_validation *validation) {
    const struct cross_point *first = &validation->point[0];
    return first->decided.known &&
           strcmp(first->list[validation->chosen_measure].name, "Accuracy") == 0;
}

/* Where the kernel is chosen, too, each kernel's path may have another beginning. */
static void print_header(const struct cross_validation *validation,
                         const struct path_values *values, double lambda_max, FILE *stream) {
    const struct cross_point *first = &validation->point[0];
    const char *measure = first->list[validation->chosen_measure].name;
    if (isnan(first->gamma) && first->landmarks == 0) {
        train_table_header(values, lambda_max, measure, shows_bounds(validation), stream);
        return;
    }
    if (isfinite(first->gamma))
        fprintf(stream, "%-12s ", "gamma");
    if (first->landmarks > 0)
        fprintf(stream, "%-9s ", "landmarks");
    print_columns(values, measure, shows_bounds(validation), stream);
}

static void print_best(const struct cross_point *best, FILE *stream) {
    fputs("best ", stream);
    if (isfinite(best->gamma))
        fprintf(stream, "gamma %.6g, ", best->gamma);
    if (best->landmarks > 0)
        fprintf(stream, "landmarks %" PRId64 ", ", best->landmarks);
    fprintf(stream, "lambda %.6g\n", best->lambda);
}

void train_table_folds(const struct cross_validation *validation, const struct path_values *values,
                       double lambda_max, FILE *stream) {
    for (int64_t i = 0; i < validation->finished && validation->point[i].folds > 0; i++) {
        const struct cross_point *point = &validation->point[i];
        const struct measure *measure = &point->list[validation->chosen_measure];
        char value[TRAIN_MEASURE];
        if (i == 0)
            print_header(validation, values, lambda_max, stream);
        train_describe_measure(measure->name, measure->value, value);
        if (isfinite(point->gamma))
            fprintf(stream, "%-12.6g ", point->gamma);
        if (point->landmarks > 0)
            fprintf(stream, "%-9" PRId64 " ", point->landmarks);
        print_start(point->lambda, point->nonzeros, point->objective, point->gap, stream);
        fprintf(stream, " %10s", value);
        if (isfinite(point->standard_error))
            fprintf(stream, " %10.3g",
                    point->standard_error * (strchr(value, '%') != NULL ? 100 : 1));
        else if (shows_bounds(validation))
            fprintf(stream, " %10s", "");
        if (shows_bounds(validation))
            fprintf(stream, " %8.4g%% %8.4g%%", 100 * decided_least(&point->decided),
                    100 * decided_most(&point->decided));
        print_end(stream);
    }
    if (validation->best >= 0)
        print_best(&validation->point[validation->best], stream);
    if (validation->chosen != validation->best)
        fprintf(stream, "chosen lambda %.6g, the largest within a standard error\n",
                validation->point[validation->chosen].lambda);
}
