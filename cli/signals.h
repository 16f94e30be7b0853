/* signals.h - signals that end a program after it has saved its results. */
#ifndef RRM_SIGNALS_H
#define RRM_SIGNALS_H

#include <stdbool.h>

/* Installs handlers for SIGINT and SIGTERM (also where a script's background job inherited them
 * ignored), for SIGUSR1 (which mpirun and batch systems hand on without killing soon after) and for
 * SIGHUP (unless it is ignored, as by nohup): the first signal asks every run to end and save what
 * there is, the second ends the process at once. */
void signals_catch(void);

/* True after the first signal. */
bool signals_came(void);

/* The same, as a callback that stops long computations (io/interruption.h); of CONTEXT it needs nothing. */
bool signals_stop(void *context);

/* Ends the process by the signal that came, so that a shell or make that started it ends too
 * (status 130, 143, 138 or 129). Returns if there was none. Called last, after all files are written. */
void signals_end(void);

#endif
