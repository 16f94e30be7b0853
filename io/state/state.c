/* state.c - a list of numbers in a file that ends with its checksum, or in memory. */
#include "io/state/state.h"

#include "io/cache/checksum.h"
#include "io/memory.h"
#include "io/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    BLOCK = 1 << 16
}; /* bytes of the buffer: a multiple of those that the checksum takes together */

struct state {
    bool reads;
    struct output *output; /* of a file that is written; else NULL */
    FILE *stream;          /* of what is read or written: the output's, or the state's own */
    int64_t left;          /* bytes to read before the checksum */
    struct checksum sum;
    int64_t used; /* bytes in the buffer that are not written yet */
    bool failed;
    struct error cause;
    char buffer[BLOCK];
};

/* ---- begin */

struct state *state_create(const char *path, struct error *e) {
    struct state *state = memory_zeroed(1, sizeof *state, "a checkpoint", e);
    if (state == NULL)
        return NULL;
    state->output = output_open_plain(path, e);
    if (state->output == NULL) {
        free(state);
        return NULL;
    }
    state->stream = output_stream(state->output);
    return state;
}

/* Whether the last bytes are the checksum of those before them; the file is at its beginning then. */
static bool is_whole(struct state *state, int64_t size) {
    uint64_t written;
    int64_t left = size - (int64_t)sizeof written;
    for (state->left = left; left > 0;) {
        int64_t count = left < BLOCK ? left : BLOCK;
        if (fread(state->buffer, 1, (size_t)count, state->stream) != (size_t)count)
            return false;
        checksum_add(&state->sum, state->buffer, count);
        left -= count;
    }
    return state->left >= 0 && fread(&written, sizeof written, 1, state->stream) == 1 &&
           written == checksum_end(&state->sum) && fseek(state->stream, 0, SEEK_SET) == 0;
}

struct state *state_open(const char *path, struct error *e) {
    struct stat status;
    struct state *state = memory_zeroed(1, sizeof *state, "a checkpoint", e);
    if (state == NULL)
        return NULL;
    state->reads = true;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        error_file(
            e, path,
            "a checkpoint must be a plain file, not a pipe or a device"); /* unopened: a pipe waits */
    else if ((state->stream = fopen(path, "re")) == NULL ||
             fstat(fileno(state->stream), &status) != 0)
        error_file(e, path, "%s", strerror(errno));
    else if (!S_ISREG(status.st_mode) || !is_whole(state, status.st_size))
        error_file(
            e, path,
            "no checkpoint, or a damaged one: its checksum does not fit; remove it to begin anew");
    else
        return state;
    state_close(state);
    return NULL;
}

/* ---- end */

static void flush(struct state *state) {
    checksum_add(&state->sum, state->buffer, state->used);
    fwrite(state->buffer, 1, (size_t)state->used, state->stream);
    state->used = 0;
}

int state_commit(struct state *state, struct error *e) {
    uint64_t sum;
    flush(state);
    sum = checksum_end(&state->sum);
    fwrite(&sum, sizeof sum, 1, state->stream);
    output_make_durable(state->output);
    int status = output_commit(state->output, e);
    state->output = NULL;
    state->stream = NULL;
    state_close(state);
    return status;
}

void state_close(struct state *state) {
    if (state == NULL)
        return;
    if (state->output != NULL)
        output_abandon(state->output);
    else if (state->stream != NULL)
        fclose(state->stream);
    free(state);
}

/* ---- in memory */

int state_pack(struct state_pack *pack, state_visit *visit, void *context, struct error *e) {
    size_t count = 0;
    struct state *state = memory_zeroed(1, sizeof *state, "a state", e);
    free(pack->bytes);
    *pack = (struct state_pack){0};
    if (state == NULL)
        return -1;
    state->stream = open_memstream(&pack->bytes, &count);
    bool whole = state->stream != NULL;
    if (whole) {
        visit(state, context);
        flush(state);
        whole = !state_failed(state);
        whole = fclose(state->stream) == 0 && whole;
    }
    free(state);
    if (whole) {
        pack->count = (int64_t)count;
        return 0;
    }
    free(pack->bytes);
    *pack = (struct state_pack){0};
    return error_memory(e, "a state", 1, (int64_t)count);
}

