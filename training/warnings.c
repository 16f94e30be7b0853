/* warnings.c - sentences for people whose run ended before its time, or whose model has learned nothing. */
#include "training/warnings.h"

#include "io/scaling/scaling.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Adds to the sentence, which ends where it is full. */
__attribute__((format(printf, 2, 3))) static void append(char text[WARNING_SIZE],
                                                         const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, WARNING_SIZE - used, format, arguments);
    va_end(arguments);
}

bool outcome_cut_short(const struct outcome *total) {
    return total->verdict == VERDICT_TIME || total->verdict == VERDICT_INTERRUPTED ||
           (total->sought &&
            (total->verdict == VERDICT_PASSES || total->verdict == VERDICT_STALLED));
}

/* ---- limits */

/* "12 of 100 passes", or without the limit that there is not. */
static void append_passes(double passes, double limit, char *text) {
    append(text, "%.6g", passes);
    if (isfinite(limit))
        append(text, " of %g", limit);
    append(text, " passes");
}

/* What the solver stops at in place of the tolerance, delta <= --optimality; 0: it does not. */
static double sought_optimality(const struct training_request *request) {
    const struct option_group *options_of_solver =
        request->solver != NULL ? request_group(request, request->solver->name) : NULL;
    return options_of_solver != NULL ? fmax(0, option_real(options_of_solver, "optimality")) : 0;
}

/* "before the tolerance 0.001 (-e) was reached" */
static void append_goal(double epsilon, double optimality, char *text) {
    if (optimality > 0)
        append(text, "before delta <= %g (--optimality) was reached", optimality);
    else
        append(text, "before the tolerance %g (-e) was reached", epsilon);
}

static void warning_stalled(double epsilon, double optimality, double gap,
                            const struct obstacle *obstacle, char *text) {
    const char *what = obstacle->what[0] != '\0' ? obstacle->what : "rounding";
    const char *remedy = obstacle->what[0] != '\0' ? obstacle->remedy
                         : optimality > 0          ? "raise --optimality"
                                                   : "scale the features, or raise lambda or -e";
    append(text, "%s ended progress", what);
    if (isfinite(gap))
        append(text, " at a certified gap of %.3g", gap);
    append(text, ", ");
    append_goal(epsilon, optimality, text);
    append(text, "; %s", remedy);
}

/* What was done: the passes, and LIMIT if there is one; of a stream, whose length is not known, the examples. */
static void append_done(const struct training_request *request, const struct outcome *total,
                        double limit, char *text) {
    if (request->solver != NULL && request->solver->stream != NULL)
        append(text, "%" PRId64 " examples", total->iterations);
    else
        append_passes(total->passes, limit, text);
}

static void warning_interrupted(const struct training_request *request, const struct outcome *total,
                                const char *interruption, char *text) {
    append(text, "%s after ", interruption);
    append_done(request, total, INFINITY, text);
    append(text, "; the model is what was reached");
}

/* "the limit of 5 passes (-p) came", or what came before it: -p counts for each lambda of a path, and the passes of
 * these are not known here. */
static void append_pass_limit(const struct train_settings *s, double passes, char *text) {
    static const double nearly_none = 1e-9;
    if (s->path == 0 && passes < s->passes * (1 - nearly_none)) {
        append(text, "the run ended after ");
        append_passes(passes, s->passes, text);
        append(text, " (-p), with too few left for another step,");
    } else {
        append(text, "the limit of %g passes (-p) came", s->passes);
    }
}

/* Of -t or -p. */
static void warning_limit_of(const struct training_request *request, const struct outcome *total,
                             char *text) {
    const struct train_settings *s = &request->settings;
    double optimality = sought_optimality(request);
    bool time = total->verdict == VERDICT_TIME;
    if (time)
        append(text, "the limit of %g s (-t) came", s->time_limit);
    else
        append_pass_limit(s, total->passes, text);
    if (!total->sought) {
        append(text, " after ");
        append_done(request, total, s->passes, text);
        append(text, "; raise -t");
    } else if (s->epsilon > 0 || optimality > 0) {
        append(text, " ");
        append_goal(s->epsilon, optimality, text);
        if (total->obstacle.remedy[0] != '\0') {
            append(text, "; raise -%c, or %s", time ? 't' : 'p', total->obstacle.remedy);
        } else {
            append(text, "; raise -%c or %s", time ? 't' : 'p',
                   optimality > 0 ? "--optimality" : "-e");
        }
    } else {
        append(text, " before the run was finished; raise -%c", time ? 't' : 'p');
    }
}

