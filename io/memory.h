/* memory.h - allocation with 64-bit sizes, overflow checks, and an error instead of a crash. */
#ifndef RRM_MEMORY_H
#define RRM_MEMORY_H

#include "io/error.h"

#include <stddef.h>
#include <stdint.h>

/* COUNT items of SIZE bytes, not initialized; never NULL for count 0. NULL with the error set
 * when count is negative, the product overflows, or memory is short. Freed by free(). */
void *memory_new(int64_t count, size_t size, const char *what, struct error *e);

/* The same, all bytes zero. */
void *memory_zeroed(int64_t count, size_t size, const char *what, struct error *e);

/* Grows or shrinks *pointer to COUNT items; 0, or -1 with the error set and *pointer as it was. */
int memory_resize(void **pointer, int64_t count, size_t size, const char *what, struct error *e);

/* Makes room for NEEDED items in *pointer, which has *capacity of them: half as many more at least, so that
 * growing one by one costs little. 0, or -1 with the error set and all as it was. */
int memory_reserve(void **pointer, int64_t *capacity, int64_t needed, size_t size, const char *what,
                   struct error *e);

/* Bytes that this machine has. */
double memory_of_machine(void);

#endif
