/* dcd_points.c - a point, its multiples, and the line to the best one; see dcd_points.h. */
#include "solvers/dual/dcd_points.h"

#include "math/vector.h"
#include "risk/scores.h"

#include <string.h>

enum { LINE_POINTS = 12 };

/* J at scores u + s du and weights whose ||.||^2 is square + 2 s inner + s^2 other. */
struct line {
    const double *u, *du;
    double square, inner, other;
};

static double value_at(const struct dcd_points *p, const struct line *line, double s) {
    double norm = line->square + s * (2 * line->inner + s * line->other);
    return scores_risk(p->terms, line->u, line->du, s, NULL) + p->lambda / 2 * norm;
}

/* The least J for s in [0, end], by golden sections; *value: the J. */
static double search_line(const struct dcd_points *p, const struct line *line, double end,
                          double *value) {
    static const double golden = 0.6180339887498949;
    double low = 0, high = end, left = high - golden * high, right = golden * high;
    double at_left = value_at(p, line, left), at_right = value_at(p, line, right);
    for (int i = 2; i < LINE_POINTS; i++) {
        if (at_left < at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = value_at(p, line, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = value_at(p, line, right);
        }
    }
    *value = fmin(at_left, at_right);
    return at_left < at_right ? left : right;
}

/* The best point becomes that with the weights best + share (factor w - best), if its J is less. */
static void take(struct dcd_points *p, struct batch *batch, const double *w, double factor,
                 double share, double objective) {
    const struct design *design = p->terms->design;
    if (!(objective < batch->objective))
        return;
    for (int64_t j = 0; j < design->columns; j++)
        p->w[j] = batch->best[j] + share * (factor * w[j] - batch->best[j]);
    for (int64_t i = 0; i < design->rows; i++)
        p->best[i] += share * (factor * p->score[i] - p->best[i]);
    batch_offer(batch, p->w, objective);
}

void dcd_points_offer(struct dcd_points *p, struct batch *batch, const double *w) {
    const double *best = batch->best;
    int64_t m = p->terms->design->rows, n = p->terms->design->columns;
    double *zero = p->towards, value;
    double square = vector_dot(w, w, n);
    take(p, batch, w, 1, 1, value_at(p, &(struct line){.u = p->score, .square = square}, 0));
    memset(zero, 0, sizeof *zero * (size_t)m);
    double factor =
        search_line(p, &(struct line){.u = zero, .du = p->score, .other = square}, 2, &value);
    take(p, batch, w, factor, 1, value);
    for (int64_t i = 0; i < m; i++)
        p->towards[i] = p->score[i] - p->best[i];
    double norm = vector_dot(best, best, n), inner = vector_dot(best, w, n);
    struct line line = {.u = p->best,
                        .du = p->towards,
                        .square = norm,
                        .inner = inner - norm,
                        .other = square - 2 * inner + norm};
    double share = search_line(p, &line, 1, &value);
    take(p, batch, w, 1, share, value);
}
