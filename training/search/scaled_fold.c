/* scaled_fold.c - scales a fold and the other rows; see scaled_fold.h. */
#include "training/search/scaled_fold.h"

int scaled_fold_init(const struct training *t, const struct dataset *train,
                     const struct dataset *test, struct scaled_fold *fold, struct error *e) {
    *fold = (struct scaled_fold){0};
    return scale_data(t->request, train, t->start_scaling, &fold->scaling, &fold->train, e) == 0
               ? scaled_init(&fold->test, &fold->scaling, test, e)
               : -1;
}

void scaled_fold_free(struct scaled_fold *fold) {
    scaled_free(&fold->test);
    scaled_free(&fold->train);
    scaling_free(&fold->scaling);
}
