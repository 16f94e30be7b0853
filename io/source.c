/* source.c - bytes from a plain file, a compressed file or standard input.
 *
 * The first bytes distinguish compressed data (unpack.h) from plain text. A pipe cannot be rewound, so they are read
 * into a small buffer; plain reads take the buffer's bytes first and then bypass it. */
#include "io/source.h"

#include "io/memory.h"
#include "io/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUT_SIZE = 1 << 16 };

struct source {
    char *name;
    int descriptor;
    int64_t size;
    int64_t packed_size;
    int64_t first; /* of a part of a file: the byte where it begins */
    int64_t left;  /* and its bytes that were not read yet; -1: the source is no part */
    const struct unpack_format *format; /* NULL: plain */
    struct unpacker *unpacker;
    bool in_member;           /* within a member of compressed data */
    bool ended;               /* there are no more bytes */
    struct interruption stop; /* of a live source */
    bool stopped;
    struct error failure;      /* the error that ended the source, if any */
    enum unpack_status status; /* of the last step */
    const unsigned char *next; /* the unread bytes of the buffer, also for plain files */
    size_t left_in_buffer;
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
    memmove(source->buffer, source->next, source->left_in_buffer);
    source->next = source->buffer;
    int64_t got = read_some(source, source->buffer + source->left_in_buffer,
                            INPUT_SIZE - (int64_t)source->left_in_buffer, e);
    if (got > 0)
        source->left_in_buffer += (size_t)got;
    return got;
}

/* 1 if the LENGTH bytes of MAGIC come next ('?' matches any byte), 0 if not, -1 on error. Reads byte i only if the
 * bytes before it matched, so that a pipe is not waited for in vain. */
static int begins_with(struct source *source, const char *magic, unsigned length, struct error *e) {
    for (unsigned i = 0; i < length; i++) {
        while (source->left_in_buffer <= i) {
            int64_t got = refill(source, e);
            if (got <= 0)
                return (int)got;
        }
        if (magic[i] != '?' && source->next[i] != (unsigned char)magic[i])
            return 0;
    }
    return 1;
}

/* 1 if a member of this format begins here, 0 if not, -1 on error. */
static int at_member(struct source *source, const struct unpack_format *format, struct error *e) {
    int found = begins_with(source, format->magic[0], format->length[0], e);
    return found == 0 && format->magic[1] != NULL
               ? begins_with(source, format->magic[1], format->length[1], e)
               : found;
}

/* Finds the format. 0, or -1 with the error set. */
static int find_format(struct source *source, struct error *e) {
    int count;
    const struct unpack_format *formats = unpack_formats(&count);
    for (int k = 0; k < count && source->format == NULL; k++) {
        int found = at_member(source, &formats[k], e);
        if (found < 0)
            return -1;
        source->format = found > 0 ? &formats[k] : NULL;
    }
    return 0;
}

static int refuse_packed(const struct source *source, const char *format, const char *program,
                         const char *library, struct error *e) {
    return error_file(e, source->name, "compressed by %s%s%s; unpack it first: %s FILE >OTHER_FILE",
                      format, library == NULL ? "" : ", and there is no ",
                      library == NULL ? "" : library, program);
}

