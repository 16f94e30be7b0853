/* default_solver.c - the rules that choose the solver of a run without -s; the first rule that applies decides.
 *
 * An interior-point method takes 10 to 40 iterations for any lambda and gap. Each of them forms and factorizes a
 * matrix of features x features, so it suits data with few features. The time of cutting planes and bundle methods
 * is passes over the data: few at large lambda, many at small lambda, for any number of features. With a 1-norm and
 * a smooth loss most weights are 0 in all iterations, and Newton steps on the others are cheap. With a 1-norm and a
 * nonsmooth loss the problem is a linear program; for few features the interior point solves it. Accelerated
 * gradient methods handle constraints by projection and nonsmooth losses by smoothing. In their dual form they need
 * the fewest passes over data with many features at small lambda. A quasi-Newton method needs as few passes for smooth
 * losses as a bundle method, and no quadratic programs; with some hundred features it is tried first. Where an
 * item has many outputs (sequences, structures), dual steps for one item at a time need the fewest inferences, unless
 * the items share few features at small lambda. Margins between classes have a dual in which single rows are solved
 * exactly, for any number of features, and so have hinges on sparse data with many features, or on few examples; with
 * few features it is tried whether such steps are fast (default_trial.h).
 * Pairs of dual variables within small working sets train kernel machines fastest, at any C.
 * `make bench-default` prints the measurements behind the rules. */
#include "training/defaults/default_solver.h"

static const struct default_rules *const families[] = {&default_rules_joint, &default_rules_sparse,
                                                       &default_rules_hinge, &default_rules_other};

const struct default_rules *default_solver_rules(int family) {
    return family < (int)(sizeof families / sizeof *families) ? families[family] : NULL;
}

/* Those for streams are chosen by name, and so are those for kernels unless a kernel is asked for, and those that read
 * examples often unless these are in memory. */
static bool is_by_name(const struct default_request *request, const struct solver *solver) {
    return (solver->is_kernel_expansion && !request->needs.kernel) || solver->stream != NULL ||
           (solver->reads_often && request->needs.window &&
            !default_request_is_smooth_from_disk(request));
}

static bool applies(const struct default_rule *rule, const struct default_request *request) {
    const struct solver *solver = solver_by_name(rule->solver);
    return solver != NULL && rule->suits(request) &&
           solver_fits(solver, &request->needs, NULL, 0) && !is_by_name(request, solver);
}

const struct default_rule *default_solver_rule(const struct default_request *request) {
    const struct default_rules *rules;
    for (int family = 0; (rules = default_solver_rules(family)) != NULL; family++)
        for (int i = 0; i < rules->count; i++)
            if (applies(&rules->rule[i], request))
                return &rules->rule[i];
    return NULL;
}

const struct solver *default_solver(const struct default_request *request) {
    const struct default_rule *rule = default_solver_rule(request);
    int count;
    const struct solver *const *table = solver_table(&count);
    if (rule != NULL)
        return solver_by_name(rule->solver);
    for (int i = 0; i < count; i++)
        if (solver_fits(table[i], &request->needs, NULL, 0) && !is_by_name(request, table[i]))
            return table[i];
    return NULL;
}
