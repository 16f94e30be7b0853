/* rna.c - the structured SVM over secondary structures; see rna.h. */
#include "risk/rna/rna.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/items.h"
#include "risk/rna/rna_data.h"
#include "risk/rna/rna_fold.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct rna_risk {
    struct items items;     /* first */
    int8_t *bases;          /* of rna_bases */
    int32_t *partner;       /* rows: the true structures */
    double *counts;         /* sequences x RNA_WEIGHTS: phi of the true structures */
    double *log_structures; /* sequences: log N; NULL until the risk is smoothed */
    struct rna_terms terms; /* of the weights of the current evaluation, divided by mu if mu > 0 */
};

/* ---- one sequence */

/* Of the log sum, absolute. Above, exp(alternative - sum) has too few digits for probabilities that sum to 1. The
 * loss is then evaluated without smoothing, which is within mu D of it, too. */
static const double max_log_sum = 2e7;

static void prepare(struct items *items, const double *v, double mu) {
    struct rna_terms *terms = &((struct rna_risk *)items)->terms;
    rna_terms_of_weights(v, terms);
    if (mu > 0)
        vector_scale((double *)terms, 1 / mu, sizeof *terms / sizeof(double));
}

static double value(const struct items *items, int64_t i, double *u, const double *v, double mu,
                    double *by_shared, double *constant, void *work) {
    const struct rna_risk *r = (const struct rna_risk *)items;
    const double *truth = r->counts + i * RNA_WEIGHTS;
    const struct interruption interrupted = {items->risk.stop, items->risk.opaque};
    struct rna_fold fold = {.sequence = rna_sequence_of(items->data, r->bases, i),
                            .terms = &r->terms,
                            .truth = r->partner + items_first(items, i),
                            .cost = mu > 0 ? 1 / mu : 1,
                            .soft = mu > 0,
                            .work = work,
                            .interrupted = &interrupted};
    double true_score = vector_dot(v, truth, RNA_WEIGHTS), sum = rna_inside(&fold);
    (void)u;
    bool smoothed = mu > 0 && fabs(sum) <= max_log_sum;
    if (fold.soft && !smoothed) {
        fold.soft = false;
        sum = rna_inside(&fold);
    }
    if (by_shared != NULL && !isnan(sum)) {
        struct rna_terms terms = {0};
        *constant = rna_outside(&fold, &terms, NULL);
        rna_add_counts(&terms, 1, by_shared);
        for (int k = 0; k < RNA_WEIGHTS; k++)
            by_shared[k] -= truth[k];
        sum = isnan(*constant) ? NAN : sum;
    }
    if (isnan(sum)) /* interrupted */
        return sum;
    if (smoothed)
        return mu * (sum - r->log_structures[i]) - true_score;
    return fmax(0, (mu > 0 ? mu * sum : sum) - true_score);
}

/* ---- constants */

static double length_of(const struct items *items, int64_t i) {
    return (double)(items_end(items, i) - items_first(items, i));
}

static double lipschitz(const struct items *items, int64_t i) {
    const double *truth = ((const struct rna_risk *)items)->counts + i * RNA_WEIGHTS;
    double any_structure = rna_counts_bound() * length_of(items, i);
    return sqrt(any_structure * any_structure + vector_dot(truth, truth, RNA_WEIGHTS));
}

/* log N. Before N is counted, log 3^length: a structure is a string of dots and two kinds of brackets. */
static double smoothing(const struct items *items, int64_t i) {
    const double *log_structures = ((const struct rna_risk *)items)->log_structures;
    return log_structures == NULL ? length_of(items, i) * log(3) : log_structures[i];
}

/* Counts the structures of all sequences; each thread has its own workspace. If it was interrupted, the numbers
 * stay unknown. */
static int count_structures(struct items *items, struct error *e) {
    struct rna_risk *r = (struct rna_risk *)items;
    int threads = omp_get_max_threads();
    size_t bytes = rna_fold_bytes(items->max_rows);
    if (r->log_structures != NULL)
        return 0;
    char *work = memory_new(threads, bytes, "the structures", e);
    double *log_structures =
        memory_new(items->count, sizeof *log_structures, "numbers of structures", e);
    bool complete = work != NULL && log_structures != NULL, known = complete;
    if (complete) {
        const struct interruption interrupted = {items->risk.stop, items->risk.opaque};
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(&& : known)
        for (int64_t g = 0; g < items->count; g++) {
            struct rna_sequence s = rna_sequence_of(items->data, r->bases, g);
            char *true_score = work + (size_t)omp_get_thread_num() * bytes;
            log_structures[g] = rna_log_structures(&s, true_score, &interrupted);
            known = known && !isnan(log_structures[g]);
        }
    }
    if (known)
        r->log_structures = log_structures;
    else
        free(log_structures);
    free(work);
    return complete ? 0 : -1;
}

static void free_rna(struct items *items) {
    struct rna_risk *r = (struct rna_risk *)items;
    free(r->bases);
    free(r->partner);
    free(r->counts);
    free(r->log_structures);
}

static const struct item_loss loss = {
    .name = "rna",
    .prepare = prepare,
    .value = value,
    .lipschitz = lipschitz,
    .norm_bound = length_of,
    .smoothing = smoothing,
    .smooth = count_structures,
    .free = free_rna,
};

/* ---- the risk */

static void set_truth(struct rna_risk *r, const struct scalar_settings *scalar, int64_t g) {
    struct rna_sequence s = rna_sequence_of(scalar->data, r->bases, g);
    int64_t first = scalar->data->group_start[g];
    struct rna_terms terms = {0};
    rna_partners_of(scalar->target + first, s.length, r->partner + first);
    rna_keep_canonical(&s, r->partner + first);
    rna_terms_of_structure(&s, r->partner + first, &terms);
    rna_add_counts(&terms, 1, r->counts + g * RNA_WEIGHTS);
}

static int set_data(struct rna_risk *r, const struct scalar_settings *scalar, struct error *e) {
    const struct dataset *data = scalar->data;
    r->bases = rna_bases(data, e);
    r->partner = memory_new(data->rows, sizeof *r->partner, "partners", e);
    r->counts = memory_zeroed(data->groups * RNA_WEIGHTS, sizeof *r->counts, "counts", e);
    if (r->bases == NULL || r->partner == NULL || r->counts == NULL)
        return -1;
    for (int64_t g = 0; g < data->groups; g++)
        set_truth(r, scalar, g);
    return 0;
}

int64_t rna_shared(int64_t labels) {
    (void)labels;
    return RNA_WEIGHTS;
}

int rna_check(const struct risk_request *request, struct error *e) {
    return request->constants
               ? error_usage(e, "-L rna has features of its own: no -B, no --intercept")
               : 0;
}

struct risk *rna_risk_new(const struct risk_settings *settings, struct error *e) {
    int64_t longest = dataset_largest_group(settings->scalar.data);
    if (rna_check_memory(longest, omp_get_max_threads(), e) != 0)
        return NULL;
    struct rna_risk *r = items_new(sizeof *r, &loss, e);
    const struct items_settings items = {.scalar = &settings->scalar,
                                         .loss = &loss,
                                         .grouped = true,
                                         .width = 0,
                                         .shared = RNA_WEIGHTS,
                                         .work_bytes = rna_fold_bytes(longest)};
    if (r == NULL)
        return NULL;
    if (set_data(r, &settings->scalar, e) != 0 || items_init(&r->items, &items, e) != 0) {
        risk_free(&r->items.risk);
        return NULL;
    }
    return &r->items.risk;
}
