/* test_loss.c - the scalar losses against their definitions: conjugates, smoothed forms,
 * derivatives by differences, constants. */
#include "risk/loss.h"

#include "math/random/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/near.h"

enum { POINTS = 400 };

static const struct loss_parameters parameters = {.tube = 0.3, .quantile = 0.3, .huber = 0.7};

static double uniform(struct random *random, double low, double high) {
    return low + (high - low) * random_unit(random);
}

static double some_target(const struct loss *loss, struct random *random) {
    if (loss->task == TASK_REGRESSION)
        return uniform(random, -3, 3);
    return random_unit(random) < 0.5 ? 1 : -1;
}

/* Calls CHECK for every loss at many (u, y). */
static void for_all(void (*check)(const struct loss *, double u, double y, struct random *)) {
    int count;
    const struct loss *table = loss_table(&count);
    struct random random;
    random_seed(&random, 1, 0);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        for (int point = 0; point < POINTS; point++) {
            double y = some_target(&table[i], &random);
            check(&table[i], uniform(&random, -4, 4), y, &random);
        }
}

static void check_conjugate(const struct loss *loss, double u, double y, struct random *random) {
    double a, value = loss->value(u, y, &parameters, &a);
    assert_true(value >= 0);
    assert_near(value, a * u - loss->conjugate(a, y, &parameters), 1e-12);
    assert_true(loss->conjugate(0, y, &parameters) == 0);
    for (int i = 0; i < 20; i++) {
        double other = uniform(random, -6, 6);
        assert_true(value >= other * u - loss->conjugate(other, y, &parameters) - 1e-12);
    }
}

static void the_loss_is_the_maximum_over_its_conjugate(void **state) {
    (void)state;
    for_all(check_conjugate);
}

static void check_smooth(const struct loss *loss, double u, double y, struct random *random) {
    static const double mus[] = {1e-3, 0.1, 1, 10, 1e3, 1e6};
    for (int m = 0; m < 6; m++) {
        double mu = mus[m], a, plain, value = loss->smooth(u, y, mu, &parameters, &a);
        double exact = a * u - loss->conjugate(a, y, &parameters) - mu / 2 * a * a;
        assert_near(value, exact, 1e-11);
        for (int i = 0; i < 20; i++) {
            double other = uniform(random, -6, 6);
            assert_true(value >= other * u - loss->conjugate(other, y, &parameters) -
                                     mu / 2 * other * other - 1e-11);
        }
        double l = loss->value(u, y, &parameters, &plain);
        assert_true(value <= l + 1e-12 && l <= value + mu / 2 * plain * plain + 1e-11);
    }
}

static void the_smoothed_loss_is_its_maximum(void **state) {
    (void)state;
    for_all(check_smooth);
}

/* Of the smoothed logistic loss: log(alpha/(1 - alpha)) + mu alpha = -z, for mu of rows of any length. */
static void the_smoothed_logistic_loss_has_its_derivative(void **state) {
    (void)state;
    const struct loss *loss = loss_by_name("logistic");
    for (double mu = 1e-6; mu < 1e9; mu *= 3)
        for (double u = -20; u < 20; u += 0.037) {
            double a;
            loss->smooth(u, 1, mu, &parameters, &a);
            assert_near(log(-a) - log1p(a) - mu * a, -u, 1e-6 * (1 + fabs(u) - mu * a));
        }
}

static void check_derivatives(const struct loss *loss, double u, double y, struct random *random) {
    (void)random;
    double h = 1e-5, mu = 0.5, a, unused;
    loss->smooth(u, y, mu, &parameters, &a);
    double difference = (loss->smooth(u + h, y, mu, &parameters, &unused) -
                         loss->smooth(u - h, y, mu, &parameters, &unused)) /
                        (2 * h);
    assert_near(a, difference, 2e-5);
    /* The plain loss: a subgradient, from below at both sides. */
    double value = loss->value(u, y, &parameters, &a);
    assert_true(loss->value(u + h, y, &parameters, &unused) >= value + a * h - 1e-12);
    assert_true(loss->value(u - h, y, &parameters, &unused) >= value - a * h - 1e-12);
    if (isfinite(loss->curvature)) {
        difference = (loss->value(u + h, y, &parameters, &unused) -
                      loss->value(u - h, y, &parameters, &unused)) /
                     (2 * h);
        assert_near(a, difference, 5e-5);
    }
}

