/* weights_memory.h - whether the weights of a model fit in memory. */
#ifndef RRM_WEIGHTS_MEMORY_H
#define RRM_WEIGHTS_MEMORY_H

#include "training/request/request.h"

/* 0, or -1 with the error set if VECTORS vectors of weights for so many features (0: the weights are a kernel's), with
 * a few more for the training, take more than this machine's memory. Without this check Linux would promise the memory,
 * and kill the program later. */
int weights_memory_check(const struct training_request *request, int64_t features, int64_t vectors,
                         struct error *e);

#endif
