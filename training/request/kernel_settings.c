/* kernel_settings.c - the settings of kernels, feature maps and basis functions. */
#include "training/request/kernel_settings.h"

#include "io/memory.h"
#include "training/request/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LANDMARKS = 512, DEFAULT_FOURIER_FEATURES = 1024 };

const char kernel_settings_default_solver[] = "smo";

/* The first of the OPTIONS (NULL at the end) that was given, or NULL. */
static const char *first_given(const struct training_request *request, const char *const *options) {
    for (int i = 0; options[i] != NULL; i++)
        if (request_given(request, options[i]))
            return options[i];
    return NULL;
}

/* What belongs to the other map, or to another kernel. */
static int check_kind(const struct training_request *request, struct error *e) {
    static const char *const of_nystrom[] = {"seeding", "eigen-threshold", NULL};
    const struct kernel_settings *s = &request->settings.kernel;
    const char *option = s->map != MAP_NYSTROM ? first_given(request, of_nystrom) : NULL;
    if (option != NULL)
        return error_usage(e, "--%s is for --map nystrom", option);
    if (request_given(request, "degree") && s->kernel != KERNEL_POLYNOMIAL) {
        return error_usage(e, "--degree is for --kernel polynomial, not %s",
                           kernel_names[s->kernel]);
    }
    if (request_given(request, "shift") && !kernel_has_shift(s->kernel)) {
        return error_usage(e, "--shift is for --kernel polynomial and sigmoid, not %s",
                           kernel_names[s->kernel]);
    }
    if (s->kernel == KERNEL_POLYNOMIAL && s->shift < 0) {
        return error_usage(e, "--shift %g: out of range: that of --kernel polynomial is at least 0",
                           s->shift);
    }
    if (request_given(request, "sigma") && request_given(request, "gamma-kernel")) {
        return error_usage(e,
                           "--sigma and --gamma-kernel exclude each other: gamma = 1/(2 sigma^2)");
    }
    if (request_given(request, "sigma") && s->kernel != KERNEL_GAUSSIAN)
        return error_usage(e, "--sigma is for --kernel gaussian, not %s", kernel_names[s->kernel]);
    if (request_given(request, "sigma") &&
        !(isfinite(0.5 / s->sigma / s->sigma) && 0.5 / s->sigma / s->sigma > 0))
        return error_usage(e, "--sigma %g: gamma = 1/(2 sigma^2) is out of range", s->sigma);
    if (request_given(request, "gamma-kernel") && !kernel_has_gamma(s->kernel)) {
        return error_usage(
            e, "--gamma-kernel is for --kernel gaussian, polynomial and sigmoid, not %s",
            kernel_names[s->kernel]);
    }
    return 0;
}

static int check_map(const struct training_request *request, struct error *e) {
    const struct kernel_settings *s = &request->settings.kernel;
    if (s->kernel == KERNEL_SIGMOID) {
        return error_usage(e, "--kernel sigmoid has no --map: it is not positive semidefinite; -s "
                              "smo trains with it");
    }
    if (s->kernel == KERNEL_PRECOMPUTED)
        return error_usage(e, "--kernel precomputed has no --map: there are no features to map");
    if (s->map == MAP_FOURIER && s->kernel != KERNEL_GAUSSIAN) {
        return error_usage(e, "--map fourier is for --kernel gaussian; --map nystrom takes %s",
                           kernel_names[s->kernel]);
    }
    if (request_given(request, "landmarks") && request_given(request, "dimension")) {
        return error_usage(
            e, "--landmarks and --dimension exclude each other: both are the size of the map");
    }
    if (request->risk->scalar == NULL && request->risk->task != TASK_CLASSES) {
        return error_usage(e, "-L %s works on the features as they are, without --map",
                           request->risk->name);
    }
    return 0;
}

/* A solver that works with the kernel itself. */
static int check_expansion(const struct training_request *request, struct error *e) {
    const struct train_settings *s = &request->settings;
    struct basis basis;
    int status;
    if (s->bias >= 0) {
        return error_usage(e, "a kernel machine has no constant feature (-B); --basis 1, or "
                              "--intercept, adds a constant");
    }
    status = kernel_settings_basis(request, &basis, e);
    bool constants = true;
    for (int64_t j = 0; j < basis.count; j++)
        constants = constants && basis.function[j].column < 0;
    basis_free(&basis);
    if (status == 0 && s->kernel.kernel == KERNEL_PRECOMPUTED && !constants)
        return error_usage(e, "--kernel precomputed has no features; --basis 1 is the constant");
    if (status == 0 && request->solver != NULL && !request->solver->indefinite_kernels &&
        (s->kernel.kernel == KERNEL_SIGMOID || s->kernel.kernel == KERNEL_PRECOMPUTED))
        return error_usage(e,
                           "solver %s needs a positive semidefinite kernel, not %s; -s smo works",
                           request->solver->name, kernel_names[s->kernel.kernel]);
    return status;
}

static const char *const of_kernels[] = {"kernel", "sigma", "gamma-kernel",
                                         "degree", "shift", NULL};
static const char *const of_bases[] = {"basis", "basis-only", NULL};

bool kernel_settings_exact(const struct training_request *request) {
    return !request->linear_kernel && request->settings.kernel.map == MAP_NONE &&
           (request->risk->learned != LEARNS_NOTHING || first_given(request, of_kernels) != NULL ||
            first_given(request, of_bases) != NULL);
}

bool kernel_settings_expands(const struct training_request *request) {
    return request->solver != NULL ? request->solver->is_kernel_expansion
                                   : kernel_settings_exact(request);
}

const char *kernel_settings_solver(const struct training_request *request) {
    return request->solver != NULL ? request->solver->name : kernel_settings_default_solver;
}

