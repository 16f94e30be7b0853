/* svmlight_scatter.c - gives each process its share of the rows of process 0; see svmlight_scatter.h. */
#include "io/svmlight/svmlight_scatter.h"

#include "io/memory.h"

#include <stdlib.h>

/* What a process gets. */
struct extent {
    int64_t row, rows, nonzero, nonzeros, group, groups;
};

struct plan {
    struct extent *of; /* by rank */
    int64_t *bytes;    /* by rank: work of one array */
    bool values, weights;
};

/* The first row, at a group's beginning, with at least a share of RANK/SIZE of the values and rows before it.
 * *group: its group. */
static int64_t first_row(const struct dataset *data, int rank, int size, int64_t *group) {
    __int128 whole = data->nonzeros + data->rows;
    int64_t before = (int64_t)(whole * rank / size), g = *group;
    int64_t low = 0, high = data->rows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (data->start[middle] + middle < before)
            low = middle + 1;
        else
            high = middle;
    }
    while (g < data->groups && data->group_start[g] < low)
        g++;
    *group = g;
    return data->groups > 0 ? data->group_start[g] : low;
}

/* By process 0. */
static void make_plan(const struct dataset *data, int size, struct plan *plan) {
    int64_t group = 0, row = 0;
    for (int rank = 0; rank < size; rank++) {
        struct extent *x = &plan->of[rank];
        *x = (struct extent){.row = row, .nonzero = data->start[row], .group = group};
        row = first_row(data, rank + 1, size, &group);
        x->rows = row - x->row;
        x->nonzeros = data->start[row] - x->nonzero;
        x->groups = group - x->group;
    }
    plan->values = data->value != NULL;
    plan->weights = data->weight != NULL;
}

static int allocate(const struct extent *x, const struct plan *plan, struct dataset *to,
                    struct error *e) {
    static const char what[] = "rows from process 0";
    to->start = memory_new(x->rows + 1, sizeof *to->start, what, e);
    to->column = memory_new(x->nonzeros, sizeof *to->column, what, e);
    to->label = memory_new(x->rows, sizeof *to->label, what, e);
    to->value = plan->values ? memory_new(x->nonzeros, sizeof *to->value, what, e) : NULL;
    to->weight = plan->weights ? memory_new(x->rows, sizeof *to->weight, what, e) : NULL;
    if (x->groups > 0) {
        to->group_start = memory_new(x->groups + 1, sizeof *to->group_start, what, e);
        to->group_id = memory_new(x->groups, sizeof *to->group_id, what, e);
    }
    bool complete = to->start != NULL && to->column != NULL && to->label != NULL &&
                    (to->value != NULL || !plan->values) &&
                    (to->weight != NULL || !plan->weights) &&
                    (x->groups == 0 || (to->group_start != NULL && to->group_id != NULL));
    return complete ? 0 : -1;
}

/* What an array has an item for. */
enum unit { ROW, NONZERO, GROUP };

static void scatter(struct communicator *c, struct plan *plan, enum unit unit, const void *all,
                    size_t size, void *mine) {
    for (int rank = 0; rank < c->size; rank++) {
        const struct extent *x = &plan->of[rank];
        plan->bytes[rank] = (int64_t)size * (unit == ROW       ? x->rows
                                             : unit == NONZERO ? x->nonzeros
                                                               : x->groups);
    }
    c->scatter(c, all, plan->bytes, mine);
}

/* Starts of one more item than there are, counted from the share's first. */
static void finish_starts(int64_t *start, int64_t count, int64_t first, int64_t end) {
    for (int64_t i = 0; i < count; i++)
        start[i] -= first;
    start[count] = end;
}

static void scatter_arrays(struct communicator *c, struct plan *plan, const struct dataset *from,
                           struct dataset *to) {
    const struct extent *x = &plan->of[c->rank];
    scatter(c, plan, ROW, from->start, sizeof *to->start, to->start);
    scatter(c, plan, ROW, from->label, sizeof *to->label, to->label);
    scatter(c, plan, NONZERO, from->column, sizeof *to->column, to->column);
    if (plan->values)
        scatter(c, plan, NONZERO, from->value, sizeof *to->value, to->value);
    if (plan->weights)
        scatter(c, plan, ROW, from->weight, sizeof *to->weight, to->weight);
    scatter(c, plan, GROUP, from->group_start, sizeof *to->group_start, to->group_start);
    scatter(c, plan, GROUP, from->group_id, sizeof *to->group_id, to->group_id);
    to->rows = x->rows;
    to->nonzeros = x->nonzeros;
    to->groups = x->groups;
    finish_starts(to->start, x->rows, x->nonzero, x->nonzeros);
    if (x->groups > 0)
        finish_starts(to->group_start, x->groups, x->row, x->rows);
}

int svmlight_scatter(struct communicator *c, struct dataset *data, struct error *e) {
    struct plan plan = {.of = memory_zeroed(c->size, sizeof *plan.of, "shares", e),
                        .bytes = memory_zeroed(c->size, sizeof *plan.bytes, "shares", e)};
    struct dataset share = {0};
    int status = communicator_agree(c, plan.of == NULL || plan.bytes == NULL ? -1 : 0, e);
    if (status == 0) {
        int64_t flags[] = {0, 0, data->features};
        if (c->rank == 0) {
            make_plan(data, c->size, &plan);
            flags[0] = plan.values;
            flags[1] = plan.weights;
        }
        c->broadcast(c, 0, plan.of, c->size * (int64_t)sizeof *plan.of);
        c->broadcast(c, 0, flags, sizeof flags);
        plan.values = flags[0];
        plan.weights = flags[1];
        share.features = (int32_t)flags[2];
        status = communicator_agree(c, allocate(&plan.of[c->rank], &plan, &share, e), e);
    }
    if (status == 0) {
        scatter_arrays(c, &plan, data, &share);
        dataset_free(data);
        *data = share;
    } else {
        dataset_free(&share);
    }
    free(plan.of);
    free(plan.bytes);
    return status;
}
