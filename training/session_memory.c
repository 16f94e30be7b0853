/* session_memory.c - the memory that a run takes, as far as that is known before it begins. */
#include "training/session_memory.h"

#include "io/memory.h"
#include "training/session_data.h"

#include <stdio.h>

static const double megabyte = 1e6, program_bytes = 5e6; /* code, buffers and threads */

/* Bytes of the arrays of the data. */
static double bytes_of(const struct dataset *data) {
    double row = sizeof *data->start + (data->label != NULL ? sizeof *data->label : 0) +
                 (data->weight != NULL ? sizeof *data->weight : 0);
    double columns = (double)(data->dense ? data->features : data->nonzeros);
    double values = data->value != NULL ? (double)data->nonzeros : 0;
    return row * (double)data->rows + sizeof *data->column * columns + sizeof *data->value * values;
}

/* The sums of blocks of rows, a number for each column (matrix/design.h); the solvers' numbers have those of 2. */
static double block_bytes(const struct training_request *request, const struct dataset *data) {
    const struct train_settings *s = &request->settings;
    struct design design;
    if (request->risk->scalar == NULL || !dataset_is_read(data))
        return 0;
    bool made = design_init(&design, data, s->bias, s->intercept, NULL) == 0;
    double bytes = made ? sizeof(double) * (design.blocks - 2) * (double)design.columns : 0;
    design_free(&design);
    return bytes;
}

/* Of the solver, or of one before it, which leaves before it begins. OUTPUTS of the weights are those of a feature. */
static struct solver_memory solver_bytes(const struct training_request *request,
                                         const struct dataset *data, int64_t weights,
                                         int64_t outputs) {
    int64_t m = data->rows, classes = data->groups == 0 ? outputs : 1;
    bool offset = request->settings.intercept && request->risk->scalar != NULL;
    struct solver_memory memory =
        solver_memory_of(request->solver->name, m, weights, classes, offset);
    if (data->window != NULL && solver_copies_rows(request->solver->name))
        memory = solver_memory_of_copies(m, weights, data->window->spare);
    memory.base += memory.known ? block_bytes(request, data) : 0;
    double told = solver_memory_told(request, request->solver, data);
    if (told > 0)
        memory = (struct solver_memory){.known = true, .base = told};
    for (int i = 0; i < TRIALS_MOST && request->trial[i].solver != NULL; i++) {
        const char *name = request->trial[i].solver->name;
        double first = solver_memory_of(name, m, weights, classes, offset).base;
        memory.base = memory.base > first ? memory.base : first;
    }
    if (data->communicator != NULL)
        memory.base += solver_memory_of_processes(request->solver->name, data->rows, weights);
    return memory;
}

struct session_memory session_memory_of(const struct training_session *s) {
    const struct dataset *data = session_training_data(s);
    const struct classes *classes = &s->classes;
    int64_t outputs = session_vectors_at_once(s), vectors = classes->joint ? 1 : classes->vectors;
    int64_t weights = outputs * (data->features + (s->request->settings.bias >= 0) +
                                 s->request->settings.intercept);
    struct session_memory memory = {.weights = sizeof(double) * (double)weights * (double)vectors,
                                    .solver = solver_bytes(s->request, data, weights, outputs)};
    double bytes = bytes_of(&s->data) + (s->map != NULL ? bytes_of(&s->mapped) : 0);
    *(data->window == NULL ? &memory.examples : &memory.window) = bytes;
    memory.all = program_bytes + memory.examples + memory.weights + memory.solver.base;
    return memory;
}

static void write_remedy(const struct training_session *s, const struct session_memory *memory,
                         char text[MEMORY_REMEDY_SIZE]) {
    bool cache = memory->window == 0, hash = s->data.features > s->data.rows;
    bool offset = s->request->settings.intercept && s->request->risk->scalar != NULL;
    snprintf(text, MEMORY_REMEDY_SIZE, "use %s%s%s%sanother solver", cache ? "--cache, " : "",
             hash ? "--hash, " : "", offset ? "-B 1 in place of --intercept, " : "",
             cache || hash || offset ? "or " : "");
}

bool session_memory_exceeds(const struct training_session *s, const struct session_memory *memory,
                            double *needed, char remedy[MEMORY_REMEDY_SIZE]) {
    bool file = s->data.map != NULL && memory->window == 0;
    *needed = memory->all - (file ? bytes_of(&s->data) : 0);
    write_remedy(s, memory, remedy);
    return *needed > memory_of_machine() && !s->request->solver->is_kernel_expansion;
}

void session_warn_of_memory(struct training_session *s) {
    struct session_memory memory = session_memory_of(s);
    double needed;
    char remedy[MEMORY_REMEDY_SIZE];
    if (session_memory_exceeds(s, &memory, &needed, remedy))
        monitor_warn(&s->monitor,
                     "this takes about %.3g MB of memory, and there are %.3g: the system may end "
                     "it without a word; %s (--dry-run tells what it takes)",
                     needed / megabyte, memory_of_machine() / megabyte, remedy);
}
