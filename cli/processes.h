/* processes.h - the processes that train together, from the beginning of the program to its end.
 *
 * `train` has processes.c, where there is one process; `train-mpi` is linked with mpi/processes_mpi.c in its place. */
#ifndef RRM_PROCESSES_H
#define RRM_PROCESSES_H

#include "io/communicator.h"

/* What the program says of itself. Other programs are written @train (cli/program_name.h). */
struct processes_texts {
    const char *program;  /* its name in the source: "train" */
    const char *synopsis; /* how to call it */
    const char *summary;  /* what it does, for the title of its man page */
    const char *about;    /* a paragraph; NULL: none */
    bool several;         /* whether it may be several processes, with the options for these */
};
extern const struct processes_texts processes_texts;

/* Called first in main, whose arguments they are; the program may execute itself again. NULL: there is one process.
 * Else to be freed by processes_end. */
struct communicator *processes_begin(int argc, char **argv);

/* Called after the error E: whether this process is to print it. All processes may have the same error; if not, then
 * processes_end ends those that do not know of it. */
bool processes_print_error(const struct communicator *communicator, const struct error *e);

/* Called before the program ends. */
void processes_end(struct communicator *communicator);

#endif
