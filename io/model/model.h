/* model.h - a trained model and its file.
 *
 * The file is text: "librrm 1", `key value` lines, the weights, and a last line "end". Numbers are
 * written with %.17g, so that writing and reading return the same doubles. */
#ifndef RRM_MODEL_H
#define RRM_MODEL_H

#include "io/basis.h"
#include "io/dataset.h"
#include "io/error.h"
#include "io/model/isotonic.h"
#include "io/scaling/scaling.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MODEL_NAME = 32,
    MODEL_AT_MAX = INT32_MAX,
    MODEL_RNA_WEIGHTS = 323 /* weights of the loss rna, all shared: RNA_WEIGHTS of risk/rna */
};

struct model {
    char solver[MODEL_NAME];
    char loss[MODEL_NAME];
    char regularizer[MODEL_NAME];
    char status[MODEL_NAME];      /* converged, settled, limit, interrupted */
    double tube, quantile, huber; /* parameters of the losses epsilon, quantile, huber */
    double nu, eta;  /* nu: of boost and of the losses that learn a margin; eta: of boost */
    int64_t at;      /* K of precision and ndcg; 0: chosen in training */
    double elastic;  /* of the regularizers elastic-net and elastic-net-ball */
    double ball;     /* radius Z of the regularizers l1-ball and elastic-net-ball */
    double lambda;   /* 0 for regularizers that are constraints */
    double bias;     /* value of the constant feature; < 0: there is none */
    bool intercept;  /* an unregularized offset, the last weight */
    bool zero_based; /* the first feature index of the training file is 0 */
    /* names of features are hashed to 2^hash_bits columns (io/feature_hash.h); 0: not */
    int64_t hash_bits;
    double objective; /* J, summed over the weight vectors */
    double bound;     /* certified lower bound on the minimum of that sum; -inf: none */
    double passes;
    /* that a stream's solver learned, each as often as it was met; 0: of no stream */
    int64_t examples;
    uint64_t seed;

    /* labels = 0: regression, the score is the prediction. labels = 2 and one weight vector:
     * predict label[0] if the score is > 0, else label[1]. Otherwise there is a weight vector for each label;
     * predict the label with the largest score, the first of equal ones. One-vs-one models (pairs) have a vector for
     * each pair of labels; a score > 0 is a vote for the pair's first label, else for its second; predict the label
     * with most votes, the first of equal ones. */
    int64_t labels;
    bool against_rest; /* labels = 2: label[1] means "not label[0]" (one against the rest) */
    /* one-vs-one; the vectors are in the order of io/model/label_pairs.h; three labels or more */
    bool pairs;
    double *label;
    /* labels: true if a limit or a signal stopped training before this one; NULL: none */
    bool *untrained;
    int64_t features; /* of the training file */
    int64_t vectors;  /* 1, labels, or the number of pairs; 0: features have no weights (rna) */
    /* of a vector: units + (bias >= 0) + intercept + basis.count, in this order */
    int64_t dimension;
    /* weights beside the vectors: of transitions (sequences), of energy terms (rna) */
    int64_t shared;
    double *w; /* vectors x dimension, one vector after another; then the shared weights */

    /* The map phi of a kernel machine; a vector has one weight for each component of phi(x). "none": phi(x) = x, a
     * linear model. "nystrom": phi has the components k(s, x), s the landmarks in `points`. "support": the same, s the
     * support vectors in `points`, and `basis` has the functions of the parametric part. "fourier": map_size random
     * Fourier features, drawn from seed and kernel (kernel/map.h). */
    char map[MODEL_NAME];
    char kernel[MODEL_NAME]; /* linear, polynomial, gaussian, sigmoid, precomputed; not of "none" */
    double gamma;            /* of polynomial, gaussian and sigmoid */
    double shift;            /* of polynomial and sigmoid */
    int64_t degree;          /* of polynomial */
    int64_t map_size;        /* of fourier */
    struct dataset points;   /* of nystrom and support: sparse rows without labels */
    struct basis basis;      /* of support */

    /* Vectors x 2: A and B of each vector; NULL: none. With the vector's score u, 1 / (1 + exp(A u + B)) is the
     * probability of the label that the vector is positive for (Platt 2000; Lin, Lin & Weng 2007). */
    double *sigmoid;

    /* In place of sigmoids: the probability as a function of the vector's score, for each vector. NULL: none. */
    struct isotonic *isotonic;
    int64_t isotonics; /* of the array: at least `vectors` */

    /* How an example is scaled before the model sees it; SCALING_NONE: not. Weights and points are those of scaled
     * features. Otherwise `scaling.features` are the model's, but SCALING_NORM needs none. */
    struct scaling scaling;
};

/* All weights: vectors x dimension + shared. */
int64_t model_weights(const struct model *model);

/* Weights of a vector before the bias: features, points or map_size. */
int64_t model_units(const struct model *model);

/* Whether the model is a kernel machine: its map is not "none" (nor empty). */
bool model_has_map(const struct model *model);

/* Whether it is a kernel machine: its points are support vectors. */
bool model_is_support(const struct model *model);

/* Marks the vector of label[k] (of a one-vs-one model a vector of a pair with it) as not trained: its weights are 0 and
 * mean nothing. Only for models with a vector for each label or pair. 0, or -1 with the error set. */
int model_mark_untrained(struct model *model, int64_t k, struct error *e);

/* The number of labels that were not trained. */
int64_t model_untrained(const struct model *model);

/* Removes these labels and their vectors from the model, unless fewer than two labels would remain. */
void model_drop_untrained(struct model *model);

/* Copies all of FROM into *to, which the caller frees. 0, or -1 with the error set and *to empty. */
int model_copy(const struct model *from, struct model *to, struct error *e);

/* Makes a linear model *to, which the caller frees, from copies of the weights, labels and counts of SHAPE. All other
 * fields get their defaults; `dimension` is computed. 0, or -1 with the error set (the counts do not fit together, two
 * labels are equal, a number is not finite) and *to empty. */
int model_of_weights(const struct model *shape, struct model *to, struct error *e);

/* Whether probabilities were fitted to its scores. */
bool model_is_calibrated(const struct model *model);

/* Whether a model of this loss can have a vector for every pair of labels. */
bool model_loss_has_pairs(const char *loss);

/* Frees what was fitted. */
void model_free_calibration(struct model *model);

/* Frees the arrays and leaves an empty model. */
void model_free(struct model *model);

/* Writes the file PATH ("-": standard output): on failure the old file stays unchanged. DURABLE: this holds even if the
 * machine crashes; the call waits until the file is on the disk (milliseconds). */
int model_write(const struct model *model, const char *path, bool durable, struct error *e);

/* Why the model has no file in LIBLINEAR's format, which has linear models of numbered features alone: a clause such as
 * "it is a kernel machine". NULL: it has one. Looks at what is known before training, and at the labels. */
const char *model_liblinear_lacks(const struct model *model);

/* model_write in LIBLINEAR's format, for its predict: the same predictions, but for probabilities of softmax. Labels
 * that were not trained are left out. Also -1 if model_liblinear_lacks something. */
int model_write_liblinear(const struct model *model, const char *path, bool durable,
                          struct error *e);

/* Reads a librrm model, or one that LIBLINEAR or LIBSVM wrote (recognized by its first line). Strict: an
 * unknown version or key, a missing or repeated key, a wrong count, a number that is not finite, a truncated file,
 * text after the end: "FILE:LINE:COLUMN: reason". Allocates memory in proportion to the file's
 * size: a short file with huge counts is refused. */
int model_read(const char *path, struct model *model, struct error *e);

#endif
