/* file_list.h - the names of several files: some operands, or the lines of a file. */
#ifndef RRM_FILE_LIST_H
#define RRM_FILE_LIST_H

#include "io/error.h"

struct file_list {
    char **path;
    int count;
    char *text;       /* owned: the names of a list's file; NULL: they are the caller's */
    const char *name; /* of the list's file; NULL: there is none */
};

/* The COUNT operands, or where there is one that begins with "@", the names in the lines of the file that follows. An
 * empty line is skipped, and one that begins with "#". 0, or -1 with the error set; to be freed in either case. */
int file_list_init(struct file_list *list, char **operand, int count, struct error *e);
void file_list_free(struct file_list *list);

#endif
