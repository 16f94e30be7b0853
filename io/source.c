/* source.c - bytes from a plain file, a gzip file or standard input.
 *
 * The first two bytes distinguish gzip (1f 8b) from plain text. A pipe cannot be rewound, so they are read into a small
 * buffer; plain reads take the buffer's bytes first and then bypass it. */
#include "io/source.h"

#include "io/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { INPUT_SIZE = 1 << 16 };

struct source {
    char *name;
    int descriptor;
    int64_t size;
    int64_t packed_size;
    int64_t first; /* of a part of a file: the byte where it begins */
    int64_t left;  /* and its bytes that were not read yet; -1: the source is no part */
    bool gzip;
    bool in_member;           /* within a gzip member */
    bool ended;               /* there are no more bytes */
    struct interruption stop; /* of a live source */
    bool stopped;
    int status;           /* what inflate returned last */
    struct error failure; /* the error that ended the source, if any */
    z_stream input; /* next_in, avail_in: the unread bytes of the buffer, also for plain files */
    unsigned char *buffer;
};

enum { POLL_MILLISECONDS = 100 }; /* between calls of `stop` */

/* Waits until there is something to read, or the end; false: the source is stopped. */
static bool wait_for_bytes(struct source *source) {
    struct pollfd request = {.fd = source->descriptor, .events = POLLIN};
    while (!source->stopped && poll(&request, 1, POLL_MILLISECONDS) <= 0)
        source->stopped = interruption_came(&source->stop);
    return !source->stopped;
}

/* One read(), repeated if a signal interrupts it. */
static int64_t read_some(struct source *source, void *bytes, int64_t count, struct error *e) {
    ssize_t got;
    if (source_live(source) && !wait_for_bytes(source))
        return 0;
    do
        got = read(source->descriptor, bytes, (size_t)count);
    while (got < 0 && errno == EINTR);
    return got < 0 ? error_file(e, source->name, "%s", strerror(errno)) : got;
}

/* Moves the unread bytes to the front of the buffer and reads more after them. Returns the bytes read, 0 at the
 * end, -1 on error. */
static int64_t refill(struct source *source, struct error *e) {
    z_stream *input = &source->input;
    memmove(source->buffer, input->next_in, input->avail_in);
    input->next_in = source->buffer;
    int64_t got = read_some(source, source->buffer + input->avail_in,
                            INPUT_SIZE - (int64_t)input->avail_in, e);
    if (got > 0)
        input->avail_in += (unsigned)got;
    return got;
}

/* 1 if the LENGTH bytes of MAGIC come next ('?' matches any byte), 0 if not, -1 on error. Reads byte i only if the
 * bytes before it matched, so that a pipe is not waited for in vain. */
static int begins_with(struct source *source, const char *magic, unsigned length, struct error *e) {
    for (unsigned i = 0; i < length; i++) {
        while (source->input.avail_in <= i) {
            int64_t got = refill(source, e);
            if (got <= 0)
                return (int)got;
        }
        if (magic[i] != '?' && source->input.next_in[i] != (unsigned char)magic[i])
            return 0;
    }
    return 1;
}

/* 1 if a gzip member begins here, 0 if not, -1 on error. */
static int at_gzip(struct source *source, struct error *e) {
    return begins_with(source, "\x1f\x8b", 2, e);
}

/* Refuses files that are compressed in other formats than gzip. */
static int refuse_compressed(struct source *source, struct error *e) {
    static const struct {
        const char *magic;
        unsigned length;
        const char *name, *unpack;
    } formats[] = {
        {"BZh?1AY&SY", 10, "bzip2", "bzip2 -dc"},    {"\xfd\x37zXZ", 5, "xz", "xz -dc"},
        {"\x28\xb5\x2f\xfd", 4, "zstd", "zstd -dc"}, {"\x04\x22\x4d\x18", 4, "lz4", "lz4 -dc"},
        {"PK\x03\x04", 4, "zip", "unzip -p"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int found = begins_with(source, formats[i].magic, formats[i].length, e);
        if (found < 0)
            return -1;
        if (found > 0)
            return error_file(e, source->name,
                              "compressed by %s; unpack it first: %s FILE >OTHER_FILE",
                              formats[i].name, formats[i].unpack);
    }
    return 0;
}

/* A pipe that has no writer yet is opened without waiting for one if the source is live: the reads wait. */
static int open_path(const struct source *source, const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | (source_live(source) ? O_NONBLOCK : 0));
    if (descriptor >= 0 && source_live(source))
        (void)fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return descriptor;
}

/* Opens the descriptor and finds the size and the format. */
static int open_descriptor(struct source *source, const char *path, struct error *e) {
    bool standard_input = strcmp(path, "-") == 0;
    struct stat status;
    source->descriptor = standard_input ? STDIN_FILENO : open_path(source, path);
    if (source->descriptor < 0 || fstat(source->descriptor, &status) != 0)
        return error_file(e, source->name, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode))
        return error_file(e, source->name, "%s", strerror(EISDIR));
    (void)posix_fadvise(source->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    int gzip = at_gzip(source, e);
    if (gzip < 0 || (gzip == 0 && refuse_compressed(source, e) != 0))
        return -1;
    source->gzip = gzip;
    if (gzip && inflateInit2(&source->input, 16 + MAX_WBITS) != Z_OK)
        return error_memory(e, "zlib", 1, sizeof source->input);
    source->in_member = gzip;
    bool regular = !standard_input && S_ISREG(status.st_mode);
    source->size = !gzip && regular ? status.st_size : -1;
    source->packed_size = gzip && regular ? status.st_size : -1;
    return 0;
}

