/* huge_pages.h - large arrays in few pages. */
#ifndef RRM_HUGE_PAGES_H
#define RRM_HUGE_PAGES_H

#include <stddef.h>

/* Makes large memory from malloc, BYTES at ARRAY, of huge pages where the system has them. Called before it is written;
 * for arrays without gaps. */
void huge_pages_use(void *array, size_t bytes);

#endif
