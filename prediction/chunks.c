/* chunks.c - counts chunks; see chunks.h. The rules are those of conlleval's endOfChunk and startOfChunk. */
#include "prediction/chunks.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

struct tag {
    char prefix;  /* 'O', 'B', 'I', 'E', '[', ']', '.'; 0: another */
    int64_t type; /* the number of the first name of this type; -1: of none; -2: empty */
};

struct chunk_tags {
    int64_t count;
    bool any;
    struct tag *tag;
};

enum { UNKNOWN = -1, EMPTY = -2 };

static const struct tag outside = {'O', EMPTY};
static const struct tag stranger = {'B', UNKNOWN};

/* ---- names */

/* "TYPE" of "PREFIX-TYPE"; "" without a "-". */
static const char *type_of(const char *name) {
    const char *dash = strchr(name, '-');
    return dash == NULL ? "" : dash + 1;
}

static char prefix_of(const char *name) {
    const char *dash = strchr(name, '-');
    size_t length = dash == NULL ? strlen(name) : (size_t)(dash - name);
    return length == 1 && strchr("OBIE[].", name[0]) != NULL ? name[0] : '\0';
}

static int64_t find_type(const char *const *names, const char *type) {
    int64_t k = 0;
    while (strcmp(type_of(names[k]), type) != 0)
        k++;
    return k;
}

struct chunk_tags *chunk_tags_new(const char *const *names, int64_t count, struct error *e) {
    struct chunk_tags *tags = memory_zeroed(1, sizeof *tags, "tags", e);
    if (tags == NULL)
        return NULL;
    tags->count = count;
    tags->tag = memory_new(count, sizeof *tags->tag, "tags", e);
    if (tags->tag == NULL) {
        chunk_tags_free(tags);
        return NULL;
    }
    for (int64_t k = 0; k < count; k++) {
        const char *type = type_of(names[k]);
        char prefix = prefix_of(names[k]);
        tags->tag[k] = (struct tag){prefix, *type == '\0' ? EMPTY : find_type(names, type)};
        tags->any = tags->any || (*type != '\0' && prefix != '\0' && strchr("BIE", prefix) != NULL);
    }
    return tags;
}

void chunk_tags_free(struct chunk_tags *tags) {
    if (tags != NULL)
        free(tags->tag);
    free(tags);
}

bool chunk_tags_any(const struct chunk_tags *tags) {
    return tags->any;
}

/* ---- where chunks begin and end */

static bool is_inside(struct tag tag) {
    return tag.prefix != 'O' && tag.prefix != '.';
}

static bool is_bracket(struct tag tag) {
    return tag.prefix == '[' || tag.prefix == ']';
}

/* Whether a chunk that contains BEFORE ends after it, if NOW is the next tag. */
static bool ends(struct tag before, struct tag now) {
    bool closes = now.prefix == 'B' || now.prefix == 'O';
    return ((before.prefix == 'B' || before.prefix == 'I') && closes) ||
           (before.prefix == 'E' &&
            (now.prefix == 'E' || now.prefix == 'I' || now.prefix == 'O')) ||
           (is_inside(before) && before.type != now.type) || is_bracket(before);
}

/* Whether a chunk begins at NOW. */
static bool starts(struct tag before, struct tag now) {
    char last = before.prefix;
    return (now.prefix == 'B' && (last == 'B' || last == 'I' || last == 'O')) ||
           (now.prefix == 'I' && (last == 'O' || last == 'E')) ||
           (now.prefix == 'E' && (last == 'E' || last == 'O')) ||
           (is_inside(now) && before.type != now.type) || is_bracket(now);
}

static struct tag tag_of(const struct chunk_tags *tags, int32_t k) {
    return k < 0 ? stranger : tags->tag[k];
}

/* The state between two rows; after the last row the tag counts as O. */
struct walk {
    struct tag truth, found;
    bool matching; /* a true and a predicted chunk of one type began together and are both open */
};

static void step(struct walk *walk, struct tag truth, struct tag found,
                 struct chunk_counts *counts) {
    bool truth_ends = ends(walk->truth, truth), found_ends = ends(walk->found, found);
    if (walk->matching && truth_ends && found_ends && walk->truth.type == walk->found.type)
        counts->right++;
    if (truth_ends || found_ends || truth.type != found.type)
        walk->matching = false;
    bool truth_starts = starts(walk->truth, truth), found_starts = starts(walk->found, found);
    walk->matching = walk->matching || (truth_starts && found_starts && truth.type == found.type);
    counts->there += truth_starts;
    counts->found += found_starts;
    walk->truth = truth;
    walk->found = found;
}

void chunk_counts_add(const struct chunk_tags *tags, const int32_t *truth, const int32_t *found,
                      int64_t length, struct chunk_counts *counts) {
    struct walk walk = {outside, outside, false};
    for (int64_t t = 0; t < length; t++)
        step(&walk, tag_of(tags, truth[t]), tag_of(tags, found[t]), counts);
    step(&walk, outside, outside, counts);
}
