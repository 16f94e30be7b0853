/* cache_source.c - looks at a text file, and reads it only if its entry does not say enough. */
#include "io/cache/cache_source.h"

#include "io/cache/checksum.h"
#include "io/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 1 << 18,        /* a multiple of what checksum_add takes */
    CLOCK_NANOSECONDS = 100000000 /* clocks of files are no coarser */
};

/* Whether the last change of the entry is longer ago than clocks of files are coarse. */
static bool changed_long_ago(const struct stat *status) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)(now.tv_sec - status->st_ctim.tv_sec) +
               1e-9 * (double)(now.tv_nsec - status->st_ctim.tv_nsec) >
           1e-9 * CLOCK_NANOSECONDS;
}

int cache_look(const char *path, struct cache_source *source, struct error *e) {
    struct stat status;
    if (stat(path, &status) != 0)
        return error_file(e, path, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_file(e, path, "a cache needs a regular file");
    *source = (struct cache_source){.bytes = status.st_size,
                                    .seconds = status.st_mtim.tv_sec,
                                    .nanoseconds = status.st_mtim.tv_nsec,
                                    .device = (int64_t)status.st_dev,
                                    .inode = (int64_t)status.st_ino,
                                    .change_seconds = status.st_ctim.tv_sec,
                                    .change_nanoseconds = status.st_ctim.tv_nsec,
                                    .long_ago = changed_long_ago(&status)};
    return 0;
}

int cache_look_at_rest(const char *path, struct cache_source *source, struct error *e) {
    int status = cache_look(path, source, e);
    if (status != 0 || source->long_ago)
        return status;
    nanosleep(&(struct timespec){.tv_nsec = CLOCK_NANOSECONDS}, NULL);
    return cache_look(path, source, e);
}

static bool same_size_and_time(const struct cache_source *a, const struct cache_source *b) {
    return a->bytes == b->bytes && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

bool cache_source_untouched(const struct cache_source *a, const struct cache_source *b) {
    return same_size_and_time(a, b) && a->device == b->device && a->inode == b->inode &&
           a->change_seconds == b->change_seconds && a->change_nanoseconds == b->change_nanoseconds;
}

/* Fills the block, but for the end of the file. The bytes, or -1 with errno set. */
static int64_t read_block(int descriptor, char *block) {
    int64_t filled = 0;
    ssize_t got = 1;
    while (filled < BLOCK_BYTES && got != 0) {
        got = read(descriptor, block + filled, (size_t)(BLOCK_BYTES - filled));
        if (got < 0 && errno != EINTR)
            return -1;
        filled += got > 0 ? got : 0;
    }
    return filled;
}

int cache_source_sum(const char *path, uint64_t *checksum, struct error *e) {
    struct checksum sum = {0};
    char *block = memory_new(BLOCK_BYTES, 1, "a block of text", e);
    if (block == NULL)
        return -1;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int64_t got = descriptor < 0 ? -1 : BLOCK_BYTES;
    while (got == BLOCK_BYTES) {
        got = read_block(descriptor, block);
        if (got > 0)
            checksum_add(&sum, block, got);
    }
    int status = got < 0 ? error_file(e, path, "%s", strerror(errno)) : 0;
    if (descriptor >= 0)
        close(descriptor);
    free(block);
    *checksum = checksum_end(&sum);
    return status;
}

int cache_source_holds(const char *path, const struct cache_source *old,
                       const struct cache_source *now, struct error *e) {
    uint64_t checksum;
    if (!same_size_and_time(old, now))
        return 0;
    if (old->long_ago && cache_source_untouched(old, now))
        return 1;
    if (cache_source_sum(path, &checksum, e) != 0)
        return -1;
    return checksum == old->checksum;
}
