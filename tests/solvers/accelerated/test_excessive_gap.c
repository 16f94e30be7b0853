/* test_excessive_gap.c - the form excessive-gap: its invariant at every step, beside the recursion
 * written out plainly, known optima between bound and objective, threads, and problems at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/accelerated/dual_form.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static struct history history;

static const char *const losses[] = {"hinge",    "squared-hinge", "squared",
                                     "absolute", "huber",         "quantile"};
enum { LOSSES = sizeof losses / sizeof *losses };

static const char *const adaptive[] = {"form=excessive-gap", NULL};
static const char *const fixed[] = {"form=excessive-gap", "lipschitz=fixed", NULL};

static struct dual_form *begin(const struct fixture *f, bool is_fixed) {
    static const double none[MAX_DIMENSION] = {0};
    struct accelerated_settings settings = {.form = FORM_EXCESSIVE_GAP,
                                            .lipschitz =
                                                is_fixed ? LIPSCHITZ_FIXED : LIPSCHITZ_ADAPTIVE,
                                            .decay = 1.1};
    struct form_request request = {
        .problem = &f->problem, .run = &f->run, .settings = &settings, .w = none};
    struct form *form = form_new(&request, NULL);
    assert_non_null(form);
    return dual_form_of(form);
}

/* ---- the invariant */

/* J_mu(w) <= D(a), 0 <= J(w) - J_mu(w) <= mu max d, at each step; mu falls like 1/k^2. */
static void check_invariant(const char *loss, const char *regularizer, int kind) {
    bool is_fixed = kind & 1, intercept = kind & 2, weighted = kind & 4;
    struct fixture f;
    struct batch batch;
    double best[MAX_DIMENSION], largest = 0;
    set_up_with(&f, loss, 0.01, intercept ? -1 : 1, weighted, intercept);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters.elastic = 0.4;
    batch_begin(&batch, &f.problem, NULL, best);
    struct dual_form *d = begin(&f, is_fixed);
    double L = d->estimation.L;
    for (int64_t i = 0; i < ROWS; i++)
        largest +=
            d->box.p[i] / 2 * fmax(d->box.low[i] * d->box.low[i], d->box.high[i] * d->box.high[i]);
    for (int k = 0; k < 300; k++) {
        assert_true(d->form.step(&d->form));
        double mu = d->estimation.inverse_A;
        struct form_gap gap = d->form.certify(&d->form, &batch);
        if (gap.smooth > 1e-12)
            print_error("%s %s %d, step %d: J_mu above D by %g\n", loss, regularizer, kind, k,
                        gap.smooth);
        assert_true(gap.smooth <= 1e-12);
        assert_true(gap.smoothing >= -1e-13 && gap.smoothing <= mu * largest + 1e-13);
        assert_near(gap.objective, problem_objective(&f.problem, d->dual.point), 1e-11);
        assert_true(!is_fixed || mu <= 4 * L / (k + 1) / (k + 2) * (1 + 1e-12));
    }
    assert_true(!is_fixed || d->estimation.tries == d->estimation.steps);
    d->form.free(&d->form);
    tear_down(&f);
}

static void the_primal_stays_below_the_dual(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++)
        for (int kind = 0; kind < 8; kind++)
            if ((l + kind) % PART(3, 5) == 0)
                check_invariant(losses[l], l % 2 ? "l2" : "elastic-net", kind);
}

/* ---- beside the recursion, for the hinge in the variables alpha = -y a in [0, 1] */

struct plain {
    const struct fixture *f;
    double z[ROWS][MAX_DIMENSION], p[ROWS];
    double w[MAX_DIMENSION], alpha[ROWS];
    double mu, L;
};

static void set_plain(struct plain *q, const struct fixture *f, double L) {
    double x[MAX_DIMENSION], sum = 0;
    *q = (struct plain){.f = f, .mu = L, .L = L};
    for (int i = 0; i < ROWS; i++) {
        dense_row(f, i, x);
        q->p[i] = f->weight[i];
        sum += q->p[i];
        for (int j = 0; j < MAX_DIMENSION; j++)
            q->z[i][j] = f->target[i] * x[j];
    }
    for (int i = 0; i < ROWS; i++) {
        q->p[i] /= sum;
        q->alpha[i] = q->p[i] > 0 ? fmin(1 / L, 1) : 0;
    }
}

/* w(alpha) = Z'(p alpha)/lambda */
static void weights_of(const struct plain *q, const double *alpha, double *w) {
    for (int j = 0; j < MAX_DIMENSION; j++) {
        w[j] = 0;
        for (int i = 0; i < ROWS; i++)
            w[j] += q->p[i] * alpha[i] * q->z[i][j] / q->f->problem.lambda;
    }
}

static double margin(const struct plain *q, const double *w, int i) {
    return 1 - vector_dot(w, q->z[i], MAX_DIMENSION);
}

