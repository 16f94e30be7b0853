/* smoothed_box.c - losses smoothed at their kinks; see smoothed_box.h. */
#include "solvers/interior_point/smoothed_box.h"

#include "math/vector.h"

#include <math.h>

void smoothed_box_init(struct smoothed_box *smoothed, const struct scalar_parts *parts) {
    double side = parts->loss->task == TASK_CLASSIFICATION ? -1 : 1;
    *smoothed = (struct smoothed_box){.parts = parts,
                                      .box = loss_box(parts->loss, &parts->parameters, side),
                                      .kappa = 1 / parts->loss->curvature};
}

/* A dual variable in [low, high] at r, its part of the loss and of the second derivative. */
struct dual {
    double a, value, second;
};

static struct dual dual_at(const struct smoothed_box *smoothed, double low, double high, double r) {
    double mu = smoothed->mu, kappa = smoothed->kappa, middle = (low + high) / 2;
    double best = (r + mu * middle) / (kappa + mu), a = clip(best, low, high);
    double away = a - middle;
    return (struct dual){.a = a,
                         .value = a * r - kappa / 2 * a * a - mu / 2 * away * away,
                         .second = a == best ? 1 / (kappa + mu) : 0};
}

double smoothed_box_value(const struct smoothed_box *smoothed, double y, double u, double *a,
                          double *second) {
    const struct scalar_parts *parts = smoothed->parts;
    const struct loss_box *box = &smoothed->box;
    double t = parts->loss->task == TASK_CLASSIFICATION ? -y : 1;
    double r = t * (u - y);
    bool tube = parts->loss->tube != NULL;
    struct dual up = dual_at(smoothed, tube ? 0 : box->low, box->high, r - box->tube), down = {0};
    if (tube)
        down = dual_at(smoothed, 0, -box->low, -r - box->tube);
    *a = t * (up.a - down.a);
    if (second != NULL)
        *second = up.second + down.second;
    return up.value + down.value;
}

/* What the rows of a block prove too little, at the minimizer. */
static double gap_of_block(const struct smoothed_box *smoothed, const double *u, int block) {
    const struct scalar_parts *parts = smoothed->parts;
    const struct loss *loss = parts->loss;
    double sum = 0;
    int64_t end = design_block_start(parts->design, block + 1);
    for (int64_t i = design_block_start(parts->design, block); i < end; i++) {
        double a, any, c = scalar_weight(parts, i), y = parts->target[i];
        if (c == 0)
            continue;
        smoothed_box_value(smoothed, y, u[i], &a, NULL);
        sum += c * (loss->value(u[i], y, &parts->parameters, &any) +
                    loss->conjugate(a, y, &parts->parameters) - a * u[i]);
    }
    return sum;
}

static double gap_at(struct smoothed_box *smoothed, const double *u, double mu) {
    const struct design *design = smoothed->parts->design;
    double block_gap[DESIGN_BLOCKS_MOST], sum = 0;
    smoothed->mu = mu;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_gap[block] = gap_of_block(smoothed, u, block);
    for (int block = 0; block < design->blocks; block++)
        sum += block_gap[block];
    return communicator_sum_one(design->data->communicator, sum);
}

void smoothed_box_choose(struct smoothed_box *smoothed, const double *u, double gap) {
    enum { MOST_TRIALS = 30 };
    static const double near_enough = 1.25, farthest = 16;
    double mu = smoothed->mu > 0 ? smoothed->mu : gap, low = 0, high = INFINITY;
    for (int k = 0; k < MOST_TRIALS; k++) {
        double ratio = gap / gap_at(smoothed, u, mu);
        if (ratio >= 1 && ratio <= near_enough)
            return;
        *(ratio >= 1 ? &low : &high) = mu;
        /* the gap is between linear and square in mu */
        double next = mu * clip(pow(ratio, 0.75), 1 / farthest, farthest) * 0.95;
        if (next > low && next < high)
            mu = next;
        else if (low > 0 && high < INFINITY)
            mu = sqrt(low * high);
        else
            mu = high < INFINITY ? high / 2 : 2 * low;
    }
    smoothed->mu = low > 0 ? low : mu;
}
