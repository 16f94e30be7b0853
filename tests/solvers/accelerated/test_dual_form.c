/* test_dual_form.c - the forms over dual variables, dual and smooth-dual: the proximal problem beside its
 * definition, known optima between bound and objective, the theorem's rate, linear convergence, threads,
 * and problems at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/accelerated/dual_form.h"
#include "solvers/accelerated/spectrum.h"
#include "tests/size.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

static const char *const losses[] = {"hinge",    "squared-hinge", "squared",
                                     "absolute", "huber",         "quantile"};
enum { LOSSES = sizeof losses / sizeof *losses };

static bool smooth(const char *loss) {
    return isfinite(loss_by_name(loss)->curvature);
}

/* ---- the proximal problem */

static double prox_objective(const struct prox_box *box, const double *s, double k, double share,
                             const double *a) {
    double sum = 0;
    for (int64_t i = 0; i < box->prox.dimension; i++)
        sum += box->p[i] *
               (s[i] * a[i] + k / 2 * a[i] * a[i] +
                share * (box->terms->target[i] * a[i] + box->prox.strong / 2 * a[i] * a[i]));
    return sum;
}

/* A point of the domain, and of the plane if there is one: a step from a that keeps both. */
static void nearby(const struct prox_box *box, struct random *random, const double *a, double *x) {
    double step = random_unit(random) < 0.5 ? 1 : 1e-3;
    memcpy(x, a, sizeof *x * ROWS);
    for (int tries = 0; tries < 8; tries++) {
        int i = (int)random_below(random, ROWS), j = (int)random_below(random, ROWS);
        double d = step * (2 * random_unit(random) - 1);
        if (i == j || box->p[i] == 0 || box->p[j] == 0)
            continue;
        double at_i = x[i] + d / box->p[i] / ROWS;
        double at_j = x[j] - (box->has_offset ? d / box->p[j] / ROWS : 0);
        if (at_i >= box->low[i] && at_i <= box->high[i] && at_j >= box->low[j] &&
            at_j <= box->high[j]) {
            x[i] = at_i;
            x[j] = at_j;
        }
    }
}

static void check_prox(const char *loss, bool weighted, bool intercept, double mu) {
    static const double ks[] = {0.3, 5, 0}, shares[] = {1, 0.2, 1};
    struct fixture f;
    struct prox_box box;
    struct random random;
    double s[ROWS], a[ROWS], x[ROWS];
    random_seed(&random, 3, 0);
    set_up_with(&f, loss, 1, -1, weighted, intercept);
    assert_int_equal(prox_box_init(&box, f.risk, mu, NULL), 0);
    for (int k = 0; k < (box.prox.strong > 0 ? 3 : 2); k++) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++)
            s[i] = 4 * random_unit(&random) - 2;
        box.prox.minimize(&box.prox, s, ks[k], shares[k], a);
        for (int i = 0; i < ROWS; i++) {
            assert_true(a[i] >= box.low[i] && a[i] <= box.high[i]);
            assert_true(box.p[i] > 0 || a[i] == 0);
            sum += box.p[i] * a[i];
        }
        if (intercept)
            assert_near(sum, 0, 1e-14);
        double smallest = prox_objective(&box, s, ks[k], shares[k], a);
        for (int tries = 0; tries < 300; tries++) {
            nearby(&box, &random, a, x);
            assert_true(prox_objective(&box, s, ks[k], shares[k], x) >= smallest - 1e-14);
        }
    }
    prox_box_free(&box);
    tear_down(&f);
}

static void the_prox_problem_is_solved(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (int kind = 0; kind < 8; kind++)
            if ((l + kind) % PART(3, 5) == 0)
                check_prox(losses[l], kind & 1, kind & 2, kind & 4 ? 0.7 : 0);
}

/* ---- known optima */

static const char *const forms[][4] = {{"form=dual", NULL},
                                       {"form=smooth-dual", NULL},
                                       {"form=smooth-dual", "smoothing=fixed", "mu=1e-5", NULL},
                                       {"form=dual", "lipschitz=fixed", NULL}};
enum { FORMS = sizeof forms / sizeof *forms };

