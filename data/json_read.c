/* json_read.c - reads JSON; see json_read.h. */
#include "data/json_read.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, PADDING = 16 };

struct parse {
    struct json *json;
    const char *path;
    char *at;
    int depth;
    struct error *e;
};

/* LINE and those of the walk after it in json->bytes, each with a newline. */
static int take_lines(struct json *json, struct line_walk *walk, struct word line,
                      struct error *e) {
    int64_t length = 0, capacity = 0;
    int more = 1;
    for (; more == 1; more = line_walk_next(walk, &line, e)) {
        if (memory_reserve((void **)&json->bytes, &capacity, length + line.length + PADDING, 1,
                           "a report", e) != 0)
            return -1;
        memcpy(json->bytes + length, line.text, (size_t)line.length);
        length += line.length;
        json->bytes[length++] = '\n';
        json->bytes[length] = '\0';
    }
    return more;
}

static int refuse(const struct parse *parse, const char *expected) {
    int64_t line = 1;
    for (const char *p = parse->json->bytes; p < parse->at; p++)
        line += *p == '\n';
    return error_at(parse->e, parse->path, line, 0, "%s expected: no report of train or predict",
                    expected);
}

static void skip_blanks(struct parse *parse) {
    parse->at += strspn(parse->at, " \t\r\n");
}

static int64_t add_node(struct parse *parse) {
    struct json *json = parse->json;
    if (memory_reserve((void **)&json->node, &json->capacity, json->count + 1, sizeof *json->node,
                       "a report", parse->e) != 0)
        return -1;
    json->node[json->count] = (struct json_node){.child = -1, .next = -1};
    return json->count++;
}

/* A string without its quotes, in place; \uXXXX stays as it is, but for the other escapes. */
static char *take_text(struct parse *parse) {
    char *begin = parse->at, *out = begin;
    if (*parse->at != '"') {
        refuse(parse, "a text");
        return NULL;
    }
    for (parse->at++; *parse->at != '"'; parse->at++) {
        static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
        if (*parse->at == '\\' && parse->at[1] != 'u' && parse->at[1] != '\0') {
            const char *known = strchr(from, *++parse->at);
            *out++ = known != NULL ? to[known - from] : *parse->at;
            continue;
        }
        if (*parse->at == '\0') {
            refuse(parse, "a quote");
            return NULL;
        }
        *out++ = *parse->at;
    }
    parse->at++;
    *out = '\0';
    return begin;
}

static int64_t take_value(struct parse *parse);

/* The values of a list or object up to CLOSING; node PARENT. */
static int take_children(struct parse *parse, int64_t parent, bool object) {
    char closing = object ? '}' : ']';
    int64_t last = -1;
    parse->at++;
    skip_blanks(parse);
    if (*parse->at == closing) {
        parse->at++;
        return 0;
    }
    for (;; parse->at++) {
        skip_blanks(parse);
        const char *key = object ? take_text(parse) : NULL;
        if (object && key == NULL)
            return -1;
        skip_blanks(parse);
        if (object && *parse->at++ != ':')
            return refuse(parse, "a colon");
        int64_t child = take_value(parse);
        if (child < 0)
            return -1;
        struct json_node *node = parse->json->node;
        node[child].key = key;
        *(last < 0 ? &node[parent].child : &node[last].next) = child;
        last = child;
        skip_blanks(parse);
        if (*parse->at != ',')
            break;
    }
    return *parse->at++ == closing ? 0 : refuse(parse, object ? "'}'" : "']'");
}

/* null, true, false or a number. */
static int take_word(struct parse *parse, struct json_node *node) {
    static const struct {
        const char *word;
        enum json_kind kind;
        double number;
    } words[] = {{"null", JSON_NULL, 0}, {"true", JSON_TRUTH, 1}, {"false", JSON_TRUTH, 0}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(parse->at, words[i].word, length) != 0)
            continue;
        node->kind = words[i].kind;
        node->number = words[i].number;
        parse->at += length;
        return 0;
    }
    size_t length = strspn(parse->at, "+-.0123456789eE");
    node->kind = JSON_NUMBER;
    if (length == 0 || !word_real((struct word){parse->at, (int64_t)length}, &node->number))
        return refuse(parse, "a value");
    parse->at += length;
    return 0;
}

static int64_t take_value(struct parse *parse) {
    int64_t k = add_node(parse);
    if (k < 0)
        return -1;
    skip_blanks(parse);
    bool object = *parse->at == '{';
    if (object || *parse->at == '[') {
        parse->json->node[k].kind = object ? JSON_OBJECT : JSON_LIST;
        if (++parse->depth > MAX_DEPTH)
            return refuse(parse, "a flat object");
        int status = take_children(parse, k, object);
        parse->depth--;
        return status == 0 ? k : -1;
    }
    if (*parse->at == '"') {
        char *text = take_text(parse);
        parse->json->node[k].kind = JSON_TEXT;
        parse->json->node[k].text = text;
        return text == NULL ? -1 : k;
    }
    return take_word(parse, &parse->json->node[k]) == 0 ? k : -1;
}

int json_take(struct json *json, struct line_walk *walk, struct word line, struct error *e) {
    struct parse parse = {.json = json, .path = line_walk_name(walk), .e = e};
    if (take_lines(json, walk, line, e) != 0)
        return -1;
    parse.at = json->bytes;
    skip_blanks(&parse);
    if (*parse.at != '{')
        return refuse(&parse, "'{'");
    if (take_value(&parse) < 0)
        return -1;
    skip_blanks(&parse);
    return *parse.at == '\0' ? 0 : refuse(&parse, "the end");
}

int json_read(struct json *json, const char *path, struct error *e) {
    *json = (struct json){0};
    struct line_walk *walk = line_walk_open(path, e);
    struct word line;
    int more = walk == NULL ? -1 : line_walk_next(walk, &line, e), status = -1;
    if (more == 0)
        error_file(e, path, "the file is empty");
    else if (more == 1)
        status = json_take(json, walk, line, e);
    line_walk_close(walk);
    return status;
}

void json_free(struct json *json) {
    free(json->node);
    free(json->bytes);
    *json = (struct json){0};
}

const struct json_node *json_first(const struct json *json, const struct json_node *of) {
    return of == NULL || of->child < 0 ? NULL : &json->node[of->child];
}

const struct json_node *json_next(const struct json *json, const struct json_node *value) {
    return value->next < 0 ? NULL : &json->node[value->next];
}

const struct json_node *json_member(const struct json *json, const struct json_node *object,
                                    const char *name) {
    const struct json_node *value =
        object != NULL && object->kind == JSON_OBJECT ? json_first(json, object) : NULL;
    while (value != NULL && strcmp(value->key, name) != 0)
        value = json_next(json, value);
    return value;
}

double json_real(const struct json_node *value) {
    return value != NULL && value->kind == JSON_NUMBER ? value->number : NAN;
}
