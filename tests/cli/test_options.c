/* test_options.c - the engine of the command line: kinds, ranges, suggestions, groups, help. */
#include "cli/json.h"
#include "cli/options.h"
#include "cli/train_command.h"
#include "training/defaults/choice.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct settings {
    bool flag, toggle;
    int64_t whole;
    uint64_t seed;
    double real, share;
    const char *text, *cache;
    int choice;
    char calls[64]; /* the arguments of the calls, each in brackets */
};

static int take_call(void *settings, const char *shown, const char *argument, struct error *e) {
    struct settings *s = settings;
    (void)shown;
    size_t used = strlen(s->calls);

    if (strcmp(argument, "bad") == 0)
        return error_usage(e, "-w bad: refused");
    snprintf(s->calls + used, sizeof s->calls - used, "[%s]", argument);
    return 0;
}

static const char *const colours[] = {"red", "green", "blue", NULL};

static const struct option_row rows[] = {
    {'f', "flag", NULL, OPTION_FLAG, .offset = offsetof(struct settings, flag), .help = "a flag"},
    {0, "toggle", "on|off", OPTION_SWITCH, .default_text = "on",
     .offset = offsetof(struct settings, toggle), .help = "a switch"},
    {'n', "whole", "N", OPTION_INTEGER, .low = 1, .high = 1024, .default_text = "7",
     .offset = offsetof(struct settings, whole), .help = "a whole number"},
    {'S', "seed", "N", OPTION_NATURAL, .default_text = "1",
     .offset = offsetof(struct settings, seed), .help = "any"},
    {'l', "lambda", "X", OPTION_REAL, .low = 0, .high = INFINITY, .open = true,
     .default_text = "1e-4", .offset = offsetof(struct settings, real), .help = "a number"},
    {0, "share", "X", OPTION_REAL, .low = 0, .high = 1, .open = true, .open_high = true,
     .default_text = "0.5", .offset = offsetof(struct settings, share), .help = "a share"},
    {'o', "output", "FILE", OPTION_TEXT, .offset = offsetof(struct settings, text),
     .help = "a file"},
    {0, "colour", "NAME", OPTION_CHOICE, .choices = colours, .default_text = "green",
     .offset = offsetof(struct settings, choice), .help = "a colour"},
    {'w', "weight", "LABEL=W", OPTION_CALL, .pair = true, .take = take_call, .help = "a call"},
    {0, "cache", "FILE", OPTION_TEXT, .implied = "beside",
     .offset = offsetof(struct settings, cache), .help = "a file or none"},
    {0, "hidden", NULL, OPTION_FLAG, .offset = offsetof(struct settings, flag)},
};

enum { ROWS = sizeof rows / sizeof *rows, ARGUMENTS = 32 };

/* One parse of `line`, split at blanks, by the table above. */
struct parsed {
    struct settings settings;
    bool given[ROWS];
    int first, count;
    char text[256];
    char *argv[ARGUMENTS + 1];
    struct error error;
};

static void split(struct parsed *p, const char *line) {
    snprintf(p->text, sizeof p->text, "program %s", line);
    p->count = 0;
    for (char *word = strtok(p->text, " "); word != NULL; word = strtok(NULL, " "))
        p->argv[p->count++] = word;
    p->argv[p->count] = NULL;
}

static void parse(struct parsed *p, const char *line) {
    struct option_group group = {.rows = rows, .count = ROWS};

    memset(p, 0, sizeof *p);
    group.settings = &p->settings;
    group.given = p->given;
    split(p, line);
    p->first = options_parse(p->count, p->argv, &group, 1, &p->error);
}

static void assert_refused(const char *line, const char *words) {
    struct parsed p;

    parse(&p, line);
    assert_int_equal(p.first, -1);
    assert_int_equal(p.error.kind, ERROR_USAGE);
    assert_string_equal(p.error.words, words);
}