int kernel_settings_check(const struct training_request *request, struct error *e) {
    static const char *const of_maps[] = {"landmarks", "dimension", "seeding", "eigen-threshold",
                                          NULL};
    const struct kernel_settings *s = &request->settings.kernel;
    bool is_expansion = kernel_settings_expands(request);
    bool of_expansion = is_expansion || s->kernel == KERNEL_LINEAR; /* or of a linear solver */
    const char *option = first_given(request, of_maps);
    if (option != NULL && s->map == MAP_NONE)
        return error_usage(e, "--%s needs --map nystrom or --map fourier", option);
    option = first_given(request, of_kernels);
    if (option != NULL && s->map == MAP_NONE && !of_expansion)
        return error_usage(e, "--%s needs --map nystrom or fourier, or -s smo, pdsg or mpd",
                           option);
    option = first_given(request, of_bases);
    if (option != NULL && !of_expansion)
        return error_usage(e, "--%s needs -s smo, pdsg or mpd, without --map", option);
    if (check_kind(request, e) != 0 || (s->map != MAP_NONE && check_map(request, e) != 0))
        return -1;
    return is_expansion ? check_expansion(request, e) : 0;
}

struct kernel kernel_settings_kernel(const struct training_request *request, int64_t features) {
    const struct kernel_settings *s = &request->settings.kernel;
    double gamma = request_given(request, "gamma-kernel")
                       ? s->gamma
                       : 1 / (double)(features > 0 ? features : 1);
    if (request_given(request, "sigma"))
        gamma = 0.5 / s->sigma / s->sigma;
    return (struct kernel){
        .kind = s->kernel, .gamma = gamma, .shift = s->shift, .degree = s->degree};
}

struct map_settings kernel_settings_map(const struct training_request *request, int64_t features) {
    const struct kernel_settings *s = &request->settings.kernel;
    int64_t size = s->map == MAP_NYSTROM ? DEFAULT_LANDMARKS : DEFAULT_FOURIER_FEATURES;
    if (request_given(request, "landmarks"))
        size = s->landmarks;
    else if (request_given(request, "dimension"))
        size = s->dimension;
    return (struct map_settings){.kind = s->map,
                                 .kernel = kernel_settings_kernel(request, features),
                                 .size = size,
                                 .seeding = s->seeding,
                                 .threshold = s->threshold,
                                 .seed = request->settings.seed};
}

/* What building a map of this size takes, and what of it stays, in numbers. Nystrom: the kernel matrix of
 * the landmarks and the eigenvectors' room, of which a matrix stays; Fourier: frequencies. */
static double map_numbers(const struct map_settings *map, int64_t features, bool stays) {
    double size = (double)map->size;
    return map->kind == MAP_FOURIER ? size * (double)features : (stays ? 1 : 4) * size * size;
}

/* What drawing landmarks takes, in numbers, before the rest is built. */
static double seeding_numbers(const struct map_settings *map, int64_t rows) {
    bool factor = map->kind == MAP_NYSTROM && map->seeding == SEEDING_RPCHOLESKY;
    return factor ? (double)map->size * (double)map_sample_rows(map, rows) : 0;
}

double kernel_settings_limit(const struct training_request *request) {
    double given_mb = request->settings.kernel.memory;
    return given_mb > 0 ? 1e6 * given_mb : memory_of_machine() / 2;
}

int kernel_settings_memory(const struct training_request *request, const struct map_settings *map,
                           const struct dataset *data, double *bytes, struct error *e) {
    double all = kernel_settings_limit(request);
    struct map_settings size = *map;
    if (map->kind == MAP_NYSTROM && size.size > dataset_whole_rows(data))
        size.size = dataset_whole_rows(data);
    double needed = sizeof(double) * fmax(map_numbers(&size, data->features, false),
                                          seeding_numbers(&size, dataset_whole_rows(data)));
    if (needed > all) {
        return error_set(e, "a map of size %lld takes %.6g MB, more than --memory %.6g",
                         (long long)size.size, 1e-6 * needed, 1e-6 * all);
    }
    *bytes = all - sizeof(double) * map_numbers(&size, data->features, true);
    return 0;
}

/* The functions of --basis and --basis-only, with the constant in front where --intercept or a learned margin asks for
 * one that is not there. */
int kernel_settings_basis(const struct training_request *request, struct basis *basis,
                          struct error *e) {
    const struct train_settings *s = &request->settings;
    const struct kernel_settings *k = &s->kernel;
    bool constant = false;
    char *list;
    int status;
    if (basis_parse(k->basis, k->basis_only, request->zero_based, basis, e) != 0) {
        struct error inner = *e;
        if (inner.kind == ERROR_MEMORY)
            return -1;
        *e = (struct error){0};
        return error_usage(e, "%s: %s",
                           k->basis_only == NULL ? "--basis"
                           : k->basis == NULL    ? "--basis-only"
                                                 : "--basis and --basis-only",
                           inner.words);
    }
    for (int64_t j = 0; j < basis->count; j++)
        constant = constant || basis->function[j].column < 0;
    if (constant || !(s->intercept || request->risk->learned != LEARNS_NOTHING))
        return 0;
    list = basis_text(basis, 0, basis->shared, request->zero_based, e);
    basis_free(basis);
    if (list == NULL)
        return -1;
    size_t size = strlen(list) + sizeof "1,";
    char *longer = memory_new((int64_t)size, 1, "basis functions", e);
    status = -1;
    if (longer != NULL) {
        snprintf(longer, size, "1%s%s", strcmp(list, "none") == 0 ? "" : ",",
                 strcmp(list, "none") == 0 ? "" : list);
        status = basis_parse(longer, k->basis_only, request->zero_based, basis, e);
    }
    free(longer);
    free(list);
    return status;
}
