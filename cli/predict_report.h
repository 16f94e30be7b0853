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

/* At the end of a run: warnings, the measures and the report, as far as -q and --report ask for them. 0, or -1 with the
 * error set. */
int predict_report(struct predict_command *command, const struct model *model,
                   const struct predict_result *result, struct error *e);

#endif
