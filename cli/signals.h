/* signals.h - signals that ask a program to end: what there is is kept, and the program ends by the signal. */
#ifndef RRM_SIGNALS_H
#define RRM_SIGNALS_H

#include <stdbool.h>

/* Installs handlers for SIGINT and SIGTERM (also where a script's background job inherited them
 * ignored) and for SIGHUP (unless it is ignored, as by nohup): the first signal asks every run to end
 * and save what there is, the second ends the process at once. */
void signals_catch(void);

/* True once a signal came. */
bool signals_came(void);

/* Ends the process by the signal that came, so that a shell sees it and ends its loop or makefile, too
 * (status 130, 143 or 129); returns when none came. To be called last, when all files are written. */
void signals_end(void);

#endif