static void reaches(const struct reference *r, const char *solver, const char *const *words) {
    double w[64] = {0}, epsilon = r->lambda >= 1e-2 ? 1e-4 : 1e-2;
    struct outcome o;
    if (!loss_by_name(r->loss)->quadratic)
        return;
    assert_true(r->problem.risk->dimension <= 64);
    assert_int_equal(run_with(&r->problem, solver, words, epsilon, 40000, w, &history, &o, NULL),
                     0);
    check_history(&r->problem, &history, &o, w, r->upper, 2e-11 * r->upper);
    if (o.verdict != VERDICT_CONVERGED)
        print_error("%s %s %s %s %g: gap %g\n", solver, words[0], r->name, r->loss, r->lambda,
                    o.objective - o.bound);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    assert_true(o.objective - o.bound <= epsilon * o.objective);
}

static void reference_reaches(const struct reference *r) {
    static int seen;
    for (int k = 0; k <= FORMS; k++)
        if ((k + seen / PART(2, 1)) % PART(2, 3) == 0) /* each second one has the same lambda */
            reaches(r, k % 2 || k == FORMS ? "agm1" : "agm", forms[k % FORMS]);
    seen++;
}

static void known_optima_are_reached(void **state) {
    (void)state;
    for_references(reference_reaches);
}

/* The optimum by another solver, certified to 1e-9. */
static double independent(const struct problem *problem, const char *solver) {
    double w[MAX_DIMENSION] = {0};
    struct outcome o;
    assert_int_equal(run_with(problem, solver, NULL, 1e-9, 20000, w, NULL, &o, NULL), 0);
    assert_true(o.objective - o.bound <= 1e-8 * o.objective);
    return o.objective;
}

static const char *solver_for(const struct fixture *f) {
    bool l2 = strcmp(f->problem.regularizer->name, "l2") == 0;
    bool offset = f->risk->dimension > f->risk->regularized;
    return !offset ? "bundle" : l2 ? "ipm" : "lps";
}

static void beside_another_solver(const char *loss, const char *regularizer, double lambda,
                                  bool intercept, int kind) {
    struct fixture f;
    struct outcome o;
    double w[MAX_DIMENSION] = {0}, epsilon = 1e-5;
    set_up_with(&f, loss, lambda, intercept ? -1 : 1, kind % 2, intercept);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters.elastic = 0.4;
    double best = independent(&f.problem, solver_for(&f));
    assert_int_equal(run_with(&f.problem, kind & 2 ? "agm" : "agm1", forms[kind % FORMS], epsilon,
                              60000, w, &history, &o, NULL),
                     0);
    if (o.verdict != VERDICT_CONVERGED || o.objective - best > epsilon * best)
        print_error("%s %s %g %d %d: J %.9g, bound %.9g, optimum %.9g\n", loss, regularizer, lambda,
                    intercept, kind, o.objective, o.bound, best);
    check_history(&f.problem, &history, &o, w, best, 1e-8 * best);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    assert_near(o.objective, best, epsilon * best);
    tear_down(&f);
}

static void other_solvers_agree(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (int kind = 0; kind < 4; kind++)
            for (int intercept = 0; intercept < 2; intercept++) {
                if ((l + kind + intercept) % PART(3, 5) != 0)
                    continue;
                beside_another_solver(losses[l], "l2", 0.05, intercept, kind);
                if (!intercept || smooth(losses[l]))
                    beside_another_solver(losses[l], "elastic-net", 0.05, intercept, kind);
            }
}

/* ---- rates */

/* max over the domain of d, the Euclidean prox-function in the metric. */
static double largest_prox(const struct prox_box *box) {
    double sum = 0;
    for (int64_t i = 0; i < box->prox.dimension; i++)
        sum += box->p[i] / 2 * fmax(box->low[i] * box->low[i], box->high[i] * box->high[i]);
    return sum;
}

