/* fuzz_scaling.c - any bytes as the file of a scaling: what is read scales finite values, and comes back equal after
 * being written. */
#include "io/scaling/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_FEATURES = 1 << 16 }; /* more are not written: that takes too long */

static void require(int condition) {
    if (!condition)
        abort();
}

static void require_same(const struct scaling *a, const struct scaling *b) {
    require(a->method == b->method && a->has_labels == b->has_labels);
    require(b->features <= a->features);
    for (int32_t j = 0; j < a->features; j++)
        for (double x = -1; x <= 1; x++) {
            double y = scaling_value(a, j, x), z = scaling_value(b, j, x);
            require(memcmp(&y, &z, sizeof y) == 0 || (isnan(y) && isnan(z)));
        }
}

static void write_and_read(const struct scaling *scaling) {
    char path[64];
    struct scaling again = {0};
    struct error e = {0};
    snprintf(path, sizeof path, "%s/fuzz_scaling.%ld",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    require(scaling_write(scaling, path, false, &e) == 0);
    require(scaling_read(&again, path, false, &e) == 0);
    unlink(path);
    require_same(scaling, &again);
    scaling_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char path[64];
    struct scaling scaling = {0};
    struct error e = {0};
    int descriptor = memfd_create("input", 0);
    require(descriptor >= 0 && write(descriptor, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int status = scaling_read(&scaling, path, false, &e);
    close(descriptor);
    require((status == 0) == (e.kind == ERROR_NONE));
    if (status == 0 && scaling.features <= MAX_FEATURES)
        write_and_read(&scaling);
    scaling_free(&scaling);
    return 0;
}
