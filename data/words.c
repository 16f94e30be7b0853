/* words.c - distinct strings in a hash table. */
#include "data/words.h"

#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ENTRIES = 1 << 10 }; /* of the first table */

/* A hash of eight bytes a step: a multiplication mixes each step, and its high bits are folded into the low ones. */
static uint32_t hash_of(const char *text, int64_t length) {
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (uint64_t)length * factor, part;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&part, text, 8);
        hash = (hash ^ part) * factor;
        hash ^= hash >> 32;
    }
    part = 0;
    memcpy(&part, text, (size_t)length);
    hash = (hash ^ part) * factor;
    hash ^= hash >> 29;
    hash *= factor;
    return (uint32_t)(hash >> 32);
}

static bool same(const struct words *words, int64_t number, const char *text, int64_t length) {
    const int64_t *start = words->start + number;
    return start[1] - start[0] == length + 1 &&
           memcmp(words->text + start[0], text, (size_t)length) == 0;
}

/* The entry that has the string, or the free one where it would be added. The table is not empty. */
static struct words_entry *search(const struct words *words, uint32_t hash, const char *text,
                                  int64_t length) {
    uint64_t k = hash & (words->entries - 1);
    struct words_entry *entry = &words->entry[k];
    while (entry->number != 0 &&
           (entry->hash != hash || !same(words, entry->number - 1, text, length))) {
        k = (k + 1) & (words->entries - 1);
        entry = &words->entry[k];
    }
    return entry;
}

int64_t words_find(const struct words *words, const char *text, int64_t length) {
    if (words->entries == 0)
        return -1;
    return (int64_t)search(words, hash_of(text, length), text, length)->number - 1;
}

/* Doubles the table and moves the entries by their stored hashes. */
static int grow(struct words *words, struct error *e) {
    uint64_t entries = words->entries == 0 ? FIRST_ENTRIES : 2 * words->entries;
    struct words_entry *entry =
        memory_zeroed((int64_t)entries, sizeof *entry, "a table of strings", e);
    if (entry == NULL)
        return -1;
    for (uint64_t i = 0; i < words->entries; i++) {
        uint64_t k = words->entry[i].hash & (entries - 1);
        while (words->entry[i].number != 0 && entry[k].number != 0)
            k = (k + 1) & (entries - 1);
        if (words->entry[i].number != 0)
            entry[k] = words->entry[i];
    }
    free(words->entry);
    words->entry = entry;
    words->entries = entries;
    return 0;
}

/* Makes sure that one more string fits. */
static int reserve(struct words *words, int64_t length, struct error *e) {
    if (words->count == INT32_MAX)
        return error_set(e, "more than %d different features", INT32_MAX);
    int64_t text_length = words->count == 0 ? 0 : words->start[words->count];
    if (memory_reserve((void **)&words->start, &words->starts, words->count + 2,
                       sizeof *words->start, "strings", e) != 0 ||
        memory_reserve((void **)&words->text, &words->bytes, text_length + length + 1, 1, "strings",
                       e) != 0)
        return -1;
    return 2 * (uint64_t)(words->count + 1) > words->entries ? grow(words, e) : 0;
}

int64_t words_add(struct words *words, const char *text, int64_t length, struct error *e) {
    int64_t number = words_find(words, text, length);
    if (number >= 0)
        return number;
    if (reserve(words, length, e) != 0)
        return -1;
    uint32_t hash = hash_of(text, length);
    number = words->count++;
    if (number == 0)
        words->start[0] = 0;
    char *end = words->text + words->start[number];
    memcpy(end, text, (size_t)length);
    end[length] = '\0';
    words->start[number + 1] = words->start[number] + length + 1;
    *search(words, hash, text, length) = (struct words_entry){hash, (int32_t)(number + 1)};
    return number;
}

int64_t words_number(struct words *words, const char *text, int64_t length, bool closed,
                     struct error *e) {
    if (closed)
        return words_find(words, text, length) + 1;
    int64_t number = words_add(words, text, length, e);
    return number < 0 ? -1 : number + 1;
}

const char *words_text(const struct words *words, int64_t number) {
    return words->text + words->start[number];
}

void words_replace(struct words *words, void (*replace)(char *text)) {
    for (int64_t k = 0; k < words->count; k++)
        replace(words->text + words->start[k]);
}

void words_free(struct words *words) {
    free(words->start);
    free(words->text);
    free(words->entry);
    *words = (struct words){0};
}
