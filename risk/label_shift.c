/* label_shift.c - corrections of label probabilities; see label_shift.h. */
#include "risk/label_shift.h"

#include <math.h>

void label_shift_find(const double *excess, const double *target, int64_t labels, double *leave,
                      double *enter) {
    double deficit = 0;
    for (int64_t k = 0; k < labels; k++)
        deficit += fmax(0, -excess[k]);
    for (int64_t k = 0; k < labels; k++) {
        leave[k] = excess[k] > 0 ? excess[k] / (target[k] + excess[k]) : 0;
        enter[k] = excess[k] < 0 ? -excess[k] / deficit : 0;
    }
}

void label_shift_edges(const double *leave, const double *enter, int64_t labels, double *edges) {
    for (int64_t a = 0; a < labels; a++)
        label_shift_row(leave, enter, labels, edges + a * labels);
    for (int64_t b = 0; b < labels; b++) {
        double moved = 0;
        for (int64_t a = 0; a < labels; a++) {
            double *p = edges + a * labels + b;
            moved += leave[a] * *p;
            *p -= leave[a] * *p;
        }
        for (int64_t a = 0; a < labels; a++)
            edges[a * labels + b] += moved * enter[a];
    }
}
