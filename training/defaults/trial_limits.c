/* trial_limits.c - how many passes the reports of a trial allow it. */
#include "training/defaults/trial_limits.h"

#include "training/defaults/default_bounds.h"

#include <math.h>

/* Before conjugate gradients begin. With all rows, and looks at J, so many epochs take 12 passes. */
enum { FIRST_EPOCHS = 9 };
static const double at_first = 11.4;

/* How many times the passes of dcd its report allows. */
static double times_allowed(const struct report *report) {
    static const double hardly = 0.01, not_at_all = 5e-5, small_gap = 0.01;
    bool is_small = report->objective - report->bound <= small_gap * report->objective;
    if (is_small || report->delta <= not_at_all)
        return TRIAL_MORE_IF_SEEN;
    return report->delta <= hardly ? TRIAL_MORE_IF_NEAR : 1;
}

/* By an epoch, after these, of PASSES. PACE counts where the bound still rises, and a part of the passes is for runs
 * whose bound hardly does. */
static double allowed_later(const struct report *report, double passes, double base, double pace) {
    static const double slow = 0.05, fairly_slow = 0.15, more_if_fairly_slow = 1.5;
    double usual = times_allowed(report) * passes / TRIAL_MORE_IF_SEEN;
    bool rises = !(report->delta <= slow);
    double more = report->delta <= fairly_slow ? more_if_fairly_slow : 1;
    if (report->iteration <= FIRST_EPOCHS)
        return INFINITY;
    return rises ? fmin(usual, more * (base + pace * (double)report->iteration)) : usual;
}

double trial_limit_usual(const struct report *report, double passes) {
    return allowed_later(report, passes, 14, 1.45);
}

/* Beside a long time what the first conjugate gradients cost is little. */
double trial_limit_if_long(const struct report *report, double passes) {
    return allowed_later(report, passes, 22, 1.45);
}

double trial_limit_of_hinge(const struct report *report, double passes) {
    return report->iteration == FIRST_EPOCHS ? at_first : trial_limit_usual(report, passes);
}

/* Where dual steps train a regression fast they do so within some tens of passes. */
double trial_limit_of_kinks(const struct report *report, double passes) {
    static const double small_gap = 0.01;
    bool is_near = report->objective - report->bound <= small_gap * report->objective;
    double usual = (is_near ? TRIAL_MORE_IF_NEAR : 1) * passes / TRIAL_MORE_IF_SEEN;
    return fmin(usual, trial_limit_usual(report, passes));
}

/* Newton steps are fewer where the loss has a second derivative: less is left for the default solver, too. */
double trial_limit_of_squared_hinge(const struct report *report, double passes) {
    struct report rising = *report;
    rising.delta = NAN;
    return allowed_later(&rising, passes, 12, 1.2);
}

/* Where the bound is of use, steps are few. */
static double allowed_without_bound(const struct report *report, double passes, double of_use) {
    double gap = report->objective - fmax(0, report->bound);
    return gap > of_use * report->objective ? passes : INFINITY;
}

/* J, where nearly all examples are fitted. */
static const double nearly_separable = 0.08;

double trial_limit_of_lbfgs_before_planes(const struct report *report, double passes) {
    static const double look = 10;
    (void)passes;
    return report->passes >= look && report->objective < nearly_separable ? look : INFINITY;
}

double trial_limit_of_sdca(const struct report *report, double passes) {
    return allowed_without_bound(report, 0.4 * passes, 0.05);
}

double trial_limit_of_agm(const struct report *report, double passes) {
    return allowed_without_bound(report, passes / 2, 0.3);
}

/* The passes that are left to the usual gap, if the logarithm of the gap falls as a power of the passes. */
static double passes_left(const struct report *report, double power) {
    double gap = (report->objective - fmax(0, report->bound)) / report->objective;
    if (!(gap < 1))
        return INFINITY;
    return gap <= USUAL_GAP ? 0 : report->passes * (pow(log(USUAL_GAP) / log(gap), 1 / power) - 1);
}

/* PASSES are about what the next solver takes. After a look the trial goes on only where less than half of that is
 * left. */
static double allowed_by_forecast(const struct report *report, double passes, double look,
                                  double power) {
    static const double least = 10;
    if (report->passes <= fmax(least, look))
        return INFINITY;
    return passes_left(report, power) <= passes / 2 ? INFINITY : 0;
}

/* The steps of lbfgs gain as they learn the curvature. */
double trial_limit_of_lbfgs(const struct report *report, double passes) {
    return allowed_by_forecast(report, passes, passes / 8, 2);
}

/* Steps are many where the gap is large after the first of them, and later where as many again are not enough. */
double trial_limit_of_lbfgs_before_dcd(const struct report *report, double passes) {
    static const double first = 40, look = 60, large = 0.5;
    bool is_near = report->passes <= look || passes_left(report, 2) <= report->passes;
    return fmin(allowed_without_bound(report, first, large), is_near ? passes : look);
}

double trial_limit_of_planes(const struct report *report, double passes) {
    return allowed_by_forecast(report, passes, fmax(20, passes / 8), 1.25);
}

/* Of planes that are chosen, whose end may be near. */
double trial_limit_of_chosen(const struct report *report, double passes) {
    double usual = passes / TRIAL_MORE_IF_NEAR;
    return passes_left(report, 1.25) <= usual / 2 ? passes : usual;
}

/* Their passes cost less, and show little at first. */
double trial_limit_of_cuts(const struct report *report, double passes) {
    return allowed_by_forecast(report, passes, fmin(40, 0.3 * passes), 1);
}

/* Of proximal. On nearly separable data it takes long, and J is soon small: at its first check, after 3 passes. */
double trial_limit_of_proximal(const struct report *report, double passes) {
    (void)passes;
    static const double before_check = 2.5, after_check = 3.5;
    bool is_long = report->objective < nearly_separable && report->passes < after_check;
    return is_long ? before_check : INFINITY;
}

double trial_limit_if_near(const struct report *report, double passes) {
    return fmin(times_allowed(report), TRIAL_MORE_IF_NEAR) * passes / TRIAL_MORE_IF_SEEN;
}