/* J_mu(wbar) - D_mu(a) <= max d / A at every step, and J is within mu max d of J_mu. */
static void check_rate(const char *loss, bool one_memory, bool intercept, double mu) {
    struct fixture f;
    double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION];
    set_up_with(&f, loss, 0.01, -1, true, intercept);
    struct accelerated_settings settings = {.form = FORM_SMOOTH_DUAL,
                                            .decay = one_memory ? 1.1 : 1};
    struct form_request request = {
        .problem = &f.problem, .run = &f.run, .settings = &settings, .w = w};
    struct dual_form *d = dual_form_begin(&request, one_memory, mu, NULL);
    struct batch batch;
    batch_begin(&batch, &f.problem, NULL, best);
    assert_non_null(d);
    double largest = largest_prox(&d->box);
    for (int step = 0; step < 200; step++) {
        const struct estimation *e = &d->estimation;
        assert_true(estimation_step(&d->estimation));
        struct dual_values v = dual_part_certify(&d->dual, mu, e->w, e->Fw, &batch);
        double gap = v.smooth_objective - v.smooth_bound;
        assert_true(gap >= -1e-13);
        assert_true(gap <= largest * e->inverse_A + 1e-13);
        assert_true(v.smooth_objective <= v.objective + 1e-14);
        assert_true(v.objective <= v.smooth_objective + mu * largest + 1e-14);
        assert_true(v.bound <= batch.bound + 1e-14 && v.smooth_bound <= v.bound + 1e-14);
        assert_near(v.objective, problem_objective(&f.problem, d->dual.point), 1e-12);
    }
    assert_true(d->estimation.inverse_A < 0.1);
    d->form.free(&d->form);
    tear_down(&f);
}

static void the_gap_falls_as_the_theorem_says(void **state) {
    (void)state;
    static const char *const bounded[] = {"hinge", "absolute", "huber", "quantile"};
    for (int l = 0; l < 4; l++)
        for (int kind = 0; kind < 8; kind++)
            if ((l + kind) % PART(3, 5) == 0)
                check_rate(bounded[l], kind & 1, kind & 2, kind & 4 ? 0.01 : 0);
}

/* Passes until the gap is 10^-digits; 0: never. */
static double passes_to(double digits) {
    for (int i = 0; i < history.count; i++)
        if (history.objective[i] - history.bound[i] <= pow(10, -digits) * history.objective[i])
            return history.passes[i];
    return 0;
}

static void smooth_losses_converge_linearly(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (int kind = 0; kind < 4 && smooth(losses[l]); kind++) {
            struct fixture f;
            struct outcome o;
            double w[MAX_DIMENSION] = {0};
            set_up_with(&f, losses[l], 0.01, -1, kind & 1, kind & 2);
            assert_int_equal(run_with(&f.problem, kind & 2 ? "agm" : "agm1", forms[0], 1e-11, 5000,
                                      w, &history, &o, NULL),
                             0);
            assert_int_equal(o.verdict, VERDICT_CONVERGED);
            double first = passes_to(1), half = passes_to(5), all = passes_to(10);
            if (!(all - half <= 2.5 * (half - first) + 5))
                print_error("%s %d: passes to 1e-1 %g, 1e-5 %g, 1e-10 %g\n", losses[l], kind, first,
                            half, all);
            assert_true(all - half <= 2.5 * (half - first) + 5);
            tear_down(&f);
        }
}

/* With a bound for L no step is refused. */
static void a_bound_of_the_constant_holds(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        set_up_with(&f, losses[l], 0.02, 1, l % 2, false);
        f.problem.regularizer = regularizer_by_name(l < 3 ? "l2" : "elastic-net");
        f.problem.parameters.elastic = 0.3;
        struct accelerated_settings settings = {.decay = 1};
        struct form_request request = {
            .problem = &f.problem, .run = &f.run, .settings = &settings, .w = w};
        struct dual_form *d = dual_form_begin(&request, false, 0, NULL);
        for (int step = 0; step < 100; step++)
            assert_true(estimation_step(&d->estimation));
        assert_int_equal(d->estimation.tries, d->estimation.steps);
        d->form.free(&d->form);
        tear_down(&f);
    }
}

