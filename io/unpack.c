/* unpack.c - gzip, bzip2 and zstd behind one interface.
 *
 * The types and the numbers of libbz2 and libzstd are those of their first stable versions, which have not changed
 * since. */
#include "io/unpack.h"

#include "io/memory.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- libbz2 */

struct bz_stream {
    const char *next_in;
    unsigned avail_in, total_in_low, total_in_high;
    char *next_out;
    unsigned avail_out, total_out_low, total_out_high;
    void *state;
    void *(*allocate)(void *opaque, int count, int size);
    void (*release)(void *opaque, void *memory);
    void *opaque;
};

enum { BZ_OK = 0, BZ_STREAM_END = 4, BZ_MEM_ERROR = -3 };

struct bzip2 {
    int (*begin)(struct bz_stream *stream, int verbosity, int small);
    int (*step)(struct bz_stream *stream);
    int (*end)(struct bz_stream *stream);
    struct bz_stream stream;
};

/* ---- libzstd */

struct zstd_in {
    const void *bytes;
    size_t size, at;
};

struct zstd_out {
    void *bytes;
    size_t size, at;
};

struct zstd {
    void *(*make)(void);
    size_t (*begin)(void *stream);
    size_t (*step)(void *stream, struct zstd_out *out, struct zstd_in *in);
    unsigned (*is_error)(size_t code);
    const char *(*error_name)(size_t code);
    size_t (*end)(void *stream);
    void *stream;
};

/* ---- */

struct unpacker {
    const struct unpack_format *format;
    void *library;
    const char *reason;
    z_stream gzip;
    struct bzip2 bzip2;
    struct zstd zstd;
};

enum { GZIP, BZIP2, ZSTD, FORMATS };

static const struct unpack_format formats[FORMATS] = {
    [GZIP] = {"gzip", "gzip -dc", NULL, {"\x1f\x8b"}, {2}},
    [BZIP2] = {"bzip2", "bzip2 -dc", "libbz2.so.1.0", {"BZh?1AY&SY"}, {10}},
    [ZSTD] = {"zstd", "zstd -dc", "libzstd.so.1", {"\x28\xb5\x2f\xfd", "?\x2a\x4d\x18"}, {4, 4}},
};

const struct unpack_format *unpack_formats(int *count) {
    *count = FORMATS;
    return formats;
}

