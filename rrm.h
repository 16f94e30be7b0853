/* rrm.h - librrm: regularized risk minimization. This header is the manual of the library.
 *
 *     minimize over w:  J(w) = lambda Omega(w) + mean over the examples of loss(<w,x>, y)
 *
 * A program lends or reads data, makes settings, trains a model, and predicts:
 *
 *     struct rrm_error error;
 *     struct rrm_data *data = rrm_data_read("a9a", 0, 0, &error);
 *     struct rrm_settings *settings = rrm_settings_new(&error);
 *     struct rrm_model *model = NULL;
 *     struct rrm_result result;
 *     if (data == NULL || settings == NULL || rrm_settings_set(settings, "lambda", "1e-5", &error) != 0 ||
 *         rrm_train(data, settings, NULL, &model, &result, &error) != 0)
 *         fprintf(stderr, "%s\n", error.message);
 *     else
 *         printf("objective %g, certified to within %g %%\n", result.objective, 100 * result.gap);
 *     rrm_model_free(model);
 *     rrm_settings_free(settings);
 *     rrm_data_free(data);
 *
 * docs/library.md has a complete program. Compile it with `cc main.c $(pkg-config --cflags --libs librrm)`.
 *
 * Errors. A function that can fail takes a struct rrm_error (NULL: not wanted) as its last argument. It returns 0
 * or a pointer when it succeeds, and -1 or NULL when it fails; then the error says why. On failure nothing is
 * allocated. A NULL argument that must not be NULL is an error (RRM_USAGE); functions without a struct rrm_error must
 * not be given one, except the _free. The library prints nothing, never ends the process, and installs no signal
 * handlers. It writes no files but that of rrm_model_write and, in a training, that of the setting "checkpoint" and,
 * with "map", one without a name in TMPDIR for mapped examples that "memory" does not hold.
 *
 * Ownership. What a function returns or stores through a pointer to a pointer belongs to the caller, who frees it
 * with the _free of its type; each _free takes NULL. Arrays that the caller passes stay the caller's.
 *
 * Threads. Any number of threads may call the library at once. An object may be read by several of them at once (a
 * parameter that is a pointer to const is only read), but not while another thread changes or frees it. Training and
 * prediction use OpenMP inside, as many threads as the setting "threads" says, or else as OpenMP has for the calling
 * thread (omp_set_num_threads, OMP_NUM_THREADS); fewer where so many cannot be started. No result depends on that
 * number, to the last bit, unless a time limit ends the training. A program that shares its processors with others runs
 * faster with OMP_WAIT_POLICY=passive in its environment. A thread that trains or predicts needs a stack of 512 KB.
 *
 * Processes. OpenMP's threads do not survive fork(). In a child that was forked after the library used several threads,
 * it uses one. If other code of the program used OpenMP's threads before the fork, set "threads" to 1 in the child and
 * call omp_set_num_threads(1): otherwise a training there may wait for ever. OpenMP itself ends the process if it has
 * no memory for its threads. Traps of floating-point exceptions (feenableexcept) must be off: infinities and
 * not-a-numbers occur inside.
 *
 * Numbers are 64-bit: counts int64_t, values double. Rows, columns and places count from 0. */
#ifndef RRM_H
#define RRM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#define RRM_API __attribute__((visibility("default")))
#else
#define RRM_API
#endif

/* The version of the library, such as "0.2.0"; static. */
RRM_API const char *rrm_version(void);

/* ---- errors */

enum rrm_code {
    RRM_OK = 0,
    /* Bad data, input or output; a setting or a start that does not fit the data (more folds than rows, a label that
     * does not occur, the labels of another start); or a computation beyond the range of numbers. */
    RRM_FAILURE = 1,
    RRM_MEMORY = 2, /* memory is short, or the machine has less than is needed */
    /* A setting or an argument is wrong whatever the data are, or settings do not go together. */
    RRM_USAGE = 3,
    RRM_TIME = 4,   /* the time limit came before there was a model: raise "time-limit" */
    RRM_STOPPED = 5 /* a function of the caller ended the training before there was a model */
};

struct rrm_error {
    int code; /* enum rrm_code; set by failures alone */

    /* One line without a newline: what is wrong and what helps. Bad data are named by "FILE:LINE:COLUMN" or by row
     * and entry; settings by the names that rrm_settings_set takes. */
    char message[1088];
};

/* ---- data: labelled sparse rows */

struct rrm_data;

/* Rows in compressed sparse form (CSR) in arrays of the caller. The entries of row i stand at the places
 * start[i] .. start[i + 1] - 1 of `column` and `value`. Of two arrays that differ in type one is given, and the other
 * is NULL; both are an error. Fields that are not needed are 0. */
struct rrm_csr {
    int64_t rows;     /* at least 1 */
    int64_t features; /* the number of columns; 0: the largest column that occurs, plus 1 */

