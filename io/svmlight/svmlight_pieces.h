/* svmlight_pieces.h - loading a plain file with several threads. */
#ifndef RRM_SVMLIGHT_PIECES_H
#define RRM_SVMLIGHT_PIECES_H

#include "io/dataset.h"
#include "io/source.h"
#include "io/svmlight/svmlight_options.h"

#include <stdint.h>

/* Loads a source of known size in pieces of about PIECE bytes. The result and every error are the same as in one
 * pass from the front. */
int svmlight_pieces_load(struct source *source, const struct svmlight_options *options,
                         int64_t piece, struct dataset *out, struct error *e);

#endif
