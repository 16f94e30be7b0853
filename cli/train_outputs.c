/* train_outputs.c - messages during training. */
#include "cli/train_outputs.h"

#include "cli/program_name.h"
#include "cli/progressive_table.h"
#include "cli/signals.h"

#include <unistd.h>

static void warn(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s: warning: %s\n", program_name(), text);
}

/* All processes end at the same sum (io/communicator.h). */
static bool is_any_interrupted(void *context) {
    return ((const struct communicator *)context)->interrupted;
}

/* What is shown does not change what is computed: no progress on a terminal. */
static struct session_outputs outputs_of_processes(const struct communicator *communicator,
                                                   bool warns, FILE *trace) {
    return (struct session_outputs){
        .trace = trace,
        .observer = {.context = (void *)communicator,
                     .interrupted = is_any_interrupted,
                     .interruption = "a signal came",
                     .warn = warns && communicator_speaks(communicator) ? warn : NULL}};
}

struct session_outputs train_outputs(const struct train_command *command,
                                     const struct communicator *communicator,
                                     struct progress *progress, FILE *trace) {
    if (communicator != NULL)
        return outputs_of_processes(communicator, command->options.quiet < 2, trace);
    struct monitor_observer observer = {.context = progress,
                                        .interrupted = signals_stop,
                                        .interruption = "a signal came",
                                        .warn = command->options.quiet < 2 ? warn : NULL};
    const struct solver *solver = command->request.solver;
    struct session_outputs outputs = {.trace = trace};
    if (!command->options.quiet && solver != NULL && solver->stream != NULL) {
        outputs.progressive = progressive_table(stderr); /* the table is the progress */
    } else if (!command->options.quiet && isatty(STDERR_FILENO)) {
        progress->terminal = stderr;
        observer.begin = progress_begin;
        observer.report = progress_report;
        observer.wants = progress_wants;
        observer.end = progress_end;
    }
    outputs.observer = observer;
    return outputs;
}