void warning_limit(const struct training_request *request, const struct outcome *total, double gap,
                   const char *interruption, char text[WARNING_SIZE]) {
    text[0] = '\0';
    if (total->verdict == VERDICT_STALLED) {
        warning_stalled(request->settings.epsilon, sought_optimality(request), gap,
                        &total->obstacle, text);
    } else if (total->verdict == VERDICT_INTERRUPTED) {
        warning_interrupted(request, total, interruption, text);
    } else {
        warning_limit_of(request, total, text);
    }
}

void warning_path(const struct training_request *request, const struct path *path,
                  const char *interruption, char text[WARNING_SIZE]) {
    const struct run *run = path_last(path);
    double limit = request->settings.time_limit;
    text[0] = '\0';
    if (run->total.verdict == VERDICT_TIME && run->labels_trained < run->labels && !run->warm) {
        append(text,
               "the limit of %g s (-t) came with %" PRId64 " of %" PRId64
               " labels not yet trained; these are never predicted; raise -t",
               limit, run->labels - run->labels_trained, run->labels);
    } else if (path_out_of_time(path) && path->values->certified) {
        append(
            text,
            "the limit of %g s (-t) came when --path certified=%g was proved only down to lambda "
            "%.6g; raise -t",
            limit, request->settings.path_gap, path->values->to);
    } else if (path_out_of_time(path)) {
        append(text,
               "the limit of %g s (-t) came when %" PRId64 " of %" PRId64
               " values were done; the model is at lambda %.6g%s; raise -t",
               limit, path->done, path->values->count, path->values->lambda[path->reached - 1],
               path->done < path->reached ? ", which is not done" : "");
    } else if (path->values->ends_early) {
        append(text,
               "--path certified=%g: %" PRId64
               " models prove this gap only down to lambda %.6g; a larger gap needs fewer",
               request->settings.path_gap, path->reached, path->values->to);
    } else {
        warning_limit(request, &path->total, path->gap, interruption, text);
    }
}

/* "2 of 5 folds"; held-out examples are one fold, which was not done. */
static void append_folds(const struct cross_validation *validation, char *text) {
    if (validation->folds == 1)
        append(text, "before the held-out examples were predicted");
    else
        append(text, "after %" PRId64 " of %" PRId64 " folds", validation->done, validation->folds);
}

void warning_validation(const struct training_request *request,
                        const struct cross_validation *validation, const char *interruption,
                        char text[WARNING_SIZE]) {
    double limit = request->settings.time_limit;
    text[0] = '\0';
    if (validation->total.verdict == VERDICT_INTERRUPTED) {
        append(text, "%s ", interruption);
        append_folds(validation, text);
        if (validation->done == 0 && validation->folds > 1)
            append(text, "; none was finished, so there is nothing to measure");
    } else if (validation->done < validation->folds && validation->finished == validation->count) {
        append(text, "the limit of %g s (-t) came ", limit);
        append_folds(validation, text);
        append(text, "; raise -t");
    } else if (validation->finished < validation->count) {
        append(text,
               "the limit of %g s (-t) came when %s finished %" PRId64 " of %" PRId64
               " values%s; raise -t",
               limit, validation->folds == 1 ? "the training had" : "all folds had",
               validation->finished, validation->count,
               validation->finished == 0 ? ", so that no lambda is chosen" : "");
    } else {
        warning_limit(request, &validation->total, validation->gap, interruption, text);
    }
}

static void append_sizes(const struct training_request *request, const struct feature_sizes *sizes,
                         char *text) {
    append(text, "scale the features%s, whose values are of sizes from %.2g to %.2g",
           request->settings.scale != SCALING_NONE ? ""
           : request->distributed                  ? " (by the program scale)"
                                                   : " (--scale max, or standard for dense data)",
           sizes->smallest, sizes->largest);
}

