/* output.c - writes a file so that it replaces the old one at the end or not at all.
 *
 * The stream writes through our own cookie functions, which keep the errno of the first failed write: stdio does
 * not. */
#include "io/output.h"

#include "io/memory.h"
#include "io/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER_SIZE = 1 << 16, PACKED_SIZE = 1 << 16, MAX_LINKS = 40, MAX_NAME_TRIES = 10000 };

struct output {
    char *name;      /* as the caller wrote it, for messages */
    char *target;    /* the file to replace, links followed; NULL: written directly */
    char *temporary; /* beside the target; NULL without a name */
    bool durable;
    int descriptor;
    FILE *stream;
    int reason;            /* errno of the first failed write; 0: none */
    z_stream packing;      /* if the name ends in ".gz" */
    unsigned char *packed; /* its buffer, PACKED_SIZE bytes; NULL: not compressed */
};

static int write_plain(struct output *output, const void *bytes, size_t count) {
    const char *next = bytes, *end = next + count;
    while (next < end) {
        ssize_t written = write(output->descriptor, next, (size_t)(end - next));
        if (written >= 0) {
            next += written;
        } else if (errno != EINTR) {
            if (output->reason == 0)
                output->reason = errno;
            return -1;
        }
    }
    return 0;
}

/* Compresses and writes the bytes. FLUSH: Z_NO_FLUSH, or Z_FINISH for the last ones. */
static int write_packed(struct output *output, const void *bytes, size_t count, int flush) {
    z_stream *packing = &output->packing;
    packing->next_in = (unsigned char *)(uintptr_t)bytes;
    packing->avail_in = (unsigned)count;
    do {
        packing->next_out = output->packed;
        packing->avail_out = PACKED_SIZE;
        deflate(packing, flush); /* cannot fail: it allocates nothing, and the stream is valid */
        if (write_plain(output, output->packed, PACKED_SIZE - packing->avail_out) != 0)
            return -1;
    } while (packing->avail_out == 0);
    return 0;
}

/* ---- the stream: opened, and its last bytes written */

#ifdef _GNU_SOURCE
static ssize_t cookie_write(void *cookie, const char *bytes, size_t count) {
    struct output *output = cookie;
    int status = output->packed == NULL ? write_plain(output, bytes, count)
                                        : write_packed(output, bytes, count, Z_NO_FLUSH);
    return status == 0 ? (ssize_t)count : 0;
}

static int reason_of(const struct output *output) {
    return output->reason != 0 ? output->reason : EIO;
}

static FILE *open_stream(struct output *output) {
    return fopencookie(output, "w", (cookie_io_functions_t){.write = cookie_write});
}

