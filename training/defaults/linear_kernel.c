/* linear_kernel.c - kernel machines with a linear kernel are trained as linear models. */
#include "training/defaults/linear_kernel.h"

#include "training/request/kernel_settings.h"

/* Whether the basis functions are none or the constant. */
static bool is_constant(const struct basis *basis) {
    return basis->count == 0 || (basis->count == 1 && basis->function[0].column < 0);
}

static bool has_linear_kernel(const struct training_request *request) {
    return kernel_settings_exact(request) && request->settings.kernel.kernel == KERNEL_LINEAR;
}

struct answer {
    bool linear; /* the model is a linear one, */
    bool offset; /* with an offset */
};

static int find_answer(const struct training_request *request, struct answer *answer,
                       struct error *e) {
    struct basis basis;
    *answer = (struct answer){0};
    if (!has_linear_kernel(request) || request->settings.kernel.expand ||
        (kernel_settings_expands(request) && request->settings.path > 0) ||
        request->risk->learned != LEARNS_NOTHING)
        return 0;
    int status = kernel_settings_basis(request, &basis, e);
    if (status == 0 && is_constant(&basis))
        *answer = (struct answer){.linear = true, .offset = basis.count > 0};
    basis_free(&basis);
    return status;
}

bool linear_kernel_answers(const struct training_request *request) {
    struct answer answer;
    struct error ignored = {0};
    return find_answer(request, &answer, &ignored) == 0 && answer.linear;
}

/* The first option of the solver itself that was given; NULL: none. */
static const char *first_given(const struct option_group *group) {
    for (int i = 0; group != NULL && i < group->count; i++)
        if (group->given[i])
            return group->rows[i].name;
    return NULL;
}

int linear_kernel_check(const struct training_request *request, struct error *e) {
    struct answer answer;
    if (request->settings.kernel.expand && !has_linear_kernel(request))
        return error_usage(e,
                           "--expand is for kernel machines with --kernel linear, without --map");
    if (find_answer(request, &answer, e) != 0)
        return -1;
    const char *option = answer.linear && kernel_settings_expands(request)
                             ? first_given(request_group(request, kernel_settings_solver(request)))
                             : NULL;
    if (option == NULL)
        return 0;
    return error_usage(e,
                       "--%s needs --expand with --kernel linear: without it, a linear model is "
                       "trained, and not by solver %s",
                       option, kernel_settings_solver(request));
}

int linear_kernel_replace(struct training_request *request, struct error *e) {
    struct answer answer;
    if (find_answer(request, &answer, e) != 0)
        return -1;
    if (!answer.linear)
        return 0;
    if (kernel_settings_expands(request)) {
        request->solver = NULL;
        request->solver_given = false;
    }
    request->linear_kernel = true;
    request->settings.intercept = answer.offset;
    return 0;
}
