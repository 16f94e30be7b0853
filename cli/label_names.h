/* label_names.h - the names of a model's labels (predict --names). */
#ifndef RRM_LABEL_NAMES_H
#define RRM_LABEL_NAMES_H

#include "io/model/model.h"
#include "prediction/measures.h"

/* A struct of zero bytes has none. */
struct label_names {
    const char *const *name; /* of the model's labels, in their order; NULL: none */
    char **shown;            /* their texts, where they are not words of a line (name_show) */
    int64_t count;
    const char **sorted; /* the same in another order; NULL: not asked for */
};

/* Reads the names of the model's labels from the file at PATH; NULL: there are none. 0, or -1 with the error set; to
 * be freed in either case. */
int label_names_read(struct label_names *names, const char *path, const struct model *model,
                     struct error *e);
void label_names_free(struct label_names *names);

/* *SORTED, which NAMES owns: the names in the order of the confusion matrix; left as it is if there are none. 0, or -1
 * with the error set. */
int label_names_sort(struct label_names *names, const struct model *model,
                     const struct confusion *confusion, const char *const **sorted,
                     struct error *e);

#endif
