/* map_watch.c - what may end the making of a feature map. */
#include "training/run/map_watch.h"

#include "io/clock.h"

#include <math.h>

static const double seconds_between_calls = 0.1;

void map_watch_begin(struct map_watch *watch, struct monitor *monitor, double time_limit) {
    *watch = (struct map_watch){.monitor = monitor,
                                .caller = pthread_self(),
                                .deadline = clock_seconds() + time_limit,
                                .asked = -INFINITY};
}

static void call_observer(struct map_watch *watch, double now) {
    if (!pthread_equal(watch->caller, pthread_self()) || now < watch->asked + seconds_between_calls)
        return;
    watch->asked = now;
    if (monitor_prepare(watch->monitor))
        __atomic_store_n(&watch->ended, true, __ATOMIC_RELAXED);
}

static bool has_ended(void *opaque) {
    struct map_watch *watch = opaque;
    double now = clock_seconds();
    call_observer(watch, now);
    return now > watch->deadline || __atomic_load_n(&watch->ended, __ATOMIC_RELAXED);
}

struct interruption map_watch_interruption(struct map_watch *watch) {
    return (struct interruption){has_ended, watch};
}

int map_watch_end(const struct map_watch *watch, int status, struct error *e) {
    if (status == 0 || !watch->ended || e->kind != ERROR_TIME)
        return status;
    *e = (struct error){0};
    return error_interrupted(e, "%s while the examples were mapped; no model is written",
                             monitor_interruption(watch->monitor));
}
