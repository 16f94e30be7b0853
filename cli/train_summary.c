/* train_summary.c - what train says of a run when it is over. */
#include "cli/train_summary.h"

#include "io/escape.h"
#include "io/program_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_bound(const struct outcome *total, FILE *stream) {
    fprintf(stream, "objective %.6g", total->objective);
    if (!isfinite(total->bound)) {
        return;
    }
    fprintf(stream, ", bound %.6g", total->bound);
    if (total->objective > 0) {
        fprintf(stream, " (certified gap %.3g%%)",
                100 * fmax(0, total->objective - total->bound) / total->objective);
    }
}

/* "solver ipm (by default), " */
static void print_choice(const struct train_command *command, FILE *stream) {
    if (!command->solver_given) {
        fprintf(stream, "solver %s (by default), ", command->solver->name);
    }
}

static void print_lambda_max(double lambda_max, FILE *stream) {
    if (isfinite(lambda_max)) {
        fprintf(stream, ", lambda_max %.6g", lambda_max);
    }
}

/* What a signal left undone. */
static void print_interruption(const struct path *path, FILE *stream) {
    const struct run *run = path_last(path);

    fputs("interrupted", stream);
    if (path->values->count > 1) {
        fprintf(stream, " at lambda %.6g, %" PRId64 " of %" PRId64 " values done",
                path->values->lambda[path->reached - 1], path->done, path->values->count);
    }
    if (run->trained < run->vectors) {
        fprintf(stream, ", %" PRId64 " of %" PRId64 " labels not trained (weights %s)",
                run->vectors - run->trained, run->vectors, run->warm ? "of the start" : "0");
    }
    fputs(": ", stream);
}

static void print_preparation(const struct preparation *before, FILE *stream) {
    fprintf(stream, ", loaded in %.3g s", before->load);
    if (before->map > 0) {
        fprintf(stream, ", mapped in %.3g s", before->map);
    }
}

/* A stream has no objective but what each example cost before it was learned. */
static void print_objective(const struct train_command *command, const struct outcome *total,
                            FILE *stream) {
    if (command->solver->stream == NULL) {
        print_bound(total, stream);
    } else {
        fprintf(stream,
                "%" PRId64 " examples, objective %.6g with the loss of each before it was learned",
                total->iterations, total->objective);
    }
}

