/* model_format.h - what the writer and the readers of model files share; internal to io/. */
#ifndef RRM_MODEL_FORMAT_H
#define RRM_MODEL_FORMAT_H

#include "io/model/model.h"
#include "io/text.h"

#include <stddef.h>
#include <stdio.h>

enum {
    MODEL_VERSION = 1,
    MODEL_KEYS = 35,
    MODEL_DEGREE_MOST = 64,
    MODEL_MAP_SIZE_MOST = 1 << 20,
    MODEL_LABELS_MOST = 1 << 24,       /* what is read, of a file that may have no end */
    MODEL_FEATURES_MAX = INT32_MAX - 1 /* as the data reader's largest index */
};

enum key_kind {
    KEY_NAME,      /* char[MODEL_NAME] */
    KEY_CHOICE,    /* the same, one of `choices` */
    KEY_REAL,      /* double, finite */
    KEY_BOUND,     /* double, finite or -inf */
    KEY_TRUTH,     /* bool, 0 or 1 */
    KEY_BASE,      /* bool, written inverted: the first index */
    KEY_COUNT,     /* int64_t */
    KEY_SEED,      /* uint64_t */
    KEY_LABELS,    /* `labels` and `label`; "none" when there are none */
    KEY_UNTRAINED, /* the labels of `untrained`, after `labels`; no such line: all are trained */
    KEY_BASIS,     /* the functions of `basis` that are shared with the kernel, */
    KEY_BASIS_ONLY /* and the others; "none" when there are none */
};

/* A line `name value`, in the order of the file. */
struct model_key {
    const char *name;
    enum key_kind kind;
    size_t offset;                   /* in struct model */
    const char *loss;                /* only models of this loss have it; NULL: of any */
    const char *const *losses;       /* or of these, NULL at the end; NULL: of any */
    const char *const *regularizers; /* names, NULL at the end: only models of these have it, */
    bool others;                     /* or only models of others; NULL: of any */
    double low, high;                /* closed range of a real or count; `open`: without its ends */
    bool open;
    const char *const *choices; /* NULL at the end */
    bool mapped;                /* only models with a map have it, */
    const char *const *maps;    /* of these; NULL: of any, or without a map */
    const char *const *kernels; /* with a map and one of these; NULL: with any, or without a map */
};

extern const struct model_key model_keys[MODEL_KEYS];

/* True when a model of this loss, regularizer, map and kernel has the key. */
bool model_key_belongs(const struct model_key *key, const struct model *model);

/* Why a key does not belong: what the model has that does not have it, "loss", "regularizer", "map" or
 * "kernel", and the name of that. */
const char *model_key_stranger(const struct model_key *key, const struct model *model,
                               const char **name);

/* True when the value of a key with a range is in it. */
bool model_key_in_range(const struct model_key *key, double value);

/* True when the name is in the list, which NULL ends. */
bool model_name_among(const char *const *names, const char *name);

/* NULL, or what is wrong with the counts of labels, vectors and features together; sets dimension.
 */
const char *model_check_shape(struct model *model);

/* NULL, or what the loss, the regularizer or the map is never trained with. */
const char *model_check_names(const struct model *model);

/* NULL, or what is wrong with the labels: two of them are equal. */
const char *model_check_labels(const struct model *model, struct error *e);

/* True when so many entries may stand for so many weights: what an untouched array may cost is
 * bounded by the length of the file, since each entry is a line. */
bool model_may_be_sparse(int64_t weights, int64_t entries);

/* Makes room for one item more than COUNT, of SIZE bytes, in an array that doubles; *room is what it
 * has. */
int model_make_room(void **array, size_t size, int64_t count, int64_t *room, const char *what,
                    struct error *e);

/* Reads what follows the key "w", up to the line "end"; the shape of the model is known. */
int model_read_weights(struct text *text, struct model *model, struct error *e);

/* NULL, or what is wrong with the features or values of a point; *row is its number from 0. */
const char *model_check_points(const struct model *model, int64_t *row);

/* The line "points", and the rows. */
void model_write_points(const struct model *model, FILE *stream);

/* Reads these lines, up to "end"; points.rows is known, and so are features and basis. */
int model_read_points(struct text *text, struct model *model, struct error *e);

/* Points as they are read: arrays that double. */
struct points_room {
    int64_t rows, columns, values;
    bool others; /* values that are not 1 */
};

/* Ends a row, after which there are ROWS; first of all with 0. */
int model_points_row(struct points_room *room, struct dataset *points, int64_t rows,
                     struct error *e);

/* An entry more of the row to come. */
int model_points_entry(struct points_room *room, struct dataset *points, int64_t column,
                       double value, struct error *e);

/* Gives back what the arrays have too much, and values that are all 1. */
int model_points_finish(const struct points_room *room, struct dataset *points, struct text *text,
                        struct error *e);

/* True when the model has rows of points: its map is "nystrom" or "support". */
bool model_has_points(const struct model *model);

/* The labels of the key "untrained", up to the end of the line. */
int model_read_untrained(struct text *text, struct model *model, struct error *e);
void model_write_untrained(const struct model *model, FILE *stream);

/* Reads what follows the word "solver_type". */
int model_read_liblinear(struct text *text, struct model *model, struct error *e);

/* Reads what follows the word "svm_type". */
int model_read_libsvm(struct text *text, struct model *model, struct error *e);

#endif
