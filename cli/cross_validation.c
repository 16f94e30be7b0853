/* cross_validation.c - training on all folds but one and predicting that one, for each in turn. */
#include "cli/cross_validation.h"

#include "cli/example_weights.h"
#include "cli/folds.h"
#include "io/memory.h"
#include "risk/predictor.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { BLOCK_ROWS = 1024 };

static int measure_rows(const struct model *model, const struct predictor *predictor,
                        const struct dataset *test, double *scores, struct measures *measures,
                        struct error *e) {
    struct strangers strangers = {0}; /* none: the folds share their features */

    for (int64_t first = 0; first < test->rows; first += BLOCK_ROWS) {
        int64_t left = test->rows - first;
        int64_t count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        if (predictor_scores(predictor, test, first, count, scores, &strangers, e) != 0) {
            return -1;
        }
        for (int64_t i = 0; i < count; i++) {
            if (predictor_measure(model, test->label[first + i], scores + i * model->vectors,
                                  measures, e) != 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int test_model(const struct model *model, const struct dataset *test,
                      struct measures *measures, struct error *e) {
    struct predictor *predictor = predictor_new(model, e);
    double *scores = memory_new(BLOCK_ROWS * model->vectors, sizeof *scores, "scores", e);
    int status = -1;

    if (predictor != NULL && scores != NULL) {
        status = measure_rows(model, predictor, test, scores, measures, e);
    }
    free(scores);
    predictor_free(predictor);
    return status;
}

static void add(struct cross_validation *validation, const struct run *run) {
    struct outcome *total = &validation->total;

    validation->seconds += run->seconds;
    validation->gap = fmax(validation->gap, run->gap);
    total->passes = fmax(total->passes, run->total.passes);
    total->iterations += run->total.iterations;
    total->sought |= run->total.sought;
    if (run->total.verdict > total->verdict) {
        total->verdict = run->total.verdict;
    }
    if (run->total.verdict != VERDICT_INTERRUPTED) {
        validation->done++;
        validation->objective +=
            (run->total.objective - validation->objective) / (double)validation->done;
    }
}

/* Trains on `part` and tests on `test`. */
static int run_fold(const struct training *all, int64_t fold, const struct dataset *part,
                    const struct dataset *test, struct monitor *monitor,
                    struct cross_validation *validation, struct error *e) {
    struct training training = *all;
    struct model model = {0};
    struct run run;
    char title[32];
    int status;

    snprintf(title, sizeof title, "fold %" PRId64, fold + 1);
    training.data = part;
    training.title = title;
    training.stream = (uint64_t)(fold * all->classes->vectors);
    training.runs_after = (validation->folds - fold - 1) * all->classes->vectors;
    if (example_weights_lambda(all->command, part, &training.lambda, e) != 0) {
        return -1;
    }
    status = run_train(&training, monitor, &model, &run, e);
    if (status == 0) {
        add(validation, &run);
        if (run.total.verdict != VERDICT_INTERRUPTED) {
            status = test_model(&model, test, validation->measures, e);
        }
    }
    run_free(&run);
    model_free(&model);
    return status;
}

static int run_folds(const struct training *all, const struct folds *folds, struct monitor *monitor,
                     struct cross_validation *validation, struct error *e) {
    int status = 0;

    for (int64_t k = 0; status == 0 && k < folds->count && !monitor_signalled(); k++) {
        struct dataset part = {0}, test = {0};
        if (folds_select(folds, all->data, k, false, &part, e) != 0 ||
            folds_select(folds, all->data, k, true, &test, e) != 0) {
            status = -1;
        } else {
            status = run_fold(all, k, &part, &test, monitor, validation, e);
        }
        dataset_free(&part);
        dataset_free(&test);
    }
    if (validation->done < validation->folds) {
        validation->total.verdict = VERDICT_INTERRUPTED;
    }
    return status;
}

int cross_validate(const struct training *all, struct monitor *monitor,
                   struct cross_validation *validation, struct error *e) {
    const struct train_settings *s = &all->command->settings;
    struct folds folds;
    int status;

    *validation = (struct cross_validation){.folds = s->folds};
    validation->measures = measures_new(all->classes->label, all->classes->labels, e);
    if (validation->measures == NULL) {
        return -1;
    }
    status = folds_make(all->data, s->folds, s->seed, all->command->data_path, &folds, e);
    if (status == 0) {
        status = run_folds(all, &folds, monitor, validation, e);
    }
    folds_free(&folds);
    if (status == 0) {
        validation->measure_count = measures_finish(validation->measures, validation->list, e);
    }
    return status != 0 || validation->measure_count < 0 ? -1 : 0;
}

void cross_validation_free(struct cross_validation *validation) {
    measures_free(validation->measures);
    *validation = (struct cross_validation){0};
}

void cross_validation_print(const struct cross_validation *validation, FILE *stream) {
    if (validation->measure_count > 0) {
        fputs("Cross Validation ", stream);
    }
    measures_print(validation->measures, validation->list, validation->measure_count, stream);
}
