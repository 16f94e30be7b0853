/* lapack.c - LAPACK, loaded when first needed. */
#include "math/lapack.h"

#include <dlfcn.h>
#include <string.h>

static const char library[] = "liblapack.so.3";

/* Object and function pointers have one size here, but ISO C lets none be cast to the other. */
static int find(void *handle, const char *name, void *function) {
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol == NULL ? -1 : 0;
}

/* One thread, where the library is an OpenBLAS. */
static void make_serial(void *handle) {
    void (*set_threads)(int);
    if (find(handle, "openblas_set_num_threads", &set_threads) == 0)
        set_threads(1);
}

const struct lapack *lapack_load(const char *instead, struct error *e) {
    static struct lapack lapack;
    static void *handle;
    if (lapack.dsyevd != NULL)
        return &lapack;
    if (handle == NULL)
        handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL || find(handle, "dpotrf_", &lapack.dpotrf) != 0 ||
        find(handle, "dpotrs_", &lapack.dpotrs) != 0 ||
        find(handle, "dsyevd_", &lapack.dsyevd) != 0) {
        error_set(e,
                  "%s, a linear algebra library, cannot be loaded; install LAPACK (Debian: "
                  "libopenblas0-serial), or use %s",
                  library, instead);
        return NULL;
    }
    make_serial(handle);
    return &lapack;
}
