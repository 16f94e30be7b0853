/* kernel_model.h - models of kernel machines as they are trained and as they are written.
 *
 * Trained is a linear model over phi(x) (a feature map), or a coefficient a row of the data (a solver that
 * expands). Written is a model of points: landmarks with their coefficients, or the rows whose
 * coefficients are not 0; of random features, the weights themselves. */
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

/* Whether the model, which has no support vectors, can be a start for the map that SETTINGS ask for, with so many
 * LANDMARKS if that was said (0: it was not); -1 with an error that names its file PATH. Its landmarks, kernel and seed
 * are then what is to be used. */
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
