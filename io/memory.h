/* memory.h - allocation with 64-bit sizes, overflow checks, and an error instead of a crash. */
#ifndef RRM_MEMORY_H
#define RRM_MEMORY_H

#include "io/error.h"

#include <stddef.h>
#include <stdint.h>

/* COUNT items of SIZE bytes, not initialized; never NULL for count 0. NULL with the error set
 * if count is negative, the product overflows or exceeds memory_of_machine(), or memory runs out. The caller frees it
 * with free(). */
void *memory_new(int64_t count, size_t size, const char *what, struct error *e);

/* The same, all bytes zero. */
void *memory_zeroed(int64_t count, size_t size, const char *what, struct error *e);

/* A copy of the first LENGTH bytes of TEXT with a 0 behind them, to be freed with free(). NULL with the error set. */
char *memory_text(const char *text, int64_t length, const char *what, struct error *e);

/* Grows or shrinks *pointer to COUNT items; 0, or -1 with the error set and *pointer as it was. */
int memory_resize(void **pointer, int64_t count, size_t size, const char *what, struct error *e);

/* Enlarges *pointer, which has space for *capacity items, to NEEDED items or more. It grows by half at least, so that
 * adding items one by one takes amortized constant time. 0, or -1 with the error set and nothing changed. */
int memory_reserve(void **pointer, int64_t *capacity, int64_t needed, size_t size, const char *what,
                   struct error *e);

/* Bytes; options that are sizes of caches are in this unit. */
enum { MEBIBYTE = 1 << 20 };

/* Bytes of this machine's memory, or of the part of it that the process may use. */
double memory_of_machine(void);

#endif
