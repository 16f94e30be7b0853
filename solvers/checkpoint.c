/* checkpoint.c - the file from which a run goes on: its header, and the levels one after another. */
#include "solvers/checkpoint.h"

#include "io/clock.h"
#include "io/memory.h"
#include "version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_LEVELS = 8,
    MAX_TEXT = 1 << 16, /* bytes of the command */
    BYTE_ORDER_MARK = 0x01020304
};

/* The number changes with what a checkpoint holds. */
#define MAGIC "librrm checkpoint 4"

struct level {
    state_visit *visit;
    void *context;
};

struct checkpoint {
    struct checkpoint_settings settings;
    struct state *from; /* the rest of the file to go on from; NULL: nothing is left of it */
    struct level level[MAX_LEVELS];
    int depth;
    double written; /* the clock at the last write */
    bool stopped;   /* nothing is written any more */
};

/* ---- the header */

/* "NAME VALUE" at the beginning of a line, up to its end. */
static int line_length(const char *line) {
    return (int)strcspn(line, "\n");
}

/* The first line of THERE, the command of the file, that HERE has not. */
static int refuse_command(const char *path, const char *there, const char *here, struct error *e) {
    while (*there != '\0' && *here != '\0') {
        int a = line_length(there), b = line_length(here);
        if (a != b || memcmp(there, here, (size_t)a) != 0) {
            return error_file(e, path,
                              "the checkpoint of another command: there \"%.*s\", here \"%.*s\"; "
                              "give the same, or remove it to begin anew",
                              a < 120 ? a : 120, there, b < 120 ? b : 120, here);
        }
        there += a + (there[a] != '\0');
        here += b + (here[b] != '\0');
    }
    return *there == *here
               ? 0
               : error_file(e, path, "the checkpoint of another command; remove it to begin anew");
}

/* Lists the header; TEXT has space for MAX_TEXT bytes and holds the command that is written, or is read. */
static void visit_header(struct state *state, char *mark, char *version, char *text) {
    state_text(state, mark, sizeof MAGIC);
    state_integer(state, BYTE_ORDER_MARK, BYTE_ORDER_MARK, BYTE_ORDER_MARK);
    state_text(state, version, sizeof RRM_VERSION + 32);
    state_text(state, text, MAX_TEXT);
}

static int read_header(const struct checkpoint *checkpoint, char *text, struct error *e) {
    const char *path = checkpoint->settings.path;
    char mark[sizeof MAGIC], version[sizeof RRM_VERSION + 32] = "";
    visit_header(checkpoint->from, mark, version, text);
    if (strncmp(mark, MAGIC, sizeof MAGIC - 2) != 0)
        return error_file(e, path, "no checkpoint; give another file");
    if (strcmp(mark, MAGIC) != 0)
        return error_file(e, path, "the checkpoint of another version; remove it to begin anew");
    if (version[0] != '\0' && strcmp(version, RRM_VERSION) != 0) {
        return error_file(e, path, "the checkpoint of %s, and this is %s; remove it to begin anew",
                          version, RRM_VERSION);
    }
    if (state_failed(checkpoint->from))
        return error_file(e, path, "the checkpoint of another machine; remove it to begin anew");
    return refuse_command(path, text, checkpoint->settings.command, e);
}

static void write_header(const struct checkpoint *checkpoint, struct state *state) {
    char mark[] = MAGIC, version[sizeof RRM_VERSION + 32] = RRM_VERSION;
    visit_header(state, mark, version, (char *)(uintptr_t)checkpoint->settings.command);
}

/* ---- begin and end */

static int open_old(struct checkpoint *checkpoint, struct error *e) {
    int status = -1;
    if (access(checkpoint->settings.path, F_OK) != 0)
        return 0;
    char *text = memory_new(MAX_TEXT, 1, "a checkpoint", e);
    if (text != NULL)
        checkpoint->from = state_open(checkpoint->settings.path, e);
    if (checkpoint->from != NULL)
        status = read_header(checkpoint, text, e);
    free(text);
    return status;
}

struct checkpoint *checkpoint_new(const struct checkpoint_settings *settings, struct error *e) {
    struct checkpoint *checkpoint = memory_zeroed(1, sizeof *checkpoint, "a checkpoint", e);
    if (checkpoint == NULL)
        return NULL;
    checkpoint->settings = *settings;
    checkpoint->written = clock_seconds();
    if (open_old(checkpoint, e) == 0)
        return checkpoint;
    checkpoint_free(checkpoint);
    return NULL;
}

void checkpoint_free(struct checkpoint *checkpoint) {
    if (checkpoint != NULL)
        state_close(checkpoint->from);
    free(checkpoint);
}

void checkpoint_remove(const struct checkpoint *checkpoint) {
    unlink(checkpoint->settings.path);
}

/* ---- levels */

bool checkpoint_reads(const struct checkpoint *checkpoint) {
    return checkpoint->from != NULL;
}

enum checkpoint_entry checkpoint_enter(struct checkpoint *checkpoint, state_visit *visit,
                                       void *context, struct error *e) {
    struct state *from = checkpoint->from;
    if (checkpoint->depth == MAX_LEVELS)
        return error_set(e, "a checkpoint has at most %d levels", MAX_LEVELS);
    checkpoint->level[checkpoint->depth++] = (struct level){.visit = visit, .context = context};
    if (from == NULL)
        return CHECKPOINT_BEGINS;
    visit(from, context);
    bool more = state_flag(from, true);
    if (state_failed(from) || (!more && !state_ended(from))) {
        if (state_cause(from)->kind != ERROR_NONE)
            return error_pass(e, state_cause(from));
        return error_file(e, checkpoint->settings.path,
                          "the checkpoint does not fit this run; remove it to begin anew");
    }
    if (!more) {
        state_close(from);
        checkpoint->from = NULL;
    }
    return CHECKPOINT_GOES_ON;
}

int checkpoint_depth(const struct checkpoint *checkpoint) {
    return checkpoint->depth;
}

void checkpoint_leave(struct checkpoint *checkpoint, int depth) {
    if (depth < checkpoint->depth)
        checkpoint->depth = depth;
}

/* ---- writing */

bool checkpoint_due(const struct checkpoint *checkpoint) {
    return !checkpoint->stopped &&
           clock_seconds() - checkpoint->written >= checkpoint->settings.seconds;
}

void checkpoint_stop(struct checkpoint *checkpoint) {
    checkpoint->stopped = true;
}

int checkpoint_write(struct checkpoint *checkpoint, struct error *e) {
    if (checkpoint->stopped)
        return 0;
    struct state *state = state_create(checkpoint->settings.path, e);
    int status = -1;
    if (state != NULL) {
        write_header(checkpoint, state);
        for (int i = 0; i < checkpoint->depth && !state_failed(state); i++) {
            checkpoint->level[i].visit(state, checkpoint->level[i].context);
            state_flag(state, i + 1 < checkpoint->depth);
        }
        status = state_commit(state, e);
    }
    checkpoint->written = clock_seconds();
    return status;
}
