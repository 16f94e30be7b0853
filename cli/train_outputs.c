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

static bool is_interrupted(void *context) {
    (void)context;
    return signals_came();
}

struct session_outputs train_outputs(const struct train_command *command, struct progress *progress,
                                     FILE *trace) {
    struct monitor_observer observer = {.context = progress,
                                        .interrupted = is_interrupted,
                                        .interruption = "a signal came",
                                        .warn = warn};
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
