/* words.c - distinct strings in a hash table. */
#include "data/words.h"

#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10 };

/* Eight bytes a step, each mixed by a multiplication whose high half is folded in. */
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

/* The slot that has the string, or the free one where it belongs. There are slots. */
static struct words_slot *search(const struct words *words, uint32_t hash, const char *text,
                                 int64_t length) {
    uint64_t k = hash & (words->slots - 1);
    struct words_slot *slot = &words->slot[k];
    while (slot->place != 0 &&
           (slot->hash != hash || !same(words, slot->place - 1, text, length))) {
        k = (k + 1) & (words->slots - 1);
        slot = &words->slot[k];
    }
    return slot;
}

int64_t words_find(const struct words *words, const char *text, int64_t length) {
    if (words->slots == 0)
        return -1;
    return (int64_t)search(words, hash_of(text, length), text, length)->place - 1;
}

/* Twice as many slots; the strings keep their hashes. */
static int grow(struct words *words, struct error *e) {
    uint64_t slots = words->slots == 0 ? FIRST_SLOTS : 2 * words->slots;
    struct words_slot *slot = memory_zeroed((int64_t)slots, sizeof *slot, "a table of strings", e);
    if (slot == NULL)
        return -1;
    for (uint64_t i = 0; i < words->slots; i++) {
        uint64_t k = words->slot[i].hash & (slots - 1);
        while (words->slot[i].place != 0 && slot[k].place != 0)
            k = (k + 1) & (slots - 1);
        if (words->slot[i].place != 0)
            slot[k] = words->slot[i];
    }
    free(words->slot);
    words->slot = slot;
    words->slots = slots;
    return 0;
}

/* Room for one more string. */
static int reserve(struct words *words, int64_t length, struct error *e) {
    if (words->count == INT32_MAX)
        return error_set(e, "more than %d different features", INT32_MAX);
    int64_t used = words->count == 0 ? 0 : words->start[words->count];
    if (memory_reserve((void **)&words->start, &words->starts, words->count + 2,
                       sizeof *words->start, "strings", e) != 0 ||
        memory_reserve((void **)&words->text, &words->bytes, used + length + 1, 1, "strings", e) !=
            0)
        return -1;
    return 2 * (uint64_t)(words->count + 1) > words->slots ? grow(words, e) : 0;
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
    char *place = words->text + words->start[number];
    memcpy(place, text, (size_t)length);
    place[length] = '\0';
    words->start[number + 1] = words->start[number] + length + 1;
    *search(words, hash, text, length) = (struct words_slot){hash, (int32_t)(number + 1)};
    return number;
}

const char *words_text(const struct words *words, int64_t number) {
    return words->text + words->start[number];
}

void words_free(struct words *words) {
    free(words->start);
    free(words->text);
    free(words->slot);
    *words = (struct words){0};
}