/* The parametric part, a line for each weight vector: "beta of 1: 0.35, 3^2: 1.2". */
static void print_basis(const struct model *model, FILE *stream) {
    int64_t first = model->dimension - model->basis.count;

    for (int64_t k = 0; model->basis.count > 0 && k < model->vectors; k++) {
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

/* "12 nonzeros of 123", or "12 support vectors". */
static void print_size(const struct train_command *command, const struct model *model,
                       const struct run *run, FILE *stream) {
    if (command->solver->is_kernel_expansion) {
        fprintf(stream, ", %" PRId64 " support vectors", model->points.rows);
    } else {
        fprintf(stream, ", %" PRId64 " nonzeros of %" PRId64, run->nonzeros, model_weights(model));
    }
}

void train_summary(const struct train_command *command, const struct model *model,
                   const struct path *path, double lambda_max, const struct preparation *before,
                   FILE *stream) {
    const struct run *run = path_last(path);
    const char *file = command->model_path;

    if (run->total.verdict == VERDICT_INTERRUPTED) {
        print_interruption(path, stream);
    }
    print_choice(command, stream);
    print_objective(command, &run->total, stream);
    print_size(command, model, run, stream);
    fprintf(stream, ", %.6g passes", path->total.passes);
    print_lambda_max(lambda_max, stream);
    print_preparation(before, stream);
    fprintf(stream, ", trained in %.3g s; model written to ", path->seconds);
    escape_print(strcmp(file, "-") == 0 ? "standard output" : file, stream);
    fputc('\n', stream);
    print_basis(model, stream);
}

bool train_cut_short(const struct outcome *total) {
    return total->verdict == VERDICT_TIME || total->verdict == VERDICT_INTERRUPTED ||
           (total->sought &&
            (total->verdict == VERDICT_PASSES || total->verdict == VERDICT_STALLED));
}

/* "12 of 100 passes", or without the limit that there is not. */
static void print_passes(double passes, double limit, FILE *stream) {
    fprintf(stream, "%.6g", passes);
    if (isfinite(limit)) {
        fprintf(stream, " of %g", limit);
    }
    fputs(" passes", stream);
}

/* What the solver stops at in place of the tolerance, delta <= --optimality; 0: it does not. */
static double sought_optimality(const struct train_command *command) {
    const struct option_group *own =
        command->solver != NULL ? train_command_group(command, command->solver->name) : NULL;

    return own != NULL ? fmax(0, option_real(own, "optimality")) : 0;
}

/* "before the tolerance 0.001 (-e) was reached" */
static void print_goal(double epsilon, double optimality, FILE *stream) {
    if (optimality > 0) {
        fprintf(stream, "before delta <= %g (--optimality) was reached", optimality);
    } else {
        fprintf(stream, "before the tolerance %g (-e) was reached", epsilon);
    }
}

static void warn_stalled(double epsilon, double optimality, double gap,
                         const struct obstacle *obstacle, FILE *stream) {
    const char *what = obstacle->what != NULL ? obstacle->what : "rounding";
    const char *remedy = obstacle->what != NULL ? obstacle->remedy
                         : optimality > 0       ? "raise --optimality"
                                                : "scale the features, or raise lambda or -e";

    fprintf(stream, "%s: warning: %s ended progress", program_name(), what);
    if (isfinite(gap)) {
        fprintf(stream, " at a certified gap of %.3g", gap);
    }
    fputs(", ", stream);
    print_goal(epsilon, optimality, stream);
    fprintf(stream, "; %s\n", remedy);
}

void train_warn_limit(const struct train_command *command, const struct outcome *total, double gap,
                      FILE *stream) {
    const struct train_settings *s = &command->settings;
    double optimality = sought_optimality(command);
    bool time = total->verdict == VERDICT_TIME;

    if (total->verdict == VERDICT_STALLED) {
        warn_stalled(s->epsilon, optimality, gap, &total->obstacle, stream);
        return;
    }
    if (total->verdict == VERDICT_INTERRUPTED) {
        fprintf(stream, "%s: warning: a signal came after ", program_name());
        if (command->solver->stream != NULL) {
            fprintf(stream, "%" PRId64 " examples", total->iterations);
        } else {
            fprintf(stream, "%.6g passes", total->passes);
        }
        fputs("; the model is what was reached\n", stream);
        return;
    }
    fprintf(stream, "%s: warning: ", program_name());
    if (time) {
        fprintf(stream, "the limit of %g s (-t) came", s->time_limit);
    } else {
        fprintf(stream, "the limit of %g passes (-p) came", s->passes);
    }
    if (!total->sought) {
        fputs(" after ", stream);
        print_passes(total->passes, s->passes, stream);
        fputs("; raise -t\n", stream);
    } else if (s->epsilon > 0 || optimality > 0) {
        fputc(' ', stream);
        print_goal(s->epsilon, optimality, stream);
        if (total->obstacle.remedy != NULL) {
            fprintf(stream, "; %s\n", total->obstacle.remedy);
        } else {
            fprintf(stream, "; raise -%c or %s\n", time ? 't' : 'p',
                    optimality > 0 ? "--optimality" : "-e");
        }
    } else {
        fprintf(stream, " before the objective settled; raise -%c\n", time ? 't' : 'p');
    }
}

void train_warn_strict(const struct train_command *command, FILE *stream) {
    fprintf(stream, "%s: warning: --strict: the run ended at its limit of passes, %g (-p); ",
            program_name(), command->settings.passes);
    if (command->solver->uses_epsilon && command->settings.epsilon == 0) {
        fputs("give a tolerance by -e\n", stream);
    } else {
        fprintf(stream, "leave --strict out, or use a solver that stops at a tolerance\n");
    }
}

void train_warn_path(const struct train_command *command, const struct path *path, FILE *stream) {
    const struct run *run = path_last(path);

    if (run->total.verdict == VERDICT_TIME && run->trained < run->vectors && !run->warm) {
        fprintf(stream,
                "%s: warning: the limit of %g s (-t) came before %" PRId64 " of %" PRId64
                " labels were trained, which predict leaves out; raise -t\n",
                program_name(), command->settings.time_limit, run->vectors - run->trained,
                run->vectors);
        return;
    }
    if (!path_out_of_time(path)) {
        train_warn_limit(command, &path->total, path->gap, stream);
        return;
    }
    fprintf(stream,
            "%s: warning: the limit of %g s (-t) came when %" PRId64 " of %" PRId64
            " values were done; the model is at lambda %.6g%s; raise -t\n",
            program_name(), command->settings.time_limit, path->done, path->values->count,
            path->values->lambda[path->reached - 1],
            path->done < path->reached ? ", which is not done" : "");
}

void train_warn_validation(const struct train_command *command,
                           const struct cross_validation *validation, FILE *stream) {
    if (validation->total.verdict == VERDICT_INTERRUPTED) {
        fprintf(stream, "%s: warning: a signal came after %" PRId64 " of %" PRId64 " folds%s\n",
                program_name(), validation->done, validation->folds,
                validation->done == 0 ? "; none was finished, so there is nothing to measure" : "");
    } else if (validation->done < validation->folds && validation->finished == validation->count) {
        fprintf(stream,
                "%s: warning: the limit of %g s (-t) came after %" PRId64 " of %" PRId64
                " folds; raise -t\n",
                program_name(), command->settings.time_limit, validation->done, validation->folds);
    } else if (validation->finished < validation->count) {
        fprintf(stream,
                "%s: warning: the limit of %g s (-t) came when all folds had finished %" PRId64
                " of %" PRId64 " values%s; raise -t\n",
                program_name(), command->settings.time_limit, validation->finished,
                validation->count,
                validation->finished == 0 ? ", so that no lambda is chosen" : "");
    } else {
        train_warn_limit(command, &validation->total, validation->gap, stream);
    }
}

/* "scale the features: their sizes differ by a factor of 2e+04" */
static void print_null_remedy(const struct train_command *command,
                              const struct feature_sizes *sizes, const struct solver *other,
                              FILE *stream) {
    if (strcmp(command->risk->name, "precision") == 0) {
        fputs("raise --at, or use -L rocarea", stream);
    } else if (command->solver->stream != NULL) { /* whose features are gone */
        fputs("scale the features, or use a solver that sees all examples at once", stream);
    } else if (feature_sizes_differ(sizes)) {
        fprintf(stream, "scale the features, whose values are of sizes from %.2g to %.2g",
                sizes->least, sizes->largest);
    } else if (other != NULL && other != command->solver) {
        fprintf(stream, "use -s %s, which suits these data", other->name);
    } else {
        fputs("raise -p or -l", stream);
    }
    fputc('\n', stream);
}

void train_warn_null(const struct train_command *command, const struct null_comparison *null,
                     const char *of, const struct feature_sizes *sizes, const struct solver *other,
                     FILE *stream) {
    bool equal = !null_model_is_worse(null);

    fprintf(stream, "%s: warning: the model", program_name());
    if (of[0] != '\0') {
        fprintf(stream, " of %" PRId64 " of %s", null->failed, of);
    }
    fprintf(stream, " is %s all weights 0, objective %.6g", equal ? "no better than" : "worse than",
            null->objective);
    if (!equal) {
        fprintf(stream, " where 0 has %.6g", null->null_objective);
    }
    fputs("; ", stream);
    print_null_remedy(command, sizes, other, stream);
}

void train_validation_summary(const struct train_command *command,
                              const struct cross_validation *validation, double lambda_max,
                              const struct preparation *before, FILE *stream) {
    const struct cross_point *best =
        validation->best < 0 ? NULL : &validation->point[validation->best];

    if (validation->total.verdict == VERDICT_INTERRUPTED) {
        fputs("interrupted: ", stream);
    }
    print_choice(command, stream);
    fprintf(stream, "%" PRId64 " of %" PRId64 " folds", validation->done, validation->folds);
    if (best != NULL && best->folds > 0) {
        fprintf(stream, ", mean objective %.6g", best->objective);
    }
    fprintf(stream, ", %.6g passes", validation->total.passes);
    print_lambda_max(lambda_max, stream);
    print_preparation(before, stream);
    fprintf(stream, ", trained in %.3g s\n", validation->seconds);
}
