/* temporary.h - a file for a group of tests, made before them and removed after. Include after cmocka.h. */
#ifndef RRM_TEMPORARY_H
#define RRM_TEMPORARY_H

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/librrm_test.XXXXXX";

static inline int make_path(void **state) {
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static inline int remove_path(void **state) {
    (void)state;
    return unlink(path);
}

#endif
