/* score_sample.c - a sample of the rows in memory, and the points of its cuts. */
#include "solvers/cutting_plane/score_sample.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows */

/* Of so many consecutive rows one is taken. Half as many nonzeros as there are rows take 6 bytes a row of these. */
static int64_t stride_of(const struct design *design) {
    enum { LEAST_STRIDE = 8, NONZEROS_SHARE = 2 };
    int64_t stride = NONZEROS_SHARE * design->data->nonzeros / (design->rows + 1);
    return stride > LEAST_STRIDE ? stride : LEAST_STRIDE;
}

static int64_t rows_of(const struct design *design) {
    return design->rows / stride_of(design);
}

bool score_sample_pays(const struct scalar_terms *terms) {
    enum { LEAST_ROWS = 2000, ROWS_OF_FEATURE = 50 };
    const struct design *design = terms->design;
    int64_t rows = rows_of(design);
    return design->width == 0 && design->data->communicator == NULL && rows >= LEAST_ROWS &&
           rows >= ROWS_OF_FEATURE * design->columns;
}

double score_sample_bytes(const struct scalar_terms *terms) {
    enum { ROW_NUMBERS = 5 }; /* its start, target and weight, and two scores */
    const struct design *design = terms->design;
    double share = 1 / (double)stride_of(design), entry = sizeof(double) + sizeof(int32_t);
    if (!score_sample_pays(terms))
        return 0;
    return share * (entry * (double)design->data->nonzeros +
                    sizeof(double) * ROW_NUMBERS * (double)design->rows);
}

int score_sample_init(struct row_sample *sample, const struct scalar_terms *terms,
                      struct error *e) {
    return row_sample_init(sample, terms, rows_of(terms->design), 1, e);
}

/* ---- points */

int cut_points_add(struct cut_points *points, const struct planes *planes, int from,
                   const double *w, struct error *e) {
    if (memory_resize((void **)&points->point, (points->count + 1) * points->n, sizeof *w,
                      "points of cuts", e) != 0 ||
        memory_resize((void **)&points->of_slot, planes->slots, sizeof *points->of_slot,
                      "points of cuts", e) != 0)
        return -1;
    memcpy(points->point + points->count * points->n, w, sizeof *w * (size_t)points->n);
    for (int j = from; j < planes->slots; j++)
        points->of_slot[j] = points->count;
    points->slots = planes->slots;
    points->count++;
    return 0;
}

void cut_points_free(struct cut_points *points) {
    free(points->point);
    free(points->of_slot);
    *points = (struct cut_points){0};
}

/* ---- cuts that are wanted */

/* Whether the plane had weight in one of the last three programs. */
static bool is_wanted(const struct planes *planes, int slot) {
    enum { MOST_IDLE = 2 };
    return planes->plane[slot].state == PLANE_WORKING && planes->plane[slot].idle <= MOST_IDLE;
}

int cuts_wanted_init(struct cuts_wanted *wanted, const struct cut_points *points,
                     const struct planes *planes, struct error *e) {
    int count = 0, parts = planes->blocks;
    *wanted = (struct cuts_wanted){0};
    for (int j = 0; j < points->slots; j++)
        count += is_wanted(planes, j);
    wanted->start = memory_zeroed(parts + 1, sizeof *wanted->start, "cuts", e);
    wanted->w = memory_new(count + 1, sizeof *wanted->w, "cuts", e);
    wanted->slope = memory_zeroed(count * points->n + 1, sizeof *wanted->slope, "cuts", e);
    wanted->constant = memory_zeroed(count + 1, sizeof *wanted->constant, "cuts", e);
    if (wanted->start == NULL || wanted->w == NULL || wanted->slope == NULL ||
        wanted->constant == NULL)
        return -1;
    for (int part = 0, k = 0; part < parts; part++) {
        for (int j = 0; j < points->slots; j++)
            if (planes->plane[j].block == part && is_wanted(planes, j))
                wanted->w[k++] = points->point + points->of_slot[j] * points->n;
        wanted->start[part + 1] = k;
    }
    return 0;
}

void cuts_wanted_free(struct cuts_wanted *wanted) {
    free(wanted->start);
    free(wanted->w);
    free(wanted->slope);
    free(wanted->constant);
    *wanted = (struct cuts_wanted){0};
}