static void an_argument_may_be_left_out(void **state) {
    struct parsed p;

    (void)state;
    parse(&p, "one");
    assert_null(p.settings.cache);
    parse(&p, "--cache one");
    assert_int_equal(p.error.kind, ERROR_NONE);
    assert_string_equal(p.settings.cache, "beside");
    assert_string_equal(p.argv[p.first], "one");
    parse(&p, "--cache=file one");
    assert_string_equal(p.settings.cache, "file");
}

static void defaults(void **state) {
    struct parsed p;

    (void)state;
    parse(&p, "");
    assert_int_equal(p.first, 1);
    assert_false(p.settings.flag);
    assert_true(p.settings.toggle);
    assert_int_equal(p.settings.whole, 7);
    assert_int_equal(p.settings.seed, 1);
    assert_true(p.settings.real == 1e-4);
    assert_true(p.settings.share == 0.5);
    assert_null(p.settings.text);
    assert_int_equal(p.settings.choice, 1);
    assert_string_equal(p.settings.calls, "");
    for (int i = 0; i < ROWS; i++)
        assert_false(p.given[i]);
}

static void every_kind(void **state) {
    struct parsed p;
    struct option_group group = {.rows = rows, .count = ROWS};

    (void)state;
    parse(&p, "-f --toggle off -n 1024 -S 18446744073709551615 --lambda=2.5e-3 --share 0.25 -ofile "
              "--colour blue -w x=1 --weight y=2 one two");
    group.given = p.given;
    assert_int_equal(p.error.kind, ERROR_NONE);
    assert_true(p.settings.flag);
    assert_false(p.settings.toggle);
    assert_int_equal(p.settings.whole, 1024);
    assert_true(p.settings.seed == UINT64_MAX);
    assert_true(p.settings.real == 2.5e-3);
    assert_true(p.settings.share == 0.25);
    assert_string_equal(p.settings.text, "file");
    assert_int_equal(p.settings.choice, 2);
    assert_string_equal(p.settings.calls, "[x=1][y=2]");
    assert_true(option_given(&group, "lambda"));
    assert_false(option_given(&group, "hidden"));
    assert_false(option_given(&group, "nothing"));
    assert_string_equal(p.argv[p.first], "one");
    assert_int_equal(p.count - p.first, 2);
}

static void operands(void **state) {
    struct parsed p;

    (void)state;
    parse(&p, "one -f - -- -l");
    assert_int_equal(p.error.kind, ERROR_NONE);
    assert_true(p.settings.flag);
    assert_int_equal(p.count - p.first, 3);
    assert_string_equal(p.argv[p.first], "one");
    assert_string_equal(p.argv[p.first + 1], "-");
    assert_string_equal(p.argv[p.first + 2], "-l");
}

static void abbreviations(void **state) {
    struct parsed p;

    (void)state;
    parse(&p, "--lam 3 --fl");
    assert_true(p.settings.real == 3);
    assert_true(p.settings.flag);
    assert_refused("--s 1", "option --s is ambiguous: --seed or --share?");
}

static void pairs(void **state) {
    struct parsed p;

    (void)state;
    parse(&p, "-w1 5 -w-1 2 -w+1 0.5 -w2=3 -fw 4=1 -fw5 6 -w 7=8 operand");
    assert_int_equal(p.error.kind, ERROR_NONE);
    assert_string_equal(p.settings.calls, "[1=5][-1=2][+1=0.5][2=3][4=1][5=6][7=8]");
    assert_int_equal(p.count - p.first, 1);
    assert_string_equal(p.argv[p.first], "operand");
    parse(&p, "before -w1 5 after");
    assert_string_equal(p.settings.calls, "[1=5]");
    assert_int_equal(p.count - p.first, 2);
    parse(&p, "-w1");
    assert_string_equal(p.settings.calls, "[1]"); /* left to the call */
    assert_refused("-w bad", "-w bad: refused");
}

