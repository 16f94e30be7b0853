/* boost.c - the risk of entropy-regularized LPBoost. */
#include "risk/boost.h"

#include "io/memory.h"
#include "io/svmlight/svmlight_line.h"
#include "math/entropy.h"
#include "math/long_vector.h"
#include "math/projections/simplex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct boost_risk {
    struct risk risk; /* first: callers see this struct */
    struct boost_terms terms;
    struct design design;
    double *z, *d, *work; /* rows: margins, the distribution, scratch */
};

/* ---- margins, edges, entropy */

/* to_i = y_i from_i; TO may be FROM. */
static void multiply_by_labels(const struct boost_terms *terms, const double *from, double *to) {
    for (int64_t i = 0; i < terms->design->rows; i++)
        to[i] = terms->target[i] * from[i];
}

void boost_margins(const struct boost_terms *terms, const double *w, double *z) {
    design_scores(terms->design, w, z);
    multiply_by_labels(terms, z, z);
}

void boost_edges(const struct boost_terms *terms, const double *d, double *work, double *edge) {
    multiply_by_labels(terms, d, work);
    design_combine(terms->design, work, edge);
}

double boost_entropy(const struct boost_terms *terms, const double *d) {
    const struct design *design = terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0, rows = (double)design->rows;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        double value = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++)
            value += entropy_term(rows * d[i] - 1);
        block_sum[block] = value;
    }
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    return sum / rows / terms->eta;
}

/* ---- the risk */

static double evaluate(const struct risk *risk, const double *w, double mu, double *gradient,
                       double *constant) {
    struct boost_risk *r = (struct boost_risk *)risk;
    int64_t rows = r->design.rows;
    (void)mu;
    (void)constant;
    boost_margins(&r->terms, w, r->z);
    for (int64_t i = 0; i < rows; i++)
        r->d[i] = -r->terms.eta * r->z[i];
    simplex_cap(r->d, rows, 1 / r->terms.nu, r->work);
    double value = 1 - long_dot(NULL, r->d, r->z, rows) - boost_entropy(&r->terms, r->d);
    if (gradient != NULL) {
        boost_edges(&r->terms, r->d, r->work, gradient);
        for (int64_t j = 0; j < risk->dimension; j++)
            gradient[j] = -gradient[j];
    }
    return value;
}

static void boost_free(struct risk *risk) {
    struct boost_risk *r = (struct boost_risk *)risk;
    design_free(&r->design);
    free(r->z);
    free(r);
}

static const struct risk_kind boost_kind = {
    .name = "boost", .evaluate = evaluate, .free = boost_free};

const struct boost_terms *boost_terms(const struct risk *risk) {
    return risk->kind == &boost_kind ? &((const struct boost_risk *)risk)->terms : NULL;
}

struct risk *boost_risk_new(const struct risk_settings *settings, struct error *e) {
    const struct scalar_settings *examples = &settings->scalar;
    int64_t rows = examples->data->rows;
    struct boost_parameters chosen = boost_chosen(settings->boost, rows);
    if (chosen.nu > (double)rows) {
        error_usage(e, "--nu %g: out of range: there are %lld examples", chosen.nu,
                    (long long)rows);
        return NULL;
    }
    struct boost_risk *r = memory_zeroed(1, sizeof *r, "the risk", e);
    if (r == NULL)
        return NULL;
    r->terms = (struct boost_terms){
        .design = &r->design, .target = examples->target, .nu = chosen.nu, .eta = chosen.eta};
    r->z = memory_new(3 * rows, sizeof *r->z, "the distribution", e);
    if (r->z == NULL || risk_equal_weights("boost", examples->weight, rows, e) != 0 ||
        design_init(&r->design, examples->data, -1, false, e) != 0) {
        boost_free(&r->risk);
        return NULL;
    }
    r->d = r->z + rows;
    r->work = r->d + rows;
    r->risk = (struct risk){
        .kind = &boost_kind, .dimension = r->design.columns, .regularized = r->design.columns};
    return &r->risk;
}

/* ---- parameters and checks */

struct boost_parameters boost_chosen(struct boost_parameters given, int64_t rows) {
    static const double nu_per_row = 0.1, default_accuracy = 0.01;
    struct boost_parameters chosen = given;
    if (chosen.nu == 0)
        chosen.nu = fmax(1, floor(nu_per_row * (double)rows));
    if (chosen.eta == 0)
        chosen.eta = fmax(1, log((double)rows / chosen.nu) / default_accuracy);
    return chosen;
}

int boost_check(const struct risk_request *request, struct error *e) {
    static const char *const names[] = {"simplex", "entropy", "l1-ball"};
    const char *name = request->regularizer->name;
    bool known = false;
    if (request->constants)
        return error_usage(e, "-L boost takes its features as they are: no -B, no --intercept");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        known = known || strcmp(name, names[k]) == 0;
    if (!known || (request->regularizer->ball != NULL && request->parameters->ball > 1))
        return error_usage(
            e, "-L boost needs -r simplex, -r entropy, or --ball l1=Z with Z at most 1");
    return 0;
}

static int refuse_feature(const struct dataset *data, int64_t i, int64_t k, const char *path,
                          bool zero_based, struct error *e) {
    int64_t feature = dataset_columns(data, i)[k] + !zero_based;
    char words[128];
    snprintf(words, sizeof words, "feature %lld is %.10g; -L boost needs features in [-1, 1]",
             (long long)feature, dataset_values(data, i)[k]);
    return svmlight_refuse_row(path, i, words, e);
}

int boost_check_data(const struct dataset *data, const char *path, bool zero_based,
                     struct error *e) {
    for (int64_t i = 0; data->value != NULL && i < data->rows; i++)
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            if (fabs(dataset_values(data, i)[k]) > 1)
                return refuse_feature(data, i, k, path, zero_based, e);
    return 0;
}
