/* interruption.h - what may end long work before its time. */
#ifndef RRM_INTERRUPTION_H
#define RRM_INTERRUPTION_H

#include <stdbool.h>
#include <stddef.h>

/* stop(opaque) is called repeatedly; after it returned true, it must always do so. NULL: no interruption. */
struct interruption {
    bool (*stop)(void *opaque);
    void *opaque;
};

/* Whether the work is to end; NULL: it never is. */
static inline bool interruption_came(const struct interruption *interrupted) {
    return interrupted != NULL && interrupted->stop != NULL &&
           interrupted->stop(interrupted->opaque);
}

#endif
