/* settings.h - the settings of training, apart from the solvers' own, as a table of options.
 *
 * One table serves the command line, the help, the man page, the reports and the library: request_set sets a
 * value by the option's long name and text. */
#ifndef RRM_SETTINGS_H
#define RRM_SETTINGS_H

#include "risk/risk_table.h"
#include "solvers/option.h"

/* How several labels are trained: one against the rest, one against one, all together. */
enum multiclass { MULTICLASS_OVR, MULTICLASS_OVO, MULTICLASS_JOINT };

enum calibration_form { CALIBRATION_SIGMOID, CALIBRATION_ISOTONIC };

/* Which lambda of a path folds or held-out examples choose. */
enum chosen { CHOSEN_BEST, CHOSEN_ONE_SE };

enum { KERNEL_LIST_MOST = 64 };

/* The least lambda that is allowed: the squares of numbers of this size are not 0, and what is divided by it is not
 * infinite. */
#define LAMBDA_LEAST 1e-100

struct class_weight {
    double label;
    double weight;
};

/* Values of an option, of which a search chooses one (kernel_lists.h). */
struct kernel_list {
    const char *text; /* NULL: not given */
    int64_t count;    /* 0: not given; 1: nothing to choose */
    double value[KERNEL_LIST_MOST];
};

/* Of kernels, feature maps and basis functions. */
struct kernel_settings {
    int map;                            /* enum map_kind */
    struct kernel_list landmark_counts; /* of --landmarks */
    int64_t landmarks;                  /* the one that is trained with; 0: not given */
    int64_t dimension;
    int kernel; /* enum kernel_kind */
    double sigma;
    struct kernel_list gammas; /* of --gamma-kernel */
    double gamma;              /* the one that is trained with, if it was given */
    int64_t pair;              /* which pair of the lists is trained with */
    int64_t degree;
    double shift;
    bool expand;
    int seeding; /* enum map_seeding */
    double threshold;
    double memory;                  /* MB; 0: half of the machine's */
    const char *basis, *basis_only; /* NULL: none */
};

struct train_settings {
    const char *solver; /* NULL until the default is chosen */
    double lambda;
    double cost;
    const char *loss;
    struct loss_parameters parameters;
    struct loss_margin margin; /* from --nu, where the loss learns one */
    struct boost_parameters boost;
    double nu;               /* of --nu; 0: not given */
    int64_t at;              /* 0: chosen */
    int places;              /* enum places */
    int state_features;      /* enum state_features */
    const char *regularizer; /* of -r; what holds, once request_find_names is over */
    const char *ball;        /* --ball: the regularizer that it means; NULL: not given */
    struct regularizer_parameters regularizer_parameters;
    struct kernel_settings kernel;
    double epsilon;    /* when given; otherwise the solver's */
    double passes;     /* when given; otherwise the solver's */
    double time_limit; /* when given; otherwise none */
    int64_t batch_size;
    /* the names of features are hashed (io/feature_hash.h); 0: they are numbers */
    int64_t hash_bits;
    int scale; /* enum scaling_method */
    double bias;
    bool intercept;
    struct class_weight *class_weight; /* owned: train_settings_free */
    int64_t class_weights;
    double positive;       /* when given */
    int multiclass;        /* enum multiclass, when given */
    int64_t probabilities; /* 1: fit sigmoids for probabilities */
    int calibration;       /* enum calibration_form */
    int64_t folds;         /* 0: no cross-validation */
    const char *path_text; /* of --path */
    int64_t path;          /* what it says: values of lambda, at most; 0: one */
    double path_gap;       /* of a certified path: the gap at every lambda; 0: N values are given */
    double path_from, path_to; /* its ends; 0: not given */
    bool search;               /* a path that folds choose from, where these are not given */
    const char *measure;       /* by which they choose; NULL: the risk's */
    int chosen;                /* enum chosen */
    int64_t threads;           /* 0: all processors */
    uint64_t seed;
    const char *checkpoint; /* FILE[:S]; NULL: none */
};

/* The rows; *count of them. The settings that they fill begin zeroed. */
const struct option_row *train_settings_rows(int *count);

void train_settings_free(struct train_settings *settings);

#endif
