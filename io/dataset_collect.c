/* dataset_collect.c - gives each process its share of the rows of process 0, and back; see dataset_collect.h. */
#include "io/dataset_collect.h"

#include "io/memory.h"

#include <stdlib.h>

/* What a process has of all rows. */
struct extent {
    int64_t row, rows, nonzero, nonzeros, group, groups;
};

struct plan {
    struct extent *of; /* by rank */
    int64_t *bytes;    /* by rank: work of one array */
    bool values, weights;
    bool collects; /* the rows go to process 0 */
};

static int plan_init(struct plan *plan, const struct communicator *c, struct error *e) {
    *plan = (struct plan){.of = memory_zeroed(c->size, sizeof *plan->of, "shares", e),
                          .bytes = memory_zeroed(c->size, sizeof *plan->bytes, "shares", e)};
    return plan->of == NULL || plan->bytes == NULL ? -1 : 0;
}

static void plan_free(struct plan *plan) {
    free(plan->of);
    free(plan->bytes);
}

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
static void plan_shares(const struct dataset *data, int size, struct plan *plan) {
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
    static const char what[] = "rows of other processes";
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

static void move(struct communicator *c, struct plan *plan, enum unit unit, void *all, size_t size,
                 void *share) {
    for (int rank = 0; rank < c->size; rank++) {
        const struct extent *x = &plan->of[rank];
        plan->bytes[rank] = (int64_t)size * (unit == ROW       ? x->rows
                                             : unit == NONZERO ? x->nonzeros
                                                               : x->groups);
    }
    if (!plan->collects) {
        c->scatter(c, all, plan->bytes, share);
        return;
    }
    c->collect(c, share, plan->bytes, all);
    for (int rank = 1; rank < c->size; rank++)
        c->traffic.collected += (double)plan->bytes[rank];
}

/* ALL: of process 0. The starts of a share are not changed. */
static void move_arrays(struct communicator *c, struct plan *plan, struct dataset *all,
                        struct dataset *share) {
    move(c, plan, ROW, all->start, sizeof *all->start, share->start);
    move(c, plan, ROW, all->label, sizeof *all->label, share->label);
    move(c, plan, NONZERO, all->column, sizeof *all->column, share->column);
    if (plan->values)
        move(c, plan, NONZERO, all->value, sizeof *all->value, share->value);
    if (plan->weights)
        move(c, plan, ROW, all->weight, sizeof *all->weight, share->weight);
    move(c, plan, GROUP, all->group_start, sizeof *all->group_start, share->group_start);
    move(c, plan, GROUP, all->group_id, sizeof *all->group_id, share->group_id);
}

/* ---- from process 0 to all */

/* Starts of one more item than there are, counted from the share's first. */
static void finish_starts(int64_t *start, int64_t count, int64_t first, int64_t end) {
    for (int64_t i = 0; i < count; i++)
        start[i] -= first;
    start[count] = end;
}

static void scatter_rows(struct communicator *c, struct plan *plan, struct dataset *all,
                         struct dataset *share) {
    const struct extent *x = &plan->of[c->rank];
    move_arrays(c, plan, all, share);
    share->rows = x->rows;
    share->nonzeros = x->nonzeros;
    share->groups = x->groups;
    finish_starts(share->start, x->rows, x->nonzero, x->nonzeros);
    if (x->groups > 0)
        finish_starts(share->group_start, x->groups, x->row, x->rows);
}

int dataset_scatter(struct communicator *c, struct dataset *data, struct error *e) {
    struct plan plan;
    struct dataset share = {0};
    int status = communicator_agree(c, plan_init(&plan, c, e), e);
    if (status == 0) {
        int64_t flags[] = {0, 0, data->features};
        if (c->rank == 0) {
            plan_shares(data, c->size, &plan);
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
        scatter_rows(c, &plan, data, &share);
        dataset_free(data);
        *data = share;
    } else {
        dataset_free(&share);
    }
    plan_free(&plan);
    return status;
}

/* ---- from all to process 0 */

static bool has_values(const struct dataset *data) {
    return data->nonzeros > 0 && data->value != NULL;
}

static bool has_weights(const struct dataset *data) {
    return data->rows > 0 && data->weight != NULL;
}

double dataset_collected_bytes(const struct dataset *data) {
    struct communicator *c = data->communicator;
    bool values = communicator_any(c, has_values(data)),
         weights = communicator_any(c, has_weights(data));
    double row = sizeof *data->start + sizeof *data->label + (weights ? sizeof *data->weight : 0);
    double nonzero = sizeof *data->column + (values ? sizeof *data->value : 0);
    double group = sizeof *data->group_start + sizeof *data->group_id;
    return row * (double)dataset_whole_rows(data) + nonzero * (double)dataset_whole_nonzeros(data) +
           group * (double)dataset_whole_groups(data);
}

/* By all processes. */
static void plan_collection(struct communicator *c, const struct dataset *data, struct plan *plan) {
    plan->collects = true;
    plan->values = communicator_any(c, has_values(data));
    plan->weights = communicator_any(c, has_weights(data));
    for (int rank = 0; rank < c->size; rank++) {
        struct extent *x = &plan->of[rank];
        x->rows = communicator_numbers(c, data->rows)[rank];
        x->nonzeros = communicator_numbers(c, data->nonzeros)[rank];
        x->groups = communicator_numbers(c, data->groups)[rank];
    }
    for (int rank = 1; rank < c->size; rank++) {
        const struct extent *before = &plan->of[rank - 1];
        struct extent *x = &plan->of[rank];
        x->row = before->row + before->rows;
        x->nonzero = before->nonzero + before->nonzeros;
        x->group = before->group + before->groups;
    }
}

/* COUNT ones where other processes have other values. */
static int fill_in(double **x, bool wanted, int64_t count, struct error *e) {
    if (!wanted || *x != NULL)
        return 0;
    *x = memory_new(count, sizeof **x, "rows", e);
    for (int64_t k = 0; *x != NULL && k < count; k++)
        (*x)[k] = 1;
    return *x == NULL ? -1 : 0;
}

/* Space for all rows, in process 0, and values for those that are to be sent. */
static int allocate_all(const struct communicator *c, const struct plan *plan,
                        struct dataset *share, struct dataset *all, struct error *e) {
    const struct extent *last = &plan->of[c->size - 1];
    const struct extent whole = {.rows = last->row + last->rows,
                                 .nonzeros = last->nonzero + last->nonzeros,
                                 .groups = last->group + last->groups};
    if (fill_in(&share->value, plan->values, share->nonzeros, e) != 0 ||
        fill_in(&share->weight, plan->weights, share->rows, e) != 0)
        return -1;
    all->features = share->features;
    if (c->rank != 0)
        return 0;
    all->rows = whole.rows;
    all->nonzeros = whole.nonzeros;
    all->groups = whole.groups;
    return allocate(&whole, plan, all, e);
}

/* The starts of each process were counted from its first row. */
static void shift_starts(const struct communicator *c, const struct plan *plan,
                         struct dataset *all) {
    for (int rank = 0; rank < c->size; rank++) {
        const struct extent *x = &plan->of[rank];
        for (int64_t i = x->row; i < x->row + x->rows; i++)
            all->start[i] += x->nonzero;
        for (int64_t g = x->group; g < x->group + x->groups; g++)
            all->group_start[g] += x->row;
    }
    all->start[all->rows] = all->nonzeros;
    if (all->groups > 0)
        all->group_start[all->groups] = all->rows;
}

int dataset_collect(struct communicator *c, struct dataset *data, struct error *e) {
    struct plan plan;
    struct dataset all = {0};
    int status = communicator_agree(c, plan_init(&plan, c, e), e);
    if (status == 0) {
        plan_collection(c, data, &plan);
        status = communicator_agree(c, allocate_all(c, &plan, data, &all, e), e);
    }
    if (status == 0) {
        move_arrays(c, &plan, &all, data);
        if (c->rank == 0)
            shift_starts(c, &plan, &all);
        dataset_free(data);
        *data = all;
    } else {
        dataset_free(&all);
    }
    plan_free(&plan);
    return status;
}
