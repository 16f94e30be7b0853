/* svmlight_load.h - loads all rows of a source. */
#ifndef RRM_SVMLIGHT_LOAD_H
#define RRM_SVMLIGHT_LOAD_H

#include "io/dataset.h"
#include "io/source.h"
#include "io/svmlight/svmlight_options.h"

/* 0 and the rows in *out, which the caller frees, or -1 with the error set. */
int svmlight_load(struct source *source, const struct svmlight_options *options,
                  struct dataset *out, struct error *e);

#endif
