/* registry.c - the solvers, in the order of the help. */
#include "solvers/solver.h"

#include <string.h>

extern const struct solver pegasos, adaptive, proximal, asset, asset_strong, ipm;
extern const struct solver asset_on, asset_strong_on;
extern const struct solver sgd, tg, fobos, rda;
extern const struct solver bundle, bundle_ls, proximal_bundle;
extern const struct solver cpa, ocas, mcpa;
extern const struct solver lps, rda_plus;
extern const struct solver agm, agm1;
extern const struct solver lbfgs;
extern const struct solver smo, pdsg, mpd;
extern const struct solver dcd, sdm, sdca;

static const struct solver *const solvers[] = {
    &proximal,
    &adaptive,
    &pegasos,
    &asset,
    &asset_strong,
    &asset_on,
    &asset_strong_on,
    &sgd,
    &tg,
    &fobos,
    &rda,
    &ipm,
    &dcd,
    &sdm,
    &sdca,
    &bundle,
    &bundle_ls,
    &proximal_bundle,
    &ocas,
    &mcpa,
    &cpa,
    &lps,
    &rda_plus,
    &agm,
    &agm1,
    &lbfgs,
    &smo,
    &pdsg,
    &mpd,
};

const struct solver *const *solver_table(int *count) {
    *count = sizeof solvers / sizeof *solvers;
    return solvers;
}

const struct solver *solver_by_name(const char *name) {
    int count;
    const struct solver *const *table = solver_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}
