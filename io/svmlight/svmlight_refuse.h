/* svmlight_refuse.h - error messages for malformed tokens. The parser only detects them; these functions find the
 * reason. */
#ifndef RRM_SVMLIGHT_REFUSE_H
#define RRM_SVMLIGHT_REFUSE_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The position of a token, in a line that ends with a newline. */
struct svmlight_token {
    const char *file;
    int64_t number;    /* of the line */
    const char *line;  /* its first byte */
    const char *token; /* the first byte of the token */
    bool named;        /* a feature with a name */
};

/* All return -1 with the error set. */
int svmlight_refuse_label(const struct svmlight_token *where, struct error *e);

/* "cost:W" and "qid:Q"; TWICE: the row has it twice. */
int svmlight_refuse_option(const struct svmlight_token *where, bool twice, struct error *e);

/* "INDEX:VALUE", after a feature with index LAST (below the first allowed one: none). */
int svmlight_refuse_feature(const struct svmlight_token *where, int64_t last, bool zero_based,
                            struct error *e);

/* "NAME:VALUE" or "NAME", of features with names. */
int svmlight_refuse_name(const struct svmlight_token *where, struct error *e);

/* The line of this token, where the values of a feature that comes more than once have no finite sum. */
int svmlight_refuse_sum(const struct svmlight_token *where, struct error *e);

/* A NUL byte or a carriage return in a comment. */
int svmlight_refuse_comment(const struct svmlight_token *where, struct error *e);

/* A line of a weight file, which holds one number. */
int svmlight_refuse_weight(const struct svmlight_token *where, struct error *e);

/* Whether a token may end with this byte: a blank, a line end, a comment. A carriage return only as
 * part of a line end. */
static inline bool svmlight_ends_token(const char *p) {
    return *p == ' ' || *p == '\n' || *p == '\t' || *p == '#' || (*p == '\r' && p[1] == '\n');
}

#endif
