/* memory.c - allocation with 64-bit sizes and overflow checks. */
#include "io/memory.h"

#include <stdlib.h>
#include <unistd.h>

/* Bytes for COUNT items of SIZE, at least 1; 0 when they cannot be addressed. */
static size_t bytes_for(int64_t count, size_t size) {
    if (count < 0 || (uint64_t)count > PTRDIFF_MAX / size)
        return 0;
    return count == 0 ? 1 : (size_t)count * size;
}

void *memory_new(int64_t count, size_t size, const char *what, struct error *e) {
    size_t bytes = bytes_for(count, size);
    void *memory = bytes == 0 ? NULL : malloc(bytes);
    if (memory == NULL)
        error_memory(e, what, count, size);
    return memory;
}

void *memory_zeroed(int64_t count, size_t size, const char *what, struct error *e) {
    size_t bytes = bytes_for(count, size);
    void *memory = bytes == 0 ? NULL : calloc(1, bytes);
    if (memory == NULL)
        error_memory(e, what, count, size);
    return memory;
}

int memory_resize(void **pointer, int64_t count, size_t size, const char *what, struct error *e) {
    size_t bytes = bytes_for(count, size);
    void *memory = bytes == 0 ? NULL : realloc(*pointer, bytes);
    if (memory == NULL)
        return error_memory(e, what, count, size);
    *pointer = memory;
    return 0;
}

double memory_of_machine(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
