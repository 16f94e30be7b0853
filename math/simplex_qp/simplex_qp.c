/* simplex_qp.c - creating a quadratic program, its slots and its memory; see simplex_qp.h. */
#include "math/simplex_qp/simplex_qp_parts.h"

#include "io/memory.h"

#include <stdlib.h>

struct simplex_qp *simplex_qp_new(const struct simplex_qp_settings *settings, struct error *e) {
    struct simplex_qp *qp = memory_zeroed(1, sizeof *qp, "a quadratic program", e);
    int blocks = settings->blocks;
    if (qp == NULL)
        return NULL;
    qp->settings = *settings;
    qp->slacks = settings->equal ? 0 : blocks;
    qp->reference = memory_new(blocks, sizeof *qp->reference, "a quadratic program", e);
    qp->candidate = memory_new(blocks, sizeof *qp->candidate, "a quadratic program", e);
    qp->min_cost = memory_new(blocks, sizeof *qp->min_cost, "a quadratic program", e);
    qp->scratch = memory_new(blocks, sizeof *qp->scratch, "a quadratic program", e);
    qp->entered = memory_new((int64_t)blocks + 1, sizeof *qp->entered, "a quadratic program", e);
    if (qp->reference == NULL || qp->candidate == NULL || qp->min_cost == NULL ||
        qp->scratch == NULL || qp->entered == NULL || qp_grow(qp, qp->slacks + 16, e) != 0)
        return simplex_qp_free(qp);
    for (int k = 0; k < blocks; k++)
        qp->reference[k] = -1;
    for (int k = 0; k < qp->slacks; k++) {
        qp->block[k] = k;
        qp->position[k] = POSITION_OUTSIDE;
    }
    return qp;
}

void simplex_qp_move(struct simplex_qp *qp, void *matrix) {
    qp->settings.matrix = matrix;
}

struct simplex_qp *simplex_qp_free(struct simplex_qp *qp) {
    if (qp == NULL)
        return NULL;
    void *all[] = {
        qp->reference, qp->candidate, qp->min_cost, qp->scratch, qp->entered,        qp->block,
        qp->position,  qp->banned,    qp->list,     qp->range,   qp->present,        qp->member,
        qp->o,         qp->row_max,   qp->ha,       qp->plain,   qp->weight,         qp->change,
        qp->gradient,  qp->product,   qp->reduced,  qp->step,    qp->inverse_normal, qp->m};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    cholesky_set_free(&qp->factor);
    cholesky_wide_free(&qp->wide_factor);
    free(qp);
    return NULL;
}

static int grow_ints(int **array, int capacity, struct error *e) {
    void *pointer = *array;
    int status = memory_resize(&pointer, capacity, sizeof **array, "a quadratic program", e);
    *array = pointer;
    return status;
}

static int grow_doubles(double **array, int capacity, struct error *e) {
    void *pointer = *array;
    int status = memory_resize(&pointer, capacity, sizeof **array, "a quadratic program", e);
    *array = pointer;
    return status;
}

static int grow_wides(struct wide **array, int capacity, struct error *e) {
    void *pointer = *array;
    int status = memory_resize(&pointer, capacity, sizeof **array, "a quadratic program", e);
    *array = pointer;
    return status;
}

int qp_grow(struct simplex_qp *qp, int capacity, struct error *e) {
    int **ints[] = {&qp->block, &qp->position, &qp->banned, &qp->list, &qp->present, &qp->member};
    double **doubles[] = {&qp->o, &qp->row_max, &qp->ha, &qp->plain};
    struct wide **wides[] = {&qp->weight,  &qp->change, &qp->gradient,       &qp->product,
                             &qp->reduced, &qp->step,   &qp->inverse_normal, &qp->m};
    int status = grow_ints(&qp->range, 2 * capacity, e);
    for (size_t i = 0; status == 0 && i < sizeof ints / sizeof *ints; i++)
        status = grow_ints(ints[i], capacity, e);
    for (size_t i = 0; status == 0 && i < sizeof doubles / sizeof *doubles; i++)
        status = grow_doubles(doubles[i], capacity, e);
    for (size_t i = 0; status == 0 && i < sizeof wides / sizeof *wides; i++)
        status = grow_wides(wides[i], capacity, e);
    if (status != 0)
        return -1;
    for (int j = qp->capacity; j < capacity; j++) {
        qp->block[j] = 0;
        qp->position[j] = POSITION_EMPTY;
        qp->banned[j] = -1;
        qp->o[j] = qp->row_max[j] = 0;
        qp->weight[j] = qp->gradient[j] = wide_of(0);
    }
    qp->capacity = capacity;
    return 0;
}

int simplex_qp_add(struct simplex_qp *qp, int slot, int block, double o, struct error *e) {
    if (slot > INT32_MAX / 8 - qp->slacks)
        return error_set(e, "quadratic program: slot %d is too large", slot);
    int j = qp->slacks + slot;
    if (j >= qp->capacity && qp_grow(qp, j + j / 2 + 16, e) != 0)
        return -1;
    qp->block[j] = block;
    qp->position[j] = POSITION_OUTSIDE;
    qp->o[j] = qp->settings.offset ? o : 0;
    qp->weight[j] = wide_of(0);
    qp->row_max[j] = -1;
    qp->banned[j] = -1;
    qp->present[qp->count++] = j;
    qp->added++;
    return 0;
}

void simplex_qp_drop(struct simplex_qp *qp, int slot) {
    int j = qp->slacks + slot, at = 0;
    qp->weight[j] = wide_of(0);
    if (qp->position[j] >= POSITION_REFERENCE)
        qp_leave(qp, j);
    qp->position[j] = POSITION_EMPTY;
    while (qp->present[at] != j)
        at++;
    if (at >= qp->count - qp->added)
        qp->added--;
    qp->count--;
    for (; at < qp->count; at++)
        qp->present[at] = qp->present[at + 1];
}

struct wide simplex_qp_weight_wide(const struct simplex_qp *qp, int slot) {
    int j = qp->slacks + slot;
    return j < qp->capacity ? qp->weight[j] : wide_of(0);
}

bool simplex_qp_has(const struct simplex_qp *qp, int slot) {
    int j = qp->slacks + slot;
    return j < qp->capacity && qp->position[j] != POSITION_EMPTY;
}

double simplex_qp_weight(const struct simplex_qp *qp, int slot) {
    return simplex_qp_weight_wide(qp, slot).hi;
}
