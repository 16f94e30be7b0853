/* early_stop.c - held-out examples end the passes of an online solver. */
#include "training/search/early_stop.h"

#include "training/classes/joint_weights.h"
#include "training/run/run.h"
#include "training/search/measure_choice.h"

#include <math.h>
#include <string.h>

static const double max_passes_without_gain = 5; /* passes */

static bool is_better(const struct measure *one, const struct measure *other) {
    return one->error ? one->value < other->value : one->value > other->value;
}

static void keep(struct early_stop *stop, const struct measure *measure, double passes) {
    stop->judged = true;
    stop->measure = *measure;
    stop->passes = passes;
    snprintf(stop->name, sizeof stop->name, "%s", measure->name);
}

/* The measure of the model; its name lives as long as the decoding. */
static int measure_model(const struct early_stop *stop, struct decoding *decoding,
                         struct measure *measure, struct error *e) {
    struct unknown_features unknown_features = {0};
    struct measure list[MEASURES_MAX];
    if (decoding_data(decoding, &stop->model, stop->held_out, NULL, &unknown_features, e) != 0)
        return -1;
    int count = decoding_finish(decoding, list, NULL, e);
    if (count < 0)
        return -1;
    *measure = count == 0 ? (struct measure){.name = "", .value = NAN}
                          : list[measure_choice_find(stop->training->request, list, count)];
    return 0;
}

static void take_weights(struct model *model, const struct risk *risk, double *w) {
    if (model->vectors > 1)
        joint_weights_to_model(w, risk, model);
    else
        memcpy(model->w, w, sizeof *w * (size_t)model->dimension);
}

static int judge(void *context, const struct risk *risk, double *w, double passes,
                 enum judgement *judgement, struct error *e) {
    struct early_stop *stop = context;
    struct decoding *decoding = measure_choice_decoding(stop->training, e);
    struct measure measure;
    int status = -1;
    take_weights(&stop->model, risk, w);
    if (decoding != NULL)
        status = measure_model(stop, decoding, &measure, e);
    if (status == 0 && !stop->judged && measure.name[0] != '\0')
        status = measure_choice_check_value(&measure, e);
    if (status == 0 && (!stop->judged || is_better(&measure, &stop->measure))) {
        keep(stop, &measure, passes);
        *judgement = JUDGED_BEST;
    } else if (status == 0) {
        *judgement =
            passes - stop->passes >= max_passes_without_gain ? JUDGED_ENOUGH : JUDGED_WORSE;
    }
    decoding_free(decoding);
    return status;
}

int early_stop_init(struct early_stop *stop, const struct training *training,
                    const struct dataset *held_out, struct error *e) {
    *stop = (struct early_stop){.training = training, .held_out = held_out};
    stop->judge = (struct judge){.judge = judge, .context = stop};
    return run_model(training, &stop->model, e);
}

void early_stop_free(struct early_stop *stop) {
    model_free(&stop->model);
}
