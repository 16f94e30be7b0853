/* groups.c - runs of rows with one qid, and the check that no qid occurs in two runs; see groups.h. */
#include "io/groups.h"

#include "io/memory.h"

#include <stdlib.h>

enum { FIRST_TABLE = 64, FIRST_GROUPS = 64 }; /* entries */

int group_runs_add(struct group_runs *runs, struct group_run next, struct error *e) {
    if (runs->count > 0 && runs->run[runs->count - 1].id == next.id)
        return 0;
    if (memory_reserve((void **)&runs->run, &runs->capacity, runs->count + 1, sizeof *runs->run,
                       "runs of a qid", e) != 0)
        return -1;
    runs->run[runs->count++] = next;
    return 0;
}

void group_runs_free(struct group_runs *runs) {
    free(runs->run);
    *runs = (struct group_runs){0};
}

/* Adds ID to the table; false: it is in the table already. Fibonacci hashing, linear probing. */
static bool table_add(int64_t *table, int64_t size, int64_t id) {
    uint64_t mask = (uint64_t)size - 1;
    uint64_t index = ((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & mask;
    for (; table[index] != GROUP_NONE; index = (index + 1) & mask)
        if (table[index] == id)
            return false;
    table[index] = id;
    return true;
}

/* Builds the table of all ids so far; at most half full, with free entries for more. */
static int table_build(struct group_check *check, struct error *e) {
    int64_t size = FIRST_TABLE;
    while (size < 2 * (check->count + 1))
        size *= 2;
    int64_t *table = memory_new(size, sizeof *table, "a table of qids", e);
    if (table == NULL)
        return -1;
    for (int64_t i = 0; i < size; i++)
        table[i] = GROUP_NONE;
    for (int64_t i = 0; i < check->count; i++)
        table_add(table, size, check->id[i]);
    free(check->table);
    check->table = table;
    check->table_size = size;
    return 0;
}

/* 1: ID is new, 0: it occurred before, -1: error. */
static int is_new(struct group_check *check, int64_t id, struct error *e) {
    if (check->table == NULL && (check->count == 0 || id > check->largest)) {
        check->largest = id;
        return 1;
    }
    if ((check->table == NULL || 2 * (check->count + 1) > check->table_size) &&
        table_build(check, e) != 0)
        return -1;
    return table_add(check->table, check->table_size, id);
}

static int append(struct group_check *check, int64_t row, int64_t id, struct error *e) {
    if (check->count + 1 >= check->capacity) {
        int64_t capacity = FIRST_GROUPS + check->capacity + check->capacity / 2;
        if (memory_resize((void **)&check->start, capacity, sizeof *check->start, "groups", e) !=
                0 ||
            memory_resize((void **)&check->id, capacity, sizeof *check->id, "groups", e) != 0)
            return -1;
        check->capacity = capacity;
    }
    check->start[check->count] = row;
    check->id[check->count] = id;
    check->count++;
    return 0;
}

static int add_run(struct group_check *check, const struct group_run *run, int64_t row,
                   int64_t line, const char *file, struct error *e) {
    bool without = run->id == GROUP_NONE;
    if (!check->begun) {
        check->begun = true;
        check->without = without;
    } else if (without != check->without) {
        return error_at(e, file, line, run->column, "%s",
                        without ? "no qid in this line, but in the lines before it"
                                : "a qid in this line, but not in the lines before it");
    } else if (run->id == check->last) {
        return 0;
    }
    check->last = run->id;
    if (without)
        return 0;
    int fresh = is_new(check, run->id, e);
    if (fresh == 0)
        return error_at(e, file, line, run->column,
                        "qid %lld comes back after another one: its lines must be together",
                        (long long)run->id);
    return fresh < 0 ? -1 : append(check, row, run->id, e);
}

int group_check_add(struct group_check *check, const struct group_runs *runs, int64_t first_row,
                    int64_t first_line, const char *file, struct error *e) {
    for (int64_t i = 0; i < runs->count; i++) {
        const struct group_run *run = &runs->run[i];
        if (add_run(check, run, first_row + run->row, first_line + run->line, file, e) != 0)
            return -1;
    }
    return 0;
}

int group_check_finish(struct group_check *check, struct dataset *data, struct error *e) {
    if (check->count > 0) {
        check->start[check->count] = data->rows;
        if (memory_resize((void **)&check->start, check->count + 1, sizeof *check->start, "groups",
                          e) != 0 ||
            memory_resize((void **)&check->id, check->count, sizeof *check->id, "groups", e) != 0)
            return -1;
        data->groups = check->count;
        data->group_start = check->start;
        data->group_id = check->id;
        check->start = NULL;
        check->id = NULL;
    }
    group_check_free(check);
    return 0;
}

void group_check_free(struct group_check *check) {
    free(check->start);
    free(check->id);
    free(check->table);
    *check = (struct group_check){0};
}
