/* settings.c - the settings of training as a table. */
#include "training/request/settings.h"

#include "io/feature_hash.h"
#include "io/memory.h"
#include "io/model/model.h"
#include "io/scaling/scaling.h"
#include "kernel/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -w LABEL=W, as which the long option is told of, too; otherwise the setting's name. */
static int take_class_weight(void *settings, const char *shown, const char *argument,
                             struct error *e) {
    struct train_settings *s = settings;
    const char *name = shown[0] == '-' ? "-w" : shown;
    const char *sign = strchr(argument, '=');
    struct class_weight one;
    char label[64];
    void *grown = s->class_weight;
    if (sign == NULL || sign - argument >= (long)sizeof label) {
        return error_usage(e, "%s %.80s: LABEL=W is expected, such as %s 1=5", name, argument,
                           name);
    }
    snprintf(label, sizeof label, "%.*s", (int)(sign - argument), argument);
    if (text_to_real(label, &one.label) != 0)
        return error_usage(e, "%s %.80s: the label is not a number", name, argument);
    if (text_to_real(sign + 1, &one.weight) != 0)
        return error_usage(e, "%s %.80s: the weight is not a number", name, argument);
    if (one.weight < 0)
        return error_usage(e, "%s %.80s: out of range: a weight is at least 0", name, argument);
    if (memory_resize(&grown, s->class_weights + 1, sizeof one, "class weights", e) != 0)
        return -1;
    s->class_weight = grown;
    s->class_weight[s->class_weights++] = one;
    return 0;
}

/* The ball that KIND (LENGTH bytes) of --ball KIND=Z means: the regularizer "KIND-ball". */
static const struct regularizer *find_ball(const char *kind, size_t length) {
    int count;
    const struct regularizer *table = regularizer_table(&count);
    for (int i = 0; i < count; i++)
        if (table[i].ball != NULL && strncmp(table[i].name, kind, length) == 0 &&
            strcmp(table[i].name + length, "-ball") == 0)
            return &table[i];
    return NULL;
}

/* --ball KIND=Z */
static int take_ball(void *settings, const char *shown, const char *argument, struct error *e) {
    struct train_settings *s = settings;
    const char *sign = strchr(argument, '=');
    const struct regularizer *ball =
        sign == NULL ? NULL : find_ball(argument, (size_t)(sign - argument));
    double *size = &s->regularizer_parameters.ball;
    if (ball == NULL)
        return error_usage(e, "%s %.80s: l1=Z or elastic-net=Z is expected", shown, argument);
    if (text_to_real(sign + 1, size) != 0)
        return error_usage(e, "%s %.80s: the size must be a finite number", shown, argument);
    if (!(*size > 0))
        return error_usage(e, "%s %.80s: out of range: a size is above 0", shown, argument);
    s->ball = ball->name;
    return 0;
}

/* Upper ends: of folds, examples a step. */
enum { MAX_FOLDS = 1000000, MAX_BATCH_SIZE = 1000000000 };

static const char *const places[] = {"grades", "root", NULL};            /* enum places */
static const char *const multiclass[] = {"ovr", "ovo", "joint", NULL};   /* enum multiclass */
static const char *const calibrations[] = {"sigmoid", "isotonic", NULL}; /* enum calibration_form */
static const char *const chosen[] = {"best", "one-se", NULL};            /* enum chosen */
static const char *const state_features[] = {"all", "attested", NULL};   /* enum state_features */

#define FIELD(name) .offset = offsetof(struct train_settings, name)

