/* solver_memory.c - numbers of 8 bytes for each example, for each weight, for each weight in each pass, and for each
 * example where an offset is searched for. */
#include "training/defaults/solver_memory.h"

#include "risk/risk.h"
#include "training/defaults/solver_fit.h"
#include "training/request/kernel_settings.h"

#include <stddef.h>
#include <string.h>

struct numbers {
    const char *name;
    double row, weight, weight_pass, offset_row;
};

static const struct numbers table[] = {
    {"bundle", 1, 8, 1, 11},
    {"bundle-ls", 1, 8, 1, 11},
    {"proximal-bundle", 1, 8, 1, 11},
    {"ocas", 4, 8, 0.5, 8},
    {"mcpa", 4, 8, 0.5, 8},
    {"cpa", 4, 8, 0.5, 8},
    {"agm", 11, 13, 0, 8},
    {"agm1", 11, 13, 0, 8},
    {"lbfgs", 1, 31, 0, 11},
    {"dcd", 16, 7, 0, 11},
    {"proximal", 6, 18, 0, 0},
    /* of risks that are no losses of single scores */
    {"pegasos", 1, 8, 0, 0},
    {"adaptive", 1, 8, 0, 0},
    {"asset", 1, 8, 0, 0},
    {"asset*", 1, 8, 0, 0},
    {"sgd", 1, 8, 0, 0},
    {"tg", 1, 8, 0, 0},
    {"fobos", 1, 8, 0, 0},
    {"rda", 1, 8, 0, 0},
};

/* The same where several classes are trained together, with numbers for each row and class; then before those above. */
static const struct {
    struct numbers numbers;
    double row_class;
} classes_table[] = {
    {{"proximal", 1, 6, 0, 0}, 0},
    {{"sdm", 1, 2, 0, 0}, 1},
    {{"sdca", 1, 2, 0, 0}, 2},
};

static struct solver_memory memory_by(const struct numbers *numbers, double rows, double weights,
                                      bool offset, double row_classes) {
    static const double bytes = 8;
    double row = numbers->row + (offset ? numbers->offset_row : 0);
    double base = row * rows + numbers->weight * weights;
    return (struct solver_memory){.known = true,
                                  .base = bytes * (base + row_classes),
                                  .pass = bytes * numbers->weight_pass * weights};
}

struct solver_memory solver_memory_of(const char *name, int64_t rows, int64_t weights,
                                      int64_t classes, bool offset) {
    double m = (double)rows, n = (double)weights;
    for (size_t k = 0; k < sizeof classes_table / sizeof *classes_table && classes > 1; k++)
        if (strcmp(name, classes_table[k].numbers.name) == 0)
            return memory_by(&classes_table[k].numbers, m, n, offset,
                             classes_table[k].row_class * m * (double)classes);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(name, table[k].name) == 0)
            return memory_by(&table[k], m, n, offset, 0);
    return (struct solver_memory){0};
}

bool solver_copies_rows(const char *name) {
    return strcmp(name, "dcd") == 0;
}

struct solver_memory solver_memory_of_copies(int64_t rows, int64_t weights, double spare) {
    static const double bytes = 8, row = 6, weight = 6;
    return (struct solver_memory){
        .known = true, .base = bytes * (row * (double)rows + weight * (double)weights) + spare};
}

double solver_memory_of_processes(const char *name, int64_t rows, int64_t weights) {
    static const double bytes = 8, sums = 1; /* a number for each weight */
    /* dcd: arrays of its blocks; shared rows, of 4 columns and values for each weight, and what it keeps of them */
    static const double block_row = 8, block_weight = 7, shared_weight = 6, shared_rows = 1024 * 12;
    double n = (double)weights, numbers = sums * n;
    if (strcmp(name, "dcd") == 0)
        numbers += block_row * (double)rows + (block_weight + shared_weight) * n + shared_rows;
    return bytes * numbers;
}

/* The values of basis functions and a vector for each, which a kernel machine has. */
static double basis_bytes(const struct training_request *request, double rows) {
    static const double bytes_of_value = 16;
    struct basis basis;
    struct error ignored = {0};
    double bytes = 0;
    if (kernel_settings_basis(request, &basis, &ignored) == 0)
        bytes = bytes_of_value * rows * (double)basis.count;
    basis_free(&basis);
    return bytes;
}

double solver_memory_told(const struct training_request *request, const struct solver *solver,
                          const struct dataset *data) {
    const struct option_group *group = request_group(request, solver->name);
    const struct train_settings *s = &request->settings;
    struct design design;
    const struct scalar_terms terms = {
        .design = &design, .loss = request->risk->scalar, .parameters = s->parameters};
    if (solver->bytes == NULL || terms.loss == NULL || !dataset_is_read(data) ||
        !solver_takes_risk(solver, request->risk))
        return 0;
    double bytes = 0;
    if (design_init(&design, data, s->bias, s->intercept, NULL) == 0)
        bytes = solver->bytes(&terms, group->settings);
    if (bytes > 0)
        bytes += sizeof(double) * design.blocks * (double)design.columns;
    if (bytes > 0 && solver->is_kernel_expansion)
        bytes += basis_bytes(request, (double)design.rows);
    design_free(&design);
    return bytes;
}
