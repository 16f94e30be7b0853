/* kernel_settings.c - the options of kernels, feature maps and basis functions. */
#include "training/kernel_settings.h"

#include "cli/train_command.h"
#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANDMARKS = 512, DIMENSION = 1024 };

static bool given(const struct train_command *command, const char *option) {
    return option_given(&command->groups[0], option);
}

/* The first of the OPTIONS (NULL at the end) that was given, or NULL. */
static const char *first_given(const struct train_command *command, const char *const *options) {
    for (int i = 0; options[i] != NULL; i++) {
        if (given(command, options[i])) {
            return options[i];
        }
    }
    return NULL;
}

/* What belongs to the other map, or to another kernel. */
static int check_kind(const struct train_command *command, struct error *e) {
    static const char *const of_nystrom[] = {"seeding", "eigen-threshold", NULL};
    static const char *const of_polynomial[] = {"degree", "shift", NULL};
    const struct kernel_settings *s = &command->settings.kernel;
    const char *option = s->map != MAP_NYSTROM ? first_given(command, of_nystrom) : NULL;

    if (option != NULL) {
        return error_usage(e, "--%s is for --map nystrom", option);
    }
    option = s->kernel != KERNEL_POLYNOMIAL ? first_given(command, of_polynomial) : NULL;
    if (option != NULL) {
        return error_usage(e, "--%s is for --kernel polynomial, not %s", option,
                           kernel_names[s->kernel]);
    }
    if (given(command, "sigma") && given(command, "gamma-kernel")) {
        return error_usage(e, "--sigma and --gamma-kernel exclude each other: gamma = "
                              "1/(2 sigma^2)");
    }
    if (given(command, "sigma") && s->kernel != KERNEL_GAUSSIAN) {
        return error_usage(e, "--sigma is for --kernel gaussian, not %s", kernel_names[s->kernel]);
    }
    if (given(command, "sigma") &&
        !(isfinite(0.5 / s->sigma / s->sigma) && 0.5 / s->sigma / s->sigma > 0)) {
        return error_usage(e, "--sigma %g: gamma = 1/(2 sigma^2) is out of range", s->sigma);
    }
    if (given(command, "gamma-kernel") && s->kernel == KERNEL_LINEAR) {
        return error_usage(e, "--gamma-kernel is for --kernel gaussian and polynomial, not linear");
    }
    return 0;
}

static int check_map(const struct train_command *command, struct error *e) {
    const struct kernel_settings *s = &command->settings.kernel;

    if (s->map == MAP_FOURIER && s->kernel != KERNEL_GAUSSIAN) {
        return error_usage(e, "--map fourier is for --kernel gaussian; --map nystrom takes %s",
                           kernel_names[s->kernel]);
    }
    if (given(command, "landmarks") && given(command, "dimension")) {
        return error_usage(e, "--landmarks and --dimension exclude each other: both are the size "
                              "of the map");
    }
    if (command->risk->scalar == NULL && command->risk->task != TASK_CLASSES) {
        return error_usage(e, "-L %s works on the features as they are, without --map",
                           command->risk->name);
    }
    return 0;
}

/* A solver that works with the kernel itself. */
static int check_expansion(const struct train_command *command, struct error *e) {
    const struct train_settings *s = &command->settings;
    const char *name = command->solver->name;
    struct basis basis;
    int status;

    if (s->bias >= 0) {
        return error_usage(e,
                           "solver %s has no constant feature (-B); --basis 1, or --intercept, "
                           "adds a constant",
                           name);
    }
    if (s->init != NULL) {
        return error_usage(e, "solver %s cannot start from a model (-i)", name);
    }
    status = kernel_options_basis(command, &basis, e);
    basis_free(&basis);
    return status;
}

int kernel_options_check(const struct train_command *command, struct error *e) {
    static const char *const of_kernels[] = {"kernel", "sigma", "gamma-kernel",
                                             "degree", "shift", NULL};
    static const char *const of_maps[] = {"landmarks", "dimension", "seeding", "eigen-threshold",
                                          NULL};
    static const char *const of_bases[] = {"basis", "basis-only", NULL};
    const struct kernel_settings *s = &command->settings.kernel;
    bool expands = command->solver != NULL && command->solver->expands;
    const char *option = first_given(command, of_maps);

    if (option != NULL && s->map == MAP_NONE) {
        return error_usage(e, "--%s needs --map nystrom or --map fourier", option);
    }
    option = first_given(command, of_kernels);
    if (option != NULL && s->map == MAP_NONE && !expands) {
        return error_usage(e, "--%s needs --map nystrom or fourier, or -s pdsg or mpd", option);
    }
    option = first_given(command, of_bases);
    if (option != NULL && !expands) {
        return error_usage(e, "--%s needs -s pdsg or -s mpd", option);
    }
    if (check_kind(command, e) != 0 || (s->map != MAP_NONE && check_map(command, e) != 0)) {
        return -1;
    }
    return expands ? check_expansion(command, e) : 0;
}

