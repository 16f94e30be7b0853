/* processes.c - a program of one process; see processes.h. */
#include "cli/processes.h"

#include <stddef.h>

const struct processes_texts processes_texts = {
    .program = "train",
    .synopsis = "@train [options] TRAINING_FILE [MODEL_FILE]",
    .summary = "train a linear model or a kernel machine",
};

struct communicator *processes_begin(int argc, char **argv) {
    (void)argc, (void)argv;
    return NULL;
}

bool processes_print_error(const struct communicator *communicator, const struct error *e) {
    (void)communicator, (void)e;
    return true;
}

void processes_end(struct communicator *communicator) {
    (void)communicator;
}
