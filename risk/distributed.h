/* distributed.h - a risk whose rows lie in several processes (io/communicator.h).
 *
 * The risk of each process sums over its own rows and divides by the weights of all (scalar.c, items.c), so that
 *
 *     R = sum over processes of R_k,   its gradient the sum of theirs:
 *
 * one sum of dimension + 3 numbers an evaluation. Solvers see a value and a gradient, which are the same to the bit in
 * all processes; they do not see items (struct risk: items is 0), and scores only where they sum over all processes
 * themselves. */
#ifndef RRM_DISTRIBUTED_H
#define RRM_DISTRIBUTED_H

#include "risk/risk.h"

/* The risk of all processes from PART, that of this one, which belongs to it from here on, also on failure. PART is a
 * mean over items; if it has an unregularized weight, it is the offset of a risk of scalar losses. SCORES: the risk
 * shows the scalar terms of this process's rows, and does not search for the offset. NULL with the error set. */
struct risk *distributed_risk_new(struct risk *local, struct communicator *communicator,
                                  bool scores, struct error *e);

#endif
