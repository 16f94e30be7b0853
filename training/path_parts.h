/* path_parts.h - what the paths of given values and the certified ones share. */
#ifndef RRM_PATH_PARTS_H
#define RRM_PATH_PARTS_H

#include "training/path.h"

/* Whether a signal or the time limit ended the run. */
bool path_cut_off(const struct run *run);

/* Trains *model, an empty one, as *run, at LAMBDA, from START unless that is empty; NUMBER models were trained before
 * it. The caller frees both in either case. */
int path_train_model(const struct training *training, double lambda, int64_t number,
                     const struct model *start, struct monitor *monitor, struct model *model,
                     struct run *run, struct error *e);

/* Whether another model may be trained: the first one in any case, others while there is time. */
bool path_goes_on(const struct training *training, struct monitor *monitor, struct path *path);

/* Counts and shows the model of the next value, whose run is in its place. */
int path_finish_model(const struct path_visitor *visitor, const struct model *model,
                      struct path *path, struct error *e);

#endif
