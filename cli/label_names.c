/* label_names.c - the names of a model's labels. */
#include "cli/label_names.h"

#include "io/memory.h"
#include "io/names.h"

#include <stdlib.h>
#include <string.h>

static int show(struct label_names *names, struct error *e) {
    names->shown = memory_zeroed(names->count, sizeof *names->shown, "names", e);
    for (int64_t k = 0; names->shown != NULL && k < names->count; k++) {
        const char *name = names->name[k];
        names->shown[k] = memory_text(name, (int64_t)strlen(name), "a name", e);
        if (names->shown[k] == NULL)
            return -1;
        name_show(names->shown[k]);
    }
    return names->shown == NULL ? -1 : 0;
}

int label_names_read(struct label_names *names, const char *path, const struct model *model,
                     struct error *e) {
    if (path == NULL)
        return 0;
    if (model->labels == 0)
        return error_usage(e, "--names names labels, which a model of %s has not", model->loss);
    names->name = names_read(path, model->label, model->labels, e);
    names->count = model->labels;
    return names->name == NULL ? -1 : show(names, e);
}

int label_names_sort(struct label_names *names, const struct model *model,
                     const struct confusion *confusion, const char *const **sorted,
                     struct error *e) {
    if (names->name == NULL || confusion->labels == 0)
        return 0;
    names->sorted = memory_new(confusion->labels, sizeof *names->sorted, "names", e);
    if (names->sorted == NULL)
        return -1;
    for (int64_t i = 0; i < confusion->labels; i++)
        for (int64_t k = 0; k < model->labels; k++)
            if (model->label[k] == confusion->label[i])
                names->sorted[i] = names->shown[k];
    *sorted = names->sorted;
    return 0;
}

void label_names_free(struct label_names *names) {
    names_free(names->name, names->count);
    names_free((const char *const *)names->shown, names->count);
    free(names->sorted);
    *names = (struct label_names){0};
}
