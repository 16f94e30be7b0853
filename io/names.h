/* names.h - the file of names of labels and features.
 *
 * It is a text with one name on each line, in any order:
 *
 *     label NUMBER NAME
 *     feature NUMBER NAME
 *
 * separated by blanks or tabs; a name is any bytes but blanks, tabs, line ends and NUL. Empty lines and
 * lines that begin with "#" are skipped, but for the comment
 *
 *     # label column: NAME
 *
 * which says which column of a table had the labels. data/conll and data/convert write such files.
 *
 * A name stands for a text: in it %XX, with two of 0-9 and A-F, is the character of that code. So a text may have
 * blanks. */
#ifndef RRM_NAMES_H
#define RRM_NAMES_H

#include "io/error.h"
#include "io/line_walk.h"

enum names_kind { NAMES_LABEL, NAMES_FEATURE, NAMES_LABEL_COLUMN };

struct names_entry {
    enum names_kind kind;
    double number; /* of a feature: a positive integer; of a column: 0 */
    struct word name;
};

/* The next entry of an opened file, in *entry until the next call. 1, 0 at the end, -1 with the error
 * "FILE:LINE: reason". */
int names_next(struct line_walk *walk, struct names_entry *entry, struct error *e);

/* The names of COUNT labels, in their order: a new array of strings. Other entries of the file are
 * ignored. NULL with the error set: a malformed line, a label with two names, two labels with one name, a label without
 * a name. */
const char *const *names_read(const char *path, const double *label, int64_t count,
                              struct error *e);

/* The same names by name_show. */
const char *const *names_read_shown(const char *path, const double *label, int64_t count,
                                    struct error *e);

/* Writes TEXT to OUT in the form that names have: blanks, =, % and control characters as %XX. Returns the end. OUT has
 * space for 3 bytes for each byte of TEXT. */
char *name_encode(char *out, const char *text, int64_t length);

/* Replaces a name by its text, in place. */
void name_decode(char *name);

/* The same, but control characters stay %XX: for lines and tables that are read by people. */
void name_show(char *name);

/* Frees COUNT names; NULL does nothing. */
void names_free(const char *const *names, int64_t count);

#endif