void warning_kernel(const struct training_request *request, const struct feature_sizes *sizes,
                    char text[WARNING_SIZE]) {
    text[0] = '\0';
    append(text, "the largest features drown the others in this kernel: ");
    append_sizes(request, sizes, text);
}

/* ---- runs that end by a number of passes, or because J has settled */

/* A certified gap that needs no warning, and one that proves next to nothing. */
static const double small_gap = 0.02, useless_gap = 0.5;

bool outcome_is_unproved(const struct outcome *total, double gap, double epsilon) {
    bool planned = total->verdict == VERDICT_PASSES && !total->sought;
    bool settled = total->verdict == VERDICT_SETTLED;
    return (planned && gap > small_gap) || (settled && gap > fmin(small_gap, epsilon));
}

/* What makes the same solver go on: -p, or -e for one that ended by itself. */
static void append_unproved_remedy(const struct training_request *request, bool settled,
                                   const struct feature_sizes *sizes, char *text) {
    if (request->solver->tolerance == NULL && feature_sizes_differ(sizes))
        append_sizes(request, sizes, text);
    else
        append(text, settled ? "lower -e" : "raise -p");
}

void warning_unproved(const struct training_request *request, const struct outcome *total,
                      double gap, const struct feature_sizes *sizes, const struct solver *other,
                      char text[WARNING_SIZE]) {
    const struct solver *solver = request->solver;
    double passes = request->settings.passes;
    bool settled = total->verdict == VERDICT_SETTLED;
    text[0] = '\0';
    if (settled)
        append(text, "%s settled ", solver->name);
    else
        append(text, "%s ended after %g pass%s (-p) ", solver->name, passes,
               passes == 1 ? "" : "es");
    if (gap <= useless_gap)
        append(text, "with a certified gap of %.2g%%; ", 100 * gap);
    else
        append(text, "without a proof that it is near the optimum; ");
    append_unproved_remedy(request, settled, sizes, text);
    if (other != NULL && other != solver)
        append(text, ", or use -s %s", other->name);
}

/* ---- models that have learned nothing */

/* "scale the features: their sizes differ by a factor of 2e+04". OPTIMAL: all weights 0 are the optimum, so that
 * another solver or more passes would not help. */
static void append_null_remedy(const struct training_request *request, bool optimal,
                               const struct feature_sizes *sizes, const struct solver *other,
                               char *text) {
    static const double loose = 0.5; /* a gap that weights of 0 may have */
    if (strcmp(request->risk->name, "precision") == 0) {
        append(text, "raise --at, or use -L rocarea");
    } else if (optimal) {
        append(text, "lower -l, or use another loss");
    } else if (request->solver->tolerance != NULL && request->settings.epsilon >= loose) {
        append(text, "lower -e");
    } else if (request->solver->stream != NULL) { /* whose features are gone */
        append(text, "scale the features (by the program scale), or use a solver that sees all "
                     "examples at once");
    } else if (feature_sizes_differ(sizes)) {
        append_sizes(request, sizes, text);
    } else if (other != NULL && other != request->solver) {
        append(text, "use -s %s, which suits these data", other->name);
    } else {
        append(text, "raise -p or -l");
    }
}

void warning_null(const struct training_request *request, const struct null_comparison *null,
                  const char *of, const struct feature_sizes *sizes, const struct solver *other,
                  char text[WARNING_SIZE]) {
    bool equal = !null_model_is_worse(null), optimal = null->optimal == null->failed;
    text[0] = '\0';
    append(text, "the model");
    if (of[0] != '\0')
        append(text, " of %" PRId64 " of %s", null->failed, of);
    if (request->solver->stream != NULL)
        append(text, ", by the losses of the later examples before each was learned,");
    if (optimal)
        append(text, " has all weights 0, which are optimal within the tolerance, objective %.6g",
               null->objective);
    else
        append(text, " is %s all weights 0, objective %.6g",
               equal ? "no better than" : "worse than", null->objective);
    if (!equal)
        append(text, " where 0 has %.6g", null->null_objective);
    append(text, "; ");
    append_null_remedy(request, optimal, sizes, other, text);
}
