/* dcd_free_rows.h - the rows X_F of the free dual variables, copied by column, and products with them (dcd_free.h). */
#ifndef RRM_DCD_FREE_ROWS_H
#define RRM_DCD_FREE_ROWS_H

#include "io/error.h"
#include "solvers/dual/dcd_rows.h"

enum {
    DCD_RANGES = 4, /* of columns that threads share */
    DCD_HALVES = 2  /* of the columns of the data, which threads share where the rows are copied */
};

struct free_rows {
    const struct dcd_rows *rows;
    int64_t count; /* free rows of this process */
    int64_t *index;
    int64_t entries; /* of these, with those of the constant feature */
    double nonzeros; /* of the free rows of all processes */
    bool copied;     /* the present free rows are; else they are read where they are */

    double *own; /* count: curvature beside that of the columns that are read */
    double
        *product[DCD_RANGES]; /* count: parts of the matrix times a vector, by range of columns */

    /* The free rows by column: the columns that have entries, their starts, and the entries. */
    int64_t columns, shared; /* columns; the first of them, which have two entries or more */
    int32_t *column;
    int64_t *start;
    int64_t *cursor; /* columns of the data: how many entries, then where the next one goes */
    int64_t middle;  /* the first column of the second half: each has about half of the entries */
    int64_t *split;  /* where the second half begins in each free row */
    int32_t *entry;  /* among the free rows */
    double *value;   /* of the entries; NULL: `floats` has them; both NULL: all are 1 */
    float *floats;
    /* columns of the data: the products with columns, of all processes; NULL: there is one */
    double *image;
    int64_t copy_limit; /* entries that there is memory for */
    double *sum;        /* ranges x columns of the data: of rows that are read where they are */
};

/* 0, or -1 with the error set; to be freed in either case. */
int free_rows_init(struct free_rows *f, const struct dcd_rows *rows, struct error *e);
void free_rows_free(struct free_rows *f);

/* Lists the rows that are free now. */
void free_rows_collect(struct free_rows *free);

/* Copies the rows, or forgets the products of those before, to which the rows' own will be added. */
void free_rows_prepare(struct free_rows *free);

/* The curvature along DIRECTION (count): direction'(X_F X_F' + diag(ridge)) direction; leaves the product's parts but
 * for the variables' own curvature. */
double free_rows_multiply(const struct free_rows *free, const double *direction);

/* w += X_F' change, for w of all columns. */
void free_rows_move(const struct free_rows *free, const double *change, double *w);

/* What a product with the free rows is of a pass: of copies nothing. */
double free_rows_part_of_pass(const struct free_rows *free);

struct communicator *free_rows_processes(const struct free_rows *free);
bool free_rows_threads(const struct free_rows *free);

#endif