/* A fixed L is at least the largest known lower bound, and not far above it. */
static void a_fixed_constant_is_a_bound(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        struct fixture f;
        double w[MAX_DIMENSION] = {0};
        struct spectrum spectrum;
        set_up_with(&f, losses[l], 0.02, 1, l % 2, false);
        struct accelerated_settings settings = {.lipschitz = LIPSCHITZ_FIXED, .decay = 1.1};
        struct form_request request = {
            .problem = &f.problem, .run = &f.run, .settings = &settings, .w = w};
        struct dual_form *d = dual_form_begin(&request, false, 0, NULL);
        assert_int_equal(spectrum_find(f.problem.risk->scalar, NULL, 500, NULL, &spectrum, NULL),
                         0);
        double smallest = spectrum.bound / problem_penalty_parts(&f.problem).l2;
        assert_true(d->estimation.L >= smallest * (1 - 1e-12) && d->estimation.L <= 1.2 * smallest);
        d->form.free(&d->form);
        tear_down(&f);
    }
}

static void the_smooth_dual_is_for_more_features_than_rows(void **state) {
    (void)state;
    static const struct accelerated_settings settings = {.decay = 1.1};
    static const enum form_kind kinds[] = {FORM_PRIMAL, FORM_PRIMAL, FORM_SMOOTH_DUAL};
    for (int k = 0; k < 3; k++) {
        struct dataset data = random_data(8, 7 + k, false, 3);
        struct scalar_settings scalar = {
            .data = &data, .target = data.label, .loss = loss_by_name("hinge"), .bias = -1};
        struct risk *risk = scalar_risk_new(&scalar, NULL);
        struct problem problem = {
            .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1};
        assert_int_equal(risk->regularized, 7 + k);
        assert_int_equal(form_choose(&problem, &settings), kinds[k]);
        risk_free(risk);
        dataset_free(&data);
    }
}

/* ---- the rest */

static void a_warm_start_is_a_start(void **state) {
    (void)state;
    for (int intercept = 0; intercept < 2; intercept++) {
        struct fixture f;
        struct batch batch;
        double w[MAX_DIMENSION] = {0}, best[MAX_DIMENSION];
        struct outcome o;
        set_up_with(&f, "squared-hinge", 0.02, -1, true, intercept);
        assert_int_equal(run_with(&f.problem, "agm", forms[0], 1e-10, 5000, w, NULL, &o, NULL), 0);
        struct accelerated_settings settings = {.form = FORM_DUAL, .decay = 1};
        f.run.warm = true;
        struct form_request request = {
            .problem = &f.problem, .run = &f.run, .settings = &settings, .w = w};
        struct form *form = form_new(&request, NULL);
        batch_begin(&batch, &f.problem, NULL, best);
        assert_true(form->step(form));
        struct form_gap gap = form->certify(form, &batch);
        assert_near(gap.objective, o.objective, 1e-8 * o.objective);
        assert_near(batch.bound, o.objective, 1e-8 * o.objective);
        form->free(form);
        tear_down(&f);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    enum { WIDE = 40, TALL = 40000 };
    struct dataset data = random_data(TALL, WIDE, false, 5);
    for (int kind = 0; kind < 4; kind += PART(1, 3)) {
        struct scalar_settings scalar = {.data = &data,
                                         .target = data.label,
                                         .loss = loss_by_name("hinge"),
                                         .bias = -1,
                                         .intercept = kind >= 2};
        struct risk *risk = scalar_risk_new(&scalar, NULL);
        struct problem problem = {.risk = risk,
                                  .regularizer =
                                      regularizer_by_name(kind % 2 ? "elastic-net" : "l2"),
                                  .parameters = {.elastic = 0.3},
                                  .lambda = 1e-3};
        check_threads(&problem, "agm", forms[kind % 2], 12);
        risk_free(risk);
    }
    dataset_free(&data);
}

static void edges_end_well(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++)
        for (int k = 0; k < FORMS; k++)
            if (loss_by_name(edges[i].loss)->quadratic && (i + k) % PART(2, 7) == 0) {
                check_edge(&edges[i], "agm", "l2", forms[k]);
                check_edge(&edges[i], "agm1", "elastic-net", forms[k]);
            }
}

