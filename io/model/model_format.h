/* model_format.h - what the writer and the readers of model files share; internal to io/model/. */
#ifndef RRM_MODEL_FORMAT_H
#define RRM_MODEL_FORMAT_H

#include "io/model/model.h"
#include "io/text.h"

#include <stddef.h>
#include <stdio.h>

enum {
    MODEL_VERSION = 1,
    MODEL_KEYS = 41,
    MODEL_DEGREE_MAX = 64,
    MODEL_MAP_SIZE_MAX = 1 << 20,
    MODEL_LABELS_MAX = 1 << 24,        /* a stream may be endless */
    MODEL_FEATURES_MAX = INT32_MAX - 1 /* the largest index that the data reader takes */
};

#define MODEL_EXAMPLES_MAX 1e15

enum key_kind {
    KEY_NAME,      /* char[MODEL_NAME] */
    KEY_CHOICE,    /* the same, one of `choices` */
    KEY_REAL,      /* double, finite */
    KEY_BOUND,     /* double, finite or -inf */
    KEY_TRUTH,     /* bool, 0 or 1 */
    KEY_BASE,      /* bool, written inverted: the first index */
    KEY_COUNT,     /* int64_t */
    KEY_OPTIONAL,  /* the same, of a positive number; no such line: 0 */
    KEY_SEED,      /* uint64_t */
    KEY_LABELS,    /* `labels` and `label`; "none" when there are none */
    KEY_UNTRAINED, /* the labels of `untrained`, after `labels`; no such line: all are trained */
    KEY_PAIRS,     /* bool: "ovo"; no such line: false */
    KEY_ISOTONIC,  /* a count and as many knots of each vector; no such line: none */
    KEY_SIGMOID,   /* A and B of each vector; no such line: none */
    KEY_SCALING,   /* method and target of `scaling`; no such line: none */
    KEY_BASIS,     /* the functions of `basis` that are shared with the kernel, */
    KEY_BASIS_ONLY /* and the others; "none" when there are none */
};

/* A line `name value`, in the order of the file. */
struct model_key {
    const char *name;
    enum key_kind kind;
    size_t offset;             /* in struct model */
    const char *loss;          /* models of this loss have the key; NULL: of any loss */
    const char *const *losses; /* or models of these losses, ended by NULL; NULL: of any loss */
    const char *const *regularizers; /* ended by NULL: models of these regularizers have the key, */
    bool others;                     /* or (true) models of all others; NULL: of any regularizer */
    double low, high;                /* closed range of a real or count; `open`: without its ends */
    bool open;
    const char *const *choices; /* ended by NULL */
    bool mapped;                /* models with a map have the key */
    const char *const *maps;    /* models with one of these maps have it; NULL: any or no map */
    const char *const
        *kernels; /* models with a map and one of these kernels; NULL: any or no map */
};

extern const struct model_key model_keys[MODEL_KEYS];

/* True when a model of this loss, regularizer, map and kernel has the key. */
bool model_key_belongs(const struct model_key *key, const struct model *model);

/* Why a model does not have a key: returns the field that rules it out, "loss", "regularizer", "map" or "kernel", and
 * sets *name to the field's value. NULL: the model has the key. */
const char *model_key_conflict(const struct model_key *key, const struct model *model,
                               const char **name);

/* True when a model without the line is complete. */
bool model_key_optional(const struct model_key *key);

/* True when the value of a key with a range is in it. */
bool model_key_in_range(const struct model_key *key, double value);

/* True when the name is in the list, which NULL ends. */
bool model_name_among(const char *const *names, const char *name);

/* Checks that the counts of labels, vectors and features fit together, and sets dimension. NULL, or what is wrong. */
const char *model_check_shape(struct model *model);

/* Checks that train can make this combination of loss, regularizer and map. NULL, or what is wrong. */
const char *model_check_names(const struct model *model);

/* Checks that the labels are distinct. NULL, or what is wrong. */
const char *model_check_labels(const struct model *model, struct error *e);

/* True if ENTRIES nonzero weights may be stored sparse for an array of WEIGHTS. The limit bounds the array by the
 * length of the file, since each entry is a line. */
bool model_may_be_sparse(int64_t weights, int64_t entries);

/* Reads what follows the key "w", up to the line "end"; the shape of the model is known. */
int model_read_weights(struct text *text, struct model *model, struct error *e);

/* NULL, or what is wrong with the features or values of a point; *row is its number from 0. */
const char *model_check_points(const struct model *model, int64_t *row);

/* Writes the line "points" and a line for each point. */
void model_write_points(const struct model *model, FILE *stream);

/* Reads these lines, up to "end"; points.rows is known, and so are features and basis. */
int model_read_points(struct text *text, struct model *model, struct error *e);

/* The capacity of the arrays of points while they are read. */
struct points_capacity {
    int64_t rows, columns, values;
    bool others; /* there are values other than 1 */
};

/* Ends a row; ROWS: the number of complete rows. Called once with ROWS = 0 before the first row. */
int model_points_row(struct points_capacity *capacity, struct dataset *points, int64_t rows,
                     struct error *e);

/* Adds an entry to the current row. */
int model_points_entry(struct points_capacity *capacity, struct dataset *points, int64_t column,
                       double value, struct error *e);

/* Shrinks the arrays to their length; frees the values if all are 1. */
int model_points_finish(const struct points_capacity *capacity, struct dataset *points,
                        struct text *text, struct error *e);

/* True when the model has rows of points: its map is "nystrom" or "support". */
bool model_has_points(const struct model *model);

/* True when lines of features follow the weights: the model's scaling has numbers for them. */
bool model_has_ranges(const struct model *model);

/* NULL, or what is wrong with the model's scaling. */
const char *model_check_scaling(const struct model *model);

/* Reads or writes what follows the key "scaling", up to the end of the line. */
int model_read_scaling(struct text *text, struct model *model, struct error *e);
void model_write_scaling(const struct model *model, FILE *stream);

/* Reads or writes the line "ranges" and those of the features; the model's features are known. */
int model_read_ranges(struct text *text, struct model *model, struct error *e);
void model_write_ranges(const struct model *model, FILE *stream);

/* Reads or writes the labels of the key "untrained", up to the end of the line. */
int model_read_untrained(struct text *text, struct model *model, struct error *e);
void model_write_untrained(const struct model *model, FILE *stream);

/* Reads what follows the word "solver_type". */
int model_read_liblinear(struct text *text, struct model *model, struct error *e);

/* Reads what follows the word "svm_type". */
int model_read_libsvm(struct text *text, struct model *model, struct error *e);

#endif
