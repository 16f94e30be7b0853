/* numbered_names.c - reads and writes the file of names of a converter. */
#include "data/numbered_names.h"

#include "io/memory.h"
#include "io/names.h"
#include "io/output.h"

#include <stdlib.h>

/* Adds a name. Its number must be the next one, and the name must be new. */
static int add_entry(const struct line_walk *walk, const struct names_entry *entry,
                     struct words *words, struct error *e) {
    const char *kind = entry->kind == NAMES_LABEL ? "label" : "feature";
    if (entry->number != (double)(words->count + 1))
        return line_walk_refuse(walk, e, "%s %.17g where number %lld comes next", kind,
                                entry->number, (long long)words->count + 1);
    if (words_find(words, entry->name.text, entry->name.length) >= 0)
        return line_walk_refuse(walk, e, "%s '%.*s' has a number already", kind,
                                word_shown(entry->name), entry->name.text);
    return words_add(words, entry->name.text, entry->name.length, e) < 0 ? -1 : 0;
}

/* The first one holds; others are comments. */
static int take_label_column(const struct names_entry *entry, struct numbered_names *names,
                             struct error *e) {
    if (names->label_column != NULL)
        return 0;
    names->label_column = memory_text(entry->name.text, entry->name.length, "a name", e);
    return names->label_column == NULL ? -1 : 0;
}

static int read_entries(struct line_walk *walk, bool features, struct numbered_names *names,
                        struct error *e) {
    struct names_entry entry;
    int more;
    while ((more = names_next(walk, &entry, e)) == 1) {
        struct words *words = entry.kind == NAMES_LABEL ? &names->label : &names->feature;
        int status = 0;
        if (entry.kind == NAMES_LABEL_COLUMN)
            status = take_label_column(&entry, names, e);
        else if (features || entry.kind == NAMES_LABEL)
            status = add_entry(walk, &entry, words, e);
        if (status != 0)
            return -1;
    }
    if (more == 0 && names->label.count == 0 && names->feature.count == 0)
        return error_file(e, line_walk_name(walk), "the file names no label%s",
                          features ? " and no feature" : "");
    return more;
}

int numbered_names_read(const char *path, bool features, struct numbered_names *names,
                        struct error *e) {
    struct line_walk *walk = line_walk_open(path, e);
    int status = walk == NULL ? -1 : read_entries(walk, features, names, e);
    line_walk_close(walk);
    return status;
}

int numbered_names_write(const struct numbered_names *names, const int64_t *number,
                         const char *path, struct error *e) {
    struct output *output = output_open(path, e);
    if (output == NULL)
        return -1;
    FILE *stream = output_stream(output);
    if (names->label_column != NULL)
        fprintf(stream, "# label column: %s\n", names->label_column);
    for (int64_t k = 0; k < names->label.count; k++)
        fprintf(stream, "label %lld %s\n", (long long)k + 1, words_text(&names->label, k));
    for (int64_t k = 0; k < names->feature.count; k++) {
        int64_t j = number != NULL ? number[k] : k + 1;
        if (j > 0)
            fprintf(stream, "feature %lld %s\n", (long long)j, words_text(&names->feature, k));
    }
    return output_commit(output, e);
}

void numbered_names_free(struct numbered_names *names) {
    words_free(&names->label);
    words_free(&names->feature);
    free(names->label_column);
    names->label_column = NULL;
}
