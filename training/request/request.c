/* request.c - what is to be trained, and how. */
#include "training/request/request.h"

#include "io/memory.h"
#include "io/nearest.h"

#include <stdlib.h>
#include <string.h>

static int add_group(struct training_request *request, const struct option_group *of,
                     struct error *e) {
    struct option_group *group = &request->groups[request->group_count];
    *group = *of;
    request->group_count++; /* from here on it is freed with the rest */
    group->given = memory_zeroed(group->count, sizeof *group->given, "options", e);
    return group->settings == NULL || group->given == NULL ? -1 : 0;
}

static int add_solver(struct training_request *request, const struct solver *solver,
                      struct error *e) {
    struct option_group group = {
        .owner = solver->name, .rows = solver->options, .count = solver->option_count};
    if (group.count == 0)
        return 0;
    group.settings = memory_zeroed(1, solver->settings_size, "options", e);
    return add_group(request, &group, e);
}

static int make_groups(struct training_request *request, const struct option_group *more,
                       struct error *e) {
    int solvers;
    const struct solver *const *solver = solver_table(&solvers);
    struct option_group settings = {.settings = &request->settings};
    settings.rows = train_settings_rows(&settings.count);
    request->groups = memory_zeroed(2 + solvers, sizeof *request->groups, "options", e);
    if (request->groups == NULL || add_group(request, &settings, e) != 0 ||
        (more != NULL && add_group(request, more, e) != 0))
        return -1;
    for (int i = 0; i < solvers; i++)
        if (add_solver(request, solver[i], e) != 0)
            return -1;
    return 0;
}

int request_init(struct training_request *request, const struct option_group *more,
                 struct error *e) {
    *request =
        (struct training_request){.data_name = "the data", .start_name = "the start", .lister = ""};
    if (make_groups(request, more, e) != 0)
        return -1;
    return options_default(request->groups, request->group_count, e);
}

void request_free(struct training_request *request) {
    for (int g = 0; g < request->group_count; g++) {
        free(request->groups[g].given);
        if (request->groups[g].owner != NULL)
            free(request->groups[g].settings);
    }
    for (int64_t i = 0; i < request->texts; i++)
        free(request->text[i]);
    free(request->text);
    free(request->groups);
    train_settings_free(&request->settings);
    *request = (struct training_request){0};
}

/* A copy of TEXT that lives as long as the request; NULL with the error set. */
static const char *keep_text(struct training_request *request, const char *text, struct error *e) {
    if (memory_resize((void **)&request->text, request->texts + 1, sizeof *request->text, "options",
                      e) != 0)
        return NULL;
    char *copy = memory_text(text, (int64_t)strlen(text), "options", e);
    if (copy != NULL)
        request->text[request->texts++] = copy;
    return copy;
}

enum { MAX_NAMES = 512 };

/* "cost" of "c", the option of the command line; NULL: there is none. */
static const char *name_of_letter(const struct training_request *request, const char *name) {
    for (int g = 0; g < request->group_count && strlen(name) == 1; g++) {
        for (int i = 0; i < request->groups[g].count; i++) {
            const struct option_row *row = &request->groups[g].rows[i];
            if (row->letter == name[0] && row->name != NULL)
                return row->name;
        }
    }
    return NULL;
}

static int refuse_name(const struct training_request *request, const char *name, struct error *e) {
    const char *names[MAX_NAMES + 1] = {NULL}, *nearest;
    int count = 0;
    for (int g = 0; g < request->group_count; g++) {
        for (int i = 0; i < request->groups[g].count && count < MAX_NAMES; i++) {
            names[count] = request->groups[g].rows[i].name;
            count += names[count] != NULL;
        }
    }
    nearest = name_of_letter(request, name);
    if (nearest == NULL)
        nearest = nearest_name(name, names);
    return nearest != NULL
               ? error_usage(e, "unknown setting %.80s; did you mean %s?", name, nearest)
               : error_usage(e, "unknown setting %.80s", name);
}

int request_set(struct training_request *request, const char *name, const char *text,
                struct error *e) {
    const struct option_row *row = options_find(request->groups, request->group_count, name);
    if (row == NULL)
        return refuse_name(request, name, e);
    if ((text == NULL) != (row->kind == OPTION_FLAG || row->kind == OPTION_LEVEL))
        return error_usage(e, text == NULL ? "%s needs a value" : "%s takes no value", name);
    if (row->kind == OPTION_TEXT) {
        text = keep_text(request, text, e);
        if (text == NULL)
            return -1;
    }
    return options_set(request->groups, request->group_count, row, name, text, e);
}

bool request_given(const struct training_request *request, const char *name) {
    return option_given(&request->groups[0], name);
}

const struct option_group *request_group(const struct training_request *request,
                                         const char *solver) {
    for (int g = 0; g < request->group_count; g++) {
        const char *owner = request->groups[g].owner;
        if (owner != NULL && strcmp(owner, solver) == 0)
            return &request->groups[g];
    }
    return NULL;
}

bool request_fits_sigmoids(const struct training_request *request) {
    return request->settings.probabilities == 1 && !request->risk->probabilities;
}

struct run_settings request_run_settings(const struct training_request *request) {
    const struct train_settings *s = &request->settings;
    return (struct run_settings){.passes = s->passes,
                                 .passes_given = request->passes_given,
                                 .unproved = request_given(request, "epsilon") && s->epsilon == 0,
                                 .batch_size = s->batch_size,
                                 .seed = s->seed,
                                 .warm = request->start_given};
}
