/* distributed_offset.h - the unregularized offset of a scalar risk whose rows lie in several processes. */
#ifndef RRM_DISTRIBUTED_OFFSET_H
#define RRM_DISTRIBUTED_OFFSET_H

#include "risk/offset.h"

struct distributed_offset;

/* PARTS: of the rows of this process. NULL with the error set. */
struct distributed_offset *distributed_offset_new(const struct scalar_terms *terms,
                                                  struct error *e);

/* As `profile` of struct risk_kind (risk.h), RISK that of all processes. The offset is searched for with the scores of
 * each process, to rounding, so that the steps are those of one process. R is linearized there or, at a kink, on both
 * sides of it: then the mean of the two linearizations whose slope in the offset is 0 is the result. Half a pass, a few
 * numbers a step of the search, and one or two evaluations. */
double distributed_offset_profile(struct distributed_offset *offset, const struct risk *risk,
                                  double *w, double *gradient, double *constant);

void distributed_offset_free(struct distributed_offset *offset);

#endif
