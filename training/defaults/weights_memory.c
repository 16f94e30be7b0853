/* weights_memory.c - whether the weights of a model fit in memory. */
#include "training/defaults/weights_memory.h"

#include "io/memory.h"

/* A point, a gradient and the best point so far: what most solvers have besides the weights. */
enum { FURTHER_VECTORS = 3 };

int weights_memory_check(const struct training_request *request, int64_t features, int64_t vectors,
                         struct error *e) {
    double needed = sizeof(double) * (double)features * ((double)vectors + FURTHER_VECTORS);
    double memory = memory_of_machine();
    if (needed <= memory)
        return 0;
    return error_set(
        e, "%s of %lld features take %.0f MB in training, more than this machine's %.0f MB; %s",
        vectors > 0 ? "weights" : "vectors", (long long)features, needed / 1e6, memory / 1e6,
        request->settings.hash_bits > 0 ? "lower --hash"
                                        : "number the features from 1 on, or use --hash BITS");
}
