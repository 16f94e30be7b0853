/* help.c - prints an option table as help and as man page source. */
#include "cli/options.h"
#include "cli/program_name.h"
#include "version.h"

#include <ctype.h>
#include <string.h>

enum { LINE_END = 96 };

static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/* Choices are listed unless the argument's name already does: "last|best". */
static bool lists_choices(const struct option_row *row) {
    return row->kind == OPTION_CHOICE && strchr(row->argument, '|') == NULL;
}

/* Whether the help states the upper limit. */
static bool is_size(const struct option_row *row) {
    return (row->kind == OPTION_INTEGER && row->high > 1) ||
           (row->kind == OPTION_REAL && row->argument != NULL && strcmp(row->argument, "MB") == 0);
}

/* The help sentence of a row, with its choices, upper limit and default. */
static void describe(const struct option_row *row, char *text, size_t size) {
    snprintf(text, size, "%s", row->help);
    for (int i = 0; lists_choices(row) && row->choices[i] != NULL; i++) {
        append(text, size, i == 0 ? ": " : ", ");
        append(text, size, row->choices[i]);
    }
    if (is_size(row)) {
        char maximum[40];
        snprintf(maximum, sizeof maximum, "; %s is at most %.10g", row->argument, row->high);
        append(text, size, maximum);
    }
    if (row->default_text != NULL) {
        append(text, size, " (default ");
        append(text, size, row->default_text);
        append(text, size, ")");
    }
}

void help_text(const char *text, int indent, FILE *stream) {
    int column = indent;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > LINE_END && column > indent) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        }
        if (column > indent) {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

/* "  -l, --lambda X" */
static int print_head(const struct option_row *row, FILE *stream) {
    int width = 2;
    fputs("  ", stream);
    if (row->letter != 0)
        width += fprintf(stream, "-%c%s", row->letter, row->name != NULL ? ", " : "");
    else
        width += fprintf(stream, "    ");
    if (row->name != NULL)
        width += fprintf(stream, "--%s", row->name);
    if (row->argument != NULL)
        width += fprintf(stream, row->implied != NULL ? "[=%s]" : " %s", row->argument);
    return width;
}

void options_print_row(const struct option_row *row, FILE *stream) {
    char text[1024];
    int width = print_head(row, stream);
    if (width + 2 > HELP_COLUMN) {
        fputc('\n', stream);
        width = 0;
    }
    fprintf(stream, "%*s", HELP_COLUMN - width, "");
    describe(row, text, sizeof text);
    help_text(text, HELP_COLUMN, stream);
}

void options_print_help(const struct option_group *group, FILE *stream) {
    for (int i = 0; i < group->count; i++)
        if (group->rows[i].help != NULL)
            options_print_row(&group->rows[i], stream);
}

void man_title(FILE *stream) {
    fputs(".TH ", stream);
    for (const char *c = program_name(); *c != '\0'; c++) {
        fputs(*c == '-' ? "\\" : "", stream);
        fputc(toupper((unsigned char)*c), stream);
    }
    fputs(" 1 " RRM_DATE " \"" RRM_VERSION "\" \"User Commands\"\n", stream);
}

void man_text(const char *text, FILE *stream) {
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '-')
            fputs("\\-", stream);
        else if (*c == '\\')
            fputs("\\e", stream);
        else if ((*c == '.' || *c == '\'') && c == text)
            fprintf(stream, "\\&%c", *c); /* at the start of a line it would be a request */
        else
            fputc(*c, stream);
}

void man_entry(const char *head, const char *text, FILE *stream) {
    fputs(".TP\n.B ", stream);
    man_text(head, stream);
    fputc('\n', stream);
    man_text(text, stream);
    fputs(".\n", stream);
}

void options_print_man(const struct option_group *group, FILE *stream) {
    for (int i = 0; i < group->count; i++) {
        const struct option_row *row = &group->rows[i];
        char text[1024];
        if (row->help == NULL)
            continue;
        fputs(".TP\n", stream);
        if (row->letter != 0)
            fprintf(stream, "\\fB\\-%c\\fR%s", row->letter, row->name != NULL ? ", " : "");
        if (row->name != NULL) {
            fputs("\\fB\\-\\-", stream);
            man_text(row->name, stream);
            fputs("\\fR", stream);
        }
        if (row->argument != NULL) {
            fputs(row->implied != NULL ? "[=\\fI" : " \\fI", stream);
            man_text(row->argument, stream);
            fputs(row->implied != NULL ? "\\fR]" : "\\fR", stream);
        }
        fputc('\n', stream);
        describe(row, text, sizeof text);
        man_text(text, stream);
        fputs(".\n", stream);
    }
}