static void refuses(const char *loss, const char *regularizer, const char *const *words, bool warm,
                    const char *expected) {
    const struct solver *solver = solver_by_name("agm");
    void *options = solver_options_parse(solver, words);
    struct run_settings run = {.warm = warm};
    struct solver_request asked = {.loss = loss_by_name(loss),
                                   .regularizer = regularizer_by_name(regularizer),
                                   .run = &run,
                                   .options = options};
    struct error e = {0};
    assert_int_equal(solver->check(&asked, &e), expected == NULL ? 0 : -1);
    if (expected != NULL)
        assert_string_equal(e.words, expected);
    free(options);
}

static void what_has_no_dual_form_is_refused(void **state) {
    (void)state;
    static const char *const gap[] = {"form=excessive-gap", NULL};
    static const char *const with_mu[] = {"form=dual", "mu=0.1", NULL};
    static const char *const with_prox[] = {"form=smooth-dual", "mu=0.1", "prox=optimized", NULL};
    static const char *const stays[] = {"form=dual", "smoothing=fixed", NULL};
    static const char *const stays_too[] = {"form=excessive-gap", "smoothing=fixed", NULL};
    refuses("logistic", "l2", NULL, true, NULL);
    refuses("hinge", "elastic-net", forms[0], true, NULL);
    refuses("logistic", "l2", forms[0], false,
            "--form dual cannot take -L logistic; these work: hinge, squared-hinge, squared, "
            "absolute, huber, quantile");
    refuses("hinge", "l1", forms[1], false,
            "--form smooth-dual cannot take -r l1; these work: l2, elastic-net");
    refuses("hinge", "entropy", gap, false,
            "--form excessive-gap cannot take -r entropy; these work: l2, elastic-net");
    refuses("hinge", "l2", gap, true,
            "--form excessive-gap starts at 0, where its two points are known; drop -i");
    refuses("hinge", "l2", with_mu, false,
            "--mu is for --form primal and smooth-dual, not for dual");
    refuses("hinge", "l2", stays, false,
            "--smoothing fixed is for --form primal and smooth-dual, not for dual");
    refuses("hinge", "l2", stays_too, false,
            "--smoothing fixed is for --form primal and smooth-dual, not for excessive-gap");
    refuses("hinge", "l2", with_prox, false,
            "--prox, --metric and --strong are for --form primal, not for smooth-dual");
}

/* Combinations that every form refuses. */
static void options_that_mean_nothing_are_refused(void **state) {
    (void)state;
    static const char *const smoothing[][3] = {{"mu=0.1"},
                                               {"smoothing=fixed"},
                                               {"prox=optimized"},
                                               {"mu=0.1", "form=primal"},
                                               {"mu=0.1", "form=smooth-dual"},
                                               {"smoothing=fixed", "form=smooth-dual"}};
    static const char *const fixed[] = {"decay=1.2", "lipschitz=fixed", NULL};
    static const char *const metric[] = {"metric=scaled", "lipschitz=fixed", NULL};
    for (int k = 0; k < 6; k++) {
        refuses("hinge", "l2", smoothing[k], true, NULL);
        refuses("squared", "l2", smoothing[k], false,
                "--mu, --smoothing fixed and --prox optimized are for losses with kinks, not for "
                "-L squared; drop them");
    }
    static const char *const alone[] = {"decay=1.2", NULL};
    refuses("hinge", "l2", alone, true, NULL);
    refuses("hinge", "l2", fixed + 1, true, NULL);
    refuses("hinge", "l2", fixed, false, "--decay is for --lipschitz adaptive; with fixed drop it");
    refuses("hinge", "l2", metric, false,
            "--lipschitz fixed has a bound for --metric plain alone; drop one of the two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_prox_problem_is_solved),
        cmocka_unit_test(known_optima_are_reached),
        cmocka_unit_test(other_solvers_agree),
        cmocka_unit_test(the_gap_falls_as_the_theorem_says),
        cmocka_unit_test(smooth_losses_converge_linearly),
        cmocka_unit_test(a_bound_of_the_constant_holds),
        cmocka_unit_test(a_fixed_constant_is_a_bound),
        cmocka_unit_test(the_smooth_dual_is_for_more_features_than_rows),
        cmocka_unit_test(a_warm_start_is_a_start),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(edges_end_well),
        cmocka_unit_test(what_has_no_dual_form_is_refused),
        cmocka_unit_test(options_that_mean_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