    /* rows + 1 places, ascending from 0. */
    const int64_t *start;
    const int32_t *start32;

    /* The column of each entry: ascending within a row, none twice, below 2147483647. Those of 64 bits are copied. */
    const int32_t *column;
    const int64_t *column64;

    /* The value of each entry, finite; both NULL: all are 1. Floats are copied as doubles where a
     * training or a prediction needs these. */
    const double *value;
    const float *value32;

    /* The label of each row; not-a-number: the row has none. NULL: no row has one, which is enough to predict. */
    const double *label;

    /* How often the loss of each row counts: 0, or from 1e-100 to 1e100. NULL: once. */
    const double *weight;

    /* The group (query, sequence) of each row, any number but INT64_MIN; the rows of a group stand together. NULL:
     * there are no groups. Copied. */
    const int64_t *group;

    /* What column 0 is called in model files and in the setting "basis": 0: feature 1; 1: feature 0. */
    int zero_based;

    /* 1: every row has all `features` columns, and `value` or `value32` has the rows one after another, zeros
     * included; there are no starts and no columns. 0: sparse rows. Numbers may differ from those of the sparse rows in
     * their last bits, as sums are made in another order. */
    int dense;
};

/* Data over the caller's arrays. Arrays that are not copied are borrowed: they must outlive the data, unchanged. The
 * library only reads them. The counts and the numbers are checked: an error names the row and its entry. The lengths
 * of the arrays are believed. Takes O(entries). */
RRM_API struct rrm_data *rrm_data_csr(const struct rrm_csr *csr, struct rrm_error *error);

/* Data from a file in the format of LIBSVM and svmlight, plain or compressed ("-": standard input). ZERO_BASED: 0 if
 * its feature indices count from 1, as usual, 1 if from 0. Rows whose label is "?" have none. HASH_BITS: 0 if features
 * are numbers; else they have names, NAME:VALUE or NAME, which are hashed to 2^HASH_BITS columns (1 to 30), as by the
 * option --hash of librrm-train. Models that are trained on them keep the bits (`hash` of struct rrm_model_info).
 * Takes 12 bytes an entry and 32 a row. */
RRM_API struct rrm_data *rrm_data_read(const char *path, int zero_based, int hash_bits,
                                       struct rrm_error *error);

/* What data are, as the library keeps them: the caller's arrays, or its own. The pointers are valid as long as the data
 * are. */
struct rrm_data_info {
    int64_t rows, features, entries, groups;
    const double *label;  /* rows; not-a-number: none */
    const int64_t *start; /* rows + 1, as in rrm_csr; NULL: `start32` has them, or they are dense */
    const int32_t *column;      /* entries; of dense data `features`, the same for each row */
    const double *value;        /* entries; NULL: all are 1, if value32 is NULL, too */
    const double *weight;       /* rows; NULL: all are 1 */
    const int64_t *group_start; /* groups + 1: the first row of each; NULL without groups */
    const int64_t *group;       /* groups: what each is called; NULL without groups */
    const float *value32;       /* entries, of a caller's floats; then `value` is NULL */
    const int32_t *start32;     /* rows + 1, of a caller's 32 bits; then `start` is NULL */
};

/* Fills INFO with what DATA are. */
RRM_API void rrm_data_describe(const struct rrm_data *data, struct rrm_data_info *info);

RRM_API void rrm_data_free(struct rrm_data *data);

/* ---- settings */

struct rrm_settings;

/* Settings at their defaults. */
RRM_API struct rrm_settings *rrm_settings_new(struct rrm_error *error);

/* Sets NAME, a long option of the command line without its dashes ("lambda", "loss", "solver", "time-limit", those of
 * solvers too), from TEXT as the command line would have it ("1e-4", "logistic"); a flag ("intercept") has the text
 * NULL. `librrm-train --help all` lists the names and their meanings. Options of the program's own files and messages
 * ("trace", "report", "quiet", "init", ...) are not settings. "class-weight" may be set several times, "1=5"; of
 * others the last counts. An unknown NAME, a text that is not a number, and one out of range are errors (RRM_USAGE)
 * that leave the settings as they were. The names of losses, regularizers and solvers, and whether the settings go
 * together, are checked by rrm_train. */
RRM_API int rrm_settings_set(struct rrm_settings *settings, const char *name, const char *text,
                             struct rrm_error *error);

RRM_API void rrm_settings_free(struct rrm_settings *settings);

/* ---- training */

struct rrm_model;
struct rrm_result;

/* How a training stands. */
struct rrm_progress {
    const char *title; /* the solver, and the label, fold or lambda: "ocas, label 3"; NULL: none */
    double seconds;    /* of training so far */
    double passes;     /* over the data */
    int64_t iteration;
    double objective; /* J(w); not-a-number where it was not evaluated */
    double bound;     /* lower bound of the least J; minus infinity where there is none */
    int64_t nonzeros; /* weights that are not 0; -1: not counted */
};