struct source *source_open_live(const char *path, struct interruption stop, struct error *e) {
    if (*path == '\0') {
        error_usage(e, "the name of a file is empty");
        return NULL;
    }
    struct source *source = memory_zeroed(1, sizeof *source, "a source", e);
    if (source == NULL)
        return NULL;
    source->descriptor = -1;
    source->stop = stop;
    source->left = -1;
    source->buffer = memory_new(INPUT_SIZE, 1, "an input buffer", e);
    source->input.next_in = source->buffer;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    size_t length = strlen(name) + 1;
    source->name = memory_new((int64_t)length, 1, "a file name", e);
    if (source->name != NULL)
        memcpy(source->name, name, length);
    if (source->buffer == NULL || source->name == NULL || open_descriptor(source, path, e) != 0) {
        source_close(source);
        return NULL;
    }
    return source;
}

struct source *source_open(const char *path, struct error *e) {
    return source_open_live(path, (struct interruption){0}, e);
}

int source_restrict(struct source *source, int64_t from, int64_t to, struct error *e) {
    if (lseek(source->descriptor, (off_t)from, SEEK_SET) < 0)
        return error_file(e, source->name, "%s", strerror(errno));
    source->input.avail_in = 0;
    source->first = from;
    source->left = source->size = to - from;
    return 0;
}

static int64_t read_plain(struct source *source, char *bytes, int64_t count, struct error *e) {
    if (source->left >= 0 && count > source->left)
        count = source->left;
    if (source->input.avail_in == 0) {
        int64_t got = count == 0 ? 0 : read_some(source, bytes, count, e);
        source->ended = got == 0;
        if (source->left > 0 && got > 0)
            source->left -= got;
        return got;
    }
    int64_t held = source->input.avail_in < count ? source->input.avail_in : count;
    memcpy(bytes, source->input.next_in, (size_t)held);
    source->input.next_in += held;
    source->input.avail_in -= (unsigned)held;
    return held;
}

/* Between members: 1 when another one begins, 0 at the end of the file, -1 on error. */
static int next_member(struct source *source, struct error *e) {
    int more = at_gzip(source, e);
    if (more == 0 && source->input.avail_in > 0)
        return error_file(e, source->name, "bytes after the end of the gzip data");
    source->ended = more == 0;
    source->in_member = more == 1;
    if (more == 1)
        inflateReset(&source->input);
    return more;
}

static int refuse_gzip(const struct source *source, struct error *e) {
    const char *reason = source->input.msg;
    if (source->status == Z_MEM_ERROR)
        return error_memory(e, "zlib", 1, sizeof source->input);
    return error_file(e, source->name, "corrupt gzip data (%s)",
                      reason != NULL ? reason : "unknown method");
}

/* Calls inflate once and returns the bytes that it wrote; 0 does not mean the end. inflate may hold output even
 * after the input has ended, so a file counts as truncated only when a call without input writes nothing. */
static int64_t read_gzip(struct source *source, char *bytes, int64_t count, struct error *e) {
    if (!source->in_member) {
        int more = next_member(source, e);
        if (more <= 0)
            return more;
    }
    z_stream *input = &source->input;
    if (source->status != Z_OK && source->status != Z_STREAM_END && source->status != Z_BUF_ERROR)
        return refuse_gzip(source, e);
    int64_t got = input->avail_in > 0 ? (int64_t)input->avail_in : refill(source, e);
    if (got < 0)
        return -1;
    unsigned space = count < INT_MAX ? (unsigned)count : INT_MAX;
    input->next_out = (unsigned char *)bytes;
    input->avail_out = space;
    source->status = inflate(input, Z_NO_FLUSH);
    if (source->status == Z_STREAM_END)
        source->in_member = false;
    bool stalled = input->avail_out == space && got == 0;
    source->ended = stalled && source->stopped;
    if (source->ended)
        return 0;
    if (stalled && (source->status == Z_OK || source->status == Z_BUF_ERROR))
        return error_file(e, source->name, "truncated gzip data");
    return space - input->avail_out;
}

bool source_live(const struct source *source) {
    return source->stop.stop != NULL;
}

bool source_stopped(const struct source *source) {
    return source->stopped;
}

/* Returns the bytes before a read error first, and the error at the next call. So an error in those bytes is reported
 * before the read error, for any block size. */
int64_t source_read(struct source *source, char *bytes, int64_t count, struct error *e) {
    int64_t total = 0;
    while (total < count && !source->ended && source->failure.kind == ERROR_NONE) {
        int64_t got = source->gzip
                          ? read_gzip(source, bytes + total, count - total, &source->failure)
                          : read_plain(source, bytes + total, count - total, &source->failure);
        if (got > 0)
            total += got;
        if (got > 0 && source_live(source))
            break;
    }
    if (total > 0 || source->failure.kind == ERROR_NONE)
        return total;
    if (e != NULL)
        *e = source->failure;
    return -1;
}

int source_read_at(const struct source *source, char *bytes, int64_t count, int64_t offset,
                   struct error *e) {
    while (count > 0) {
        ssize_t got =
            pread(source->descriptor, bytes, (size_t)count, (off_t)(source->first + offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_file(e, source->name, "%s", strerror(errno));
        if (got == 0)
            return error_file(e, source->name, "the file became shorter while it was read");
        bytes += got;
        count -= got;
        offset += got;
    }
    return 0;
}

const char *source_name(const struct source *source) {
    return source->name;
}

int64_t source_size(const struct source *source) {
    return source->size;
}

int64_t source_packed_size(const struct source *source) {
    return source->packed_size;
}

void source_close(struct source *source) {
    if (source == NULL)
        return;
    if (source->gzip)
        inflateEnd(&source->input);
    if (source->descriptor > STDIN_FILENO)
        close(source->descriptor);
    free(source->buffer);
    free(source->name);
    free(source);
}
