/* train_run.c - data -> training -> model file; see train_run.h. */
#include "cli/train_run.h"

#include "cli/files.h"
#include "cli/mapped_file.h"
#include "cli/signals.h"
#include "cli/stream_source.h"
#include "cli/train_files.h"
#include "cli/train_outputs.h"
#include "cli/train_preview.h"
#include "cli/train_results.h"
#include "cli/train_summary.h"
#include "cli/train_table.h"
#include "io/clock.h"
#include "io/dataset_collect.h"
#include "io/pages.h"
#include "training/request/kernel_lists.h"

static struct train_results results_of(struct train_run *p) {
    return (struct train_results){&p->command, &p->session, p->communicator, p->load_seconds,
                                  p->gathered};
}

/* Where process 0 has trained with the rows of all: waits for the others once, before a model is written. A launcher
 * asks process 0 to end by the same signal whether its user wants that or another process was killed; one that was
 * killed does not answer, and then there is no model. */
static void meet(struct train_run *p) {
    if (p->gathered == NULL || p->met)
        return;
    p->met = true;
    p->gathered->wait(p->gathered);      /* the others came when the training began */
    communicator_any(p->gathered, true); /* and now answer */
}

/* Trains on the whole data; of a path the last model counts. */
static int train(struct train_run *p, struct error *e) {
    struct train_results results = results_of(p);
    const struct path_visitor visitor = train_results_of_path(&results);
    if (session_train(&p->session, visitor.visit != NULL ? &visitor : NULL, e) != 0 ||
        mapped_file_check(e) != 0)
        return -1;
    meet(p);
    return train_results_write(&results, e);
}

static int validate(struct train_run *p, struct error *e) {
    struct train_results results = results_of(p);
    bool then_trains = p->command.model_path != NULL;
    if (session_validate(&p->session, then_trains, e) != 0 || mapped_file_check(e) != 0)
        return -1;
    train_results_of_validation(&results);
    if (then_trains && session_has_lambda(&p->session))
        return train(p, e);
    if (train_results_report(&results, e) != 0)
        return -1;
    session_saved(&p->session);
    return then_trains ? session_train(&p->session, NULL, e) : 0; /* says why there is no model */
}

/* Trains on examples as they come. */
static int train_stream(struct train_run *p, struct error *e) {
    struct stream_file file = stream_file_of(&p->command);
    if (train_files_open_trace(&p->command, p->communicator, &p->trace, e) != 0)
        return -1;
    const struct example_source source = stream_source(&file);
    const struct session_outputs outputs =
        train_outputs(&p->command, p->communicator, &p->progress, p->trace);
    struct model *start = p->command.options.init != NULL ? &p->start : NULL;
    int status;
    signals_catch(); /* until here a signal ends the program, and nothing is lost */
    status = session_stream(&p->session, &p->command.request, &source, start, &outputs, e);
    stream_file_close(&file);
    struct train_results results = results_of(p);
    return status == 0 ? train_results_write(&results, e) : -1;
}

static int load_held_out(struct train_run *p, struct error *e) {
    const struct training_request *request = &p->command.request;
    if (!request->held_out)
        return 0;
    p->session.held_out = &p->held_out;
    return train_files_load_held_out(&p->command, &p->held_out, e) == 0
               ? decoding_check_data(request->risk, &p->held_out, p->command.options.validation,
                                     request->zero_based, e)
               : -1;
}

/* Of several numbers of landmarks the largest: what has to be known before a run is the most that it takes. */
static void take_most_landmarks(struct kernel_settings *kernel) {
    const struct kernel_list *counts = &kernel->landmark_counts;
    int64_t most = 0;
    for (int64_t i = 1; i < counts->count; i++)
        if (counts->value[i] > counts->value[most])
            most = i;
    kernel_lists_take(kernel, most);
}

