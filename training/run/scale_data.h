/* scale_data.h - the scaling of training data (--scale). */
#ifndef RRM_SCALE_DATA_H
#define RRM_SCALE_DATA_H

#include "io/model/model.h"
#include "io/scaling/scaled.h"
#include "training/request/request.h"

/* Learns the scaling of the request from DATA, and scales them into *scaled. BEFORE (NULL: none): the scaling of the
 * model that training starts from, which holds for the features that it knows. 0, or -1 with the error set; the caller
 * frees both in either case. */
int scale_data(const struct training_request *request, const struct dataset *data,
               const struct scaling *before, struct scaling *scaling, struct scaled *scaled,
               struct error *e);

/* Refuses a model to start from that was trained with another method. */
int scale_data_check_start(const struct training_request *request, const struct model *start,
                           struct error *e);

/* Gives the model a copy of the scaling, with an entry for each of the model's features. 0, or -1 with the error set.
 */
int scale_data_keep(const struct scaling *scaling, struct model *model, struct error *e);

/* Refuses requests that cannot scale, with a usage error. */
int scale_data_check(const struct training_request *request, struct error *e);

#endif