/* Refuses files that are compressed in formats that are not read. */
static int refuse_compressed(struct source *source, struct error *e) {
    static const struct {
        const char *magic;
        unsigned length;
        const char *name, *unpack;
    } formats[] = {
        {"\xfd\x37zXZ", 5, "xz", "xz -dc"},
        {"\x04\x22\x4d\x18", 4, "lz4", "lz4 -dc"},
        {"PK\x03\x04", 4, "zip", "unzip -p"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int found = begins_with(source, formats[i].magic, formats[i].length, e);
        if (found < 0)
            return -1;
        if (found > 0)
            return refuse_packed(source, formats[i].name, formats[i].unpack, NULL, e);
    }
    return 0;
}

static int begin_unpacking(struct source *source, struct error *e) {
    const struct unpack_format *format = source->format;
    struct error wrong = {0};
    source->unpacker = unpack_begin(format, &wrong);
    source->in_member = true;
    if (source->unpacker != NULL)
        return 0;
    return wrong.kind != ERROR_NONE
               ? error_pass(e, &wrong)
               : refuse_packed(source, format->name, format->program, format->library, e);
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
    if (find_format(source, e) != 0 ||
        (source->format == NULL ? refuse_compressed : begin_unpacking)(source, e) != 0)
        return -1;
    bool regular = !standard_input && S_ISREG(status.st_mode), plain = source->format == NULL;
    source->size = plain && regular ? status.st_size : -1;
    source->packed_size = !plain && regular ? status.st_size : -1;
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
    source->next = source->buffer;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    source->name = memory_text(name, (int64_t)strlen(name), "a file name", e);
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
    source->left_in_buffer = 0;
    source->first = from;
    source->left = source->size = to - from;
    return 0;
}

static int refuse_shorter(const struct source *source, struct error *e) {
    return error_file(e, source->name, "the file became shorter while it was read");
}

/* Whether the end of a file came before the size that it had when it was opened. */
static bool ends_early(const struct source *source) {
    return source->size > 0 && !source_live(source) &&
           lseek(source->descriptor, 0, SEEK_CUR) < (off_t)(source->first + source->size);
}

static int64_t read_plain(struct source *source, char *bytes, int64_t count, struct error *e) {
    if (source->left >= 0 && count > source->left)
        count = source->left;
    if (source->left_in_buffer == 0) {
        int64_t got = count == 0 ? 0 : read_some(source, bytes, count, e);
        source->ended = got == 0;
        if (got == 0 && count > 0 && ends_early(source))
            return refuse_shorter(source, e);
        if (source->left > 0 && got > 0)
            source->left -= got;
        return got;
    }
    int64_t in_buffer = (int64_t)source->left_in_buffer,
            held = in_buffer < count ? in_buffer : count;
    memcpy(bytes, source->next, (size_t)held);
    source->next += held;
    source->left_in_buffer -= (size_t)held;
    return held;
}

static int refuse_memory(const struct source *source, struct error *e) {
    return error_memory(e, source->format->name, 1, INPUT_SIZE);
}

/* Between members: 1 when another one begins, 0 at the end of the file, -1 on error. */
static int next_member(struct source *source, struct error *e) {
    int more = at_member(source, source->format, e);
    if (more == 0 && source->left_in_buffer > 0)
        return error_file(e, source->name, "bytes after the end of the %s data",
                          source->format->name);
    source->ended = more == 0;
    source->in_member = more == 1;
    return more == 1 && !unpack_restart(source->unpacker) ? refuse_memory(source, e) : more;
}

/* Unpacks once and returns the bytes that it wrote; 0 does not mean the end. There may be output even after the input
 * has ended, so a file counts as truncated only when a call without input writes nothing. */
static int64_t read_packed(struct source *source, char *bytes, int64_t count, struct error *e) {
    if (!source->in_member) {
        int more = next_member(source, e);
        if (more <= 0)
            return more;
    }
    if (source->status == UNPACK_NO_MEMORY)
        return refuse_memory(source, e);
    if (source->status == UNPACK_CORRUPT)
        return error_file(e, source->name, "corrupt %s data (%s)", source->format->name,
                          unpack_reason(source->unpacker));
    int64_t got = source->left_in_buffer > 0 ? (int64_t)source->left_in_buffer : refill(source, e);
    if (got < 0)
        return -1;
    struct unpack_bytes step = {source->next, source->left_in_buffer, bytes, (size_t)count};
    source->status = unpack_step(source->unpacker, &step);
    source->next = step.in;
    source->left_in_buffer = step.in_left;
    if (source->status == UNPACK_MEMBER_END)
        source->in_member = false;
    bool stalled = step.out_left == (size_t)count && got == 0;
    source->ended = stalled && source->stopped;
    if (source->ended)
        return 0;
    if (stalled && source->status == UNPACK_MORE)
        return error_file(e, source->name, "truncated %s data", source->format->name);
    return count - (int64_t)step.out_left;
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
        int64_t got = (source->format != NULL ? read_packed : read_plain)(
            source, bytes + total, count - total, &source->failure);
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
            return refuse_shorter(source, e);
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
    unpack_end(source->unpacker);
    if (source->descriptor > STDIN_FILENO)
        close(source->descriptor);
    free(source->buffer);
    free(source->name);
    free(source);
}
