/* plane_offset.c - the zero of the slope: a bracket, then bisection. */
#include "solvers/cutting_plane/plane_offset.h"

#include <math.h>

/* The slope at B: of the plane that is the largest in its block, 0 for none above 0. `max_value` is work. */
static double slope_at(struct planes *planes, double b) {
    double slope = 0;
    for (int k = 0; k < planes->blocks; k++)
        planes->max_value[k] = 0;
    for (int j = 0; j < planes->slots; j++) {
        const struct plane *p = &planes->plane[j];
        double value = planes->product[j] + p->offset * b + p->constant;
        if (p->state == PLANE_WORKING && value > planes->max_value[p->block])
            planes->max_value[p->block] = value;
    }
    for (int j = 0; j < planes->slots; j++) {
        const struct plane *p = &planes->plane[j];
        double value = planes->product[j] + p->offset * b + p->constant;
        if (p->state == PLANE_WORKING && value > 0 && value == planes->max_value[p->block]) {
            slope += p->offset;
            planes->max_value[p->block] = INFINITY; /* one of a block is enough */
        }
    }
    return slope;
}

double plane_offset_find(struct planes *planes, const double *w, double from) {
    enum { MAX_DOUBLINGS = 60, MAX_HALVINGS = 60 };
    static const double first_step = 1e-3;
    planes_multiply(planes, w);
    double slope = slope_at(planes, from), sign = slope > 0 ? -1 : 1;
    double near = from, far = from, step = first_step * (1 + fabs(from));
    if (slope == 0)
        return from;
    for (int k = 0; k < MAX_DOUBLINGS && slope * sign < 0; k++, step *= 2) {
        near = far;
        far = from + sign * step;
        slope = slope_at(planes, far);
    }
    for (int k = 0; k < MAX_HALVINGS && slope != 0; k++) {
        double middle = near + (far - near) / 2, there = slope_at(planes, middle);
        *(there * sign < 0 ? &near : &far) = middle;
        slope = there == 0 ? 0 : slope;
    }
    return far;
}
