/* calibration.h - the sigmoids that give a model probabilities (-b 1). */
#ifndef RRM_CALIBRATION_H
#define RRM_CALIBRATION_H

#include "training/run/run.h"

enum { CALIBRATION_FOLDS = 5 };

/* Fits a sigmoid (Platt 2000), or with --calibration isotonic a nondecreasing function, to the scores of each vector of
 * MODEL, which T trained. The scores are those of a
 * cross-validation: of CALIBRATION_FOLDS folds of the vector's examples, each is scored by a training on the others
 * with the same C = 1/(lambda m). The weights of examples count in these trainings, not in the fit. *done: false where
 * a signal or the time limit came before the end, and the model has none. 0, or -1 with the error set. */
int calibration_train(const struct training *t, struct monitor *monitor, struct model *model,
                      bool *done, struct error *e);

#endif
