/* bpseq_encode.c - bpseq files to svmlight data: a sequence is a group, a base is a row, and features 1 to 4 are A,
 * C, G, U. */
#include "data/bpseq.h"

#include "io/line_walk.h"
#include "io/memory.h"
#include "io/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 1 << 24 }; /* bases of a sequence */

struct encoder {
    FILE *stream;
    struct line_walk *walk;
    int64_t length, capacity, begin; /* begin: the line of the first base */
    char *base;
    int32_t *partner;
    int64_t sequences, bases, pairs, removed,
        crossed; /* counts; crossed: sequences with removed pairs */
};

static int grow(struct encoder *x, struct error *e) {
    if (x->length < x->capacity)
        return 0;
    int64_t capacity = 2 * x->capacity + 1024;
    if (memory_resize((void **)&x->base, capacity, sizeof *x->base, "a sequence", e) != 0 ||
        memory_resize((void **)&x->partner, capacity, sizeof *x->partner, "a sequence", e) != 0)
        return -1;
    x->capacity = capacity;
    return 0;
}

static int check_partners(const struct encoder *x, struct error *e) {
    for (int64_t i = 0; i < x->length; i++) {
        int64_t partner = x->partner[i];
        const char *wrong = partner >= x->length ? "is outside of the sequence"
                            : partner == i       ? "is the position itself"
                            : partner >= 0 && x->partner[partner] != i ? "has another partner"
                                                                       : NULL;
        if (wrong != NULL)
            return error_at(e, line_walk_name(x->walk), x->begin + i, 0,
                            "the partner %" PRId64 " of position %" PRId64 " %s", partner + 1,
                            i + 1, wrong);
    }
    return 0;
}

/* Writes the sequence that has been read and starts an empty one. Does nothing if there is none. */
static int write_sequence(struct encoder *x, struct error *e) {
    static const char letters[] = "ACGU";
    if (x->length == 0)
        return 0;
    if (check_partners(x, e) != 0)
        return -1;
    int64_t removed = bpseq_uncross(x->partner, x->length, e);
    if (removed < 0)
        return -1;
    x->sequences++;
    x->bases += x->length;
    x->removed += removed;
    x->crossed += removed > 0;
    for (int64_t i = 0; i < x->length; i++) {
        const char *base = strchr(letters, x->base[i]);
        fprintf(x->stream, "%d qid:%" PRId64, x->partner[i] + 1, x->sequences);
        if (base != NULL)
            fprintf(x->stream, " %d:1", (int)(base - letters) + 1);
        fputc('\n', x->stream);
        x->pairs += x->partner[i] > i;
    }
    x->length = 0;
    return 0;
}

/* A, C, G or U; T counts as U, in either case; '?' for any other letter. */
static char base_of(char letter) {
    const char *found = strchr("AaCcGgUuTt", letter);
    static const char bases[] = "AACCGGUUUU";
    return found == NULL || letter == '\0' ? '?' : bases[found - "AaCcGgUuTt"];
}

/* "INDEX BASE PARTNER"; a line that does not begin with a digit is a header and ends the sequence. */
static int read_line(struct encoder *x, struct word line, struct error *e) {
    int64_t index, partner = 0;
    struct word word = word_take(&line);
    if (word.length == 0 || word.text[0] < '0' || word.text[0] > '9')
        return x->length == 0 ? 0 : write_sequence(x, e);
    struct word base = word_take(&line), mate = word_take(&line);
    if (!word_integer(word, &index) || index > MAX_LENGTH || base.length != 1 || line.length > 0 ||
        !(word_is(mate, "0") || word_integer(mate, &partner)) || partner > MAX_LENGTH)
        return line_walk_refuse(x->walk, e, "position, base and partner expected, as in: 12 A 0");
    if (index == 1 && write_sequence(x, e) != 0)
        return -1;
    if (index != x->length + 1)
        return line_walk_refuse(x->walk, e, "position %" PRId64 " expected, not %" PRId64,
                                x->length + 1, index);
    if (grow(x, e) != 0)
        return -1;
    if (x->length == 0)
        x->begin = line_walk_line(x->walk);
    x->base[x->length] = base_of(base.text[0]);
    x->partner[x->length++] = (int32_t)partner - 1;
    return 0;
}

static int encode_file(struct encoder *x, const char *path, struct error *e) {
    struct word line;
    int more;
    int64_t before = x->sequences;
    x->walk = line_walk_open(path, e);
    if (x->walk == NULL)
        return -1;
    while ((more = line_walk_next(x->walk, &line, e)) == 1)
        if (read_line(x, line, e) != 0) {
            more = -1;
            break;
        }
    if (more == 0)
        more = write_sequence(x, e);
    if (more == 0 && x->sequences == before)
        more = error_file(e, line_walk_name(x->walk), "no sequence");
    line_walk_close(x->walk);
    return more;
}

int bpseq_encode(char **path, int count, struct error *e) {
    struct encoder x = {0};
    struct output *output = output_open("-", e);
    int status = output == NULL ? -1 : 0;
    for (int k = 0; k < count && status == 0; k++) {
        x.stream = output_stream(output);
        status = encode_file(&x, path[k], e) != 0 ? -1 : output_check(output, e);
    }
    free(x.base);
    free(x.partner);
    if (output_end(output, status, e) != 0)
        return -1;
    fprintf(stderr,
            "%" PRId64 " sequences, %" PRId64 " bases, %" PRId64 " pairs; %" PRId64
            " that cross others left out of %" PRId64 " sequences\n",
            x.sequences, x.bases, x.pairs, x.removed, x.crossed);
    return 0;
}
