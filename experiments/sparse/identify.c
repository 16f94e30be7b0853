/* identify.c - how many steps dual averaging takes to the manifold of the optimum (Lee 2011, Table 2.1).
 *
 *     identify FILE FRACTION GAMMA RUNS MOST
 *
 * l1-regularized logistic regression with an offset on FILE, labels 1 and -1, lambda = FRACTION
 * lambda_max; gamma as in train -s rda, 0: found. Prints a line "lambda gamma nonzeros", the nonzeros those
 * of the optimum (lps, delta <= 1e-6), the offset not among them. Then a line a run, each with its own
 * random orders, a new one a pass: the step t after which w_{t+1} first has the optimum's signs on the
 * optimum's nonzeros and at most twice as many nonzeros; the step after which its signs and zeros are all
 * the optimum's; and delta there ("-": not within MOST steps). */
#include "io/memory.h"
#include "io/svmlight/svmlight.h"
#include "solvers/lps/lps.h"
#include "solvers/optimality.h"
#include "solvers/sparse/averaging.h"
#include "solvers/sparse/sparse.h"

#include <math.h>
#include <stdlib.h>

extern const struct solver rda;

struct subject {
    struct dataset data;
    struct risk *risk;
    struct problem problem;
    struct run_settings run;
    double gamma;
    double *optimum, *w, *gradient; /* dimension each */
    int64_t nonzeros;               /* of the optimum, regularized ones */
};

/* What is seen of a run. */
struct sight {
    const struct subject *subject;
    double *sum;               /* G */
    int64_t superset, optimal; /* steps; 0: not yet */
};

static void touched(void *opaque, int64_t t, int64_t j, double before, double after) {
    (void)t, (void)before;
    ((struct sight *)opaque)->sum[j] = after;
}

static bool stepped(void *opaque, int64_t t) {
    struct sight *sight = opaque;
    const struct subject *subject = sight->subject;
    double threshold = subject->problem.lambda * (double)t;
    int64_t alive = 0, agree = 0;
    for (int64_t j = 0; j < subject->risk->regularized; j++) {
        double g = sight->sum[j], best = subject->optimum[j];
        alive += fabs(g) > threshold;
        agree += (best > 0 && -g > threshold) || (best < 0 && g > threshold);
    }
    if (agree < subject->nonzeros)
        return false;
    if (sight->superset == 0 && alive <= 2 * subject->nonzeros)
        sight->superset = t;
    if (alive == subject->nonzeros)
        sight->optimal = t;
    return sight->optimal > 0;
}

static void begin(struct monitor *monitor, const struct run_settings *run) {
    const struct monitor_settings settings = {.passes = run->passes, .time_limit = INFINITY};
    monitor_init(monitor, &settings);
    monitor_begin(monitor, NULL);
}

static int run_once(struct subject *subject, uint64_t seed, struct error *e) {
    struct run_settings run = subject->run;
    struct monitor monitor;
    struct outcome outcome;
    struct sight sight = {.subject = subject};
    const struct averaging_observer observer = {&sight, touched, stepped, NULL};
    const struct averaging_plan plan = {.gamma = subject->gamma, .observer = &observer};
    run.seed = seed;
    sight.sum = memory_zeroed(subject->risk->dimension, sizeof *sight.sum, "the gradients", e);
    if (sight.sum == NULL)
        return -1;
    begin(&monitor, &run);
    int status = averaging_run(
        &(struct solve){&subject->problem, &run, NULL, &monitor, subject->w, &outcome}, &plan, e);
    free(sight.sum);
    if (status != 0)
        return -1;
    if (sight.superset > 0)
        printf("%lld", (long long)sight.superset);
    else
        printf("-");
    if (sight.optimal == 0) {
        puts("\t-\t-");
        return 0;
    }
    risk_evaluate(subject->risk, subject->w, 0, subject->gradient);
    printf("\t%lld\t%.3g\n", (long long)sight.optimal,
           optimality_delta(&subject->problem, subject->w, subject->gradient));
    return 0;
}

/* The optimum, and gamma where it was not given. */
static int solve(struct subject *subject, struct error *e) {
    static const struct lps_settings settings = {.optimality = 1e-6};
    static const struct lps_start start;
    struct run_settings run = subject->run;
    struct monitor monitor;
    struct outcome outcome;
    run.passes = INFINITY;
    begin(&monitor, &run);
    if (lps_run(
            &(struct solve){&subject->problem, &run, NULL, &monitor, subject->optimum, &outcome},
            &settings, &start, e) != 0)
        return -1;
    for (int64_t j = 0; j < subject->risk->regularized; j++)
        subject->nonzeros += subject->optimum[j] != 0;
    if (subject->gamma > 0)
        return 0;
    void *own = memory_zeroed(1, rda.settings_size, "settings", e);
    if (own == NULL)
        return -1;
    subject->gamma = sparse_gamma(
        &rda, &(struct solve){.problem = &subject->problem, .run = &subject->run, .options = own},
        0, e);
    free(own);
    return subject->gamma > 0 ? 0 : -1;
}

static int load(struct subject *subject, const char *path, struct error *e) {
    static const struct svmlight_options plain = {.threads = 1};
    if (dataset_load(path, &plain, &subject->data, e) != 0)
        return -1;
    const struct scalar_settings settings = {.data = &subject->data,
                                             .target = subject->data.label,
                                             .loss = loss_by_name("logistic"),
                                             .bias = -1,
                                             .intercept = true};
    subject->risk = scalar_risk_new(&settings, e);
    if (subject->risk == NULL)
        return -1;
    int64_t n = subject->risk->dimension;
    subject->optimum = memory_zeroed(3 * n, sizeof(double), "points", e);
    if (subject->optimum == NULL)
        return -1;
    subject->w = subject->optimum + n;
    subject->gradient = subject->w + n;
    return 0;
}

static int tabulate(struct subject *subject, const char *path, double fraction, int runs,
                    double largest, struct error *e) {
    if (load(subject, path, e) != 0)
        return -1;
    subject->problem = (struct problem){
        .risk = subject->risk, .regularizer = regularizer_by_name("l1"), .lambda = 1};
    subject->problem.lambda =
        fraction * optimality_lambda_max(&subject->problem, subject->w, subject->gradient, e);
    subject->run = (struct run_settings){
        .passes = largest / (double)subject->data.rows, .batch_size = 1, .seed = 1};
    if (solve(subject, e) != 0)
        return -1;
    printf("%.6g\t%.4g\t%lld\n", subject->problem.lambda, subject->gamma,
           (long long)subject->nonzeros);
    for (int i = 1; i <= runs; i++)
        if (run_once(subject, (uint64_t)i, e) != 0)
            return -1;
    return 0;
}

int main(int argc, char **argv) {
    struct subject subject = {0};
    struct error e = {0};
    if (argc != 6) {
        fputs("usage: identify FILE FRACTION GAMMA RUNS MOST\n", stderr);
        return 2;
    }
    subject.gamma = strtod(argv[3], NULL);
    int status = tabulate(&subject, argv[1], strtod(argv[2], NULL), atoi(argv[4]),
                          strtod(argv[5], NULL), &e);
    if (status != 0)
        error_print(&e, "identify", stderr);
    if (subject.risk != NULL)
        risk_free(subject.risk);
    dataset_free(&subject.data);
    free(subject.optimum);
    return status == 0 ? 0 : 1;
}
