/* dcd_offset.h - an unregularized offset b, for the dual variables of dcd_rows.h.
 *
 * The dual then asks that the sum of beta is 0, and b is the multiplier of that. By the method of multipliers the rows
 * get a constant feature, whose weight b/unit is regularized around a centre, so that coordinate steps and conjugate
 * gradients move it as they do the other weights:
 *
 *     b = centre + unit^2 sum of beta.
 *
 * After each epoch of coordinate steps this b is the next centre, or, if b swings, after conjugate gradients alone. For
 * a lower bound of J some rows take up what the sum of beta is away from 0 (dcd_rows_balanced_bound); ||w|| is that of
 * the other weights alone. J is looked at with the offset that is best for w.
 *
 * The unit is near the length of the mean row: then b moves about as much as the scores do when all rows push in one
 * direction. With a smaller one b comes late, and may swing ever more. Where the bound falls twice in a row, or the run
 * stalls, b swings: the centre moves less often from then on; at the next time the unit becomes larger.
 *
 * Reference: Hestenes 1969, JOTA 4, "Multiplier and gradient methods"; Powell 1969, "A method for nonlinear constraints
 * in minimization problems". */
#ifndef RRM_DCD_OFFSET_H
#define RRM_DCD_OFFSET_H

#include "risk/offset.h"
#include "solvers/dual/dcd_rows.h"

struct dcd_offset {
    double unit;          /* a power of 2; 0: there is no offset */
    double unit_most;     /* what it becomes at most */
    int64_t falls;        /* of the bound, one after the other */
    bool swings;          /* the centre moves after conjugate gradients alone */
    struct design design; /* the problem's, the constant feature in place of the offset's column */
    struct scalar_terms terms; /* the problem's, of this design */
    struct offset search;
    double *low, *high; /* rows: what the search asks for */
};

/* Of the problem's risk, if that has an offset. WORK: columns. 0, or -1 with the error set; to be freed in either
 * case. */
int dcd_offset_init(struct dcd_offset *offset, const struct problem *problem, double *work,
                    struct error *e);
void dcd_offset_free(struct dcd_offset *offset);

/* Lists what it carries from one epoch to the next. */
void dcd_offset_visit(struct dcd_offset *offset, struct dcd_rows *rows, struct state *state);

/* J of w, whose last number becomes the best offset (not in units). SCORES (rows): work. One pass. */
double dcd_offset_objective(struct dcd_offset *offset, const struct problem *problem, double *w,
                            double *scores);

/* After an epoch, or after conjugate gradients: b becomes the next centre, if it is to. */
void dcd_offset_move_centre(const struct dcd_offset *offset, struct dcd_rows *rows, bool gradients);

/* b swings: less of that from now on, from BEST (not in units); false if no more can be done. */
bool dcd_offset_calm(struct dcd_offset *offset, struct dcd_rows *rows, double best);

/* After conjugate gradients: FALLS tells whether the bound is below an earlier one. Calms at the second time. */
void dcd_offset_watch(struct dcd_offset *offset, struct dcd_rows *rows, bool falls, double best);

#endif
