/* converter.c - help, man page and main of a converter; see converter.h. */
#include "cli/converter.h"

#include "cli/files.h"
#include "cli/program_name.h"
#include "io/output.h"
#include "version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

/* The options that all converters have. */
struct asks {
    bool help, version, man;
};
#define FIELD(name) .offset = offsetof(struct asks, name)

static const struct option_row ask_rows[] = {
    {'h', "help", NULL, OPTION_FLAG, FIELD(help), .help = "print this help"},
    {'V', "version", NULL, OPTION_FLAG, FIELD(version), .help = "print the version"},
    {0, "man", NULL, OPTION_FLAG, FIELD(man)},
};

enum { ASK_ROWS = sizeof ask_rows / sizeof *ask_rows };

/* A converter and its options. */
struct call {
    const struct converter *converter;
    struct option_group groups[CONVERTER_GROUPS];
    struct asks asks;
};

static bool begins_section(const struct option_group *group) {
    return group->owner != NULL && group->count > 0;
}

static void print_help(const struct call *call, FILE *stream) {
    const struct converter *help = call->converter;
    char text[TEXT_BYTES];
    for (int i = 0; help->usage[i] != NULL; i++)
        fprintf(stream, "%s%s\n", i == 0 ? "usage: " : "       ",
                program_text(help->usage[i], text, sizeof text));
    fputc('\n', stream);
    help_text(program_text(help->description, text, sizeof text), 0, stream);
    fputs("\noptions:\n", stream);
    for (int i = 0; i < CONVERTER_GROUPS; i++) {
        if (begins_section(&call->groups[i]))
            fprintf(stream, "\noptions of %s:\n", call->groups[i].owner);
        options_print_help(&call->groups[i], stream);
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

static void print_man(const struct call *call, FILE *stream) {
    const struct converter *help = call->converter;
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
    for (int i = 0; i < CONVERTER_GROUPS; i++) {
        if (begins_section(&call->groups[i]))
            fprintf(stream, ".SS Options of %s\n", call->groups[i].owner);
        options_print_man(&call->groups[i], stream);
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
static int tell(const struct call *call, struct error *e) {
    struct output *output = output_open("-", e);
    if (output == NULL)
        return -1;
    if (call->asks.version)
        fputs(RRM_VERSION "\n", output_stream(output));
    else if (call->asks.man)
        print_man(call, output_stream(output));
    else
        print_help(call, output_stream(output));
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

/* Reads the options, then tells or runs. */
static void answer(struct call *call, int argc, char **argv, struct error *e) {
    const struct asks *asks = &call->asks;
    int first = options_parse(argc, argv, call->groups, CONVERTER_GROUPS, e);
    if (first < 0)
        return;
    if (argc < 2 || asks->help || asks->version || asks->man)
        tell(call, e);
    else if (call->converter->run(call->groups[0].settings, call->groups, argv + first,
                                  argc - first, e) == 0)
        files_flush_output(e);
}

int converter_main(int argc, char **argv, const struct converter *converter, void *settings) {
    const struct converter_rows *common = &converter->common, *encode = &converter->encode;
    bool common_given[CONVERTER_MAX_ROWS], encode_given[CONVERTER_MAX_ROWS], asks_given[ASK_ROWS];
    struct call call = {.converter = converter};
    struct error e = {0};
    call.groups[0] = (struct option_group){
        .rows = common->rows, .count = common->count, .settings = settings, .given = common_given};
    call.groups[1] = (struct option_group){
        .rows = ask_rows, .count = ASK_ROWS, .settings = &call.asks, .given = asks_given};
    call.groups[2] = (struct option_group){.owner = "encode",
                                           .rows = encode->rows,
                                           .count = encode->count,
                                           .settings = settings,
                                           .given = encode_given};
    program_start(argv[0], converter->name);
    answer(&call, argc, argv, &e);
    if (e.kind != ERROR_NONE)
        error_print(&e, program_name(), stderr);
    else if (argc < 2)
        return 2;
    return error_exit_status(&e);
}
