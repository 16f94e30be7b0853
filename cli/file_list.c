/* file_list.c - the names of several files; see file_list.h. */
#include "cli/file_list.h"

#include "io/memory.h"
#include "io/source.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_BYTES = 1 << 24 }; /* of a list at most */

/* The text of a file, with a NUL behind it. */
static char *read_text(const char *path, struct error *e) {
    struct source *source = source_open(path, e);
    char *text = source == NULL ? NULL : memory_new(LIST_BYTES + 1, 1, "a list of files", e);
    int64_t length = text == NULL ? -1 : source_read(source, text, LIST_BYTES, e);
    if (length == LIST_BYTES)
        length = error_file(e, path, "a list of files has less than %d bytes", LIST_BYTES);
    source_close(source);
    if (length < 0) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* Cuts the text into lines; with PATH NULL it counts the names, which are those that are neither empty nor comments. */
static int cut_lines(char *text, char **path) {
    int count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\r\n");
        char *next = text + length + (text[length] != '\0');
        bool is_name = length > 0 && *text != '#';
        if (path != NULL && is_name)
            path[count] = text;
        if (path != NULL)
            text[length] = '\0';
        count += is_name;
        text = next;
    }
    return count;
}

/* That each name in the list, whose lines are cut, is that of a file. */
static int check_names(const struct file_list *list, struct error *e) {
    for (int i = 0; i < list->count; i++)
        if (access(list->path[i], F_OK) != 0)
            return error_file(e, list->name, "%.200s: %s", list->path[i], strerror(errno));
    return 0;
}

int file_list_init(struct file_list *list, char **operand, int count, struct error *e) {
    *list = (struct file_list){0};
    bool is_list = count == 1 && operand[0][0] == '@';
    if (is_list && (list->text = read_text(operand[0] + 1, e)) == NULL)
        return -1;
    list->name = is_list ? operand[0] + 1 : NULL;
    list->count = is_list ? cut_lines(list->text, NULL) : count;
    if (list->count == 0)
        return error_file(e, operand[0] + 1, "no name of a file in this list");
    list->path = memory_new(list->count, sizeof *list->path, "a list of files", e);
    if (list->path == NULL)
        return -1;
    if (!is_list) {
        memcpy(list->path, operand, sizeof *operand * (size_t)count);
        return 0;
    }
    cut_lines(list->text, list->path);
    return check_names(list, e);
}

void file_list_free(struct file_list *list) {
    free(list->path);
    free(list->text);
    *list = (struct file_list){0};
}
