/* fuzz_table.c - any bytes as a table: what is read is sound, and comes back equal after being printed. */
#include "data/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void require(int condition) {
    if (!condition)
        abort();
}

static struct table *open_bytes(const void *bytes, size_t size, char separator, int *descriptor) {
    char path[64];
    struct error e = {0};
    *descriptor = memfd_create("input", 0);
    require(*descriptor >= 0 && write(*descriptor, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", *descriptor);
    struct table *table = table_open(path, separator, false, &e);
    require((table == NULL) == (e.kind != ERROR_NONE));
    return table;
}

/* The record alone, printed as a line, has the same fields. */
static void require_again(const struct record *record, char separator) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream != NULL);
    for (int64_t j = 0; j < record->count; j++) {
        if (j > 0)
            fputc(separator, stream);
        table_print_field(record->field[j].text, separator, stream);
    }
    fputc('\n', stream);
    fclose(stream);
    int descriptor;
    struct error e = {0};
    struct record again;
    struct table *table = open_bytes(text, size, separator, &descriptor);
    require(table != NULL && table_next(table, &again, &e) == 1);
    require(again.count == record->count);
    for (int64_t j = 0; j < record->count; j++)
        require(strcmp(again.field[j].text, record->field[j].text) == 0);
    table_close(table);
    close(descriptor);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    int descriptor, more = 0;
    struct error e = {0};
    struct record record;
    struct table *table = open_bytes(bytes, size, 0, &descriptor);
    while (table != NULL && (more = table_next(table, &record, &e)) == 1) {
        require(record.count > 0 && record.line > 0);
        for (int64_t j = 0; j < record.count; j++)
            require((int64_t)strlen(record.field[j].text) == record.field[j].length);
        if (strncmp(record.field[0].text, "\xef\xbb\xbf", 3) !=
            0) /* no mark of a file's beginning */
            require_again(&record, table_separator(table));
    }
    require((more == 0) == (e.kind == ERROR_NONE) || table == NULL);
    table_close(table);
    close(descriptor);
    return 0;
}
