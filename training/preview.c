/* preview.c - what is known of a run before it begins. */
#include "training/preview.h"

#include "training/defaults/choice.h"
#include "training/defaults/default_solver.h"

/* Bytes of the arrays of the data. */
static double bytes_of(const struct dataset *data) {
    double row = sizeof *data->start + (data->label != NULL ? sizeof *data->label : 0) +
                 (data->weight != NULL ? sizeof *data->weight : 0);
    double columns = (double)(data->dense ? data->features : data->nonzeros);
    double values = data->value != NULL ? (double)data->nonzeros : 0;
    return row * (double)data->rows + sizeof *data->column * columns + sizeof *data->value * values;
}

/* Of the solver, or of one before it, which leaves before it begins. OUTPUTS of the weights are those of a feature. */
static struct solver_memory memory_of(const struct training_request *request,
                                      const struct dataset *data, int64_t weights,
                                      int64_t outputs) {
    int64_t m = data->rows, classes = data->groups == 0 ? outputs : 1;
    bool offset = request->settings.intercept && request->risk->scalar != NULL;
    struct solver_memory memory =
        solver_memory_of(request->solver->name, m, weights, classes, offset);
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

struct preview preview_make(const struct training_session *s) {
    const struct training_request *request = s->request;
    const struct dataset *data = s->map != NULL ? &s->mapped : &s->data;
    const struct classes *classes = &s->classes;
    int64_t outputs = classes->joint ? classes->labels : 1;
    int64_t weights =
        outputs * (data->features + (request->settings.bias >= 0) + request->settings.intercept);
    struct preview p = {.rows = dataset_whole_rows(&s->data),
                        .nonzeros = dataset_whole_nonzeros(&s->data),
                        .groups = dataset_whole_groups(&s->data),
                        .labels = classes->labels,
                        .features = s->data.features,
                        .sizes = feature_sizes_find(&s->data),
                        .model_bytes = sizeof(double) * (double)weights *
                                       (classes->joint ? 1 : (double)classes->vectors),
                        .memory = memory_of(request, data, weights, outputs),
                        .solver = request->solver,
                        .trial = request->trial,
                        .by_default = request_default_solver(request, data, outputs, s->lambda)};
    double bytes = bytes_of(&s->data) + (s->map != NULL ? bytes_of(&s->mapped) : 0);
    if (data->window == NULL)
        p.example_bytes = bytes;
    else
        p.window_bytes = bytes;
    if (s->data.communicator != NULL)
        p.largest_bytes = communicator_largest_real(
            s->data.communicator, p.example_bytes + p.model_bytes + p.memory.base);
    const struct default_rule *rule = request_default_rule(request, data, outputs, s->lambda);
    p.why = rule != NULL ? rule->when : NULL;
    return p;
}
