/* session_kernel.c - the kernel of a session: its map, made or taken from the model to start from, and the mapped
 * examples. */
#include "training/session_kernel.h"

#include "io/clock.h"
#include "io/scratch.h"
#include "kernel/mapped.h"
#include "kernel/precomputed.h"
#include "training/request/kernel_settings.h"
#include "training/run/kernel_model.h"
#include "training/run/map_watch.h"

/* Makes the map, or takes that of the model to start from, changes this model to one over the map's features, and maps
 * the examples into MEMORY bytes. */
static int map_examples(struct training_session *s, const struct map_settings *settings,
                        double memory, struct error *e) {
    bool warm = s->start != NULL;
    s->map = warm ? kernel_model_start_map(s->start, settings, e) : map_new(settings, &s->data, e);
    if (s->map == NULL || map_prepare(s->map, s->data.features, e) != 0 ||
        (warm && kernel_model_unmap(s->start, s->map, e) != 0))
        return -1;
    return mapped_init(&s->mapped, s->map, &s->data, memory, scratch_folder(), e);
}

/* Does so, if there is a map, until the time limit (-t) or the observer ends it. */
static int make_map(struct training_session *s, const struct map_settings *settings,
                    struct error *e) {
    const struct training_request *request = s->request;
    struct map_settings watched = *settings;
    struct map_watch watch;
    double memory;
    int status;
    /* Without a map it is the solver, chosen later, that support vectors have to fit. */
    if (s->start != NULL && (settings->kind != MAP_NONE || !model_is_support(s->start)) &&
        kernel_model_check_start(s->start, settings, request->settings.kernel.landmarks,
                                 request->start_name, e) != 0)
        return -1;
    if (settings->kind == MAP_NONE)
        return 0;
    status = kernel_settings_memory(request, settings, &s->data, &memory, e);
    if (communicator_agree(s->data.communicator, status, e) != 0)
        return -1;
    map_watch_begin(&watch, &s->monitor, request->settings.time_limit);
    watched.interrupted = map_watch_interruption(&watch);
    status = map_watch_end(&watch, map_examples(s, &watched, memory, e), e);
    status = communicator_agree(s->data.communicator, status, e);
    if (s->map != NULL)
        map_watch(s->map, (struct interruption){0});
    return status;
}

/* Checks the data of a precomputed kernel. */
static int check_precomputed(const struct training_session *s, struct kernel *kernel,
                             struct error *e) {
    const struct training_request *request = s->request;
    if (!kernel_settings_exact(request) || kernel->kind != KERNEL_PRECOMPUTED)
        return 0;
    if (!request->zero_based)
        return error_usage(e, "--kernel precomputed needs data whose indices begin at 0");
    return precomputed_check(&s->data, request->data_name, &kernel->proved, e);
}

int session_prepare_kernel(struct training_session *s, struct error *e) {
    const struct training_request *request = s->request;
    struct map_settings settings = kernel_settings_map(request, s->data.features);
    double before = clock_seconds();
    s->kernel = (struct kernel_part){.kernel = settings.kernel, .basis = &s->basis};
    if (check_precomputed(s, &s->kernel.kernel, e) != 0)
        return -1;
    if (kernel_settings_basis(request, &s->basis, e) != 0 || make_map(s, &settings, e) != 0)
        return -1;
    s->map_seconds += s->map == NULL ? 0 : clock_seconds() - before;
    return 0;
}

int session_check_landmark_counts(const struct training_session *s, struct error *e) {
    const struct kernel_list *list = &s->request->settings.kernel.landmark_counts;
    struct map_settings map = kernel_settings_map(s->request, s->data.features);
    int64_t rows = dataset_whole_rows(&s->data);
    double memory;
    int status = 0;
    for (int64_t i = 0; list->count > 1 && i < list->count && status == 0; i++) {
        map.size = (int64_t)list->value[i];
        if (map.kind == MAP_NYSTROM && map.size > rows)
            status = error_usage(e, "--landmarks %.80s: out of range: there are %lld examples",
                                 list->text, (long long)rows);
        else
            status = kernel_settings_memory(s->request, &map, &s->data, &memory, e);
    }
    return communicator_agree(s->data.communicator, status, e);
}

void session_free_kernel(struct training_session *s) {
    dataset_free(&s->mapped);
    map_free(s->map);
    s->map = NULL;
    basis_free(&s->basis);
}
