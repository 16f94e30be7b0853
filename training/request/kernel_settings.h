/* kernel_settings.h - the settings of kernels, feature maps and basis functions: defaults and
 * checks. */
#ifndef RRM_KERNEL_SETTINGS_H
#define RRM_KERNEL_SETTINGS_H

#include "kernel/map.h"
#include "solvers/solver.h"
#include "training/request/request.h"

/* 0, or a usage error if options exclude each other or the solver (NULL: not chosen yet). */
int kernel_settings_check(const struct training_request *request, struct error *e);

/* The solver of kernel machines without -s. */
extern const char kernel_settings_default_solver[];

/* Whether a kernel machine itself is asked for: options of kernels or basis functions are given, and no map. */
bool kernel_settings_exact(const struct training_request *request);

/* Whether the solver works with the kernel itself; without -s, as kernel_settings_exact. */
bool kernel_settings_expands(const struct training_request *request);

/* The name of the solver of a kernel machine: the one that was asked for, else the default one. */
const char *kernel_settings_solver(const struct training_request *request);

/* The kernel for data with this number of features; the default gamma is 1/features. */
struct kernel kernel_settings_kernel(const struct training_request *request, int64_t features);

/* The map of --map; must not be called for "none". */
struct map_settings kernel_settings_map(const struct training_request *request, int64_t features);

/* --memory, in bytes. */
double kernel_settings_limit(const struct training_request *request);

/* The bytes that --memory leaves for mapped rows of DATA; an error if the map alone takes more. */
int kernel_settings_memory(const struct training_request *request, const struct map_settings *map,
                           const struct dataset *data, double *bytes, struct error *e);

/* The basis functions, with the constant if --intercept is given or a margin is learned. The caller frees them in
 * either case. */
int kernel_settings_basis(const struct training_request *request, struct basis *basis,
                          struct error *e);

#endif
