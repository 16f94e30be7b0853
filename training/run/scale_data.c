/* scale_data.c - the scaling of training data; see scale_data.h. */
#include "training/run/scale_data.h"

#include "io/memory.h"
#include "training/request/kernel_settings.h"

static const struct interval range = {-1, 1}; /* the default of the program scale */

int scale_data(const struct training_request *request, const struct dataset *data,
               const struct scaling *before, struct scaling *scaling, struct scaled *scaled,
               struct error *e) {
    *scaling = (struct scaling){.method = (enum scaling_method)request->settings.scale};
    *scaled = (struct scaled){.data = *data};
    if (scaling->method == SCALING_RANGE)
        scaling->target = range;
    if (scaling->method != SCALING_NORM &&
        (scaling_learn_data(scaling, data, request->data_name, request->zero_based, e) != 0 ||
         (before != NULL && scaling_continue(scaling, before, e) != 0)))
        return -1;
    return scaled_init(scaled, scaling, data, e);
}

int scale_data_check_start(const struct training_request *request, const struct model *start,
                           struct error *e) {
    enum scaling_method method = start->scaling.method;
    return (int)method == request->settings.scale
               ? 0
               : error_file(e, request->start_name,
                            "trained with --scale %s; the same is needed here",
                            scaling_names[method]);
}

int scale_data_keep(const struct scaling *scaling, struct model *model, struct error *e) {
    int32_t features = scaling->method == SCALING_NORM ? 0 : (int32_t)model->features;
    struct scaling *kept = &model->scaling;
    scaling_free(kept);
    if (scaling_copy(scaling, kept, e) != 0 ||
        memory_resize((void **)&kept->feature, features, sizeof *kept->feature,
                      "ranges of features", e) != 0)
        return -1;
    for (int32_t j = kept->features; j < features; j++)
        kept->feature[j] = (struct scaling_feature){0, 0};
    kept->features = features;
    return 0;
}

int scale_data_check(const struct training_request *request, struct error *e) {
    static const char remedy[] = "scale the data by the program scale";
    const struct train_settings *s = &request->settings;
    if (s->scale == SCALING_NONE)
        return 0;
    if (request->solver != NULL && request->solver->stream != NULL)
        return error_usage(e,
                           "-s %s sees a stream, which is not looked at before training, so that "
                           "--scale cannot be used; %s",
                           request->solver->name, remedy);
    if (request->risk->task == TASK_FOLDING || s->kernel.kernel == KERNEL_PRECOMPUTED)
        return error_usage(e, "--scale is for values of features, which %s has not",
                           request->risk->task == TASK_FOLDING ? "-L rna" : "--kernel precomputed");
    if (request->distributed)
        return error_usage(e, "--scale needs all examples in one process; %s", remedy);
    if (s->folds > 0 && s->kernel.map != MAP_NONE)
        return error_usage(
            e, "--scale with -v and --map: the map would be of other features in each fold; %s",
            remedy);
    return 0;
}
