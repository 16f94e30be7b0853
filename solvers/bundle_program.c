/* bundle_program.c - the relaxed l2 problem over planes, with or without a proximal term. */
#include "solvers/bundle_program.h"

int bundle_program_solve(struct planes *planes, double curvature, double scale, double tolerance,
                         double *slope, double *constant, struct error *e) {
    struct simplex_qp_result result;
    for (int j = 0; j < planes->slots; j++) {
        planes->linear[j] = curvature * planes->plane[j].constant;
        if (scale != 0)
            planes->linear[j] += scale * planes->product[j];
    }
    if (planes_solve(planes, tolerance, &result, e) != 0)
        return -1;
    *constant = planes_combine(planes, 1, slope);
    return 0;
}

void bundle_program_drop(struct planes *planes, int limit) {
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_WORKING && planes->plane[j].idle > limit)
            planes_drop(planes, j);
}