static const struct option_row rows[] = {
    {'s', "solver", "NAME", OPTION_TEXT, FIELD(solver),
     .help = "the solver; -s help lists them, and the rules that choose one without -s"},
    {'l', "lambda", "X", OPTION_REAL, .low = LAMBDA_LEAST, .high = 1e300, .default_text = "1e-4",
     FIELD(lambda),
     .help = "regularization: minimize J(w) = lambda Omega(w) + R(w), where R is the mean loss"},
    {'c', "cost", "C", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, FIELD(cost),
     .help = "LIBLINEAR's C instead of -l: lambda = 1/(C m), where m is the number of examples, or "
             "the sum of their weights (pairwise, ndcg, crf, m3n, rna: the number of queries or "
             "sequences)"},
    {0, "path", "N|certified=GAP[,FROM,TO]", OPTION_TEXT, FIELD(path_text),
     .help = "train with N values of lambda, equally spaced in log(lambda), from FROM down to TO; "
             "or, with certified=GAP, with as few values as needed so that at each lambda of the "
             "range some model has a relative gap of at most GAP. Each starts from the model "
             "before it. FROM is by default lambda_max, the smallest at which all weights are 0 "
             "(1-norm), or else the largest ||x||^2 (kernels: K(x, x)); TO is -l. The model that "
             "is written is the last one, or with -v N the best one. If TO is not below FROM, one "
             "value is trained. -p limits each value, -t all of them together"},
    {'L', "loss", "NAME", OPTION_TEXT, .default_text = "hinge", FIELD(loss),
     .help = "the loss; -L help lists them"},
    {0, "tube", "X", OPTION_REAL, .low = 0, .high = INFINITY, .default_text = "0.1",
     FIELD(parameters.tube), .help = "the epsilon-insensitive losses are 0 up to this distance"},
    {0, "quantile", "X", OPTION_REAL, .low = 0, .high = 1, .open = true, .open_high = true,
     .default_text = "0.5", FIELD(parameters.quantile),
     .help = "the quantile that the quantile loss fits"},
    {0, "huber", "X", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, .default_text = "1",
     FIELD(parameters.huber), .help = "the Huber loss is linear beyond this distance"},
    {0, "nu", "X", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, FIELD(nu),
     .help = "nu-hinge, nu-epsilon, one-class: at most this share of the examples, from 0 to 1, "
             "has a loss, and at least this share are support vectors (default 0.5). boost: the "
             "loss is averaged over the X examples where it is largest, smoothed by an entropy "
             "(default: a tenth of the examples)"},
    {0, "eta", "X", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, FIELD(boost.eta),
     .help = "boost: the entropy is divided by X, so a larger X smooths less (default: the "
             "objective is within 0.01 of its value without entropy, and X is at least 1)"},
    {0, "at", "K", OPTION_INTEGER, .low = 1, .high = MODEL_AT_MAX, FIELD(at),
     .help = "precision: the K examples with the highest scores count (default: the number of "
             "positives); with K below the number of positives any K of these may come first, and "
             "agm and agm1 do not take it. ndcg: the first K documents of a query count (default "
             "10)"},
    {0, "places", "grades|root", OPTION_CHOICE, .choices = places, .default_text = "grades",
     FIELD(places),
     .help = "ndcg: the score of an order is a weighted sum of the documents' scores; the weights "
             "are the query's grades in descending order (grades), or 1/sqrt(k) for the k-th "
             "document (root)"},
    {0, "state-features", "all|attested", OPTION_CHOICE, .choices = state_features,
     .default_text = "all", FIELD(state_features),
     .help = "crf, m3n: which pairs of a feature and a label have a weight: all, or only those "
             "that occur in the training data, as in CRFsuite"},
    {'r', "regularizer", "NAME", OPTION_TEXT, FIELD(regularizer),
     .help = "the regularizer; -r help lists them (default l2; with -L boost simplex)"},
    {0, "ball", "KIND=Z", OPTION_CALL, .take = take_ball,
     .help = "a constraint instead of -r and lambda: l1=Z is ||w||_1 <= Z; elastic-net=Z is rho/2 "
             "||w||^2 + (1 - rho) ||w||_1 <= Z, where rho is --elastic"},
    {0, "elastic", "X", OPTION_REAL, .low = 0, .high = 1, .open = true, .default_text = "0.5",
     FIELD(regularizer_parameters.elastic),
     .help = "rho of the elastic net and of its ball, the fraction of the squared norm: 1 is l2, "
             "near 0 is nearly l1"},
    {0, "map", "nystrom|fourier", OPTION_CHOICE, .choices = map_names, .default_text = "none",
     FIELD(kernel.map),
     .help = "approximate a kernel: each example is mapped to new features, and a linear model is "
             "trained on these. nystrom computes them from kernel values with N examples "
             "(landmarks); fourier draws random features of the Gaussian kernel"},
    {0, "landmarks", "N[,N...]", OPTION_TEXT, FIELD(kernel.landmark_counts.text),
     .help = "number of landmarks of --map nystrom; all examples if there are fewer (default 512); "
             "of several, such as 64,256,1024, --search chooses one together with lambda"},
    {0, "dimension", "N", OPTION_INTEGER, .low = 1, .high = MAP_SIZE_MOST, FIELD(kernel.dimension),
     .help = "number of random features of --map fourier (default 1024)"},
    {0, "kernel", "NAME", OPTION_CHOICE, .choices = kernel_names, .default_text = "gaussian",
     FIELD(kernel.kernel),
     .help = "linear, <s,x>; polynomial, (gamma <s,x> + shift)^degree; gaussian, exp(-gamma ||s - "
             "x||^2); sigmoid, tanh(gamma <s,x> + shift); precomputed, the data are rows of the "
             "kernel matrix, 0:NUMBER 1:K(x,1) 2:K(x,2) ..., as LIBSVM's. NAME is one of"},
    {0, "sigma", "X", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, FIELD(kernel.sigma),
     .help = "width of the Gaussian kernel: gamma = 1/(2 X^2)"},
    {0, "gamma-kernel", "X[,X...]", OPTION_TEXT, FIELD(kernel.gammas.text),
     .help = "gamma of the kernel (default 1/features); of several, such as 0.01,0.1,1, --search "
             "chooses one together with lambda"},
    {0, "degree", "N", OPTION_INTEGER, .low = 0, .high = KERNEL_DEGREE_MOST, .default_text = "3",
     FIELD(kernel.degree), .help = "degree of the polynomial kernel; 0: the kernel is 1"},
    {0, "shift", "X", OPTION_REAL, .low = -1e300, .high = 1e300, .default_text = "0",
     FIELD(kernel.shift),
     .help = "constant of the polynomial and the sigmoid kernel (LIBSVM's coef0); that of the "
             "polynomial is at least 0"},
    {0, "expand", NULL, OPTION_FLAG, FIELD(kernel.expand),
     .help = "with --kernel linear, train coefficients of the examples, as for other kernels; "
             "without it a linear model is trained, by a solver of linear models"},
    {0, "seeding", "uniform|kmeans++|rpcholesky", OPTION_CHOICE, .choices = map_seedings,
     .default_text = "uniform", FIELD(kernel.seeding),
     .help = "how landmarks are drawn. uniform: each example is equally likely; kmeans++: examples "
             "far from the landmarks drawn before are more likely; rpcholesky (randomly pivoted "
             "Cholesky): those whose kernel values these landmarks approximate badly. Which is "
             "best depends on the data; uniform is fastest"},
    {0, "eigen-threshold", "X", OPTION_REAL, .low = 0, .high = 1, .default_text = "1e-12",
     FIELD(kernel.threshold),
     .help = "--map nystrom leaves out eigenvalues below X times the largest"},
    {0, "memory", "MB", OPTION_REAL, .low = 0, .high = 1e9, .open = true, FIELD(kernel.memory),
     .help = "memory for mapped examples and for those of --cache, in megabytes. Mapped examples "
             "that take more are read in each pass from a file in the folder TMPDIR (/var/tmp), if "
             "the machine's memory can keep it; if not, as many as fit are kept with 7 digits, and "
             "the others are computed again in each pass. A larger cache is read from the disk in "
             "each pass (default: half of the machine's)"},
    {0, "basis", "LIST", OPTION_TEXT, FIELD(kernel.basis),
     .help = "basis functions of kernel machines, which are not regularized: 1,3,3^2 is the "
             "constant, feature 3 and its square (feature 1 itself is 1^1)"},
    {0, "basis-only", "LIST", OPTION_TEXT, FIELD(kernel.basis_only),
     .help = "basis functions whose features the kernel ignores"},
    {'e', "epsilon", "X", OPTION_REAL, .low = 0, .high = INFINITY, FIELD(epsilon),
     .help = "tolerance: training ends when the certified relative gap (J - bound)/J is at most X; "
             "some solvers use another measure, see -s NAME --help. 0: train until -p passes are "
             "done (default: the solver's, mostly 0.001)"},
    {'p', "passes", "N", OPTION_REAL, .low = 0, .high = INFINITY, .open = true, FIELD(passes),
     .help =
         "at most N passes over the data. A step that would exceed N is not begun (lps and agm "
         "need at least 2). The evaluation of the result is not counted (default: the solver's)"},
    {'t', "time-limit", "S", OPTION_REAL, .low = 0, .high = INFINITY, .open = true,
     FIELD(time_limit),
     .help = "at most S seconds of mapping and training, of all classes and folds together; "
             "loading is not counted (default: no limit)"},
    {'k', "batch-size", "N", OPTION_INTEGER, .low = 1, .high = MAX_BATCH_SIZE, .default_text = "1",
     FIELD(batch_size),
     .help = "examples in each step of the online solvers, drawn without replacement (with "
             "replacement if examples have weights)"},
    {0, "hash", "BITS", OPTION_INTEGER, .low = 1, .high = FEATURE_HASH_BITS_MOST, FIELD(hash_bits),
     .help = "features have names: NAME:VALUE, or NAME for the value 1; each name is hashed to one "
             "of 2^BITS weights, so that no dictionary is needed"},
    {0, "scale", "NAME", OPTION_CHOICE, .choices = scaling_names, .default_text = "none",
     FIELD(scale),
     .help = "scale the features before training, by the data or, with -v, by the other folds; the "
             "model keeps the scaling, and predict applies it. range: to [-1, 1]; max: divide by "
             "the largest absolute value; standard: mean 0, standard deviation 1; deviation: "
             "divide by the standard deviation; norm: each example to length 1. max, deviation and "
             "norm keep sparse data sparse. Weights are those of scaled features. NAME is one of"},
    {'B', "bias", "X", OPTION_REAL, .default_text = "-1", FIELD(bias),
     .help = "append a constant feature of value X, whose weight is regularized like the others; X "
             "< 0: none"},
    {0, "intercept", NULL, OPTION_FLAG, FIELD(intercept),
     .help = "train an offset that is not regularized, if the solver has one"},
    {'w', "class-weight", "LABEL=W", OPTION_CALL, .pair = true, .take = take_class_weight,
     .help = "weight of the examples with this label; may be repeated; -wLABEL W works, too "
             "(default 1)"},
    {'P', "positive", "LABEL", OPTION_REAL, FIELD(positive),
     .help = "this label is positive, all others are negative"},
    {0, "multiclass", "ovr|ovo|joint", OPTION_CHOICE, .choices = multiclass, FIELD(multiclass),
     .help = "how three or more labels are trained. ovr: each against the rest; ovo: each pair, on "
             "its own examples, with a vote, as in LIBSVM (-L hinge, squared-hinge, logistic, "
             "nu-hinge); joint: all together (-L crammer-singer, softmax). Default: joint for "
             "these two losses, ovo for kernel machines, else ovr. With ovr a stream takes new "
             "labels at any time"},
    {'b', "probabilities", "0|1", OPTION_INTEGER, .low = 0, .high = 1, .default_text = "0",
     FIELD(probabilities),
     .help = "1: the model that is written gives probabilities (predict -b 1): fit Platt's sigmoid "
             "to the scores of a cross-validation of 5 folds, which takes about 5 times the time. "
             "logistic, softmax and crf have probabilities without it"},
    {0, "calibration", "sigmoid|isotonic", OPTION_CHOICE, .choices = calibrations,
     .default_text = "sigmoid", FIELD(calibration),
     .help = "of -b 1: Platt's sigmoid, or the nondecreasing function that fits best, for "
             "thousands of examples"},
    {'v', "folds", "N", OPTION_INTEGER, .low = 2, .high = MAX_FOLDS, FIELD(folds),
     .help = "cross-validate with N folds; no model is written, except with --path and MODEL_FILE: "
             "the one at the best lambda"},
    {0, "search", NULL, OPTION_FLAG, FIELD(search),
     .help = "choose lambda by cross-validation, and train on all examples with it: --path 20 and "
             "-v 5, unless they are given or --validation takes the place of folds; the path ends "
             "at -c 1024, unless -l, -c or its ends are given"},
    {0, "measure", "NAME", OPTION_TEXT, FIELD(measure),
     .help = "the measure by which -v or --validation choose lambda, as predict prints it: "
             "accuracy, auc, f1 (of the positive label, the larger one or that of -P), precision, "
             "recall, log-loss, brier-score, mse, mae, r2, ndcg, "
             "ndcg@5, ... "
             "(default: that of the loss, mostly accuracy or mse)"},
    {0, "choose", "best|one-se", OPTION_CHOICE, .choices = chosen, .default_text = "best",
     FIELD(chosen),
     .help = "the lambda with the best measure, or (one-se) the largest lambda whose measure is "
             "within a standard error of the best one"},
    {'j', "threads", "N", OPTION_INTEGER, .low = 1, .high = MAX_THREADS, FIELD(threads),
     .help = "number of threads; the model does not depend on it (default: all processors)"},
    {'S', "seed", "N", OPTION_NATURAL, .default_text = "1", FIELD(seed),
     .help = "seed of every random choice; the same seed gives the same model"},
    {0, "checkpoint", "FILE[:S]", OPTION_TEXT, FIELD(checkpoint),
     .help = "save the state of the training to FILE every S seconds (60), at a signal and at -t. "
             "As long as there is such a FILE, the same command, also with a larger -t, goes on "
             "from it and ends with the same model. At the end FILE is removed"},
};

const struct option_row *train_settings_rows(int *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}

void train_settings_free(struct train_settings *settings) {
    free(settings->class_weight);
    settings->class_weight = NULL;
    settings->class_weights = 0;
}
