/* convert.h - what the files of the program convert share. */
#ifndef RRM_CONVERT_H
#define RRM_CONVERT_H

#include "cli/converter.h"
#include "data/numbered_names.h"
#include "data/table.h"
#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum convert_header { HEADER_AUTO, HEADER_ON, HEADER_OFF };
enum convert_decimal { DECIMAL_POINT, DECIMAL_COMMA };
enum convert_missing { MISSING_ZERO, MISSING_FLAG, MISSING_SKIP, MISSING_REFUSE };

struct convert_settings {
    const char *names;
    const char *separator; /* NULL: found out */
    int header;            /* enum convert_header */
    int decimal;           /* enum convert_decimal */
    const char *label, *weight, *group, *ignore, *categories;
    int missing; /* enum convert_missing */
    bool freeze, unlabeled, quiet;
};

/* What a column is. */
enum column_kind {
    COLUMN_NUMBER,   /* one feature, whose value is the number */
    COLUMN_CATEGORY, /* a feature for each different text, with value 1 */
    COLUMN_LABEL,
    COLUMN_WEIGHT,
    COLUMN_GROUP,
    COLUMN_IGNORED,
    COLUMN_UNKNOWN /* no feature of --names: left out */
};

struct table_column {
    char *name; /* owned; in a table without a header the column's number from 1 */
    enum column_kind kind;
    bool forced;                   /* a category by --categories */
    int64_t numbers, texts, empty; /* fields of each sort */
    char text[41];                 /* the first text that is no number, cut; for messages */
    int64_t distinct;              /* features that its texts and numbers are, of a category */
    int64_t groups, decimals;      /* fields of each enum field_comma */
    char comma[41];                /* one of them, cut; a decimal one if there is any */
};

/* The columns of a table. Zero it before the first use. */
struct table_columns {
    int64_t count;
    struct table_column *column;
    bool header;         /* the first record has the names */
    bool header_guessed; /* though some of its fields are numbers */
    bool decimal_comma;
    int64_t absent;    /* columns of --names that the table does not have */
    char absentee[41]; /* the first of them, cut; for messages */
};

/* Whether the first record is a header, and the columns with their names and the kinds that options give them. 0, or -1
 * with the error set: two columns with one name, an option that names no column. */
int table_columns_open(struct table_columns *columns, const struct convert_settings *settings,
                       struct table *table, const struct record *first, struct error *e);

/* Whether the first record is a header, by --header: one without numbers, one that begins with `label` as convert table
 * writes it, or one of different fields that has a name above a number of the second record. 0, or -1 with the error
 * set. */
int table_columns_find_header(struct table_columns *columns,
                              const struct convert_settings *settings, struct table *table,
                              const struct record *first, struct error *e);

/* Counts the fields of a record; afterwards table_columns_decide makes a category of a column with texts. */
void table_columns_count(struct table_columns *columns, const struct record *record);
void table_columns_decide(struct table_columns *columns);

/* The kinds of a table whose features were numbered before: numbers and categories as in `names`, columns that are not
 * there are left out, and where the label follows the names, it is the column that they name. If they name none, it is
 * the column `label` or the last one, unless others are no features either. 0, or -1 with the error set: the label is a
 * feature there, no column is, or no column is the label. */
int table_columns_follow(struct table_columns *columns, const struct convert_settings *settings,
                         const struct table *table, const struct numbered_names *names,
                         struct error *e);

/* Print notes on standard error about what may not be meant: of a table that numbers the features, of one whose
 * features were numbered before, and which column is the label. */
void table_columns_note(const struct table_columns *columns);
void table_columns_note_followed(const struct table_columns *columns);
void table_columns_note_label(const struct table_columns *columns);

/* The column of this kind, or -1. */
int64_t table_columns_find(const struct table_columns *columns, enum column_kind kind);

void table_columns_free(struct table_columns *columns);

/* Whether the field has no value: it is empty, or one of NA, N/A, NaN, null and ?. */
bool field_missing(struct word field);

/* Whether the field is a number, with its value. A field beyond all numbers (1e999) is none. DECIMAL_COMMA: "1,5" is
 * one, and "1.5" is not, which would be a thousand and five hundred to some. */
bool field_number(struct word field, bool decimal_comma, double *value);

/* Whether the column of the label is that of the file of names: --freeze without --label and --unlabeled. */
bool convert_label_follows(const struct convert_settings *settings);

/* What a comma in a field may be. */
enum field_comma {
    COMMA_NONE,
    COMMA_GROUPS, /* between groups of three digits: 1,500 or 12,750,000 */
    COMMA_DECIMAL /* before the fraction: 1,5 or 0,500 */
};
enum field_comma field_comma(struct word field);

/* Opens the table by --separator. NULL with the error set. */
struct table *convert_open(const char *path, const struct convert_settings *settings,
                           struct error *e);

/* Writes the table as svmlight data to standard output, and the names of labels and features to --names. */
int convert_encode(const struct convert_settings *settings, const char *path, struct error *e);

/* Writes the table with a column of the predicted labels to standard output. */
int convert_decode(const struct convert_settings *settings, const char *path,
                   const char *predictions, struct error *e);

/* Writes svmlight data as a table to standard output. */
int convert_table(const struct convert_settings *settings, const char *path, struct error *e);

#endif
