/* kernel_settings.h - the settings of kernels, feature maps and basis functions: what they mean, and what
 * does not go together. */
#ifndef RRM_KERNEL_SETTINGS_H
#define RRM_KERNEL_SETTINGS_H

#include "kernel/map.h"
#include "solvers/solver.h"
#include "training/request.h"

/* 0, or a usage error when options do not go together, or with the solver (NULL: none is named). */
int kernel_settings_check(const struct training_request *request, struct error *e);

/* The kernel for data of so many features: gamma is 1/features where nothing was given. */
struct kernel kernel_settings_kernel(const struct training_request *request, int64_t features);

/* The map of --map, not "none". */
struct map_settings kernel_settings_map(const struct training_request *request, int64_t features);

/* --memory, in bytes. */
double kernel_settings_limit(const struct training_request *request);

/* What --memory leaves for mapped rows of DATA, in bytes; an error where the map itself takes more. */
int kernel_settings_memory(const struct training_request *request, const struct map_settings *map,
                           const struct dataset *data, double *bytes, struct error *e);

/* The basis functions, and the constant where --intercept asks for it. To be freed in either case. */
int kernel_settings_basis(const struct training_request *request, struct basis *basis,
                          struct error *e);

#endif