struct kernel kernel_options_kernel(const struct train_command *command, int64_t features) {
    const struct kernel_settings *s = &command->settings.kernel;
    double gamma =
        given(command, "gamma-kernel") ? s->gamma : 1 / (double)(features > 0 ? features : 1);

    if (given(command, "sigma")) {
        gamma = 0.5 / s->sigma / s->sigma;
    }
    return (struct kernel){
        .kind = s->kernel, .gamma = gamma, .shift = s->shift, .degree = s->degree};
}

struct map_settings kernel_options_map(const struct train_command *command, int64_t features) {
    const struct kernel_settings *s = &command->settings.kernel;
    int64_t size = s->map == MAP_NYSTROM ? LANDMARKS : DIMENSION;

    if (given(command, "landmarks")) {
        size = s->landmarks;
    } else if (given(command, "dimension")) {
        size = s->dimension;
    }
    return (struct map_settings){.kind = s->map,
                                 .kernel = kernel_options_kernel(command, features),
                                 .size = size,
                                 .seeding = s->seeding,
                                 .threshold = s->threshold,
                                 .seed = command->settings.seed};
}

/* What building a map of this size takes, and what of it stays, in numbers. Nystrom: the kernel matrix of
 * the landmarks and the eigenvectors' room, of which a matrix stays; Fourier: frequencies. */
static double map_numbers(const struct map_settings *map, int64_t features, bool stays) {
    double size = (double)map->size;

    return map->kind == MAP_FOURIER ? size * (double)features : (stays ? 1 : 4) * size * size;
}

double kernel_options_limit(const struct train_command *command) {
    double given_mb = command->settings.kernel.memory;

    return given_mb > 0 ? 1e6 * given_mb : memory_of_machine() / 2;
}

int kernel_options_memory(const struct train_command *command, const struct map_settings *map,
                          const struct dataset *data, double *bytes, struct error *e) {
    double all = kernel_options_limit(command);
    struct map_settings size = *map;

    if (map->kind == MAP_NYSTROM && size.size > data->rows) {
        size.size = data->rows;
    }
    double wanted = sizeof(double) * map_numbers(&size, data->features, false);
    if (wanted > all) {
        return error_set(e, "a map of size %lld takes %.3g MB, more than --memory %.6g",
                         (long long)size.size, 1e-6 * wanted, 1e-6 * all);
    }
    *bytes = all - sizeof(double) * map_numbers(&size, data->features, true);
    return 0;
}

/* LIST with the constant in front, where --intercept asks for one that is not there. */
int kernel_options_basis(const struct train_command *command, struct basis *basis,
                         struct error *e) {
    const struct train_settings *s = &command->settings;
    const struct kernel_settings *k = &s->kernel;
    bool constant = false;
    char *list;
    int status;

    if (basis_parse(k->basis, k->basis_only, s->zero_based, basis, e) != 0) {
        struct error inner = *e;
        if (inner.kind == ERROR_MEMORY) {
            return -1;
        }
        *e = (struct error){0};
        return error_usage(e, "%s: %s",
                           k->basis_only == NULL ? "--basis"
                           : k->basis == NULL    ? "--basis-only"
                                                 : "--basis and --basis-only",
                           inner.words);
    }
    for (int64_t j = 0; j < basis->count; j++) {
        constant = constant || basis->function[j].column < 0;
    }
    if (!s->intercept || constant) {
        return 0;
    }
    list = basis_text(basis, 0, basis->shared, s->zero_based, e);
    basis_free(basis);
    if (list == NULL) {
        return -1;
    }
    size_t size = strlen(list) + sizeof "1,";
    char *longer = memory_new((int64_t)size, 1, "basis functions", e);
    status = -1;
    if (longer != NULL) {
        snprintf(longer, size, "1%s%s", strcmp(list, "none") == 0 ? "" : ",",
                 strcmp(list, "none") == 0 ? "" : list);
        status = basis_parse(longer, k->basis_only, s->zero_based, basis, e);
    }
    free(longer);
    free(list);
    return status;
}
