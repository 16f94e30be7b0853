/* resumption.h - the checkpoint of a training session (--checkpoint FILE[:S]): what it must have in common with the
 * command that goes on from it. */
#ifndef RRM_RESUMPTION_H
#define RRM_RESUMPTION_H

#include "io/dataset.h"
#include "io/model/model.h"
#include "solvers/checkpoint.h"
#include "training/request/request.h"

struct resumption {
    char *path;     /* of the file */
    double seconds; /* between two states */
    char *command;  /* of struct checkpoint_settings */
    struct checkpoint *checkpoint;
};

/* Sets path and seconds from FILE[:S]. 0, or -1 with the error set; the caller frees it in either case. */
int resumption_find(const char *text, struct resumption *resumption, struct error *e);

/* Opens the checkpoint of a complete request with these data and this start (NULL: none). A checkpoint that is there
 * must be of the same request, data and start; time limit, threads and names of files may differ. 0, or -1 with the
 * error set; the caller frees *resumption in either case. */
int resumption_open(const struct training_request *request, const struct dataset *data,
                    const struct model *start, struct resumption *resumption, struct error *e);

/* The same of a stream of this size (struct example_source), whose examples are not known yet. */
int resumption_open_stream(const struct training_request *request, int64_t size,
                           const struct model *start, struct resumption *resumption,
                           struct error *e);

void resumption_free(struct resumption *resumption);

#endif