static void refusals(void **state) {
    (void)state;
    assert_refused("--lamda 1", "unknown option --lamda; did you mean --lambda?");
    assert_refused("--lamda=1", "unknown option --lamda; did you mean --lambda?");
    assert_refused("--frobnicate", "unknown option --frobnicate; --help lists the options");
    assert_refused("-x", "unknown option -x; --help lists the options");
    assert_refused("-fx", "unknown option -x; --help lists the options");
    assert_refused("-l", "-l: its argument X is missing");
    assert_refused("--lambda", "--lambda: its argument X is missing");
    assert_refused("--flag=1", "--flag takes no argument");
    assert_refused("-l x", "-l x: not a finite number");
    assert_refused("-l 1e999", "-l 1e999: not a finite number");
    assert_refused("-l nan", "-l nan: not a finite number");
    assert_refused("-l 1,5", "-l 1,5: not a finite number");
    assert_refused("-n 1.5", "-n 1.5: not a whole number");
    assert_refused("-n 9223372036854775808", "-n 9223372036854775808: not a whole number");
    assert_refused("-S -1", "-S -1: not a whole number from 0 to 2^64 - 1");
    assert_refused("-S 18446744073709551616",
                   "-S 18446744073709551616: not a whole number from 0 to 2^64 - 1");
    assert_refused("--toggle yes", "--toggle yes: on or off is expected");
    assert_refused("--colour bleu", "--colour bleu: unknown; did you mean blue?");
    assert_refused("--colour yellow",
                   "--colour yellow: unknown; one of red, green, blue is expected");
}

static void ranges(void **state) {
    struct parsed p;

    (void)state;
    assert_refused("-l 0", "-l 0: out of range: more than 0");
    assert_refused("--lambda -1", "--lambda -1: out of range: more than 0");
    assert_refused("-n 0", "-n 0: out of range: from 1 to 1024");
    assert_refused("-n 1025", "-n 1025: out of range: from 1 to 1024");
    assert_refused("--share 1", "--share 1: out of range: more than 0 and less than 1");
    assert_refused("--share 0", "--share 0: out of range: more than 0 and less than 1");
    parse(&p, "-n 1 --share 1e-300 -l 1e-300");
    assert_int_equal(p.error.kind, ERROR_NONE);
}

static void numbers(void **state) {
    static const char *const bad[] = {"",    " 1", "1 ",  "0x10", "1e",    "e1",   "inf",
                                      "nan", "--", "1-2", "1e5x", "1.2.3", "-inf", "."};
    double real;
    int64_t whole;

    (void)state;
    assert_int_equal(text_to_real("1e-4", &real), 0);
    assert_true(real == 1e-4);
    assert_int_equal(text_to_real("+.5", &real), 0);
    assert_true(real == 0.5);
    assert_int_equal(text_to_integer("-12", &whole), 0);
    assert_int_equal(whole, -12);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(text_to_real(bad[i], &real), -1);
        assert_int_equal(text_to_integer(bad[i], &whole), -1);
    }
    assert_int_equal(text_to_integer("1e3", &whole), -1);
}

struct one_number {
    double radius;
};

static const struct option_row radius_row[] = {
    {0, "radius", "X", OPTION_REAL, .low = 0, .high = INFINITY, .default_text = "1",
     .offset = offsetof(struct one_number, radius), .help = "a radius"}};

static const struct option_row delta_row[] = {
    {0, "delta", "X", OPTION_REAL, .low = 0, .high = INFINITY, .default_text = "2",
     .offset = offsetof(struct one_number, radius), .help = "a delta"}};

static void groups(void **state) {
    struct one_number a, b, c;
    bool given[3] = {false};
    struct option_group group[] = {
        {.owner = "first", .rows = radius_row, .count = 1, .settings = &a, .given = &given[0]},
        {.owner = "second", .rows = radius_row, .count = 1, .settings = &b, .given = &given[1]},
        {.owner = "third", .rows = delta_row, .count = 1, .settings = &c, .given = &given[2]}};
    struct parsed p = {0};

    (void)state;
    split(&p, "--radius 5");
    assert_int_equal(options_parse(p.count, p.argv, group, 3, &p.error), 3);
    assert_true(a.radius == 5 && b.radius == 5 && c.radius == 2);
    assert_int_equal(options_check_owner(group, 3, "first", &p.error), 0);
    assert_int_equal(options_check_owner(group, 3, "second", &p.error), 0);
    assert_int_equal(options_check_owner(group, 3, "third", &p.error), -1);
    assert_string_equal(p.error.words, "--radius is an option of first, second, not of third");
    p.error = (struct error){0};
    assert_int_equal(options_check_owner(group, 3, NULL, &p.error), -1);
    assert_string_equal(p.error.words, "--radius needs -s: it is an option of first, second");
}