/* Called by the thread that trains, about once a pass or iteration. A return value other than 0 ends the training,
 * which then keeps what it reached. While the map of a kernel is made (setting "map"), which for many landmarks takes
 * seconds, it is called about ten times a second, with 0 passes and without an objective; to end the training there is
 * the error RRM_STOPPED. Where several threads train a problem each (pairs of "multiclass=ovo", "folds",
 * "probabilities"), it is told of those of the calling thread. When that thread has none left, it is called as while a
 * map is made, without a title, until all end. It may not free what the training uses. */
typedef int rrm_progress_function(void *context, const struct rrm_progress *progress);

/* Called by the thread that trains with each model of a path (setting "path"), from the largest lambda down, and with
 * how its training ended; without "path" once. The model and the result are the library's, and valid until the function
 * returns; sigmoids ("probabilities") are not fitted yet. A return value other than 0 ends the training with the error
 * RRM_STOPPED. Solvers of streams, which know no path, and trainings with "map" show none. */
typedef int rrm_visit_function(void *context, const struct rrm_model *model,
                               const struct rrm_result *result);

/* What a training begins with, and whom it tells; fields that are not wanted are NULL. */
struct rrm_training {
    /* Training begins with its weights, else with 0. Its labels, bias, intercept, zero_based and kernel have to be
     * those of the training; its loss may be another one. */
    const struct rrm_model *start;
    rrm_progress_function *progress;
    rrm_visit_function *visit;
    void *context; /* given to both functions */
};

enum rrm_status {
    RRM_CONVERGED = 0, /* within the tolerance ("epsilon") */
    RRM_LIMIT = 1,     /* passes, time or rounding ended it before: the model is what was reached */

    /* The progress function ended it: the model is what was reached. Labels that were not reached are missing from
     * rrm_model_info and never predicted. If only one was reached, all labels stay, and the weights of the others are
     * 0. If none was (one-vs-one: no pair), there is no model: RRM_STOPPED. */
    RRM_INTERRUPTED = 2,

    /* The solver proximal expects that its objective falls no further, but no bound proves it: the gap may be larger
     * than the tolerance. */
    RRM_SETTLED = 3
};

struct rrm_result {
    int status;       /* enum rrm_status */
    double objective; /* J of the model; of several weight vectors their sum */
    double bound;     /* certified lower bound of the least J; minus infinity where there is none */
    double gap;       /* the largest certified relative gap (J - bound)/J of a weight vector;
                       * infinity where there is no bound */
    double lambda;    /* not-a-number: the regularizer is a constraint and has none */
    double passes;    /* over the data */
    int64_t iterations;
    double seconds;     /* of training */
    int64_t nonzeros;   /* weights that are not 0 */
    const char *solver; /* its name; static */

    int warnings;       /* how many; each is a sentence, with its remedy: */
    char warning[2048]; /* one a line, cut where it is full; "" without */

    /* What a visit function sees of a certified path (setting "path", "certified=GAP"); else 0. The model is within
     * the gap at each lambda from `low` to `high`; `low` is what is proved when this model is shown. The next model
     * may prove more: see its `low_before`, the smallest lambda at which this model is within the gap. lambda Omega(w)
     * is `penalty`, so that at another lambda mu of this model J is objective + (mu/lambda - 1) penalty. */
    double low, high, low_before, penalty;
};

/* Trains on DATA. Every row has a label. TRAINING may be NULL. *model becomes the model; *result (NULL: not wanted)
 * says how the training ended. A limit that came before the tolerance, or an interruption, is no error: see
 * result->status and result->warning. Only where it came before there was any model the code is RRM_TIME or
 * RRM_STOPPED. Settings "path" trains several values of lambda, of which the model has the last, or with "folds" the
 * best. 0, or -1 with the error set and *model NULL; then of *result only the warnings count. The model is the same, to
 * the bit, as the one that librrm-train writes with these settings. */
RRM_API int rrm_train(const struct rrm_data *data, const struct rrm_settings *settings,
                      const struct rrm_training *training, struct rrm_model **model,
                      struct rrm_result *result, struct rrm_error *error);

/* ---- models */

/* Reads a model that librrm, LIBLINEAR or LIBSVM wrote ("-": standard input). */
RRM_API struct rrm_model *rrm_model_read(const char *path, struct rrm_error *error);

/* Replaces the file PATH whole or not at all ("-": standard output). Reading it again gives the same weights. */
RRM_API int rrm_model_write(const struct rrm_model *model, const char *path,
                            struct rrm_error *error);

