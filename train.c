/* train.c - options -> data -> training -> model file (cli/train_run.h). Nothing numerical.
 *
 * Exit status: 0 success, 1 failure, 2 usage; 3 with --strict: the run did not converge, or the model is no
 * better than all weights 0. A signal ends the program as if it were not caught, once the model is saved. */
#include "cli/files.h"
#include "cli/processes.h"
#include "cli/program_name.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "cli/train_files.h"
#include "cli/train_help.h"
#include "cli/train_run.h"
#include "cli/train_summary.h"
#include "training/request/kernel_settings.h"

enum { EXIT_LIMIT = 3 };

static int run(struct train_run *p, char **argv, struct error *e) {
    const struct training_request *request = &p->command.request;
    bool kernel = request->settings.kernel.map != MAP_NONE || kernel_settings_expands(request);
    bool begun = p->communicator != NULL; /* several processes are not begun again */
    threads_use((int)request->settings.threads,
                begun || (!kernel && threads_idle(p->command.data_path)), argv);
    if (communicator_speaks(p->communicator))
        train_tell_foreign(&p->command, stderr);
    int status = train_files_check(&p->command, p->communicator, &p->start, e);
    if (communicator_agree(p->communicator, status, e) != 0 || train_run(p, e) != 0)
        return -1;
    return files_close_trace(&p->trace, p->command.options.trace, e);
}

int main(int argc, char **argv) {
    struct train_run program = {0};
    struct error e = {0};
    program_start(argv[0], processes_texts.program);
    program.communicator = processes_begin(argc, argv);
    int status =
        train_command_parse(argc, argv, program.communicator != NULL, &program.command, &e);
    if (status == 0 && program.command.action == TRAIN_RUN)
        status = run(&program, argv, &e);
    else if (status == 0 && communicator_speaks(program.communicator))
        train_help(&program.command, stdout);
    if (status == 0)
        status = files_flush_output(&e);
    if (status != 0 && processes_print_error(program.communicator, &e))
        error_print(&e, program_name(), stderr);
    status = error_exit_status(&e);
    if (status == 0 && program.session.failed && program.command.options.strict)
        status = EXIT_LIMIT;
    processes_end(program.communicator);
    train_run_free(&program);
    signals_end();
    return status;
}
