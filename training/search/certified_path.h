/* certified_path.h - a path with so many models that at every lambda of its range one of them is within a gap
 * (--path certified=GAP).
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

/* As path_train, but it chooses the lambdas itself: from VALUES->from down to VALUES->to. The model at `from` is
 * trained in any case, also if `from` is `to`. */
int certified_path_train(const struct training *training, struct path_values *values,
                         const struct path_visitor *visitor, struct monitor *monitor,
                         struct model *model, struct path *path, struct error *e);

#endif
