/* kernel_model.h - models of kernel machines as they are trained and as they are written.
 *
 * What is trained is a linear model over phi(x) (a feature map), or has a coefficient for each row of the data (a
 * solver of kernel expansions). What is written is a model of points: landmarks with their coefficients, or the rows
 * whose coefficients are not 0; of random features it has the weights themselves. */
#ifndef RRM_KERNEL_MODEL_H
#define RRM_KERNEL_MODEL_H

#include "io/model/model.h"
#include "kernel/map.h"
#include "solvers/solver.h"

/* A linear model over phi(x) becomes one over x, of data with so many FEATURES. 0, or -1 with the
 * error set; the model is then as it was or empty. */
int kernel_model_map(struct model *model, const struct map *map, int64_t features, struct error *e);

/* And back, over the same map: a start for training. */
int kernel_model_unmap(struct model *model, const struct map *map, struct error *e);

/* 0 if the model START, which has no support vectors, can be a start for the map that SETTINGS ask for; then the map
 * has the landmarks, kernel and seed of START. LANDMARKS: the number that the user gave; 0: none. Otherwise -1 with an
 * error that names its file PATH. */
int kernel_model_check_start(const struct model *start, const struct map_settings *settings,
                             int64_t landmarks, const char *path, struct error *e);

/* The map of a model that has one. NULL with the error set. */
struct map *kernel_model_start_map(const struct model *start, const struct map_settings *settings,
                                   struct error *e);

/* A model with a coefficient a row of DATA (of pairs of labels, each of its own rows, one_vs_one.h) and one a basis
 * function, becomes one of its support vectors. 0, or -1 with the error set. */
int kernel_model_expand(struct model *model, const struct kernel_part *kernel,
                        const struct dataset *data, struct error *e);

#endif
