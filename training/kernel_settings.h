/* kernel_settings.h - the options of kernels, feature maps and basis functions: what they mean, and what
 * does not go together. */
#ifndef RRM_KERNEL_SETTINGS_H
#define RRM_KERNEL_SETTINGS_H

#include "kernel/map.h"
#include "solvers/solver.h"

struct kernel_settings {
    int map; /* enum map_kind */
    int64_t landmarks, dimension;
    int kernel; /* enum kernel_kind */
    double sigma, gamma;
    int64_t degree;
    double shift;
    int seeding; /* enum map_seeding */
    double threshold;
    double memory;                  /* MB; 0: half of the machine's */
    const char *basis, *basis_only; /* NULL: none */
};

struct train_command;

/* 0, or a usage error when options do not go together, or with the solver (NULL: none is named). */
int kernel_options_check(const struct train_command *command, struct error *e);

/* The kernel for data of so many features: gamma is 1/features where nothing was given. */
struct kernel kernel_options_kernel(const struct train_command *command, int64_t features);

/* The map of --map, not "none". */
struct map_settings kernel_options_map(const struct train_command *command, int64_t features);

/* --memory, in bytes. */
double kernel_options_limit(const struct train_command *command);

/* What --memory leaves for mapped rows of DATA, in bytes; an error where the map itself takes more. */
int kernel_options_memory(const struct train_command *command, const struct map_settings *map,
                          const struct dataset *data, double *bytes, struct error *e);

/* The basis functions, and the constant where --intercept asks for it. To be freed in either case. */
int kernel_options_basis(const struct train_command *command, struct basis *basis, struct error *e);

#endif
