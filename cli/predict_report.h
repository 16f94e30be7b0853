/* predict_report.h - the messages of predict: measures, warnings, the JSON report. */
#ifndef RRM_PREDICT_REPORT_H
#define RRM_PREDICT_REPORT_H

#include "cli/predict_options.h"
#include "io/model/model.h"
#include "prediction/measures.h"
#include "prediction/predictor.h"

/* The results of a run. */
struct predict_result {
    int64_t rows;
    double seconds; /* reading, scoring and writing */
    struct unknown_features unknown_features;
    struct measured_rows measured;
    struct measure list[MEASURES_MAX];
    int count;                  /* of measures in the list */
    const char *positive;       /* the name of the model's first label; NULL: none */
    struct confusion confusion; /* of no labels: not asked for */
    const char *const *names;   /* of the labels of the confusion; NULL: none */
};

/* Warns of labels that a limit or a signal left untrained, if there are any. */
void predict_warn_untrained(const struct model *model, FILE *stream);

/* Warns of unknown features and of unknown labels, if there are any. */
void predict_warn(const struct model *model, const struct predict_result *result, FILE *stream);

/* Prints the measures to standard output, or to standard error if the predictions went to
 * standard output. 0, or -1 with the error set. */
int predict_print_measures(const struct predict_command *command,
                           const struct predict_result *result, struct error *e);

/* Writes one JSON object to the file of --report, if given. */
int predict_report_write(struct predict_command *command, const struct model *model,
                         const struct predict_result *result, struct error *e);

#endif
