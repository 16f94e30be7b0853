/* preview.h - what is known of a run before it begins: --dry-run. */
#ifndef RRM_PREVIEW_H
#define RRM_PREVIEW_H

#include "training/request/feature_sizes.h"
#include "training/session_memory.h"
#include "training/train.h"

struct preview {
    int64_t rows, nonzeros, groups, labels; /* labels 0: the task has no classes */
    int64_t features;                       /* without constant ones */
    struct feature_sizes sizes;
    struct session_memory memory; /* of this process */
    bool exceeds;                 /* the memory that there is: `remedy` */
    char remedy[MEMORY_REMEDY_SIZE];
    double largest_bytes;            /* of the process with the most, in all; 0: there is one */
    const struct solver *solver;     /* of this run */
    const struct solver *by_default; /* without -s; NULL: none */
    const struct trial *trial;       /* before it, in this run: TRIALS_MOST */
    const char *why; /* the rule that says so; NULL: no rule, but it is the first that can */
};

/* Of a session that is prepared. One pass over the data; to be called by all processes. */
struct preview preview_make(const struct training_session *session);

#endif
