/* pages.c - by mmap and madvise; POSIX alone has no memory that is given back in parts. */
#include "io/pages.h"

#include "io/memory.h"

#include <stdlib.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>

enum { KILOBYTE_BYTES = 1 << 10, MEGABYTE_BYTES = 1 << 20 };

/* Arrays from MAPPED bytes on are mapped, each by itself; of what is free at the end of the heap, KEPT bytes stay.
 * Otherwise the first bound grows with each larger array that is freed. */
static void set_bounds(int mapped, int kept) {
    (void)mallopt(M_MMAP_THRESHOLD, mapped);
    (void)mallopt(M_TRIM_THRESHOLD, kept);
}

void pages_return_freed(void) {
    set_bounds(128 * KILOBYTE_BYTES, 4 * MEGABYTE_BYTES);
}

void pages_keep_freed(void) {
    set_bounds(4 * MEGABYTE_BYTES, 32 * MEGABYTE_BYTES);
}

void pages_give_back(void) {
    (void)malloc_trim(0);
}
#else
void pages_return_freed(void) {
}

void pages_keep_freed(void) {
}

void pages_give_back(void) {
}
#endif

#if defined MAP_ANONYMOUS && defined MADV_DONTNEED
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *pages_new(int64_t bytes, const char *what, struct error *e) {
    void *pages = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) {
        error_memory(e, what, bytes, 1);
        return NULL;
    }
#ifdef MADV_NOHUGEPAGE
    (void)madvise(pages, (size_t)bytes, MADV_NOHUGEPAGE);
#endif
    return pages;
}

void pages_free(void *pages, int64_t bytes) {
    if (pages != NULL)
        munmap(pages, (size_t)bytes);
}

void pages_drop(void *from, int64_t bytes) {
    (void)madvise(from, (size_t)bytes, MADV_DONTNEED);
}

void pages_read_ahead(void *from, int64_t bytes) {
    (void)madvise(from, (size_t)bytes, MADV_WILLNEED);
}
#else
void *pages_new(int64_t bytes, const char *what, struct error *e) {
    return memory_new(bytes, 1, what, e);
}

void pages_free(void *pages, int64_t bytes) {
    (void)bytes;
    free(pages);
}

void pages_drop(void *from, int64_t bytes) {
    (void)from, (void)bytes;
}

void pages_read_ahead(void *from, int64_t bytes) {
    (void)from, (void)bytes;
}
#endif
