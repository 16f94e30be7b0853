/* preview.c - what is known of a run before it begins. */
#include "training/preview.h"

#include "training/defaults/choice.h"
#include "training/defaults/default_solver.h"
#include "training/session_data.h"

struct preview preview_make(const struct training_session *s) {
    const struct training_request *request = s->request;
    const struct dataset *data = session_training_data(s);
    const struct classes *classes = &s->classes;
    int64_t outputs = session_vectors_at_once(s);
    struct preview p = {.rows = dataset_whole_rows(&s->data),
                        .nonzeros = dataset_whole_nonzeros(&s->data),
                        .groups = dataset_whole_groups(&s->data),
                        .labels = classes->labels,
                        .features = s->data.features,
                        .sizes = feature_sizes_find(&s->data),
                        .memory = session_memory_of(s),
                        .solver = request->solver,
                        .trial = request->trial,
                        .by_default = request_default_solver(request, data, outputs, s->lambda)};
    double needed;
    p.exceeds = session_memory_exceeds(s, &p.memory, &needed, p.remedy);
    if (s->data.communicator != NULL)
        p.largest_bytes = communicator_largest_real(s->data.communicator, p.memory.all);
    const struct default_rule *rule = request_default_rule(request, data, outputs, s->lambda);
    p.why = rule != NULL ? rule->when : NULL;
    return p;
}
