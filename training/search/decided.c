/* decided.c - which predictions of the exact minimizer are known; see decided.h. */
#include "training/search/decided.h"

#include "matrix/design.h"
#include "training/request/request.h"

#include <math.h>
#include <string.h>

bool decided_begin(const struct training *training, const struct model *model,
                   const struct run *run, struct decided *decided, struct decided_rows *rows) {
    const struct training_request *request = training->request;
    double gap = fmax(run->total.objective - run->total.bound, 0);
    *rows = (struct decided_rows){
        .model = model, .radius = sqrt(2 * gap / model->lambda), .decided = decided};
    return model->vectors == 1 && model->labels == 2 && request->risk->scalar != NULL &&
           strcmp(request->regularizer->name, "l2") == 0 && !request->settings.intercept &&
           !request->solver->is_kernel_expansion && request->settings.kernel.map == MAP_NONE &&
           !model_is_calibrated(model) && isfinite(rows->radius);
}

int decided_visit(void *context, const struct decoded *decoded, struct error *e) {
    const struct decided_rows *rows = context;
    const struct model *model = rows->model;
    (void)e;
    for (int64_t i = 0; i < decoded->rows; i++) {
        int64_t row = decoded->first + i;
        double label = decoded->data->label[row];
        double reach = rows->radius * sqrt(row_square(decoded->data, row, model->bias));
        if (isnan(label))
            continue;
        if (model->rest && label != model->label[0])
            label = model->label[1];
        rows->decided->rows++;
        if (!(fabs(decoded->scores[i]) > reach))
            continue;
        if (label == model->label[decoded->choice[i]])
            rows->decided->right++;
        else
            rows->decided->wrong++;
    }
    return 0;
}
