/* program_name.c - the names of the programs in messages; see program_name.h. */
#include "cli/program_name.h"

#include "io/pages.h"

#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char installed[] = "librrm-";

static struct {
    const char *source_name; /* the name in the source */
    const char *name;        /* the name under which it was started */
    const char *prefix;      /* of the programs' names */
    size_t prefix_length;    /* bytes of it */
    char full[64];           /* the installed name */
} program = {"librrm", "librrm", "", 0, ""};

void program_start(const char *path, const char *source_name) {
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;
    size_t ending = strlen(source_name);
    signal(SIGXFSZ, SIG_IGN);
    pages_return_freed();
    program.source_name = source_name;
    program.name = name != NULL && *name != '\0' ? name : source_name;
    size_t length = strlen(program.name);
    program.prefix = program.name;
    program.prefix_length =
        length >= ending && strcmp(program.name + length - ending, source_name) == 0
            ? length - ending
            : 0;
}

void program_use_installed_names(void) {
    snprintf(program.full, sizeof program.full, "%s%s", installed, program.source_name);
    program.name = program.full;
    program.prefix = installed;
    program.prefix_length = strlen(installed);
}

const char *program_name(void) {
    return program.name;
}

/* The length of the word at TEXT. */
static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalpha((unsigned char)text[length]))
        length++;
    return length;
}

static size_t append(char *buffer, size_t size, size_t used, const char *more, size_t length) {
    size_t count = used + length < size ? length : size - 1 - used;
    memcpy(buffer + used, more, count);
    return used + count;
}

const char *program_text(const char *text, char *buffer, size_t size) {
    size_t used = 0;
    while (*text != '\0') {
        size_t length = *text == '@' ? word_length(text + 1) : 0;
        if (length == 0) {
            used = append(buffer, size, used, text++, 1);
            continue;
        }
        bool source_name = strlen(program.source_name) == length &&
                           strncmp(text + 1, program.source_name, length) == 0;
        if (source_name) {
            used = append(buffer, size, used, program.name, strlen(program.name));
        } else {
            used = append(buffer, size, used, program.prefix, program.prefix_length);
            used = append(buffer, size, used, text + 1, length);
        }
        text += 1 + length;
    }
    buffer[used] = '\0';
    return buffer;
}