/* The message names the chosen owner, however many owners the option has. */
static void many_owners(void **state) {
    enum { OWNERS = 60 };
    static char names[OWNERS][16];
    struct option_group group[OWNERS + 1];
    struct one_number number[OWNERS + 1];
    bool given[OWNERS + 1] = {false};
    struct parsed p = {0};
    size_t length;

    (void)state;
    for (int i = 0; i <= OWNERS; i++) {
        snprintf(names[i % OWNERS], sizeof *names, "owner-%d", i % OWNERS);
        group[i] = (struct option_group){.owner = i < OWNERS ? names[i] : "another",
                                         .rows = i < OWNERS ? radius_row : delta_row,
                                         .count = 1,
                                         .settings = &number[i],
                                         .given = &given[i]};
    }
    split(&p, "--radius 5");
    assert_int_equal(options_parse(p.count, p.argv, group, OWNERS + 1, &p.error), 3);
    assert_int_equal(options_check_owner(group, OWNERS + 1, "another", &p.error), -1);
    length = strlen(p.error.words);
    assert_true(length < 400);
    assert_string_equal(p.error.words + length - strlen(", not of another"), ", not of another");
}

static void values_by_name(void **state) {
    struct one_number number = {.radius = 3};
    struct option_group group = {.rows = radius_row, .count = 1, .settings = &number};

    (void)state;
    assert_true(option_real(&group, "radius") == 3);
    assert_true(isnan(option_real(&group, "delta")));
}

/* One name, two owners, other words: what one cannot take is refused when that one is chosen. */
static void owners_differ(void **state) {
    static const char *const warm[] = {"red", "yellow", NULL};
    struct option_row row[2] = {rows[7], rows[7]};
    struct settings a, b;
    bool given[2] = {false};
    struct option_group group[] = {
        {.owner = "first", .rows = &row[0], .count = 1, .settings = &a, .given = &given[0]},
        {.owner = "second", .rows = &row[1], .count = 1, .settings = &b, .given = &given[1]}};
    struct parsed p = {0};

    (void)state;
    row[1].choices = warm;
    row[1].default_text = "red";
    split(&p, "--colour yellow");
    assert_int_equal(options_parse(p.count, p.argv, group, 2, &p.error), 3);
    assert_int_equal(b.choice, 1);
    assert_int_equal(options_check_owner(group, 2, "second", &p.error), 0);
    assert_int_equal(options_check_owner(group, 2, "first", &p.error), -1);
    assert_string_equal(p.error.words,
                        "--colour yellow: unknown; one of red, green, blue is expected");
    p.error = (struct error){0};
    split(&p, "--colour red");
    assert_int_equal(options_parse(p.count, p.argv, group, 2, &p.error), 3);
    assert_int_equal(options_check_owner(group, 2, "first", &p.error), 0);
    split(&p, "--colour pink"); /* nobody can: the one that is chosen names what it can */
    assert_int_equal(options_parse(p.count, p.argv, group, 2, &p.error), 3);
    assert_int_equal(options_check_owner(group, 2, "second", &p.error), -1);
    assert_string_equal(p.error.words, "--colour pink: unknown; one of red, yellow is expected");
}

/* What PRINT writes of the table, to be freed. */
static char *printed(void (*print)(const struct option_group *, FILE *),
                     struct settings *settings) {
    struct option_group group = {.rows = rows, .count = ROWS, .settings = settings};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    print(&group, stream);
    fclose(stream);
    return text;
}

