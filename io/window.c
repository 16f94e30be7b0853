/* window.c - moves from chunk to chunk; see window.h. */
#include "io/window.h"

static bool any_wanted(const double *wanted, int64_t from, int64_t to) {
    bool any = wanted == NULL;
    for (int64_t i = from; !any && i < to; i++)
        any = wanted[i] != 0;
    return any;
}

/* The end of the rows to read together, from `from` on: unwanted rows in between are fewer than `longest_gap`. */
static int64_t end_of_run(const struct window_rows *rows, int64_t from) {
    static const int64_t longest_gap = 8;
    int64_t left = rows->end - from, block = rows->data->window->base_rows;
    int64_t limit = from + (left < block ? left : block), end = from + 1;
    for (int64_t i = end; i < limit && i - end < longest_gap; i++)
        if (rows->wanted == NULL || rows->wanted[i] != 0)
            end = i + 1;
    return end;
}

static bool advance_products(struct window_rows *rows) {
    struct dataset_window *window = rows->data->window;
    rows->from = rows->to;
    rows->base = NULL;
    rows->floats = NULL;
    if (rows->from < window->resident) {
        rows->floats = window->floats + rows->from * rows->data->features;
        rows->to = window->resident < rows->end ? window->resident : rows->end;
        return rows->from < rows->end;
    }
    while (rows->from < rows->end && rows->wanted != NULL && rows->wanted[rows->from] == 0)
        rows->from++;
    if (rows->from >= rows->end) {
        if (rows->work != NULL)
            window->return_work(window, rows->work);
        return false;
    }
    if (rows->work == NULL)
        rows->work = window->take_work(window);
    rows->to = end_of_run(rows, rows->from);
    rows->base = window->base(window, rows->from, rows->to, rows->work);
    return true;
}

static bool advance_chunk(struct window_rows *rows) {
    struct dataset_window *window = rows->data->window;
    if (rows->held)
        window->release(window, rows->from / window->chunk);
    do {
        rows->from = rows->to;
        rows->to = (rows->from / window->chunk + 1) * window->chunk;
        rows->to = rows->to < rows->end ? rows->to : rows->end;
        rows->held = rows->from < rows->end;
    } while (rows->held && !any_wanted(rows->wanted, rows->from, rows->to));
    if (rows->held)
        window->hold(window, rows->from / window->chunk, rows->end);
    return rows->held;
}

bool window_advance(struct window_rows *rows) {
    return rows->products && rows->data->window->base != NULL ? advance_products(rows)
                                                              : advance_chunk(rows);
}