static void derivatives_agree_with_differences(void **state) {
    (void)state;
    for_all(check_derivatives);
}

/* The second derivative, away from where it jumps: within h of y u = 1, |u - y| = the threshold. */
static void check_second(const struct loss *loss, double u, double y, struct random *random) {
    double h = 1e-5, up, down;
    (void)random;
    assert_int_equal(loss->second != NULL, isfinite(loss->curvature));
    if (loss->second == NULL || fabs(y * u - 1) < h || fabs(fabs(u - y) - parameters.huber) < h)
        return;
    loss->value(u + h, y, &parameters, &up);
    loss->value(u - h, y, &parameters, &down);
    assert_near(loss->second(u, y, &parameters), (up - down) / (2 * h), 1e-8);
    assert_true(loss->second(u, y, &parameters) <= loss->curvature);
}

static void second_derivatives_agree_with_differences(void **state) {
    (void)state;
    for_all(check_second);
    assert_true(loss_by_name("logistic")->second(700, 1, &parameters) > 0);
    assert_true(loss_by_name("logistic")->second(1e4, -1, &parameters) == 0);
}

static void check_constants(const struct loss *loss, double u, double y, struct random *random) {
    double a, b, other = uniform(random, -4, 4), mu = 0.25;
    loss->value(u, y, &parameters, &a);
    assert_true(fabs(a) <=
                loss->lipschitz(y, &parameters) + loss->lipschitz_slope * fabs(u) + 1e-12);
    assert_true(-u * a <= loss->norm_bound(y, &parameters) + 1e-12);
    loss->value(other, y, &parameters, &b);
    assert_true(fabs(a - b) <= loss->curvature * fabs(u - other) + 1e-12);
    loss->smooth(u, y, mu, &parameters, &a);
    loss->smooth(other, y, mu, &parameters, &b);
    double curvature =
        isfinite(loss->curvature) ? loss->curvature / (1 + mu * loss->curvature) : 1 / mu;
    assert_true(fabs(a - b) <= curvature * fabs(u - other) + 1e-12);
}

static void constants_are_bounds(void **state) {
    (void)state;
    for_all(check_constants);
}

/* Whether conjugate and smoothed derivative are those of y a + a^2/(2 curvature), as the table says. */
static void check_quadratic(const struct loss *loss, double u, double y, struct random *random) {
    double low, high, mu = uniform(random, 0.01, 2), half = 1 / loss->curvature / 2, a;
    loss->domain(y, &parameters, &low, &high);
    loss->smooth(u, y, mu, &parameters, &a);
    double clipped = fmin(fmax((u - y) / (1 / loss->curvature + mu), low), high);
    double other = uniform(random, fmax(low, -4), fmin(high, 4));
    double conjugate = loss->conjugate(other, y, &parameters);
    if (loss->quadratic) {
        assert_near(a, clipped, 1e-11);
        assert_near(conjugate, y * other + half * other * other, 1e-12);
    } else if (loss->tube != NULL) {
        double tube = loss->tube(&parameters);
        assert_near(conjugate, y * other + tube * fabs(other) + half * other * other, 1e-12);
    } else {
        assert_true(fabs(conjugate - (y * other + half * other * other)) > 1e-6 ||
                    fabs(other) < 1e-3);
    }
}

static void conjugates_are_quadratic_where_the_table_says(void **state) {
    (void)state;
    int count, quadratic = 0;
    const struct loss *table = loss_table(&count);
    for_all(check_quadratic);
    for (int i = 0; i < count; i++)
        quadratic += table[i].quadratic;
    assert_true(quadratic >= 6);
}

