/* converter_help.c - help and man page of a converter; see converter_help.h. */
#include "cli/converter_help.h"

#include "cli/files.h"
#include "cli/program_name.h"
#include "io/output.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

static void print_help(const struct converter_help *help, FILE *stream) {
    char text[TEXT_BYTES];
    for (int i = 0; help->usage[i] != NULL; i++)
        fprintf(stream, "%s%s\n", i == 0 ? "usage: " : "       ",
                program_text(help->usage[i], text, sizeof text));
    fputc('\n', stream);
    help_text(program_text(help->description, text, sizeof text), 0, stream);
    for (int i = 0; i < help->group_count; i++) {
        const char *owner = help->groups[i].owner;
        fprintf(stream, "\noptions%s%s:\n", owner != NULL ? " of " : "",
                owner != NULL ? owner : "");
        options_print_help(&help->groups[i], stream);
    }
    fputs("\nexamples:\n", stream);
    for (int i = 0; help->examples[i] != NULL; i++)
        fprintf(stream, "  %s\n", program_text(help->examples[i], text, sizeof text));
}

static void print_lines(const char *const *lines, FILE *stream) {
    char text[TEXT_BYTES];
    fputs(".nf\n", stream);
    for (int i = 0; lines[i] != NULL; i++) {
        man_text(program_text(lines[i], text, sizeof text), stream);
        fputc('\n', stream);
    }
    fputs(".fi\n", stream);
}

static void print_man(const struct converter_help *help, FILE *stream) {
    char text[TEXT_BYTES];
    program_use_installed_names();
    man_title(stream);
    fprintf(stream, ".SH NAME\n");
    man_text(program_name(), stream);
    fprintf(stream, " \\- %s\n.SH SYNOPSIS\n", help->purpose);
    print_lines(help->usage, stream);
    fputs(".SH DESCRIPTION\n", stream);
    man_text(program_text(help->description, text, sizeof text), stream);
    fputs("\n.SH OPTIONS\n", stream);
    for (int i = 0; i < help->group_count; i++) {
        if (help->groups[i].owner != NULL)
            fprintf(stream, ".SS Options of %s\n", help->groups[i].owner);
        options_print_man(&help->groups[i], stream);
    }
    fputs(".SH EXIT STATUS\n0 success, 1 failure (data, input or output, memory), 2 usage.\n"
          ".SH EXAMPLES\n",
          stream);
    print_lines(help->examples, stream);
    fputs(".SH SEE ALSO\n.BR librrm\\-train (1),\n.BR librrm\\-predict (1),\n"
          ".BR librrm\\-formats (5)\n",
          stream);
}

/* Writes to standard output the version or the man page if asked for, otherwise the help. */
static int tell(const struct converter_help *help, const struct converter_asks *asks,
                struct error *e) {
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    if (asks->version)
        fputs(RRM_VERSION "\n", output_stream(output));
    else if (asks->man)
        print_man(help, output_stream(output));
    else
        print_help(help, output_stream(output));
    return output_commit(output, e);
}

static const struct converter_command *refuse_command(const struct converter_command *commands,
                                                      const char *name, struct error *e) {
    char names[128] = "";
    size_t used = 0;
    for (int i = 0; commands[i].name != NULL && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0                         ? ""
                                 : commands[i + 1].name == NULL ? " or "
                                                                : ", ",
                                 commands[i].name);
    error_usage(e, "%s expected%s%.100s; see %s --help", names, name != NULL ? ", not " : "",
                name != NULL ? name : "", program_name());
    return NULL;
}

const struct converter_command *converter_find_command(const struct converter_command *commands,
                                                       char **operand, int count, struct error *e) {
    const char *name = count > 0 ? operand[0] : NULL;
    const struct converter_command *command = commands;
    while (command->name != NULL && (name == NULL || strcmp(command->name, name) != 0))
        command++;
    if (command->name == NULL)
        return refuse_command(commands, name, e);
    if (count - 1 >= command->min_files && count - 1 <= command->max_files)
        return command;
    error_usage(e, "%s takes %s, but there are %d operands; see %s --help", name, command->takes,
                count - 1, program_name());
    return NULL;
}

int converter_main(int argc, char **argv, const char *name, const struct converter_help *help,
                   const struct converter_asks *asks, converter_run *run) {
    struct error e = {0};
    program_start(argv[0], name);
    int first = options_parse(argc, argv, help->groups, help->group_count, &e);
    if (first >= 0 && (argc < 2 || asks->help || asks->version || asks->man))
        tell(help, asks, &e);
    else if (first >= 0 &&
             run(help->groups[0].settings, help->groups, argv + first, argc - first, &e) == 0)
        files_flush_output(&e);
    if (e.kind != ERROR_NONE)
        error_print(&e, program_name(), stderr);
    else if (argc < 2)
        return 2;
    return error_exit_status(&e);
}