/* Makes the session of the data; SILENT: its warnings were given before. */
static int prepare(struct train_run *p, bool silent, struct error *e) {
    struct model *start = p->command.options.init != NULL ? &p->start : NULL;
    const struct session_outputs outputs =
        train_outputs(&p->command, p->communicator, &p->progress, p->trace);
    struct session_outputs now = outputs;
    if (silent)
        now.observer.warn = NULL;
    if (p->command.options.dry_run)
        take_most_landmarks(&p->command.request.settings.kernel);
    if (session_prepare(&p->session, &p->command.request, &p->data, start, &now, e) != 0)
        return -1;
    p->session.outputs = outputs;
    return train_command_check_format(&p->command, &p->session.classes, e);
}

/* Trains once the session is prepared. */
static int train_prepared(struct train_run *p, struct error *e) {
    const struct training_request *request = &p->command.request;
    if (p->command.options.dry_run) {
        struct preview preview = preview_make(&p->session); /* of all processes */
        if (communicator_speaks(p->communicator))
            train_preview(&p->command, &preview, stdout);
        if (p->gathered != NULL)
            puts("process 0 trains with the rows of all (--gather)");
        return 0;
    }
    signals_catch(); /* as above */
    int status = load_held_out(p, e) == 0
                     ? train_files_open_trace(&p->command, p->communicator, &p->trace, e)
                     : -1;
    p->session.outputs.trace = p->trace;
    if (communicator_agree(p->communicator, status, e) != 0 || session_begin(&p->session, e) != 0)
        return -1;
    bool chooses = request->held_out && request->settings.path > 0;
    return request->settings.folds > 0 || chooses ? validate(p, e) : train(p, e);
}

/* Whether process 0 trains with the rows of all (--gather). */
static bool gathers(const struct train_run *p) {
    const struct training_request *request = &p->command.request;
    return p->communicator != NULL && request->solver->gathers &&
           request->settings.kernel.map == MAP_NONE && !request_given(request, "kernel") &&
           dataset_collected_bytes(&p->data) <=
               (double)MEGABYTE * (double)p->command.options.gather;
}

/* In process 0, which has all rows, as if it were alone. */
static int train_gathered(struct train_run *p, struct error *e) {
    struct training_request *request = &p->command.request;
    p->communicator = NULL;
    request->distributed = false;
    if (!request->solver_given) { /* it is chosen again, for one process */
        request->solver = NULL;
        request->settings.solver = NULL;
    }
    return prepare(p, true, e) == 0 ? train_prepared(p, e) : -1;
}

/* Process 0 trains; the others wait for its end. */
static int gather(struct train_run *p, struct error *e) {
    struct communicator *c = p->communicator;
    int status = 0;
    session_free(&p->session);
    double begin = clock_seconds();
    if (dataset_collect(c, &p->data, e) != 0)
        return -1;
    p->load_seconds += clock_seconds() - begin;
    if (c->lend_processors != NULL)
        c->lend_processors(c);
    p->gathered = c;
    if (c->rank == 0)
        status = train_gathered(p, e);
    else
        signals_catch(); /* process 0 writes what it has reached */
    p->communicator = c;
    meet(p);
    c->wait(c);
    status = communicator_agree(c, status, e);
    p->session.failed = communicator_any(c, p->session.failed);
    return status;
}

static int train_data(struct train_run *p, struct error *e) {
    mapped_file_watch(p->command.cache_path);
    if (train_files_load(&p->command, p->communicator, &p->data, &p->load_seconds, e) != 0)
        return -1;
    mapped_file_watch(p->command.cache_path);
    pages_keep_freed();
    if (p->command.options.cache_only) {
        train_describe_cache(&p->command, &p->data, stdout);
        return 0;
    }
    if (prepare(p, false, e) != 0)
        return -1;
    return gathers(p) ? gather(p, e) : train_prepared(p, e);
}

int train_run(struct train_run *p, struct error *e) {
    const struct solver *solver = p->command.request.solver;
    return solver != NULL && solver->stream != NULL ? train_stream(p, e) : train_data(p, e);
}

void train_run_free(struct train_run *p) {
    files_close_trace(&p->trace, NULL, NULL);
    session_free(&p->session);
    dataset_free(&p->data);
    dataset_free(&p->held_out);
    model_free(&p->start);
    train_command_free(&p->command);
}