int state_unpack(const struct state_pack *pack, state_visit *visit, void *context,
                 struct error *e) {
    struct state *state = memory_zeroed(1, sizeof *state, "a state", e);
    if (state == NULL)
        return -1;
    state->reads = true;
    state->left = pack->count;
    state->stream = fmemopen(pack->bytes, (size_t)pack->count, "r");
    state->failed = state->stream == NULL;
    if (!state->failed)
        visit(state, context);
    int status = state_failed(state) || !state_ended(state);
    if (state_cause(state)->kind != ERROR_NONE)
        status = error_pass(e, state_cause(state));
    state_close(state);
    return status;
}

bool state_reads(const struct state *state) {
    return state->reads;
}

void state_fail(struct state *state) {
    state->failed = true;
}

struct error *state_cause(struct state *state) {
    return &state->cause;
}

bool state_failed(const struct state *state) {
    return state->failed || (!state->reads && ferror(state->stream) != 0);
}

bool state_ended(const struct state *state) {
    return state->left == 0;
}

/* ---- numbers */

static void read_bytes(struct state *state, void *bytes, int64_t count) {
    state->failed = state->failed || count > state->left ||
                    fread(bytes, 1, (size_t)count, state->stream) != (size_t)count;
    state->left -= state->failed ? 0 : count;
}

bool state_holds(struct state *state, int64_t count, size_t size) {
    if (state_reads(state) && count > state->left / (int64_t)size)
        state->failed = true;
    return !state->failed;
}

static void write_bytes(struct state *state, const char *bytes, int64_t count) {
    while (count > 0) {
        int64_t chunk = count < BLOCK - state->used ? count : BLOCK - state->used;
        memcpy(state->buffer + state->used, bytes, (size_t)chunk);
        state->used += chunk;
        bytes += chunk;
        count -= chunk;
        if (state->used == BLOCK)
            flush(state);
    }
}

void state_bytes(struct state *state, void *bytes, int64_t count) {
    if (count <= 0)
        return;
    if (state_reads(state))
        read_bytes(state, bytes, count);
    else
        write_bytes(state, bytes, count);
}

/* Fails a state with a number out of range, whose place the low end takes. */
static int64_t check(struct state *state, int64_t x, int64_t low, int64_t high) {
    state->failed = state->failed || (state_reads(state) && (x < low || x > high));
    return state->failed && state_reads(state) ? low : x;
}

int64_t state_integer(struct state *state, int64_t x, int64_t low, int64_t high) {
    state_bytes(state, &x, sizeof x);
    return check(state, x, low, high);
}

bool state_flag(struct state *state, bool x) {
    return state_integer(state, x, 0, 1) != 0;
}

void state_reals(struct state *state, double *const *x, int count) {
    for (int i = 0; i < count; i++)
        state_doubles(state, x[i], 1);
}

void state_doubles(struct state *state, double *x, int64_t count) {
    state_bytes(state, x, count * (int64_t)sizeof *x);
}

void state_ints(struct state *state, int *x, int64_t count, int low, int high) {
    state_bytes(state, x, count * (int64_t)sizeof *x);
    for (int64_t i = 0; state_reads(state) && i < count; i++)
        x[i] = (int)check(state, x[i], low, high);
}

void state_integers(struct state *state, int64_t *x, int64_t count, int64_t low, int64_t high) {
    state_bytes(state, x, count * (int64_t)sizeof *x);
    for (int64_t i = 0; state_reads(state) && i < count; i++)
        x[i] = check(state, x[i], low, high);
}

void state_text(struct state *state, char *text, int64_t size) {
    int64_t length = state_integer(
        state, state_reads(state) ? 0 : (int64_t)strnlen(text, (size_t)size - 1), 0, size - 1);
    state_bytes(state, text, length);
    if (state_reads(state))
        text[state->failed ? 0 : length] = '\0';
}
