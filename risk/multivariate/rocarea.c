/* rocarea.c - the hinge over pairs of positives and negatives; see rocarea.h. */
#include "risk/multivariate/rocarea.h"

#include "io/memory.h"
#include "risk/ranking/pairs.h"

#include <stdlib.h>

struct rocarea {
    struct risk risk; /* first */
    struct design design;
    struct pairs pairs; /* each positive should score above each negative */
    int64_t *order, *run;
    double *score; /* rows: scores, then the derivatives by them */
    void *work;
};

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    const struct rocarea *r = (const struct rocarea *)risk;
    design_scores(&r->design, w, r->score);
    struct pairs_sum sum =
        pairs_hinge(&r->pairs, r->score, mu, gradient == NULL ? NULL : r->score, r->work);
    if (gradient != NULL) {
        design_combine(&r->design, r->score, gradient);
        if (constant != NULL)
            *constant = sum.constant;
    }
    return sum.mean;
}

static void rocarea_free(struct risk *risk) {
    struct rocarea *r = (struct rocarea *)risk;
    design_free(&r->design);
    free(r->order);
    free(r->score);
    free(r->work);
    free(r);
}

static const struct risk_kind rocarea_kind = {
    .name = "rocarea", .evaluate = evaluate, .free = rocarea_free};

struct risk *rocarea_risk_new(const struct risk_settings *settings, struct error *e) {
    const struct scalar_settings *examples = &settings->scalar;
    int64_t rows = examples->data->rows;
    if (risk_equal_weights("rocarea", examples->weight, rows, e) != 0)
        return NULL;
    struct rocarea *r = memory_zeroed(1, sizeof *r, "the risk", e);
    if (r == NULL)
        return NULL;
    r->order = memory_new(2 * rows + 1, sizeof *r->order, "the pairs", e);
    r->score = memory_new(rows, sizeof *r->score, "scores", e);
    r->work = memory_new(1, pairs_work_bytes(rows), "the pairs", e);
    if (r->order == NULL || r->score == NULL || r->work == NULL ||
        design_init(&r->design, examples->data, -1, false, e) != 0) {
        rocarea_free(&r->risk);
        return NULL;
    }
    r->run = r->order + rows;
    r->pairs = (struct pairs){r->order, r->run,
                              pairs_order(examples->target, rows, r->order, r->run, r->work)};
    r->risk = (struct risk){.kind = &rocarea_kind,
                            .dimension = r->design.columns,
                            .regularized = r->design.regularized,
                            .smoothing = pairs_count(&r->pairs) > 0 ? 0.5 : 0};
    return &r->risk;
}
