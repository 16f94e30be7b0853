/* label_shift.c - shares that labels give up and take; see label_shift.h. */
#include "risk/label_shift.h"

#include <math.h>

void label_shift_find(const double *excess, const double *wanted, int64_t labels, double *give,
                      double *take) {
    double lack = 0;
    for (int64_t k = 0; k < labels; k++)
        lack += fmax(0, -excess[k]);
    for (int64_t k = 0; k < labels; k++) {
        give[k] = excess[k] > 0 ? excess[k] / (wanted[k] + excess[k]) : 0;
        take[k] = excess[k] < 0 ? -excess[k] / lack : 0;
    }
}

void label_shift_edges(const double *give, const double *take, int64_t labels, double *edges) {
    for (int64_t a = 0; a < labels; a++)
        label_shift_row(give, take, labels, edges + a * labels);
    for (int64_t b = 0; b < labels; b++) {
        double given = 0;
        for (int64_t a = 0; a < labels; a++) {
            double *p = edges + a * labels + b;
            given += give[a] * *p;
            *p -= give[a] * *p;
        }
        for (int64_t a = 0; a < labels; a++)
            edges[a * labels + b] += given * take[a];
    }
}
