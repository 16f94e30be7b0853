/* dual_form.h - what the forms over the dual variables share: the dual problem
 *
 *     minimize over a:  f(a) + Psi(a)  =  -D_mu(a)        (dual_part.h, prox_box.h)
 *
 * as an accelerated method takes it. */
#ifndef RRM_DUAL_FORM_H
#define RRM_DUAL_FORM_H

#include "solvers/accelerated/dual_part.h"
#include "solvers/accelerated/form.h"

struct dual_form {
    struct form form; /* first */
    struct dual_part dual;
    struct prox_box box;
    struct estimation estimation;
    double mu; /* in Psi */
};

static inline struct dual_form *dual_form_of(struct form *form) {
    return (struct dual_form *)form;
}

/* A new form at a = 0, with smoothing mu in Psi. NULL with the error set. */
struct dual_form *dual_form_begin(const struct form_request *request, bool one_memory, double mu,
                                  struct error *e);

#endif
