/* model_format.h - what the writer and the readers of model files share; internal to io/. */
#ifndef RRM_MODEL_FORMAT_H
#define RRM_MODEL_FORMAT_H

#include "io/model.h"
#include "io/text.h"

#include <stddef.h>

enum {
    MODEL_VERSION = 1,
    MODEL_KEYS = 23,
    MODEL_FEATURES_MAX = INT32_MAX - 1 /* as the data reader's largest index */
};

enum key_kind {
    KEY_NAME,   /* char[MODEL_NAME] */
    KEY_STATUS, /* the same, one of model_statuses */
    KEY_REAL,   /* double, finite */
    KEY_BOUND,  /* double, finite or -inf */
    KEY_TRUTH,  /* bool, 0 or 1 */
    KEY_BASE,   /* bool, written inverted: the first index */
    KEY_COUNT,  /* int64_t, 0 to MODEL_FEATURES_MAX */
    KEY_SEED,   /* uint64_t */
    KEY_LABELS  /* `labels` and `label`; "none" when there are none */
};

/* A line `name value`, in the order of the file. */
struct model_key {
    const char *name;
    enum key_kind kind;
    size_t offset;                   /* in struct model */
    const char *loss;                /* only models of this loss have it; NULL: of any */
    const char *const *regularizers; /* names, NULL at the end: only models of these have it, */
    bool others;                     /* or only models of others; NULL: of any */
    double low, high;                /* closed range of a real; `open`: without its ends */
    bool open;
};

extern const struct model_key model_keys[MODEL_KEYS];
extern const char *const model_statuses[]; /* NULL at the end */

/* True when a model of this loss and regularizer has the key. */
bool model_key_belongs(const struct model_key *key, const struct model *model);

/* True when the value of a real key is in its range. */
bool model_key_in_range(const struct model_key *key, double value);

/* NULL, or what is wrong with the counts of labels, vectors and features together; sets dimension.
 */
const char *model_check_shape(struct model *model);

/* NULL, or what the loss or the regularizer is never trained with. */
const char *model_check_names(const struct model *model);

/* NULL, or what is wrong with the labels: two of them are equal. */
const char *model_check_labels(const struct model *model, struct error *e);

/* True when so many entries may stand for so many weights: what an untouched array may cost is
 * bounded by the length of the file, since each entry is a line. */
bool model_may_be_sparse(int64_t weights, int64_t entries);

/* Makes room for one item more than COUNT in an array that doubles; *room is what it has. */
int model_make_room(double **array, int64_t count, int64_t *room, const char *what,
                    struct error *e);

/* Reads what follows the key "w", up to the line "end"; the shape of the model is known. */
int model_read_weights(struct text *text, struct model *model, struct error *e);

/* Reads what follows the word "solver_type". */
int model_read_liblinear(struct text *text, struct model *model, struct error *e);

#endif
