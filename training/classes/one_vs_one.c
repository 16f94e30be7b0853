/* one_vs_one.c - the training of one pair of labels; see one_vs_one.h. */
#include "training/classes/one_vs_one.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "io/model/label_pairs.h"
#include "training/request/example_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds the rows of the two labels. */
static int find_rows(const struct dataset *data, struct pair_training *pair, int64_t *count,
                     struct error *e) {
    int64_t found[2] = {0, 0};
    pair->row = memory_new(data->rows, sizeof *pair->row, "rows", e);
    if (pair->row == NULL)
        return -1;
    *count = 0;
    for (int64_t i = 0; i < data->rows; i++)
        for (int side = 0; side < 2; side++)
            if (data->label[i] == pair->label[side]) {
                pair->row[(*count)++] = i;
                found[side]++;
            }
    pair->empty = found[0] == 0 || found[1] == 0;
    return 0;
}

/* "fold 2, labels 1 and 3" */
static void make_title(const struct training *t, struct pair_training *pair) {
    snprintf(pair->title, sizeof pair->title, "%.40s%slabels %.10g and %.10g",
             t->title != NULL ? t->title : "", t->title != NULL ? ", " : "", pair->label[0],
             pair->label[1]);
}

static int find_share(const struct training *t, struct pair_training *pair, struct error *e) {
    double sum = example_weights_sum(&pair->data);
    if (!t->request->regularizer->constraint)
        pair->share = example_weights_sum(t->data) / sum;
    return sum > 0 && isfinite(pair->share)
               ? 0
               : error_file(e, t->request->data_name,
                            "the examples of the labels %.10g and %.10g have weights that sum to "
                            "%g; a positive number is needed",
                            pair->label[0], pair->label[1], sum);
}

int pair_training_init(const struct training *t, int64_t number, struct pair_training *pair,
                       struct error *e) {
    int64_t i, j, count;
    *pair = (struct pair_training){.training = *t, .share = 1};
    label_pairs_of(t->classes->labels, number, &i, &j);
    pair->label[0] = t->classes->label[i];
    pair->label[1] = t->classes->label[j];
    pair->classes = (struct classes){
        .labels = 2, .label = pair->label, .vectors = 1, .scalar = t->classes->scalar};
    make_title(t, pair);
    if (find_rows(t->data, pair, &count, e) != 0)
        return -1;
    if (pair->empty)
        return 0;
    if (dataset_select(t->data, pair->row, count, &pair->data, e) != 0 ||
        find_share(t, pair, e) != 0)
        return -1;
    if (t->kernel != NULL)
        pair->kernel = (struct kernel_part){.kernel = t->kernel->kernel, .basis = t->kernel->basis};
    if (t->lambda_max != NULL)
        pair->lambda_max = t->lambda_max[number] * pair->share;
    pair->training.data = &pair->data;
    pair->training.kernel = t->kernel != NULL ? &pair->kernel : NULL;
    pair->training.classes = &pair->classes;
    pair->training.lambda = t->lambda * pair->share;
    pair->training.lambda_max = t->lambda_max != NULL ? &pair->lambda_max : NULL;
    pair->training.title = pair->title;
    pair->training.stream = t->stream + (uint64_t)number;
    return 0;
}

void pair_training_free(struct pair_training *pair) {
    dataset_free(&pair->data);
    free(pair->row);
    *pair = (struct pair_training){0};
}

int64_t pairs_weights(const struct training *t) {
    return (t->classes->labels - 1) * t->data->rows + t->classes->vectors * t->kernel->basis->count;
}

void pair_rows_init(struct pair_rows *own, const struct model *model, int64_t number,
                    const struct dataset *data) {
    int64_t i, j;
    *own = (struct pair_rows){.label = data->label, .rows = data->rows, .all = !model->pairs};
    if (own->all)
        return;
    label_pairs_of(model->labels, number, &i, &j);
    own->pair[0] = model->label[i];
    own->pair[1] = model->label[j];
}

int64_t pair_rows_next(struct pair_rows *own) {
    const double *label = own->label, *pair = own->pair;
    while (own->next < own->rows && !own->all && label[own->next] != pair[0] &&
           label[own->next] != pair[1])
        own->next++;
    return own->next < own->rows ? own->next++ : -1;
}
