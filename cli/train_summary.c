/* train_summary.c - the summary that train prints after a run. */
#include "cli/train_summary.h"

#include "cli/program_name.h"
#include "cli/train_table.h"
#include "io/escape.h"
#include "training/request/kernel_lists.h"
#include "training/request/kernel_settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double useless_gap = 0.5;

/* Whether the solver is an online one that has proved next to nothing. */
static bool lacks_proof(const struct train_command *command, const struct outcome *total) {
    return command->request.solver->batches && isfinite(total->bound) &&
           total->objective - total->bound > useless_gap * total->objective;
}

static void print_bound(const struct train_command *command, const struct outcome *total,
                        FILE *stream) {
    fprintf(stream, "objective %.6g", total->objective);
    if (lacks_proof(command, total)) {
        fprintf(stream, command->request.solver_given ? " (no proof; the default solver gives one)"
                                                      : " (no proof)");
        return;
    }
    if (!isfinite(total->bound)) {
        struct kernel kernel = kernel_settings_kernel(&command->request, 1);
        if (command->request.solver->is_kernel_expansion)
            fputs(kernel_is_semidefinite(&kernel)
                      ? " (no proof)"
                      : " (no proof: the kernel may not be positive semidefinite)",
                  stream);
        return;
    }
    fprintf(stream, ", bound %.6g", total->bound);
    if (total->objective != 0) {
        fprintf(stream, " (certified gap %.3g%%)",
                100 * fmax(0, total->objective - total->bound) / fabs(total->objective));
    }
}

/* "solver ipm (by default), " */
static void print_choice(const struct train_command *command, const char *solver, FILE *stream) {
    if (!command->request.solver_given)
        fprintf(stream, "solver %s (by default%s), ", solver,
                command->request.linear_kernel
                    ? " for a linear kernel; --expand trains a kernel machine"
                    : "");
}

static void print_lambda_max(double lambda_max, FILE *stream) {
    if (isfinite(lambda_max))
        fprintf(stream, ", lambda_max %.6g", lambda_max);
}

/* Appends what a signal left untrained. */
static void print_interruption(const struct path *path, FILE *stream) {
    const struct run *run = path_last(path);
    fputs("interrupted", stream);
    if (path->values->count > 1) {
        fprintf(stream, " at lambda %.6g, %" PRId64 " of %" PRId64 " values done",
                path->values->lambda[path->reached - 1], path->done, path->values->count);
    }
    if (run->labels_trained < run->labels) {
        fprintf(stream, ", %" PRId64 " of %" PRId64 " labels not trained (weights %s)",
                run->labels - run->labels_trained, run->labels, run->warm ? "of the start" : "0");
    }
    fputs(": ", stream);
}

static void print_preparation(double load_seconds, double map_seconds, FILE *stream) {
    fprintf(stream, ", loaded in %.3g s", load_seconds);
    if (map_seconds > 0)
        fprintf(stream, ", mapped in %.3g s", map_seconds);
}

/* A stream's objective uses the loss of each example just before it was learned. */
static void print_objective(const struct train_command *command, const struct outcome *total,
                            FILE *stream) {
    if (command->request.solver->stream == NULL) {
        print_bound(command, total, stream);
    } else {
        fprintf(stream,
                "%" PRId64 " examples, objective %.6g (an estimate: each loss is taken before its "
                "example is learned)",
                total->iterations, total->objective);
    }
}

/* Prints the parametric part, a line for each weight vector: "beta of 1: 0.35, 3^2: 1.2". Not of pairs of labels, which
 * are many. */
static void print_basis(const struct model *model, FILE *stream) {
    int64_t first = model->dimension - model->basis.count;
    for (int64_t k = 0; model->basis.count > 0 && !model->pairs && k < model->vectors; k++) {
        fputs("beta of ", stream);
        for (int64_t j = 0; j < model->basis.count; j++) {
            char *name = basis_text(&model->basis, j, j + 1, model->zero_based, NULL);
            fprintf(stream, "%s%s: %.6g", j > 0 ? ", " : "", name != NULL ? name : "?",
                    model->w[k * model->dimension + first + j]);
            free(name);
        }
        fputc('\n', stream);
    }
}

/* The gap above is that of the sum over all pairs of labels. */
static void print_pairs(const struct model *model, const struct run *run, FILE *stream) {
    if (model->pairs)
        fprintf(stream, ", %" PRId64 " pairs of labels", run->vectors);
    if (model->pairs && isfinite(run->gap))
        fprintf(stream, " (largest gap %.3g%%)", 100 * fmax(0, run->gap));
}

/* "12 nonzeros of 123", or "12 support vectors". */
static void print_size(const struct train_command *command, const struct model *model,
                       const struct run *run, FILE *stream) {
    if (command->request.solver->is_kernel_expansion)
        fprintf(stream, ", %" PRId64 " support vectors", model->points.rows);
    else
        fprintf(stream, ", %" PRId64 " nonzeros of %" PRId64, run->nonzeros, model_weights(model));
}

/* ", best Accuracy 97.5% of FILE after 3 of 8 passes" */
static void print_early_stop(const struct train_command *command, const struct early_stop *stop,
                             double passes, FILE *stream) {
    char value[TRAIN_MEASURE];
    train_describe_measure(stop->name, stop->measure.value, value);
    fprintf(stream, ", best %s %s of ", stop->name, value);
    escape_print(command->options.validation, stream);
    fprintf(stream, " after %.6g of %.6g passes", stop->passes, passes);
}

