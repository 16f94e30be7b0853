/* map_watch.h - what may end the making of a feature map: the time limit, and the observer of the session. */
#ifndef RRM_MAP_WATCH_H
#define RRM_MAP_WATCH_H

#include "io/interruption.h"
#include "solvers/monitor.h"

#include <pthread.h>

struct map_watch {
    struct monitor *monitor;
    pthread_t caller; /* the thread that trains: it alone calls the observer */
    double deadline;  /* on clock_seconds's clock */
    double asked;     /* when the observer was last called */
    bool ended;       /* the observer ended it; read by all threads */
};

/* Begins to watch, on the calling thread, for TIME_LIMIT seconds. */
void map_watch_begin(struct map_watch *watch, struct monitor *monitor, double time_limit);

/* Any thread may ask it; WATCH must outlive its use. */
struct interruption map_watch_interruption(struct map_watch *watch);

/* Returns STATUS. If the observer ended the map, replaces the error of the time limit by one that says so. */
int map_watch_end(const struct map_watch *watch, int status, struct error *e);

#endif
