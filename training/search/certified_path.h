/* certified_path.h - models of which at every lambda of a range one is within a gap (--path certified=GAP).
 *
 * A linear lower bound of the risk bounds min J at any lambda, and so do mixtures of two of them and the chord of the
 * bounds of two models (path_bounds.h). A model at a large step below the last one is trained first; then, while the
 * two together do not hold at all lambdas between, one between them. With l2, the mixture of the two models there, at
 * one pass, is often within the gap, too; otherwise it is the start of a run.
 *
 * Reference: Giesen, Laue, Mueller & Swiercy 2012. */
#ifndef RRM_CERTIFIED_PATH_H
#define RRM_CERTIFIED_PATH_H

#include "training/search/path_steps.h"

/* As path_train: the values from `from` on, which it chooses. `from` is trained in any case, also if it is `to`. */
int certified_path_train(const struct training *training, struct path_values *values,
                         const struct path_visitor *visitor, struct monitor *monitor,
                         struct model *model, struct path *path, struct error *e);

#endif