void train_summary(const struct train_command *command, const struct training_session *session,
                   double load_seconds, FILE *stream) {
    const struct model *model = &session->model;
    const struct path *path = &session->path;
    const struct run *run = path_last(path);
    const char *file = command->model_path;
    if (run->total.verdict == VERDICT_INTERRUPTED)
        print_interruption(path, stream);
    print_choice(command, model->solver, stream);
    print_objective(command, &run->total, stream);
    print_pairs(model, run, stream);
    print_size(command, model, run, stream);
    if (session->early_stop.judged)
        print_early_stop(command, &session->early_stop, path->total.passes, stream);
    else
        fprintf(stream, ", %.6g passes", path->total.passes);
    if (run->total.finished_by[0] != '\0')
        fprintf(stream, ", finished by %s", run->total.finished_by);
    print_lambda_max(session_lambda_max(session), stream);
    print_preparation(load_seconds, session->map_seconds, stream);
    fprintf(stream, ", trained in %.3g s; model written to ", path->seconds);
    escape_print(strcmp(file, "-") == 0 ? "standard output" : file, stream);
    fputc('\n', stream);
    print_basis(model, stream);
}

void train_warn_strict(const struct train_command *command, FILE *stream) {
    fprintf(stream, "%s: warning: --strict: the run ended at its limit of passes, %g (-p); ",
            program_name(), command->request.settings.passes);
    if (command->request.solver->tolerance != NULL && command->request.settings.epsilon == 0)
        fputs("give a tolerance by -e\n", stream);
    else
        fprintf(stream, "leave --strict out, or use a solver that stops at a tolerance\n");
}

void train_validation_summary(const struct train_command *command,
                              const struct training_session *session, double load_seconds,
                              FILE *stream) {
    const struct cross_validation *validation = &session->validation;
    const struct cross_point *chosen =
        validation->chosen < 0 ? NULL : &validation->point[validation->chosen];
    if (validation->total.verdict == VERDICT_INTERRUPTED)
        fputs("interrupted: ", stream);
    bool one = kernel_lists_pairs(&command->request.settings.kernel) == 1;
    if (one) /* others have a solver and a lambda_max each */
        print_choice(command, command->request.solver->name, stream);
    bool held_out = command->request.held_out; /* in place of folds */
    if (held_out)
        fputs("validation", stream);
    else
        fprintf(stream, "%" PRId64 " of %" PRId64 " folds", validation->done, validation->folds);
    if (chosen != NULL && chosen->folds > 0)
        fprintf(stream, ", %sobjective %.6g", held_out ? "" : "mean ", chosen->objective);
    fprintf(stream, ", %.6g passes", validation->total.passes);
    print_lambda_max(one ? session_lambda_max(session) : INFINITY, stream);
    print_preparation(load_seconds, session->map_seconds, stream);
    fprintf(stream, ", trained in %.3g s\n", validation->seconds);
}

/* What the options that are ours mean elsewhere. */
static void tell_ours(const struct foreign_options *foreign, FILE *stream) {
    if (foreign->kernel != NULL)
        fprintf(stream, "%s: warning: -t %s is a limit of %s s; LIBSVM's -t %s is --kernel %s\n",
                program_name(), foreign->kernel, foreign->kernel, foreign->kernel,
                foreign_options_kernel(foreign));
    if (foreign->tube != NULL)
        fprintf(stream,
                "%s: warning: -p %s is a limit of %s passes; LIBLINEAR's and LIBSVM's -p %s is "
                "--tube %s\n",
                program_name(), foreign->tube, foreign->tube, foreign->tube, foreign->tube);
}

/* What of their options is not in our words, and why. */
static void tell_dropped(const struct foreign_options *foreign, FILE *stream) {
    if (foreign->drops_tolerance)
        fputs(" (-e is the certified gap here, and stays at its default)", stream);
    if (foreign->drops_start)
        fputs(
            " (the ends of the search are those of --path N,FROM,TO, as lambda = 1/(C m), not -c)",
            stream);
    for (const char *letter = foreign->unused; *letter != '\0'; letter++)
        fprintf(stream, " (-%c has no effect)", *letter);
    if (foreign->model != NULL) {
        fputs(" (-v writes no model: ", stream);
        escape_print(foreign->model, stream);
        fputs(" stays as it is)", stream);
    }
    if (foreign->ambiguous != NULL)
        fprintf(stream, " (for LIBSVM's -s %s give its -t, too)", foreign->ambiguous);
    fputc('\n', stream);
}

void train_tell_foreign(const struct train_command *command, FILE *stream) {
    const struct foreign_options *foreign = &command->foreign;
    if (command->options.quiet < 2)
        tell_ours(foreign, stream);
    if (!foreign->found || command->options.quiet)
        return;
    fprintf(stream, "%s: options of %s; in our words:", program_name(), foreign->whose);
    for (int i = 1; i < foreign->argc; i++) {
        fputc(' ', stream);
        escape_print(foreign->argv[i], stream);
    }
    tell_dropped(foreign, stream);
}