/* What a model is. The pointers are the model's, and valid as long as it is. */
struct rrm_model_info {
    const char *loss;   /* "hinge", "logistic", ... (librrm-train -L help) */
    const char *solver; /* what trained it */
    /* "linear", "polynomial", "gaussian", "sigmoid", "precomputed"; NULL: the weights are the features' */
    const char *kernel;

    /* Labels: 0 of them for regression and rankings, where the score is the prediction. Of two labels with one
     * vector: label[0] where the score is above 0, else label[1]. Otherwise a vector a label; the largest score wins,
     * the first of equals. One-vs-one (`pairs`): a vector for each pair of labels (0,1), (0,2), ..., (1,2), ...; a
     * score above 0 is a vote for the first label of the pair, else for the second; most votes win, the first of
     * equals. */
    int64_t labels;
    const double *label;
    int probabilities; /* 1: rrm_predict gives probabilities */

    /* A vector has `dimension` weights: those of the features (of a kernel: of its units), then that of the constant
     * feature, if there is one, then the offset, if there is one. */
    int64_t features; /* those of the training data */
    int64_t vectors;  /* 1, or labels, or pairs of them; 0 for RNA */
    int64_t dimension;

    /* The value of the constant feature; -1 (below 0): there is none. Set bias to -1 for rrm_model_from_weights if
     * there is none: 0 is a constant feature of value 0, which has a weight. */
    double bias;
    int intercept; /* 1: an offset that is not regularized; 0: none */

    /* Weights shared by all labels; they follow the vectors. Of sequences labels x labels transitions, of RNA 323, of
     * other losses 0. */
    int64_t shared;
    /* vectors x dimension, one vector after another, then the shared ones; those of scaled features if `scaled` is 1 */
    const double *weight;
    int pairs; /* 1: one-vs-one, a vector for each pair of labels; 0: not */
    /* The bits of the hash that made columns of names; 0: the features are numbers. Test data are to be read with the
     * same: rrm_predict and rrm_measures refuse data that rrm_data_read read with others. */
    int hash;
    /* 1: the weights are those of features that the model scales first (setting "scale"), so that they mean nothing
     * without the model; 0: those of the features as they are. */
    int scaled;
};

/* Fills INFO with what MODEL is. */
RRM_API void rrm_model_describe(const struct rrm_model *model, struct rrm_model_info *info);

/* A linear model of these labels and weights, which are copied. Set `bias` to -1 if there is no constant feature, and
 * `dimension` to how many weights each vector of your array has; if the other fields ask for another number, that is
 * an error. `labels` is 2 or more where the loss has classes, else 0. `kernel` is NULL and `scaled` 0: rrm_model_write
 * and rrm_model_copy keep models of kernels and those that scale. `solver` and `probabilities` are not looked at. NULL
 * with the error set (RRM_USAGE) when the counts do not fit the loss or one another, or a number is not finite. */
RRM_API struct rrm_model *rrm_model_from_weights(const struct rrm_model_info *info,
                                                 struct rrm_error *error);

/* A copy, by which a visit function keeps the model that it is shown. */
RRM_API struct rrm_model *rrm_model_copy(const struct rrm_model *model, struct rrm_error *error);

RRM_API void rrm_model_free(struct rrm_model *model);

/* ---- prediction */

/* Predicts every row of DATA into the caller's arrays; one that is NULL is not wanted.
 *
 *     label        rows               the label; for regression and rankings the score; of RNA the partner's position
 *                                     within the sequence, from 1, or 0: as in the data
 *     score        rows x vectors     row by row
 *     probability  rows x labels      row by row, in the order of the model's labels (losses logistic, softmax, crf;
 *                                     models trained with the setting "probabilities", or by svm-train -b 1). Then
 *                                     the label of one-vs-one models, and of those with sigmoids, is the most
 *                                     probable one
 *
 * Labels of the data are not looked at. Features that the model does not know count nothing. 0, or -1 with the error
 * set; what the arrays hold is then not defined. */
RRM_API int rrm_predict(const struct rrm_model *model, const struct rrm_data *data, double *label,
                        double *score, double *probability, struct rrm_error *error);

struct rrm_measure {
    char name[48];   /* "Accuracy", "AUC", "NDCG@10", ... */
    double value;    /* accuracy is a share of 1; not-a-number where it would divide by 0 */
    int smaller;     /* 1: the smaller the better */
    int approximate; /* 1: to about 0.1 % (AUC of more than 4 million rows) */
};

enum { RRM_MEASURES_MAX = 12 };

/* How good the predictions are: the measures of the model's task into LIST, of the rows that have labels. Returns how
 * many there are, 0 when no row has a label, or -1 with the error set. */
RRM_API int rrm_measures(const struct rrm_model *model, const struct rrm_data *data,
                         struct rrm_measure list[RRM_MEASURES_MAX], struct rrm_error *error);

#ifdef __cplusplus
}
#endif

#endif
