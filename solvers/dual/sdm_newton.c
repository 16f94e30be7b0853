#include "solvers/dual/sdm.h"
double sdm_newton_bytes(const struct class_parts *parts) {
    (void)parts;
    return 0;
}
int sdm_newton_train(struct sdm *s, struct error *e) {
    return sdm_ascent_train(s, e);
}
