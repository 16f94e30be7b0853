/* dataset_gather.c - some rows of all processes; see dataset_gather.h. */
#include "io/dataset_gather.h"

#include "io/dataset_select.h"
#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

/* *own = the chosen rows of this process. */
static int select_own(const struct dataset *data, const int64_t *rows, int64_t count,
                      struct dataset *own, struct error *e) {
    struct dataset plain = *data;
    int64_t before = dataset_row_of_file(data, 0), first = 0, end;
    plain.label = plain.weight = NULL;
    plain.groups = 0;
    while (first < count && rows[first] < before)
        first++;
    for (end = first; end < count && rows[end] < before + data->rows;)
        end++;
    int64_t *number = memory_new(end - first, sizeof *number, "rows", e);
    for (int64_t k = first; number != NULL && k < end; k++)
        number[k - first] = rows[k] - before;
    int status = number == NULL ? -1 : dataset_select(&plain, number, end - first, own, e);
    free(number);
    return status;
}

static int allocate(struct dataset *out, bool values, struct error *e) {
    out->start = memory_zeroed(out->rows + 1, sizeof *out->start, "row starts", e);
    out->column = memory_new(out->nonzeros, sizeof *out->column, "columns", e);
    out->value = values ? memory_new(out->nonzeros, sizeof *out->value, "values", e) : NULL;
    return out->start == NULL || out->column == NULL || (values && out->value == NULL) ? -1 : 0;
}

/* This process's rows, in their place. */
static void place(const struct dataset *own, int64_t row, int64_t nonzero, struct dataset *out) {
    for (int64_t i = 0; i < own->rows; i++)
        out->start[row + i] = nonzero + own->start[i];
    if (own->nonzeros > 0)
        memcpy(out->column + nonzero, own->column, sizeof *own->column * (size_t)own->nonzeros);
    for (int64_t k = 0; out->value != NULL && k < own->nonzeros; k++)
        out->value[nonzero + k] = own->value == NULL ? 1 : own->value[k];
}

/* Each process in turn shows its rows to all. */
static void exchange(struct communicator *c, const struct dataset *own, struct dataset *out) {
    int64_t row = 0, nonzero = 0;
    for (int from = 0; from < c->size; from++) {
        int64_t rows = communicator_numbers(c, own->rows)[from];
        int64_t nonzeros = communicator_numbers(c, own->nonzeros)[from];
        if (from == c->rank)
            place(own, row, nonzero, out);
        c->broadcast(c, from, out->start + row, rows * (int64_t)sizeof *out->start);
        c->broadcast(c, from, out->column + nonzero, nonzeros * (int64_t)sizeof *out->column);
        if (out->value != NULL)
            c->broadcast(c, from, out->value + nonzero, nonzeros * (int64_t)sizeof *out->value);
        row += rows;
        nonzero += nonzeros;
    }
    out->start[row] = nonzero;
}

int dataset_gather(const struct dataset *data, const int64_t *rows, int64_t count,
                   struct dataset *out, struct error *e) {
    struct communicator *c = data->communicator;
    struct dataset own = {0};
    int status = communicator_agree(c, select_own(data, rows, count, &own, e), e);
    if (c == NULL) {
        *out = own;
        return status;
    }
    *out = (struct dataset){.rows = count, .features = data->features};
    if (status == 0) {
        out->nonzeros = communicator_total(c, own.nonzeros);
        bool values = communicator_any(c, own.value != NULL);
        status = communicator_agree(c, allocate(out, values, e), e);
    }
    if (status == 0)
        exchange(c, &own, out);
    else
        dataset_free(out);
    dataset_free(&own);
    return status;
}
