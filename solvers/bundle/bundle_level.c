/* bundle_level.c - the next point of a bundle method as a projection onto a level set of J_t.
 *
 *     minimize 1/2 ||w - c||^2   over w with   J_t(w) <= D + kappa (J_best - D)
 *
 * c is the last point, J_best the best J so far, D the bound of min J, and J_t the relaxed
 * objective (bundle.c). The solution is the minimizer of J_t(w) + mu/2 ||w - c||^2 for some mu,
 * with which J_t rises; any mu will do whose J_t is between two levels, and the last one mostly
 * does. The levels sink after a step that lowered the best J by half of what J_t promised, and rise
 * towards J_best after another: at large lambda the steps become those of bundle.c, at small lambda
 * they stay short.
 *
 * Reference: Lemarechal, Nemirovskii & Nesterov 1995, "New variants of bundle methods",
 * Mathematical Programming 69, section 2: there the risk's model has no curvature of its own, and
 * kappa = 0.29. Measured, passes to 0.1 % (reuters21578: 1 %), hinge loss: levels that stay at 0.3
 * to 0.7; at 0.75 to 0.95; that move:
 *
 *     ijcnn1 1e-7  137 85 69,   w8a 1e-8  846 364 393,   connect-4 1e-7  773 245 353,
 *     covtype 1e-8  393 221 197,   reuters21578 1e-7  849 457 179,   reuters21578 1e-4  37 93 69.
 */
#include "solvers/bundle/bundle_level.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS_MOST = 20 }; /* then rounding hides the level, and any mu will do */

static const double upper_level_max = 0.95, upper_level_min = 0.2; /* the upper end's range */
static const double level_decrease = 0.8, level_increase = 0.5;
static const double mu_factor = 4; /* by which mu changes until it is between two that were tried */

int bundle_level_init(struct bundle_level *level, int64_t n, struct error *e) {
    *level = (struct bundle_level){.weight = 1, .high = upper_level_max, .hoped = INFINITY};
    level->centre = memory_new(n, sizeof *level->centre, "the centre", e);
    return level->centre == NULL ? -1 : 0;
}

void bundle_level_free(struct bundle_level *level) {
    free(level->centre);
}

/* J_t(w) of the program solved last: the planes of positive weight are the greatest at w. */
static double relaxed_value(const struct bundle_run *run, int64_t n) {
    const struct certificate *c = &run->certificate;
    return problem_penalty(c->problem, run->point) + vector_dot(c->slope, run->point, n) +
           c->constant;
}

/* The products with c become those with w = (mu c - A alpha)/(lambda + mu), the next centre. */
static int follow(struct bundle_level *level, struct planes *planes, double lambda, double mu,
                  struct error *e) {
    double *sum = planes->linear; /* the next program fills it anew */
    if (planes_correlate(planes, sum, e) != 0)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        planes->product[j] = (mu * planes->product[j] - sum[j]) / (lambda + mu);
    level->known = true;
    return 0;
}

/* The level's upper end, after J at the centre is known; returns the lower one. */
static double adapt(struct bundle_level *level, double objective) {
    if (objective <= level->hoped)
        level->high = fmax(level_decrease * level->high, upper_level_min);
    else
        level->high += level_increase * (upper_level_max - level->high);
    return fmax(level->high - upper_level_min, level->high / 2);
}

/* mu after J_t was found too high or too low at mu, between the least and the most that will do. */
static double next_weight(double mu, bool too_high, double *least, double *most) {
    if (too_high)
        *most = mu;
    else
        *least = mu;
    if (*least == 0)
        return *most / mu_factor;
    return isinf(*most) ? *least * mu_factor : sqrt(*least * *most);
}

int bundle_level_step(struct bundle_level *level, struct bundle_run *run, struct planes *planes,
                      int newest, struct error *e) {
    double lambda = run->certificate.problem->lambda, mu = level->weight, least = 0;
    double bound = run->certificate.bound, gap = run->batch.objective - bound, most = INFINITY;
    double low = adapt(level, run->objective) * gap, high = level->high * gap;
    memcpy(level->centre, run->point, sizeof *level->centre * (size_t)planes->n);
    if (level->known)
        planes->product[newest] = vector_dot(run->slope, level->centre, planes->n);
    else
        planes_multiply(planes, level->centre);
    for (int i = 0;; i++) {
        if (bundle_program_solve(planes, lambda + mu, mu, &run->certificate, e) != 0)
            return -1;
        bundle_program_point(planes, &run->certificate, lambda + mu, mu, level->centre, run->point);
        double above = relaxed_value(run, planes->n) - bound;
        bool too_high = above > high, found = !too_high && above >= low;
        if (found)
            level->weight = mu;
        level->hoped = bound + gap / 2 + above / 2;
        if (found || i == TRIALS_MOST)
            return follow(level, planes, lambda, mu, e);
        mu = next_weight(mu, too_high, &least, &most);
    }
}