/* Sets *function, a pointer to a function, to that of the library with this name. */
static bool find(const struct unpacker *u, const char *name, void *function) {
    void *address = dlsym(u->library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool find_bzip2(struct unpacker *u) {
    struct bzip2 *b = &u->bzip2;
    return find(u, "BZ2_bzDecompressInit", &b->begin) && find(u, "BZ2_bzDecompress", &b->step) &&
           find(u, "BZ2_bzDecompressEnd", &b->end);
}

static bool find_zstd(struct unpacker *u) {
    struct zstd *z = &u->zstd;
    return find(u, "ZSTD_createDStream", &z->make) && find(u, "ZSTD_initDStream", &z->begin) &&
           find(u, "ZSTD_decompressStream", &z->step) && find(u, "ZSTD_isError", &z->is_error) &&
           find(u, "ZSTD_getErrorName", &z->error_name) && find(u, "ZSTD_freeDStream", &z->end);
}

static bool load(struct unpacker *u) {
    if (u->format->library == NULL)
        return true;
    u->library = dlopen(u->format->library, RTLD_NOW | RTLD_LOCAL);
    return u->library != NULL && (u->format == &formats[BZIP2] ? find_bzip2(u) : find_zstd(u));
}

static void unload(struct unpacker *u) {
    if (u->library != NULL)
        dlclose(u->library);
    free(u);
}

static bool begin_zstd(struct zstd *z) {
    if (z->stream == NULL)
        z->stream = z->make();
    return z->stream != NULL && !z->is_error(z->begin(z->stream));
}

/* Begins the first member. */
static bool begin(struct unpacker *u) {
    if (u->format == &formats[GZIP])
        return inflateInit2(&u->gzip, 16 + MAX_WBITS) == Z_OK;
    return u->format == &formats[BZIP2] ? u->bzip2.begin(&u->bzip2.stream, 0, 0) == BZ_OK
                                        : begin_zstd(&u->zstd);
}

struct unpacker *unpack_begin(const struct unpack_format *format, struct error *e) {
    struct unpacker *u = memory_zeroed(1, sizeof *u, format->name, e);
    if (u == NULL)
        return NULL;
    u->format = format;
    bool found = load(u);
    if (found && begin(u))
        return u;
    if (found)
        error_memory(e, format->name, 1, sizeof *u);
    unload(u);
    return NULL;
}

bool unpack_restart(struct unpacker *u) {
    if (u->format == &formats[GZIP])
        return inflateReset(&u->gzip) == Z_OK;
    if (u->format == &formats[ZSTD])
        return begin_zstd(&u->zstd);
    u->bzip2.end(&u->bzip2.stream);
    u->bzip2.stream = (struct bz_stream){0};
    return begin(u);
}

/* ---- steps */

static unsigned at_most(size_t count) {
    return count < UINT_MAX ? (unsigned)count : UINT_MAX;
}

static void advance(struct unpack_bytes *bytes, size_t in, size_t out) {
    bytes->in += in;
    bytes->in_left -= in;
    bytes->out += out;
    bytes->out_left -= out;
}

static enum unpack_status step_gzip(struct unpacker *u, struct unpack_bytes *bytes) {
    z_stream *z = &u->gzip;
    unsigned in = at_most(bytes->in_left), out = at_most(bytes->out_left);
    z->next_in = (unsigned char *)(uintptr_t)bytes->in;
    z->avail_in = in;
    z->next_out = (unsigned char *)bytes->out;
    z->avail_out = out;
    int status = inflate(z, Z_NO_FLUSH);
    advance(bytes, in - z->avail_in, out - z->avail_out);
    u->reason = z->msg != NULL ? z->msg : "unknown method";
    if (status == Z_STREAM_END)
        return UNPACK_MEMBER_END;
    if (status == Z_MEM_ERROR)
        return UNPACK_NO_MEMORY;
    return status == Z_OK || status == Z_BUF_ERROR ? UNPACK_MORE : UNPACK_CORRUPT;
}

static enum unpack_status step_bzip2(struct unpacker *u, struct unpack_bytes *bytes) {
    struct bz_stream *b = &u->bzip2.stream;
    unsigned in = at_most(bytes->in_left), out = at_most(bytes->out_left);
    b->next_in = (const char *)bytes->in;
    b->avail_in = in;
    b->next_out = bytes->out;
    b->avail_out = out;
    int status = u->bzip2.step(b);
    advance(bytes, in - b->avail_in, out - b->avail_out);
    u->reason = "a block's checksum or code is wrong";
    if (status == BZ_STREAM_END)
        return UNPACK_MEMBER_END;
    return status == BZ_OK          ? UNPACK_MORE
           : status == BZ_MEM_ERROR ? UNPACK_NO_MEMORY
                                    : UNPACK_CORRUPT;
}

static enum unpack_status step_zstd(struct unpacker *u, struct unpack_bytes *bytes) {
    const struct zstd *z = &u->zstd;
    struct zstd_in in = {bytes->in, bytes->in_left, 0};
    struct zstd_out out = {bytes->out, bytes->out_left, 0};
    size_t status = z->step(z->stream, &out, &in);
    advance(bytes, in.at, out.at);
    if (z->is_error(status)) {
        u->reason = z->error_name(status);
        return UNPACK_CORRUPT;
    }
    return status == 0 ? UNPACK_MEMBER_END : UNPACK_MORE;
}

enum unpack_status unpack_step(struct unpacker *u, struct unpack_bytes *bytes) {
    return (u->format == &formats[GZIP]    ? step_gzip
            : u->format == &formats[BZIP2] ? step_bzip2
                                           : step_zstd)(u, bytes);
}

const char *unpack_reason(const struct unpacker *u) {
    return u->reason;
}

void unpack_end(struct unpacker *u) {
    if (u == NULL)
        return;
    if (u->format == &formats[GZIP])
        inflateEnd(&u->gzip);
    else if (u->format == &formats[BZIP2])
        u->bzip2.end(&u->bzip2.stream);
    else
        u->zstd.end(u->zstd.stream);
    unload(u);
}
