/* json_read.h - reads the reports that train and predict write (cli/json.h). */
#ifndef RRM_JSON_READ_H
#define RRM_JSON_READ_H

#include "io/error.h"
#include "io/line_walk.h"

#include <stdbool.h>
#include <stdint.h>

enum json_kind { JSON_NULL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT, JSON_TRUTH };

/* A value. Nodes are known by their place in `node`; 0 is the whole file. */
struct json_node {
    enum json_kind kind;
    const char *key;  /* within an object; otherwise NULL */
    const char *text; /* of JSON_TEXT */
    double number;    /* of JSON_NUMBER; 1 or 0 of JSON_TRUTH */
    int64_t child;    /* the first of a list or object, or -1 */
    int64_t next;     /* in the same list or object, or -1 */
};

struct json {
    struct json_node *node;
    int64_t count, capacity;
    char *bytes; /* the file; keys and texts lie in it */
};

/* Reads the file (plain or gzip, "-": standard input). 0, or -1 with the error set; to be freed in either case. */
int json_read(struct json *json, const char *path, struct error *e);

/* The same of a file whose first line was read already; *json is zeroed before. */
int json_take(struct json *json, struct line_walk *walk, struct word line, struct error *e);

void json_free(struct json *json);

/* The member of this name, or NULL; OBJECT NULL or no object: NULL. */
const struct json_node *json_member(const struct json *json, const struct json_node *object,
                                    const char *name);

/* The first value of a list or object and the one after VALUE, or NULL. */
const struct json_node *json_first(const struct json *json, const struct json_node *of);
const struct json_node *json_next(const struct json *json, const struct json_node *value);

/* The number; not-a-number if there is none. */
double json_real(const struct json_node *value);

#endif
