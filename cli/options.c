/* options.c - parses the command line by tables of options, with getopt_long.
 *
 * Several groups may have the same option (two solvers with --radius). getopt gets it once; its value is stored in
 * every group that has it. */
#include "cli/options.h"

#include "io/memory.h"
#include "io/nearest.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_BASE = 256 }; /* getopt_long returns a letter, or this + the index of a long option */

struct parser {
    struct option_group *groups;
    int group_count;
    struct option *longs;           /* for getopt_long; the last name is NULL */
    const struct option_row **rows; /* longs[i] is of rows[i] */
    const char **names;             /* of longs, for suggestions; NULL at the end */
    int long_count;
    char *shorts; /* for getopt: ":l:hq" */
};

static bool takes_argument(const struct option_row *row) {
    return row->kind != OPTION_FLAG && row->kind != OPTION_LEVEL;
}

static void parser_free(struct parser *p) {
    free(p->longs);
    free(p->rows);
    free(p->names);
    free(p->shorts);
}

static void add_letter(struct parser *p, const struct option_row *row) {
    size_t length = strlen(p->shorts);
    if (row->letter != 0 && strchr(p->shorts, row->letter) == NULL) {
        p->shorts[length++] = row->letter;
        if (takes_argument(row))
            p->shorts[length++] = ':';
        p->shorts[length] = '\0';
    }
}

static void add_name(struct parser *p, const struct option_row *row) {
    int n = p->long_count;
    if (row->name == NULL)
        return;
    for (int i = 0; i < n; i++)
        if (option_same(p->rows[i], row))
            return;
    p->longs[n] = (struct option){.name = row->name,
                                  .has_arg = row->implied != NULL  ? optional_argument
                                             : takes_argument(row) ? required_argument
                                                                   : no_argument,
                                  .val = LONG_BASE + n};
    p->rows[n] = row;
    p->names[n] = row->name;
    p->long_count = n + 1;
}

static int parser_init(struct parser *p, struct option_group *groups, int count, struct error *e) {
    int64_t total = 1;
    for (int g = 0; g < count; g++)
        total += groups[g].count;
    *p = (struct parser){.groups = groups, .group_count = count};
    p->longs = memory_zeroed(total, sizeof *p->longs, "options", e);
    p->rows = memory_zeroed(total, sizeof *p->rows, "options", e);
    p->names = memory_zeroed(total, sizeof *p->names, "options", e);
    p->shorts = memory_zeroed(2 * total + 2, 1, "options", e);
    if (p->longs == NULL || p->rows == NULL || p->names == NULL || p->shorts == NULL) {
        parser_free(p);
        return -1;
    }
    p->shorts[0] = ':'; /* getopt then distinguishes a missing argument from an unknown option */
    for (int g = 0; g < count; g++) {
        for (int i = 0; i < groups[g].count; i++) {
            add_letter(p, &groups[g].rows[i]);
            add_name(p, &groups[g].rows[i]);
        }
    }
    return 0;
}

/* The row of the value that getopt_long returned, or of optopt. */
static const struct option_row *find_row(const struct parser *p, int code) {
    if (code >= LONG_BASE)
        return p->rows[code - LONG_BASE];
    for (int g = 0; g < p->group_count; g++) {
        for (int i = 0; i < p->groups[g].count; i++)
            if (p->groups[g].rows[i].letter == code)
                return &p->groups[g].rows[i];
    }
    return NULL;
}

/* The option for messages: "-l" or the full long name "--lambda". */
static void show(const struct parser *p, int code, char *shown, size_t size) {
    if (code >= LONG_BASE)
        snprintf(shown, size, "--%s", p->names[code - LONG_BASE]);
    else
        snprintf(shown, size, "-%c", code);
}

/* LIBLINEAR's `-w1 5`: the argument of `row` is attached, has no '=', and a value follows. */
static bool value_follows(const struct option_row *row, int code, int argc, char **argv) {
    return row->pair && code < LONG_BASE && optarg != argv[optind - 1] &&
           strchr(optarg, '=') == NULL && optind < argc;
}

static int take(const struct parser *p, int code, int argc, char **argv, struct error *e) {
    const struct option_row *row = find_row(p, code);
    char shown[64];
    char pair[256];
    const char *text = optarg == NULL ? row->implied : optarg;
    show(p, code, shown, sizeof shown);
    if (value_follows(row, code, argc, argv)) {
        snprintf(pair, sizeof pair, "%s=%s", optarg, argv[optind]);
        text = pair;
        optind++;
    }
    return options_set(p->groups, p->group_count, row, shown, text, e);
}

static int missing_argument(const struct parser *p, struct error *e) {
    const struct option_row *row = find_row(p, optopt);
    char shown[64];
    show(p, optopt, shown, sizeof shown);
    return error_usage(e, "%s: its argument %s is missing", shown,
                       row != NULL && row->argument != NULL ? row->argument : "X");
}

/* `word` without the dashes, up to '='. */
static int unknown_long(const struct parser *p, const char *word, struct error *e) {
    char name[64];
    const char *first = NULL;
    const char *nearest;
    size_t length = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    for (int i = 0; i < p->long_count; i++) {
        if (strncmp(p->names[i], name, length) != 0 || length > 60)
            continue;
        if (first != NULL) {
            return error_usage(e, "option --%s is ambiguous: --%s or --%s?", name, first,
                               p->names[i]);
        }
        first = p->names[i];
    }
    nearest = nearest_name(name, p->names);
    if (nearest != NULL)
        return error_usage(e, "unknown option --%s; did you mean --%s?", name, nearest);
    return error_usage(e, "unknown option --%s; --help lists the options", name);
}

static int refuse(const struct parser *p, char **argv, struct error *e) {
    if (optopt >= LONG_BASE)
        return error_usage(e, "--%s takes no argument", p->names[optopt - LONG_BASE]);
    if (optopt != 0)
        return error_usage(e, "unknown option -%c; --help lists the options", optopt);
    return unknown_long(p, argv[optind - 1] + 2, e);
}

static int parse_all(const struct parser *p, int argc, char **argv, struct error *e) {
    opterr = 0;
    optind = 0; /* glibc: a fresh start */
    for (;;) {
        int status;
        int code = getopt_long(argc, argv, p->shorts, p->longs, NULL);
        if (code == -1)
            return optind;
        if (code == '?')
            status = refuse(p, argv, e);
        else if (code == ':')
            status = missing_argument(p, e);
        else
            status = take(p, code, argc, argv, e);
        if (status != 0)
            return -1;
    }
}

int options_parse(int argc, char **argv, struct option_group *groups, int group_count,
                  struct error *e) {
    struct parser parser;
    int first;
    if (parser_init(&parser, groups, group_count, e) != 0)
        return -1;
    first = options_default(groups, group_count, e) == 0 ? parse_all(&parser, argc, argv, e) : -1;
    parser_free(&parser);
    return first;
}
