/* signals.c - signals that ask a program to end. */
#include "cli/signals.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* The variables that the signal handler changes: the number of signals and the first one. */
static volatile sig_atomic_t signals, first_signal;

static void on_signal(int number) {
    if (signals++ > 0)
        _exit(128 + number);
    first_signal = number;
}

static bool is_ignored(int number) {
    struct sigaction present;
    return sigaction(number, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
}

void signals_catch(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    if (!is_ignored(SIGHUP))
        sigaction(SIGHUP, &action, NULL);
}

bool signals_came(void) {
    return signals != 0;
}

bool signals_stop(void *context) {
    (void)context;
    return signals_came();
}

void signals_end(void) {
    if (signals == 0)
        return;
    fflush(NULL);
    signal(first_signal, SIG_DFL);
    raise(first_signal);
    _exit(128 + first_signal); /* reached only if the signal is blocked */
}
