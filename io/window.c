/* window.c - moves from chunk to chunk; see window.h. */
#include "io/window.h"

static bool any_wanted(const double *wanted, int64_t from, int64_t to) {
    bool any = wanted == NULL;
    for (int64_t i = from; !any && i < to; i++)
        any = wanted[i] != 0;
    return any;
}

bool window_advance(struct window_rows *rows) {
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
        window->hold(window, rows->from / window->chunk);
    return rows->held;
}
