/* early_stop.h - held-out examples end the passes of an online solver: after each pass they are predicted, the point
 * with the best measure is the model, and after some passes without a better one the training ends. */
#ifndef RRM_EARLY_STOP_H
#define RRM_EARLY_STOP_H

#include "prediction/decoding.h"
#include "training/classes/training.h"

enum { EARLY_STOP_NAME = 32 };

struct early_stop {
    const struct training *training;
    const struct dataset *held_out;
    struct model model;         /* that predicts */
    struct judge judge;         /* for the training */
    bool judged;                /* some pass was measured; what follows is of the best pass */
    char name[EARLY_STOP_NAME]; /* of its measure */
    struct measure measure;     /* its `name` is not valid */
    double passes;              /* so far, at that pass */
};

/* For a training of a single run. TRAINING (but for its judge) and HELD_OUT outlive it. 0, or -1 with the error set; to
 * be freed in either case. */
int early_stop_init(struct early_stop *stop, const struct training *training,
                    const struct dataset *held_out, struct error *e);

void early_stop_free(struct early_stop *stop);

#endif
