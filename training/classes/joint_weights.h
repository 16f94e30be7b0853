/* joint_weights.h - the weights of vectors that are trained together, in the order of the model and in that of the
 * risk (risk/items.h): the vectors side by side, feature by feature, then what they share, then their offsets. */
#ifndef RRM_JOINT_WEIGHTS_H
#define RRM_JOINT_WEIGHTS_H

#include "io/model/model.h"
#include "risk/risk.h"

/* The model's weights into W (the risk's dimension, all 0 before); the weights of pairs of a feature and an output for
 * which the risk has none are left out. */
void joint_weights_of_model(const struct model *model, const struct risk *risk, double *w);

/* From W, which is overwritten, into the model; weights that the risk does not have become 0. */
void joint_weights_to_model(double *w, const struct risk *risk, struct model *model);

#endif
