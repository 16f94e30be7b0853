/* forms.c - the table of forms. */
#include "risk/boost.h"
#include "solvers/accelerated/form.h"

bool form_is_boosting(const struct problem *problem, const struct accelerated_settings *settings) {
    return boost_terms(problem->risk) != NULL && settings->form == FORM_PRIMAL;
}

struct form *form_new(const struct form_request *request, struct error *e) {
    static struct form *(*const maker[])(const struct form_request *, struct error *) = {
        [FORM_PRIMAL] = primal_form_new,
        [FORM_DUAL] = dual_form_new,
        [FORM_SMOOTH_DUAL] = dual_form_new,
        [FORM_EXCESSIVE_GAP] = excessive_gap_form_new,
    };
    if (form_is_boosting(request->problem, request->settings))
        return boost_form_new(request, e);
    if (boost_terms(request->problem->risk) != NULL)
        return primal_form_new(request, e);
    return maker[request->settings->form](request, e);
}
