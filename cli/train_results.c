/* train_results.c - what train leaves: the model, its report, tables and lines for people. */
#include "cli/train_results.h"

#include "cli/run_report.h"
#include "cli/train_files.h"
#include "cli/train_summary.h"
#include "cli/train_table.h"

/* Seconds of training that a crash of the machine should not undo. */
static const double worth_a_flush = 1;

/* With --strict a limit that is a run's normal end is a failure, too, and says so. */
static void warn_strict(const struct train_results *r) {
    const struct train_options *options = &r->command->options;
    if (options->quiet < 2 && options->strict && r->session->failed && !r->session->warned &&
        communicator_speaks(r->communicator))
        train_warn_strict(r->command, stderr);
}

int train_results_report(const struct train_results *r, struct error *e) {
    const char *path = r->command->options.report;
    return path == NULL || !communicator_speaks(r->communicator)
               ? 0
               : run_report_write(r->command, r->session, r->load_seconds, r->gathered, path, e);
}

static int write_model(const struct train_results *r, struct error *e) {
    const struct training_session *session = r->session;
    bool durable = session->path.seconds > worth_a_flush;
    const char *path = r->command->model_path;
    int status = 0;
    if (communicator_speaks(r->communicator))
        status = r->command->options.format == FORMAT_LIBLINEAR
                     ? model_write_liblinear(&session->model, path, durable, e)
                     : model_write(&session->model, path, durable, e);
    return communicator_agree(r->communicator, status, e);
}

int train_results_write(const struct train_results *r, struct error *e) {
    struct training_session *session = r->session;
    if (write_model(r, e) != 0)
        return -1;
    session_saved(session);
    session_judge(session);
    warn_strict(r);
    if (!r->command->options.quiet && communicator_speaks(r->communicator))
        train_summary(r->command, session, r->load_seconds, train_for_people(r->command));
    return train_results_report(r, e);
}

void train_results_of_validation(const struct train_results *r) {
    const struct training_session *session = r->session;
    FILE *stream = train_for_people(r->command);
    warn_strict(r);
    if (r->command->request.settings.path > 0) {
        train_table_folds(&session->validation, &session->values, session_lambda_max(session),
                          stream);
    }
    train_measures(&session->validation, stream);
    if (!r->command->options.quiet)
        train_validation_summary(r->command, session, r->load_seconds, stream);
}

/* A path_visitor: prints a row of the table, and writes the model (--path-models). */
static int visit(void *context, int64_t i, const struct model *model, const struct run *run,
                 struct error *e) {
    const struct train_results *r = context;
    if (!r->command->options.quiet)
        train_table_row(run, model->lambda, train_for_people(r->command));
    return r->command->options.path_models == NULL
               ? 0
               : train_files_write_numbered(r->command->options.path_models, i + 1, model, e);
}

struct path_visitor train_results_of_path(struct train_results *r) {
    const struct training_session *session = r->session;
    bool shown = r->command->request.settings.path > 0 && !session->validated &&
                 communicator_speaks(r->communicator);
    if (shown && !r->command->options.quiet)
        train_table_header(&session->values, session_lambda_max(session), NULL, false,
                           train_for_people(r->command));
    return (struct path_visitor){.visit = shown ? visit : NULL, .context = r};
}