static int flush_stream(struct output *output) {
    if (fflush(output->stream) == 0 && !ferror(output->stream))
        return 0;
    return reason_of(output);
}
#else /* POSIX has no streams of one's own functions: what is to be compressed waits in a file without a name */
static FILE *open_stream(struct output *output) {
    if (output->packed != NULL)
        return tmpfile();
    int descriptor = fcntl(output->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (stream == NULL && descriptor >= 0)
        close(descriptor);
    return stream;
}

/* To write again says why what could not be written was not; a stream that has forgotten it, with one byte more. */
static int reason_of(const struct output *output) {
    if (output->reason != 0)
        return output->reason;
    errno = 0;
    if (fflush(output->stream) != 0 && errno != 0)
        return errno;
    return write(output->descriptor, "\n", 1) < 0 ? errno : EIO;
}

static int flush_stream(struct output *output) {
    char block[4096];
    if (ferror(output->stream) || fflush(output->stream) != 0)
        return reason_of(output);
    if (output->packed == NULL)
        return 0;
    rewind(output->stream);
    for (size_t count; (count = fread(block, 1, sizeof block, output->stream)) > 0;)
        if (write_packed(output, block, count, Z_NO_FLUSH) != 0)
            return output->reason;
    return ferror(output->stream) ? EIO : 0;
}
#endif

static bool is_gzip_name(const char *path) {
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* Writes no time into the gzip header, so that the same content gives the same bytes. */
static int begin_packing(struct output *output, struct error *e) {
    output->packed = memory_new(PACKED_SIZE, 1, "a block to compress", e);
    if (output->packed == NULL)
        return -1;
    if (deflateInit2(&output->packing, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK)
        return 0;
    free(output->packed);
    output->packed = NULL;
    return error_memory(e, "zlib", 1, 1 << 18);
}

static int fail(const struct output *output, int reason, struct error *e) {
    return error_file(e, output->name, "%s", strerror(reason));
}

/* The path of NAME in the folder of PATH. The caller frees it. */
static char *path_beside(const char *path, const char *name, struct error *e) {
    const char *slash = strrchr(path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    size_t length = strlen(name);
    char *joined = memory_new((int64_t)(folder + length + 1), 1, "a file name", e);
    if (joined != NULL) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, length + 1);
    }
    return joined;
}

/* Follows the links of output->target, also to a file that does not exist yet. */
static int follow_links(struct output *output, struct error *e) {
    for (int hop = 0; hop < MAX_LINKS; hop++) {
        char link[PATH_MAX];
        ssize_t length = readlink(output->target, link, sizeof link - 1);
        if (length < 0)
            return 0; /* no link */
        link[length] = '\0';
        char *next = path_beside(link[0] == '/' ? "" : output->target, link, e);
        if (next == NULL)
            return -1;
        free(output->target);
        output->target = next;
    }
    return fail(output, ELOOP, e);
}

/* Calls MAKE with temporary names beside the target until it succeeds (>= 0) or fails for another
 * reason than that the name is taken; the name stays in output->temporary. */
static int make_temporary(struct output *output, int (*make)(struct output *), struct error *e) {
    int result = -1;
    errno = EEXIST;
    for (int try = 0; try < MAX_NAME_TRIES && result < 0 && errno == EEXIST; try++) {
        char name[64];
        snprintf(name, sizeof name, ".librrm-%ld-%d", (long)getpid(), try);
        free(output->temporary);
        output->temporary = path_beside(output->target, name, e);
        if (output->temporary == NULL)
            return -1;
        result = make(output);
    }
    if (result >= 0)
        return 0;
    int reason = errno;
    free(output->temporary);
    output->temporary = NULL;
    return fail(output, reason, e);
}

static int create(struct output *output) {
    output->descriptor =
        open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    return output->descriptor;
}

/* The path in /proc of the open file that has no name. */
static const char *descriptor_path(const struct output *output, char *buffer, size_t size) {
    snprintf(buffer, size, "/proc/self/fd/%d", output->descriptor);
    return buffer;
}

static int name_unnamed(struct output *output) {
    char path[64];
    return linkat(AT_FDCWD, descriptor_path(output, path, sizeof path), AT_FDCWD, output->temporary,
                  AT_SYMLINK_FOLLOW);
}

/* Opens a file without a name, which the system removes when the process ends; descriptor -1: the file system has
 * none. */
static int open_unnamed(struct output *output, struct error *e) {
#ifdef O_TMPFILE
    char path[64], *folder = path_beside(output->target, ".", e);
    if (folder == NULL)
        return -1;
    output->descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    if (output->descriptor >= 0 && access(descriptor_path(output, path, sizeof path), F_OK) != 0) {
        close(output->descriptor);
        output->descriptor = -1;
    }
#else
    (void)output, (void)e;
#endif
    return 0;
}

/* Creates the new file; its mode comes from the umask, or from the old file. */
static int open_new(struct output *output, const struct stat *old, struct error *e) {
    if (open_unnamed(output, e) != 0)
        return -1;
    if (output->descriptor < 0 && make_temporary(output, create, e) != 0)
        return -1;
    if (old != NULL && fchmod(output->descriptor, old->st_mode & 07777) != 0)
        return fail(output, errno, e);
    return 0;
}

static int open_descriptor(struct output *output, const char *path, struct error *e) {
    struct stat status;
    if (strcmp(path, "-") == 0) {
        output->descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        return output->descriptor < 0 ? fail(output, errno, e) : 0;
    }
    bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return output->descriptor < 0 ? fail(output, errno, e) : 0;
    }
    if (exists && access(path, W_OK) != 0)
        return fail(output, errno, e);
    output->target = path_beside("", path, e);
    if (output->target == NULL || follow_links(output, e) != 0)
        return -1;
    size_t length = strlen(output->target);
    if (length == 0 || output->target[length - 1] == '/')
        return fail(output, length == 0 ? ENOENT : EISDIR, e);
    return open_new(output, exists ? &status : NULL, e);
}

static struct output *open_as(const char *path, bool packs, struct error *e) {
    if (*path == '\0') {
        error_usage(e, "the name of a file is empty");
        return NULL;
    }
    struct output *output = memory_zeroed(1, sizeof *output, "an output", e);
    if (output == NULL)
        return NULL;
    output->descriptor = -1;
    output->name = path_beside("", strcmp(path, "-") == 0 ? "standard output" : path, e);
    if (output->name == NULL || open_descriptor(output, path, e) != 0 ||
        (packs && begin_packing(output, e) != 0)) {
        output_abandon(output);
        return NULL;
    }
    output->stream = open_stream(output);
    if (output->stream == NULL || setvbuf(output->stream, NULL, _IOFBF, BUFFER_SIZE) != 0) {
        error_memory(e, "a stream", 1, BUFFER_SIZE);
        output_abandon(output);
        return NULL;
    }
    return output;
}

struct output *output_open(const char *path, struct error *e) {
    return open_as(path, is_gzip_name(path), e);
}

struct output *output_open_plain(const char *path, struct error *e) {
    return open_as(path, false, e);
}

void output_make_durable(struct output *output) {
    output->durable = true;
}

FILE *output_stream(struct output *output) {
    return output->stream;
}

int output_check(const struct output *output, struct error *e) {
    if (!ferror(output->stream))
        return 0;
    return fail(output, reason_of(output), e);
}

int output_rewrite(struct output *output, int64_t offset, const void *bytes, size_t count,
                   struct error *e) {
    if (output->target == NULL || output->packed != NULL)
        return error_file(e, output->name, "this is no plain file");
    if (fflush(output->stream) != 0)
        return output_check(output, e);
    for (const char *next = bytes; count > 0;) {
        ssize_t written = pwrite(output->descriptor, next, count, (off_t)offset);
        if (written < 0 && errno != EINTR)
            return fail(output, errno, e);
        if (written > 0) {
            next += written;
            offset += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

FILE *output_scratch(const char *path, struct error *e) {
    char *folder = path_beside(path, "./", e);
    if (folder == NULL)
        return NULL;
    int descriptor = scratch_new(folder);
    free(folder);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    if (stream == NULL) {
        error_file(e, path, "%s", strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
    }
    return stream;
}

/* Makes the folder's entry durable too. Ignores file systems that cannot sync a folder. */
static void sync_folder(const struct output *output) {
    char *folder = path_beside(output->target, ".", NULL);
    if (folder == NULL)
        return;
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

/* Closes the descriptor. Returns 0 or the errno. */
static int close_descriptor(struct output *output) {
    int descriptor = output->descriptor;
    output->descriptor = -1;
    return close(descriptor) == 0 ? 0 : errno;
}

/* Flushes, gives an unnamed file its temporary name, and closes. Returns 0 or the errno. */
static int finish_writing(struct output *output, struct error *e) {
    int reason = flush_stream(output);
    if (reason != 0)
        return reason;
    if (output->packed != NULL && write_packed(output, "", 0, Z_FINISH) != 0)
        return output->reason;
    if (output->target != NULL && output->durable && fsync(output->descriptor) != 0)
        return errno;
    if (output->target != NULL && output->temporary == NULL &&
        make_temporary(output, name_unnamed, e) != 0)
        return EIO; /* e holds the true reason */
    return close_descriptor(output);
}

int output_commit(struct output *output, struct error *e) {
    int reason = finish_writing(output, e);
    if (reason == 0 && output->target != NULL) {
        if (rename(output->temporary, output->target) != 0) {
            reason = errno;
        } else {
            free(output->temporary);
            output->temporary = NULL;
            if (output->durable)
                sync_folder(output);
        }
    }
    int status = reason == 0 ? 0 : fail(output, reason, e);
    output_abandon(output);
    return status;
}

int output_end(struct output *output, int status, struct error *e) {
    if (output != NULL && status == 0)
        return output_commit(output, e);
    output_abandon(output);
    return -1;
}

void output_abandon(struct output *output) {
    if (output == NULL)
        return;
    if (output->temporary != NULL)
        unlink(output->temporary);
    if (output->stream != NULL) {
        output->reason = EBADF; /* buffered bytes are dropped: the writes of fclose fail */
        if (output->descriptor >= 0)
            close_descriptor(output);
        fclose(output->stream);
    } else if (output->descriptor >= 0) {
        close_descriptor(output);
    }
    if (output->packed != NULL)
        deflateEnd(&output->packing);
    free(output->packed);
    free(output->temporary);
    free(output->target);
    free(output->name);
    free(output);
}