static void help(void **state) {
    struct settings settings = {.text = "a\"b\\\n\xff", .real = 0.5, .choice = 2};
    char *text = printed(options_print_help, NULL);

    (void)state;
    assert_non_null(strstr(text, "  -l, --lambda X              a number (default 1e-4)\n"));
    assert_non_null(
        strstr(text, "      --colour NAME           a colour: red, green, blue (default green)\n"));
    assert_null(strstr(text, "hidden"));
    free(text);
    text = printed(options_print_man, NULL);
    assert_non_null(strstr(
        text, ".TP\n\\fB\\-l\\fR, \\fB\\-\\-lambda\\fR \\fIX\\fR\na number (default 1e\\-4).\n"));
    assert_null(strstr(text, "hidden"));
    free(text);
    text = printed(options_print_json, &settings);
    assert_non_null(strstr(text, "\"output\": \"a\\\"b\\\\\\u000a\\ufffd\""));
    assert_non_null(strstr(text, "\"colour\": \"blue\""));
    assert_non_null(strstr(text, "\"lambda\": 0.5"));
    free(text);
}

static void help_fits(void **state) {
    int count;
    struct option_group settings = {.rows = train_settings_rows(&count)};
    struct option_group program = {.rows = train_option_rows(false, &program.count)};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    settings.count = count;
    options_print_help(&settings, stream);
    options_print_help(&program, stream);
    fclose(stream);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 100);
    free(text);
}

static void check_ends(const struct option_row *of_table, int count) {
    for (int i = 0; i < count; i++) {
        bool size = of_table[i].argument != NULL && strcmp(of_table[i].argument, "MB") == 0;
        if (of_table[i].kind == OPTION_INTEGER || size)
            assert_true(isfinite(of_table[i].high) && of_table[i].high > of_table[i].low);
    }
}

/* Every option that is a count or a size has an upper end. */
static void sizes_have_upper_ends(void **state) {
    (void)state;
    int count;
    const struct option_row *of_table = train_settings_rows(&count);
    check_ends(of_table, count);
    of_table = train_option_rows(true, &count);
    check_ends(of_table, count);
    const struct solver *const *solvers = solver_table(&count);
    int table = count;
    for (int i = 0; i < table; i++)
        check_ends(solvers[i]->options, solvers[i]->option_count);
}

/* The defaults of every table of the program, solvers' included, are in their ranges. */
static void train_defaults(void **state) {
    struct train_command command;
    const struct training_request *request = &command.request;
    struct error e = {0};
    char program[] = "train", data[] = "folder/set.gz";
    char *argv[] = {program, data, NULL};
    struct dataset set = {.rows = 100, .features = 10, .nonzeros = 300};

    (void)state;
    assert_int_equal(train_command_parse(2, argv, false, &command, &e), 0);
    assert_int_equal(command.action, TRAIN_RUN);
    assert_string_equal(command.model_path, "set.model");
    assert_false(request->solver_given);
    assert_null(request->solver);
    assert_int_equal(request_choose(&command.request, &set, 1, 1e-4, &e), 0);
    assert_non_null(request->solver);
    assert_string_equal(request->settings.solver, request->solver->name);
    assert_true(request->settings.epsilon == request->solver->epsilon);
    assert_true(request->settings.passes == request->solver->passes);
    assert_true(isinf(request->settings.time_limit));
    train_command_free(&command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_kind),
        cmocka_unit_test(an_argument_may_be_left_out),
        cmocka_unit_test(operands),
        cmocka_unit_test(abbreviations),
        cmocka_unit_test(pairs),
        cmocka_unit_test(refusals),
        cmocka_unit_test(ranges),
        cmocka_unit_test(numbers),
        cmocka_unit_test(groups),
        cmocka_unit_test(many_owners),
        cmocka_unit_test(values_by_name),
        cmocka_unit_test(owners_differ),
        cmocka_unit_test(help),
        cmocka_unit_test(help_fits),
        cmocka_unit_test(sizes_have_upper_ends),
        cmocka_unit_test(train_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