/* Classification losses are functions of y u, regression losses of u - y: one box is that of all rows. */
static void check_box(const struct loss *loss, double u, double y, struct random *random) {
    bool classes = loss->task == TASK_CLASSIFICATION;
    double by = uniform(random, -2, 2), low, high, a, b;
    struct loss_box box = loss_box(loss, &parameters, classes ? -y : y);
    loss->domain(classes ? -y : y + by, &parameters, &low, &high);
    assert_true(low == box.low && high == box.high && low <= 0 && high >= 0);
    double value = loss->value(u, y, &parameters, &a);
    double other = classes ? loss->value(-u, -y, &parameters, &b)
                           : loss->value(u + by, y + by, &parameters, &b);
    assert_near(value, other, 1e-12);
    assert_near(a, classes ? -b : b, 1e-12);
    if (!loss_has_box(loss))
        return;
    struct loss_box loss_domain = loss_box(loss, &parameters, 1);
    double r = classes ? y * (u - y) : u - y, best = 0;
    for (int k = 0; k <= 2000; k++) {
        double at = loss_domain.low + (loss_domain.high - loss_domain.low) * k / 2000;
        best = fmax(best, at * r - loss_domain.tube * fabs(at) - at * at / (2 * loss->curvature));
    }
    assert_near(best, value, 1e-5);
}

static void boxes_are_those_of_the_losses(void **state) {
    (void)state;
    for_all(check_box);
}

/* The norm_bound is attained, so the ball of the online solvers is as small as possible. */
static void the_norm_bound_is_the_supremum(void **state) {
    (void)state;
    int count;
    const struct loss *table = loss_table(&count);
    for (int i = 0; i < count; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (double y = 0.2; y < 4; y += 0.8) {
                double target = table[i].task == TASK_CLASSIFICATION ? sign : sign * y, best = 0;
                for (double u = -8; u <= 8; u += 1e-3) {
                    double a;
                    table[i].value(u, target, &parameters, &a);
                    best = fmax(best, -u * a);
                }
                assert_near(best, table[i].norm_bound(target, &parameters), 5e-3);
            }
}

static void values_by_hand(void **state) {
    (void)state;
    double a;
    assert_near(loss_by_name("hinge")->value(0.25, 1, &parameters, &a), 0.75, 0);
    assert_near(a, -1, 0);
    assert_near(loss_by_name("hinge")->value(1, 1, &parameters, &a), 0, 0);
    assert_near(a, 0, 0);
    assert_near(loss_by_name("squared-hinge")->value(-1, 1, &parameters, &a), 4, 0);
    assert_near(loss_by_name("logistic")->value(0, 1, &parameters, &a), log(2), 1e-16);
    assert_near(loss_by_name("logistic")->value(-1000, 1, &parameters, &a), 1000, 0);
    assert_near(loss_by_name("logistic")->value(1000, 1, &parameters, &a), 0, 0);
    assert_near(loss_by_name("squared")->value(3, 1, &parameters, &a), 2, 0);
    assert_near(loss_by_name("absolute")->value(3, 1, &parameters, &a), 2, 0);
    assert_near(loss_by_name("epsilon")->value(3, 1, &parameters, &a), 1.7, 1e-15);
    assert_near(loss_by_name("huber")->value(3, 1, &parameters, &a), 1.155, 1e-15);
    assert_near(loss_by_name("quantile")->value(3, 1, &parameters, &a), 1.4, 1e-15);
    assert_near(loss_by_name("quantile")->value(1, 3, &parameters, &a), 0.6, 1e-15);
    assert_null(loss_by_name("hing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(the_loss_is_the_maximum_over_its_conjugate),
        cmocka_unit_test(the_smoothed_loss_is_its_maximum),
        cmocka_unit_test(the_smoothed_logistic_loss_has_its_derivative),
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(second_derivatives_agree_with_differences),
        cmocka_unit_test(constants_are_bounds),
        cmocka_unit_test(conjugates_are_quadratic_where_the_table_says),
        cmocka_unit_test(boxes_are_those_of_the_losses),
        cmocka_unit_test(the_norm_bound_is_the_supremum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
