/* items_fixture.h - small random problems of each risk with items. Include after cmocka.h. */
#ifndef RRM_ITEMS_FIXTURE_H
#define RRM_ITEMS_FIXTURE_H

#include "solvers/solver.h"
#include "tests/random_data.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_ROWS = 60, SAMPLE_FEATURES = 8, MAX_WEIGHTS = 200, LABELS = 3, MAX_GROUP_ROWS = 5 };

static const char *const names[] = {
    "m3n", "crf", "ndcg", "pairwise", "softmax", "crammer-singer", "m3n attested", "crf attested"};
enum { NAMES = sizeof names / sizeof *names };

/* Groups of 1 to 5 rows; labels 0, 1, 2, each of which occurs. */
struct sample {
    struct dataset data;
    double target[SAMPLE_ROWS], weight[SAMPLE_ROWS];
    int64_t start[SAMPLE_ROWS + 1], id[SAMPLE_ROWS];
    struct problem problem;
};

/* The risk of one of the names, which may end in " attested". */
static inline const struct risk_row *risk_of_name(const char *name) {
    char risk_name[32];
    snprintf(risk_name, sizeof risk_name, "%.*s", (int)strcspn(name, " "), name);
    return risk_row_by_name(risk_name);
}

static inline void open_sample(struct sample *f, const char *name, double lambda, double bias,
                               bool weighted, uint64_t seed) {
    bool attested = strstr(name, " attested") != NULL;
    const struct risk_row *row = risk_of_name(name);
    struct random random;
    *f = (struct sample){.data = random_data(SAMPLE_ROWS, SAMPLE_FEATURES, seed % 2 == 0, seed)};
    random_seed(&random, seed, 1);
    for (int64_t r = 0; r < SAMPLE_ROWS; f->data.groups++) {
        int64_t g = f->data.groups, length = 1 + (int64_t)random_below(&random, MAX_GROUP_ROWS);
        double weight = g % 4 == 1 ? 0 : 2 * random_unit(&random);
        f->start[g] = r;
        f->id[g] = g;
        for (int64_t end = r + length < SAMPLE_ROWS ? r + length : SAMPLE_ROWS; r < end; r++) {
            f->target[r] = (double)(r < LABELS ? r : (int64_t)random_below(&random, LABELS));
            f->weight[r] = weight;
        }
    }
    f->start[f->data.groups] = SAMPLE_ROWS;
    f->data.group_start = f->start;
    f->data.group_id = f->id;
    for (int64_t r = 0; r < SAMPLE_ROWS && attested && f->data.value != NULL; r++)
        for (int64_t k = f->data.start[r]; k < f->data.start[r + 1]; k++)
            if (k % 2 == (int64_t)f->target[r] % 2 || f->target[r] == LABELS - 1)
                f->data.value[k] = 0; /* pairs that do not occur */
    struct risk_settings settings = {.scalar = {.data = &f->data,
                                                .target = f->target,
                                                .weight = weighted ? f->weight : NULL,
                                                .bias = bias},
                                     .state_features =
                                         attested ? STATE_FEATURES_ATTESTED : STATE_FEATURES_ALL,
                                     .labels = LABELS};
    f->problem = (struct problem){.risk = row->make(&settings, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = lambda};
    assert_non_null(f->problem.risk);
    assert_true(f->problem.risk->dimension <= MAX_WEIGHTS);
}

static inline void close_sample(struct sample *f) {
    risk_free((struct risk *)f->problem.risk);
    f->data.group_start = f->data.group_id = NULL;
    dataset_free(&f->data);
}

#endif
