/* groups.h - queries and sequences: runs of consecutive rows with one qid.
 *
 * The parser of a piece of text collects its runs, including those of rows without a qid. group_check then reads the
 * runs of all pieces in file order and finds the errors that involve several pieces: a qid that occurs again after
 * another one, and rows without a qid in a file that has qids. */
#ifndef RRM_GROUPS_H
#define RRM_GROUPS_H

#include "io/dataset.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

#define GROUP_NONE INT64_MIN

struct group_run {
    int64_t id;     /* GROUP_NONE: rows without a qid */
    int32_t row;    /* its first row and line, counted from those of the piece */
    int32_t line;   /* (a piece has less than 2^31 lines) */
    int32_t column; /* of the qid, or of the label */
};

struct group_runs {
    struct group_run *run;
    int64_t count;
    int64_t capacity;
};

/* Appends a run when ID differs from that of the last one. */
int group_runs_add(struct group_runs *runs, struct group_run next, struct error *e);
void group_runs_free(struct group_runs *runs);

/* All groups so far, in file order. */
struct group_check {
    int64_t count;
    int64_t capacity;
    int64_t *start;
    int64_t *id;
    bool begun;         /* a row has been added */
    bool without;       /* the rows have no qid */
    int64_t last;       /* qid of the last row */
    int64_t largest;    /* while ids ascend, none can occur twice and no table is needed */
    int64_t *table;     /* hash table of all ids, open addressing; NULL while ids ascend */
    int64_t table_size; /* a power of two */
};

/* Adds the runs of a piece that begins at FIRST_ROW and FIRST_LINE. -1 with the error set at the first run that is
 * not allowed. */
int group_check_add(struct group_check *check, const struct group_runs *runs, int64_t first_row,
                    int64_t first_line, const char *file, struct error *e);

/* Moves the groups into DATA, whose rows are complete; none when the file has no qid. */
int group_check_finish(struct group_check *check, struct dataset *data, struct error *e);
void group_check_free(struct group_check *check);

#endif
