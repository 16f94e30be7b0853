/* session_warnings.c - what a session says of its results. */
#include "training/session_warnings.h"

#include "training/request/kernel_settings.h"
#include "training/session_data.h"
#include "training/warnings.h"

#include <math.h>

/* Whether to warn: once, but again for a signal or a path that ended early after a limit. */
static bool note_limit(struct training_session *s, const struct outcome *total, bool early) {
    bool warn_again = early || total->verdict == VERDICT_INTERRUPTED;
    bool warn = outcome_cut_short(total) && (!s->warned || warn_again);
    s->warned = s->warned || warn;
    s->failed =
        s->failed || (total->verdict != VERDICT_CONVERGED && total->verdict != VERDICT_SETTLED);
    return warn;
}

/* Passes on the solver's note about its result. */
static void warn_note(const struct training_session *s, const struct outcome *total) {
    if (total->note[0] != '\0')
        monitor_warn(&s->monitor, "%s", total->note);
}

/* OF: as in warning_null. WARNED: a warning said what ended the run early; a model that is still at its start then
 * needs no further warning. */
static void note_null(struct training_session *s, const struct null_comparison *null,
                      const char *of, bool warned) {
    const struct solver *other;
    struct feature_sizes sizes;
    char text[WARNING_SIZE];
    if (null->unknown > 0)
        monitor_warn(&s->monitor, "memory was too short to compare the model with all weights 0");
    if (null->failed == 0)
        return;
    s->failed = true;
    if (warned && !null_model_is_worse(null))
        return;
    sizes = feature_sizes_find(&s->data);
    other = session_default_solver(s);
    warning_null(s->request, null, of, &sizes, other, text);
    monitor_warn(&s->monitor, "%s", text);
    s->warned = true;
}

/* Of an online run that ended at the passes it was given, or settled, unless another warning came, or -e 0 or held-out
 * examples say that nothing is to be proved. */
static void note_unproved(struct training_session *s, const struct outcome *total, double gap) {
    struct feature_sizes sizes;
    char text[WARNING_SIZE];
    double epsilon = request_given(s->request, "epsilon") ? s->request->settings.epsilon : INFINITY;
    if (s->warned || s->early_stop.judged || epsilon == 0 || !s->request->solver->batches ||
        !outcome_is_unproved(total, gap, epsilon))
        return;
    sizes = feature_sizes_find(&s->data);
    warning_unproved(s->request, total, gap, &sizes, session_default_solver(s), text);
    monitor_warn(&s->monitor, "%s", text);
    s->warned = s->failed = true;
}

/* Of a kernel of distances or products of examples, in which the largest features drown the others. */
static void warn_of_kernel(struct training_session *s) {
    const struct training_request *request = s->request;
    bool has_kernel = request->settings.kernel.map != MAP_NONE || kernel_settings_expands(request);
    struct kernel kernel = kernel_settings_kernel(request, s->data.features);
    char text[WARNING_SIZE];
    if (s->warned || !has_kernel || request->settings.scale != SCALING_NONE ||
        kernel.kind == KERNEL_LINEAR || kernel.kind == KERNEL_PRECOMPUTED)
        return;
    struct feature_sizes sizes = feature_sizes_find(&s->data);
    if (!feature_sizes_differ(&sizes))
        return;
    warning_kernel(request, &sizes, text);
    monitor_warn(&s->monitor, "%s", text);
}

/* Where --choose one-se has to take the best lambda: some fold's own measure is not a number, as the AUC of examples of
 * one label. */
static void warn_without_error(const struct training_session *s) {
    const struct cross_validation *validation = &s->validation;
    if (s->request->settings.chosen != CHOSEN_ONE_SE || validation->best < 0 ||
        !isnan(validation->point[validation->best].standard_error))
        return;
    monitor_warn(&s->monitor,
                 "--choose one-se: the %s of one of the folds is not a number, so there is no "
                 "standard error; the best lambda is taken; fewer folds (-v) help",
                 validation->point[0].list[validation->chosen_measure].name);
}

void session_warn_of_validation(struct training_session *s) {
    const struct outcome *total = &s->validation.total;
    char text[WARNING_SIZE];
    warn_note(s, total);
    bool warned = note_limit(s, total, false);
    if (warned) {
        warning_validation(s->request, &s->validation, monitor_interruption(&s->monitor), text);
        monitor_warn(&s->monitor, "%s", text);
    }
    note_null(s, &s->validation.null, "the folds", warned);
    note_unproved(s, total, s->validation.gap);
    warn_without_error(s);
    warn_of_kernel(s);
}

/* "12 labels" of a model that has a vector for each, or "66 pairs of labels"; otherwise "". */
static void describe_vectors(const struct training_session *s, char *text, size_t size) {
    text[0] = '\0';
    if (s->classes.pairs)
        snprintf(text, size, "%lld pairs of labels", (long long)s->classes.vectors);
    else if (s->classes.vectors > 1)
        snprintf(text, size, "%lld labels", (long long)s->classes.vectors);
}

void session_judge(struct training_session *s) {
    char vectors[48], text[WARNING_SIZE];
    bool warned;
    warn_note(s, &s->path.total);
    warned = note_limit(s, &s->path.total, path_out_of_time(&s->path));
    if (warned) {
        warning_path(s->request, &s->path, monitor_interruption(&s->monitor), text);
        monitor_warn(&s->monitor, "%s", text);
    }
    describe_vectors(s, vectors, sizeof vectors);
    note_null(s, &path_last(&s->path)->null, vectors, warned);
    note_unproved(s, &s->path.total, s->path.gap);
    if (s->request->settings.folds == 0)
        warn_of_kernel(s);
}
