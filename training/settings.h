/* settings.h - the options of train, apart from the solvers' own. */
#ifndef RRM_SETTINGS_H
#define RRM_SETTINGS_H

#include "cli/options.h"
#include "risk/risk_table.h"
#include "training/kernel_settings.h"

struct class_weight {
    double label;
    double weight;
};

struct train_settings {
    const char *solver; /* NULL until the default is chosen */
    double lambda;
    double cost;
    const char *loss;
    struct loss_parameters parameters;
    struct boost_parameters boost;
    int64_t at;              /* 0: chosen */
    int places;              /* enum places */
    const char *regularizer; /* of -r; what holds, once train_find_names is over */
    const char *ball;        /* --ball: the regularizer that it means; NULL: not given */
    struct regularizer_parameters regularizer_parameters;
    struct kernel_settings kernel;
    double epsilon;    /* when given; otherwise the solver's */
    double passes;     /* when given; otherwise the solver's */
    double time_limit; /* when given; otherwise none */
    int64_t batch_size;
    double bias;
    bool intercept;
    struct class_weight *class_weight; /* owned: train_settings_free */
    int64_t class_weights;
    double positive; /* when given */
    int64_t folds;   /* 0: no cross-validation */
    int64_t path;    /* values of lambda; 0: one */
    int64_t threads; /* 0: all processors */
    uint64_t seed;
    const char *init;
    const char *trace;
    const char *weights;
    bool strict;
    const char *report;
    bool zero_based;
    int64_t line_limit; /* MB */
    bool quiet;
    bool help;
    bool version;
    bool man;
};

/* The rows; *count of them. The settings that they fill begin zeroed. */
const struct option_row *train_option_rows(int *count);

void train_settings_free(struct train_settings *settings);

#endif