static void plain_step(struct plain *q) {
    double r = q->mu / q->L, tau = 2 * r / (r + sqrt(r * r + 4 * r)), at[ROWS], hat[ROWS],
           w[MAX_DIMENSION];
    for (int i = 0; i < ROWS; i++) {
        at[i] = q->p[i] > 0 ? fmin(fmax(margin(q, q->w, i) / q->mu, 0), 1) : 0;
        hat[i] = (1 - tau) * q->alpha[i] + tau * at[i];
    }
    weights_of(q, hat, w);
    for (int j = 0; j < MAX_DIMENSION; j++)
        q->w[j] = (1 - tau) * q->w[j] + tau * w[j];
    for (int i = 0; i < ROWS; i++) {
        double to = at[i] + tau / ((1 - tau) * q->mu) * margin(q, w, i);
        to = q->p[i] > 0 ? fmin(fmax(to, 0), 1) : 0;
        q->alpha[i] = (1 - tau) * q->alpha[i] + tau * to;
    }
    q->mu *= 1 - tau;
}

static void steps_are_those_of_the_recursion(void **state) {
    (void)state;
    static struct plain q;
    struct fixture f;
    struct batch batch;
    double best[MAX_DIMENSION];
    set_up(&f, "hinge", 0.02, 1, true);
    batch_begin(&batch, &f.problem, NULL, best);
    struct dual_form *d = begin(&f, true);
    set_plain(&q, &f, d->estimation.L);
    for (int k = 0; k < 60; k++) {
        assert_true(d->form.step(&d->form));
        d->form.certify(&d->form, &batch);
        assert_near(d->estimation.inverse_A, q.mu, 1e-12 * q.mu);
        for (int i = 0; i < ROWS; i++)
            assert_near(-f.target[i] * d->estimation.w[i], q.alpha[i], 1e-10);
        for (int j = 0; j < f.risk->dimension; j++)
            assert_near(d->dual.point[j], q.w[j], 1e-10);
        plain_step(&q);
    }
    d->form.free(&d->form);
    tear_down(&f);
}

/* ---- optima */

static void reaches(const struct reference *r) {
    double w[64] = {0}, epsilon = r->lambda >= 1e-2 ? 1e-4 : 1e-2;
    struct outcome o;
    static int seen;
    if (!loss_by_name(r->loss)->quadratic)
        return;
    seen++;
    for (int k = 0; k < 2; k++) {
        if ((k + seen / PART(2, 1)) % PART(2, 4) != 0) /* each second one has the same lambda */
            continue;
        memset(w, 0, sizeof w);
        assert_int_equal(run_with(&r->problem, "agm", k ? fixed : adaptive, epsilon, 60000, w,
                                  &history, &o, NULL),
                         0);
        check_history(&r->problem, &history, &o, w, r->upper, 2e-11 * r->upper);
        if (o.verdict != VERDICT_CONVERGED)
            print_error("%s %s %g: gap %g\n", r->name, r->loss, r->lambda, o.objective - o.bound);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
    }
}

static void known_optima_are_reached(void **state) {
    (void)state;
    for_references(reaches);
}

static void an_offset_is_found(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        struct fixture f;
        struct outcome o, exact;
        double w[MAX_DIMENSION] = {0}, v[MAX_DIMENSION] = {0};
        set_up_with(&f, losses[l], 0.05, -1, l % 2, true);
        assert_int_equal(run_with(&f.problem, "ipm", NULL, 1e-9, 500, v, NULL, &exact, NULL), 0);
        assert_int_equal(run_with(&f.problem, "agm", adaptive, 1e-5, 60000, w, &history, &o, NULL),
                         0);
        check_history(&f.problem, &history, &o, w, exact.objective, 1e-8 * exact.objective);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        assert_near(o.objective, exact.objective, 1e-5 * exact.objective);
        tear_down(&f);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state) {
    (void)state;
    struct dataset data = random_data(40000, 40, false, 5);
    for (int intercept = 0; intercept < 2; intercept++) {
        struct scalar_settings scalar = {.data = &data,
                                         .target = data.label,
                                         .loss = loss_by_name("hinge"),
                                         .bias = -1,
                                         .intercept = intercept};
        struct risk *risk = scalar_risk_new(&scalar, NULL);
        struct problem problem = {
            .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-3};
        check_threads(&problem, "agm1", adaptive, 12);
        risk_free(risk);
    }
    dataset_free(&data);
}

static void edges_end_well(void **state) {
    (void)state;
    for (int i = 0; i < EDGES; i++)
        if (loss_by_name(edges[i].loss)->quadratic) {
            check_edge(&edges[i], "agm", "l2", adaptive);
            check_edge(&edges[i], "agm", "elastic-net", fixed);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_primal_stays_below_the_dual),
        cmocka_unit_test(steps_are_those_of_the_recursion),
        cmocka_unit_test(known_optima_are_reached),
        cmocka_unit_test(an_offset_is_found),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(edges_end_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
