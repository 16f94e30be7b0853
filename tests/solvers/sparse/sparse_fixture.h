/* sparse_fixture.h - problems of the online solvers of sparse models. */
#ifndef RRM_SPARSE_FIXTURE_H
#define RRM_SPARSE_FIXTURE_H

#include "tests/solvers/online/online_fixture.h"

enum method { SGD, TG, FOBOS, RDA };

static const char *const sparse_solvers[] = {"sgd", "tg", "fobos", "rda"};

static inline void set_up_sparse(struct fixture *f, const char *loss, double lambda, bool elastic,
                                 double bias, bool weighted, bool intercept) {
    set_up_with(f, loss, lambda, bias, weighted, intercept);
    f->problem.regularizer = regularizer_by_name(elastic ? "elastic-net" : "l1");
    f->problem.parameters.elastic = 0.3;
}

#endif
