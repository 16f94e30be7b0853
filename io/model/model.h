/* model.h - a trained model and its file.
 *
 * The file is text: "librrm 1", `key value` lines, the weights, and a last line "end". Numbers are
 * written with %.17g, so that writing and reading return the same doubles. */
#ifndef RRM_MODEL_H
#define RRM_MODEL_H

#include "io/basis.h"
#include "io/dataset.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MODEL_NAME = 32,
    MODEL_AT_MAX = INT32_MAX,
    MODEL_RNA_WEIGHTS = 323 /* of the loss rna, all of them shared: RNA_WEIGHTS of risk/rna */
};

struct model {
    char solver[MODEL_NAME];
    char loss[MODEL_NAME];
    char regularizer[MODEL_NAME];
    char status[MODEL_NAME];      /* converged, limit, interrupted */
    double tube, quantile, huber; /* parameters of the losses that have them */
    double nu, eta;               /* of boost */
    int64_t at;                   /* K of precision and ndcg; 0: chosen */
    double elastic;               /* of the regularizers elastic-net and elastic-net-ball */
    double ball;                  /* Z of the balls */
    double lambda;                /* of regularizers that are no constraints */
    double bias;                  /* value of the constant feature; none when < 0 */
    bool intercept;               /* an unregularized offset, the last weight */
    bool zero_based;              /* the training file counted its indices from 0 */
    double objective;             /* J, summed over the weight vectors */
    double bound; /* certified lower bound of the same sum; -inf when there is none */
    double passes;
    uint64_t seed;

    /* labels = 0: regression, the score is the prediction. labels = 2 and one weight vector:
     * label[0] where the score is > 0, else label[1]. Otherwise a weight vector a label and the
     * largest score wins, the first of equals. */
    int64_t labels;
    bool rest; /* labels = 2: label[1] stands for every label but label[0] */
    double *label;
    bool *untrained; /* labels: a limit or a signal came before these were trained; NULL: all are */
    int64_t features; /* of the training file */
    int64_t vectors;  /* 1, or labels; 0 where features have no weights */
    int64_t
        dimension;  /* of a vector: units + (bias >= 0) + intercept + basis.count, in this order */
    int64_t shared; /* weights that are not of features: transitions, a fold's terms */
    double *w;      /* vectors x dimension, one vector after another; then the shared ones */

    /* What the units of a vector are weights of. "none": the features themselves, a linear model.
     * "nystrom": k(s, x), s the points, landmarks. "support": the same, s support vectors, and the basis
     * functions are the parametric part. "fourier": the map_size random features that seed and kernel
     * make (kernel/map.h). */
    char map[MODEL_NAME];
    char kernel[MODEL_NAME]; /* linear, polynomial, gaussian; of maps other than "none" */
    double gamma;            /* of polynomial and gaussian */
    double shift;            /* of polynomial */
    int64_t degree;          /* of polynomial */
    int64_t map_size;        /* of fourier */
    struct dataset points;   /* of nystrom and support: sparse rows without labels */
    struct basis basis;      /* of support */

    /* Of LIBSVM's models with probabilities (svm-train -b 1), and not written: the probability of label[0] is
     * 1 / (1 + exp(A u + B)) for the score u (Platt 2000, Lin, Lin & Weng 2007). */
    bool has_sigmoid;
    double sigmoid[2]; /* A, B */
};

/* All weights: vectors x dimension + shared. */
int64_t model_weights(const struct model *model);

/* Weights of a vector before the bias: features, points or map_size. */
int64_t model_units(const struct model *model);

/* Whether the model is a kernel machine: its map is not "none" (nor empty). */
bool model_has_map(const struct model *model);

/* Notes that the vector of label[k] was not trained: its weights are 0 for want of time, and stand for
 * nothing. Only of models with a vector for each label. 0, or -1 with the error set. */
int model_mark_untrained(struct model *model, int64_t k, struct error *e);

/* How many labels were not trained. */
int64_t model_untrained(const struct model *model);

/* Takes these labels and their vectors out of the model, unless fewer than two labels would stay. */
void model_drop_untrained(struct model *model);

/* Copies all of FROM into *to, which the caller frees. 0, or -1 with the error set and *to empty. */
int model_copy(const struct model *from, struct model *to, struct error *e);

/* A linear model of the weights, labels and counts of SHAPE, copied into *to, which the caller frees; what else a model
 * has is at its default, and `dimension` follows. 0, or -1 with the error set (the counts do not fit together, two
 * labels are equal, a number is not finite) and *to empty. */
int model_of_weights(const struct model *shape, struct model *to, struct error *e);

/* Frees the arrays and leaves an empty model. */
void model_free(struct model *model);

/* Replaces the file PATH ("-": standard output) whole or not at all; DURABLE: also when the machine
 * crashes, for which it waits until the file is on the disk (milliseconds). */
int model_write(const struct model *model, const char *path, bool durable, struct error *e);

/* Reads a librrm model, or one that LIBLINEAR or LIBSVM wrote (recognized by its first line). Strict: an
 * unknown version or key, a missing or repeated one, a wrong count, not-a-number, a truncated file,
 * anything after the end: "FILE:LINE:COLUMN: reason". Allocates no more than the file's own size
 * warrants: a short file with huge counts is refused, not attempted. */
int model_read(const char *path, struct model *model, struct error *e);

#endif
