/* scratch.c - by posix_fallocate, so that no write finds the disk full. */
#include "io/scratch.h"

#include "io/memory.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/vfs.h>

/* Whether the files of this file system are kept in memory (tmpfs, ramfs). */
static bool lies_in_memory(int file) {
    static const unsigned long tmpfs = 0x01021994, ramfs = 0x858458f6;
    struct statfs status;
    return fstatfs(file, &status) == 0 &&
           ((unsigned long)status.f_type == tmpfs || (uint32_t)status.f_type == (uint32_t)ramfs);
}
#else
static bool lies_in_memory(int file) {
    (void)file;
    return false;
}
#endif

const char *scratch_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/var/tmp";
}

static bool has_room(int file, int64_t bytes) {
    struct statvfs status;
    return fstatvfs(file, &status) == 0 &&
           (double)status.f_bavail * (double)status.f_frsize >= 2 * (double)bytes;
}

int scratch_open(const char *folder, int64_t bytes) {
    size_t length = strlen(folder);
    char *path = memory_new((int64_t)length + 2, 1, "a file name", NULL);
    if (path == NULL)
        return -1;
    memcpy(path, folder, length);
    memcpy(path + length, "/", 2);
    int file = output_scratch_descriptor(path);
    free(path);
    if (file >= 0 && !lies_in_memory(file) && has_room(file, bytes) &&
        posix_fallocate(file, 0, bytes) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static int transfer(int file, bool writes, char *next, int64_t bytes, int64_t offset) {
    while (bytes > 0) {
        ssize_t count = writes ? pwrite(file, next, (size_t)bytes, offset)
                               : pread(file, next, (size_t)bytes, offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return -1;
        next += count;
        offset += count;
        bytes -= count;
    }
    return 0;
}

int scratch_write(int file, const void *from, int64_t bytes, int64_t offset) {
    return transfer(file, true, (char *)(uintptr_t)from, bytes, offset);
}

int scratch_read(int file, void *to, int64_t bytes, int64_t offset) {
    return transfer(file, false, to, bytes, offset);
}
