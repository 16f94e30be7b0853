/* huge_pages.c - by madvise. */
#include "io/huge_pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes. Most of the cost of a new page is its fault, and arrays that are read in any order miss the table of pages:
 * huge pages are 512 times fewer. Smaller arrays would waste memory. */
enum { HUGE_PAGE = 2 << 20, WORTH_HUGE_PAGES = 2 * HUGE_PAGE };

/* The advice covers whole pages, including the first one with malloc's header: without it the mapping would be
 * split in two, realloc could not move it, and growing would copy. */
void huge_pages_use(void *array, size_t bytes) {
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)array & ~(page - 1);
    uintptr_t end = ((uintptr_t)array + bytes + page - 1) & ~(page - 1);
    if (bytes >= WORTH_HUGE_PAGES)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)array, (void)bytes;
#endif
}
