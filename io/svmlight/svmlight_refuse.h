/* svmlight_refuse.h - why a token is refused, in words. Cold: the parser only knows that it is. */
#ifndef RRM_SVMLIGHT_REFUSE_H
#define RRM_SVMLIGHT_REFUSE_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in the text: the token, in a line that ends with a newline. */
struct svmlight_place {
    const char *file;
    int64_t number;    /* of the line */
    const char *line;  /* its first byte */
    const char *token; /* the first byte of the token */
};

/* All return -1 with the error set. */
int svmlight_refuse_label(const struct svmlight_place *place, struct error *e);

/* "cost:W" and "qid:Q"; TWICE when it is there a second time. */
int svmlight_refuse_option(const struct svmlight_place *place, bool twice, struct error *e);

/* "INDEX:VALUE", after a feature with index LAST (below the first allowed one: none). */
int svmlight_refuse_feature(const struct svmlight_place *place, int64_t last, bool zero_based,
                            struct error *e);

/* A NUL byte or a carriage return in a comment. */
int svmlight_refuse_comment(const struct svmlight_place *place, struct error *e);

/* A line of a weight file, which holds one number. */
int svmlight_refuse_weight(const struct svmlight_place *place, struct error *e);

/* Whether a token may end with this byte: a blank, a line end, a comment. A carriage return only as
 * part of a line end. */
static inline bool svmlight_ends_token(const char *p) {
    return *p == ' ' || *p == '\n' || *p == '\t' || *p == '#' || (*p == '\r' && p[1] == '\n');
}

#endif
