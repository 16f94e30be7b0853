/* memory.c - allocation with 64-bit sizes and overflow checks. */
#include "io/memory.h"

#include "io/huge_pages.h"
#include "io/memory_limit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 64, SMALL_BYTES = 1 << 28 };

/* Linux promises more than there is, and kills the program once it uses it. */
static bool exceeds_machine(size_t bytes) {
    return bytes > SMALL_BYTES && (double)bytes > memory_of_machine();
}

/* Bytes of COUNT items of SIZE, at least 1; 0: the product overflows, or exceeds the machine's memory. */
static size_t bytes_for(int64_t count, size_t size) {
    if (count < 0 || (size > 0 && (uint64_t)count > PTRDIFF_MAX / size))
        return 0;
    size_t bytes = (size_t)count * size;
    return bytes == 0 ? 1 : exceeds_machine(bytes) ? 0 : bytes;
}

void *memory_new(int64_t count, size_t size, const char *what, struct error *e) {
    size_t bytes = bytes_for(count, size);
    void *memory = bytes == 0 ? NULL : malloc(bytes);
    if (memory == NULL)
        error_memory(e, what, count, size);
    else
        huge_pages_use(memory, bytes);
    return memory;
}

void *memory_zeroed(int64_t count, size_t size, const char *what, struct error *e) {
    size_t bytes = bytes_for(count, size);
    void *memory = bytes == 0 ? NULL : calloc(1, bytes);
    if (memory == NULL)
        error_memory(e, what, count, size);
    else
        huge_pages_use(memory, bytes);
    return memory;
}

char *memory_text(const char *text, int64_t length, const char *what, struct error *e) {
    char *copy = memory_new(length + 1, 1, what, e);
    if (copy != NULL) {
        memcpy(copy, text, (size_t)length);
        copy[length] = '\0';
    }
    return copy;
}

int memory_resize(void **pointer, int64_t count, size_t size, const char *what, struct error *e) {
    size_t bytes = bytes_for(count, size);
    void *memory = bytes == 0 ? NULL : realloc(*pointer, bytes);
    if (memory == NULL)
        return error_memory(e, what, count, size);
    *pointer = memory;
    return 0;
}

int memory_reserve(void **pointer, int64_t *capacity, int64_t needed, size_t size, const char *what,
                   struct error *e) {
    if (needed <= *capacity)
        return 0;
    int64_t more = *capacity + *capacity / 2;
    more = more < needed ? needed : more;
    more = more < FIRST_CAPACITY ? FIRST_CAPACITY : more;
    if (memory_resize(pointer, more, size, what, e) != 0)
        return -1;
    *capacity = more;
    return 0;
}

double memory_of_machine(void) {
    double physical = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return fmin(physical, memory_limit_of_process());
}
