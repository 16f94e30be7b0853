/* wrapped_allocations.h - the functions that allocate, of a program that is linked with -Wl,--wrap for them (tests.mk):
 * the calls of the project's own code come here, and fail where allocation_fails() says so. Who includes this defines
 * that before. */
#ifndef RRM_WRAPPED_ALLOCATIONS_H
#define RRM_WRAPPED_ALLOCATIONS_H

#include <errno.h>
#include <stddef.h>

#define WRAP_POINTER(NAME, PARAMETERS, ...)                                                        \
    void *__real_##NAME PARAMETERS;                                                                \
    void *__wrap_##NAME PARAMETERS;                                                                \
    void *__wrap_##NAME PARAMETERS {                                                               \
        if (!allocation_fails())                                                                   \
            return __real_##NAME(__VA_ARGS__);                                                     \
        errno = ENOMEM;                                                                            \
        return NULL;                                                                               \
    }

WRAP_POINTER(malloc, (size_t size), size)
WRAP_POINTER(calloc, (size_t count, size_t size), count, size)
WRAP_POINTER(realloc, (void *memory, size_t size), memory, size)
WRAP_POINTER(aligned_alloc, (size_t alignment, size_t size), alignment, size)

#endif
