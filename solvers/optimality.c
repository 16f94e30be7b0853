/* optimality.c - distance from optimality, and the largest lambda worth a run. */
#include "solvers/optimality.h"

#include "math/vector.h"

#include <math.h>
#include <string.h>

double optimality_violation(const struct shares *shares, double w, double gradient) {
    if (w == 0)
        return fmax(fabs(gradient) - shares->l1, 0);
    return fabs(gradient + shares->l2 * w + copysign(shares->l1, w));
}

double optimality_delta(const struct problem *problem, const double *w, const double *gradient) {
    const struct risk *risk = problem->risk;
    struct shares shares = problem_shares(problem);
    double sum = 0;
    for (int64_t j = 0; j < risk->dimension; j++) {
        double d = j < risk->regularized ? optimality_violation(&shares, w[j], gradient[j])
                                         : fabs(gradient[j]);
        sum += d * d;
    }
    return sqrt(sum / (double)risk->dimension);
}

/* What the derivatives by an offset are sums over: examples, or, for classification, whose losses at a
 * common score are two, the classes. */
struct offset_sum {
    const struct scalar_parts *parts;
    bool classes;
    double weight[2]; /* of classes -1 and 1 */
};

static struct offset_sum offset_sum_of(const struct scalar_parts *parts) {
    struct offset_sum sum = {.parts = parts, .classes = parts->loss->task == TASK_CLASSIFICATION};
    for (int64_t i = 0; sum.classes && i < parts->design->rows; i++)
        sum.weight[parts->target[i] > 0] += scalar_weight(parts, i);
    return sum;
}

/* The derivative of the sum of losses by an offset b, all weights 0; in *second that of the
 * derivative. */
static double offset_slope(const struct offset_sum *sum, double b, double *second) {
    const struct scalar_parts *parts = sum->parts;
    const struct loss *loss = parts->loss;
    double slope = 0;
    *second = 0;
    for (int64_t i = 0; i < (sum->classes ? 2 : parts->design->rows); i++) {
        double a, c = sum->classes ? sum->weight[i] : scalar_weight(parts, i);
        double y = !sum->classes ? parts->target[i] : i == 1 ? 1 : -1;
        if (c == 0)
            continue;
        loss->value(b, y, &parts->parameters, &a);
        slope += c * a;
        if (loss->second != NULL)
            *second += c * loss->second(b, y, &parts->parameters);
    }
    return slope;
}

/* The zero of the slope: Newton's method within the bracket that the signs seen so far make. */
static double best_offset(const struct scalar_parts *parts) {
    enum { STEPS = 200 };
    static const double settled = 1e-15, farthest = 1e300;
    struct offset_sum sum = offset_sum_of(parts);
    double low = -INFINITY, high = INFINITY, b = 0, stride = 1, first = NAN;
    for (int i = 0; i < STEPS && fabs(b) < farthest; i++) {
        double second, slope = offset_slope(&sum, b, &second);
        first = isnan(first) ? fabs(slope) : first;
        if (fabs(slope) <= settled * first || !isfinite(slope))
            break;
        if (slope > 0)
            high = b;
        else
            low = b;
        double next = second > 0 ? b - slope / second : NAN;
        bool inside = next > low && next < high;
        if (isinf(low) || isinf(high)) { /* Newton's step, unless it is a leap into the flat */
            if (!inside || fabs(next - b) > stride)
                next = isinf(low) ? b - stride : b + stride;
            stride *= 2;
        } else if (!inside || i > STEPS / 2) {
            next = low + (high - low) / 2;
        }
        if (next == b)
            break;
        b = next;
    }
    return b;
}

void optimality_null_point(const struct problem *problem, double *w) {
    const struct risk *risk = problem->risk;
    memset(w, 0, sizeof *w * (size_t)risk->dimension);
    if (risk->dimension > risk->regularized)
        w[risk->regularized] = best_offset(risk->scalar);
}

double optimality_lambda_max(const struct problem *problem, double *w, double *gradient) {
    const struct risk *risk = problem->risk;
    struct shares one = problem->regularizer->shares(1, &problem->parameters);
    optimality_null_point(problem, w);
    risk_evaluate(risk, w, 0, gradient);
    double largest = vector_largest(gradient, risk->regularized);
    return largest == 0 ? 0 : largest / one.l1;
}
