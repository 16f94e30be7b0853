/* bundle_program.c - the relaxed l2 problem over planes, with or without a proximal term. */
#include "solvers/bundle/bundle_program.h"

/* The relative gap of a program. It costs no more than a gap of 0.01, since the method is finite. */
static const double program_tolerance = 1e-12;

int bundle_program_solve(struct planes *planes, double curvature, double scale,
                         struct certificate *certificate, struct error *e) {
    struct simplex_qp_result result;
    for (int j = 0; j < planes->slots; j++) {
        planes->linear[j] = curvature * planes->plane[j].constant;
        if (scale != 0)
            planes->linear[j] += scale * planes->product[j];
    }
    if (planes_solve(planes, program_tolerance, &result, e) != 0)
        return -1;
    certificate->constant = planes_combine(planes, 1, certificate->slope);
    certificate_raise(certificate);
    return 0;
}

void bundle_program_point(const struct planes *planes, const struct certificate *certificate,
                          double curvature, double scale, const double *proximal_sum, double *w) {
    for (int64_t j = 0; j < planes->n; j++)
        w[j] = (scale * proximal_sum[j] - certificate->slope[j]) / curvature;
}
