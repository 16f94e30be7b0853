/* interruption.h - a callback that can stop long computations. */
#ifndef RRM_INTERRUPTION_H
#define RRM_INTERRUPTION_H

#include <stdbool.h>
#include <stddef.h>

/* stop(opaque) is called repeatedly; once it has returned true, it must always return true. NULL: no interruption. */
struct interruption {
    bool (*stop)(void *opaque);
    void *opaque;
};

/* Whether the work must stop; INTERRUPTION may be NULL: never. */
static inline bool interruption_came(const struct interruption *interrupted) {
    return interrupted != NULL && interrupted->stop != NULL &&
           interrupted->stop(interrupted->opaque);
}

#endif
