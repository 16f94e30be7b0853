/* cache_source.c - looks at a text file without reading it. */
#include "io/cache/cache_source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int cache_look(const char *path, struct cache_source *source, struct error *e) {
    struct stat status;
    if (stat(path, &status) != 0)
        return error_file(e, path, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_file(e, path, "a cache needs a regular file");
    *source = (struct cache_source){status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    return 0;
}
