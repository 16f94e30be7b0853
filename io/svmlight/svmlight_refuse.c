/* svmlight_refuse.c - error messages for malformed tokens; see svmlight_refuse.h. */
#include "io/svmlight/svmlight_refuse.h"

#include "io/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { MAX_SHOWN_BYTES = 40, SHOWN_SIZE = 4 * MAX_SHOWN_BYTES + 8, LARGEST_INDEX = INT32_MAX - 1 };

struct shown {
    char text[SHOWN_SIZE];
};

/* Within a name "#" begins no comment. */
static const char *token_end(const struct svmlight_token *where) {
    const char *p = where->token;
    while (!svmlight_ends_token(p) || (*p == '#' && where->named))
        p++;
    return p;
}

/* The token in quotes, cut at MAX_SHOWN_BYTES, with unprintable bytes as \xHH. */
static struct shown show(const struct svmlight_token *where) {
    struct shown shown;
    const char *token = where->token, *end = token_end(where);
    char *out = shown.text;
    *out++ = '"';
    for (const char *p = token; p < end && p < token + MAX_SHOWN_BYTES; p++) {
        unsigned char byte = (unsigned char)*p;
        if (byte == '"' || byte == '\\')
            out += sprintf(out, "\\%c", byte);
        else if (byte >= 0x20 && byte < 0x7f)
            *out++ = (char)byte;
        else
            out += sprintf(out, "\\x%02x", byte);
    }
    strcpy(out, end - token > MAX_SHOWN_BYTES ? "...\"" : "\"");
    return shown;
}

static int refuse(const struct svmlight_token *where, const char *at, const char *format,
                  struct error *e) {
    return error_at(e, where->file, where->number, at - where->line + 1, format, show(where).text);
}

/* Sets the error if the token has a byte that no text file has; returns whether it did. */
static bool refuse_bytes(const struct svmlight_token *where, struct error *e) {
    const char *end = token_end(where);
    for (const char *p = where->token; p < end; p++) {
        const char *format = NULL;
        if (*p == '\r')
            format = "a carriage return inside the line, in %s";
        else if (*p == '\0')
            format = "a NUL byte in %s: is this a text file?";
        else if ((unsigned char)*p < 0x20 || *p == 0x7f)
            format = "a control character in %s: is this a text file?";
        if (format != NULL) {
            refuse(where, p, format, e);
            return true;
        }
    }
    return false;
}

/* "inf", "infinity", "nan", "nan(...)", with or without a sign. */
static bool names_no_number(const char *p) {
    p += *p == '+' || *p == '-';
    return strncasecmp(p, "inf", 3) == 0 || strncasecmp(p, "nan", 3) == 0;
}

/* Digits, one comma, digits. */
static bool has_decimal_comma(const char *p) {
    p += *p == '+' || *p == '-';
    const char *comma = p;
    while (isdigit((unsigned char)*comma))
        comma++;
    return *comma == ',' && (comma > p || isdigit((unsigned char)comma[1]));
}

/* Sets the error of a text that is no finite number >= 0; the message names it WHAT. */
static int refuse_number(const struct svmlight_token *where, const char *text, const char *what,
                         struct error *e) {
    const char *format;
    double value = 0;
    const char *end = number_scan(text, &value);
    if (svmlight_ends_token(text))
        format = "missing %s in %s";
    else if (names_no_number(text))
        format = "%s is not finite in %s";
    else if (has_decimal_comma(text))
        format = "%s with a decimal comma in %s: write a point";
    else if (end == NULL || !svmlight_ends_token(end))
        format = "malformed %s in %s";
    else if (!isfinite(value))
        format = "%s is too large for a double in %s";
    else
        format = "%s is negative in %s";
    struct shown shown = show(where);
    error_at(e, where->file, where->number, text - where->line + 1, format, what, shown.text);
    return -1;
}

/* Whether a model of librrm, LIBLINEAR or LIBSVM begins here. */
static bool begins_model(const struct svmlight_token *where) {
    static const char *const words[] = {"librrm", "solver_type", "svm_type"};
    size_t length = (size_t)(token_end(where) - where->token);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (where->number == 1 && strlen(words[i]) == length &&
            memcmp(where->token, words[i], length) == 0)
            return true;
    return false;
}

int svmlight_refuse_label(const struct svmlight_token *where, struct error *e) {
    const char *token = where->token;
    if (refuse_bytes(where, e))
        return -1;
    if (*token == '?' && svmlight_ends_token(token + 1))
        return refuse(where, token, "label %s is for data to predict, not to train on", e);
    if (memchr(token, ':', (size_t)(token_end(where) - token)) != NULL)
        return refuse(where, token, "missing label before %s", e);
    if (has_decimal_comma(token))
        return refuse(where, token,
                      "label with a comma in %s: several labels a row (multi-label data) are not "
                      "supported, and a decimal has a point",
                      e);
    if (begins_model(where))
        return refuse(where, token, "a model, not data: it begins with %s", e);
    if (isalpha((unsigned char)*token) && !names_no_number(token))
        return refuse(where, token,
                      memchr(token, ',', (size_t)(token_end(where) - token)) != NULL
                          ? "no svmlight data: %s looks like a table, which convert reads"
                          : "label %s is a text; convert gives numbers to texts",
                      e);
    return refuse_number(where, token, "label", e);
}

int svmlight_refuse_option(const struct svmlight_token *where, bool twice, struct error *e) {
    const char *token = where->token;
    bool cost = *token == 'c';
    if (refuse_bytes(where, e))
        return -1;
    if (twice)
        return refuse(where, token, cost ? "a second cost: %s" : "a second qid: %s", e);
    if (cost)
        return refuse_number(where, token + strlen("cost:"), "cost", e);
    const char *text = token + strlen("qid:");
    int64_t id;
    const char *end = number_scan_integer(text + (*text == '-'), &id);
    if (svmlight_ends_token(text))
        return refuse(where, text, "missing qid in %s", e);
    if (end != NULL && svmlight_ends_token(end))
        return refuse(where, text,
                      "qid out of range in %s: from -9223372036854775807 to 9223372036854775807",
                      e);
    return refuse(where, text, "malformed qid in %s: it must be a whole number", e);
}

/* Sets the error if the index before the colon is wrong; returns whether it did. */
static bool refuse_index(const struct svmlight_token *where, int64_t last, bool zero_based,
                         struct error *e) {
    const char *token = where->token;
    int64_t index = 0;
    const char *end = number_scan_integer(token, &index);
    if (end == NULL || *end != ':')
        return refuse(where, token, *token == ':' ? "missing index in %s" : "malformed index in %s",
                      e) != 0;
    if (index == NUMBER_TOO_LARGE || index > LARGEST_INDEX)
        return refuse(where, token, "index is too large in %s: the largest is 2147483646", e) != 0;
    if (index == 0 && !zero_based)
        return refuse(where, token, "index 0 in %s: indices begin at 1, or use --zero-based", e) !=
               0;
    if (index == last)
        return refuse(where, token, "index comes twice in %s", e) != 0;
    if (index < last)
        return refuse(where, token, "index does not ascend in %s", e) != 0;
    return false;
}

/* Sets the error if "cost:" or "qid:" comes after a feature; returns whether it did. */
static bool refuse_late_option(const struct svmlight_token *where, struct error *e) {
    const char *token = where->token;
    if (strncmp(token, "qid:", 4) != 0 && strncmp(token, "cost:", 5) != 0)
        return false;
    refuse(where, token, "%s must come before the features", e);
    return true;
}

int svmlight_refuse_feature(const struct svmlight_token *where, int64_t last, bool zero_based,
                            struct error *e) {
    const char *token = where->token;
    if (refuse_bytes(where, e))
        return -1;
    const char *colon = memchr(token, ':', (size_t)(token_end(where) - token));
    if (colon == NULL)
        return refuse(where, token, "no colon in %s: a feature is INDEX:VALUE", e);
    if (refuse_late_option(where, e))
        return -1;
    if (refuse_index(where, last, zero_based, e))
        return -1;
    return refuse_number(where, colon + 1, "value", e);
}

int svmlight_refuse_name(const struct svmlight_token *where, struct error *e) {
    const char *token = where->token;
    const char *colon = memchr(token, ':', (size_t)(token_end(where) - token));
    if (refuse_bytes(where, e) || refuse_late_option(where, e))
        return -1;
    if (*token == '|')
        return refuse(where, token,
                      "a namespace of Vowpal Wabbit in %s: leave \"|\" out, and write its name "
                      "into those of its features",
                      e);
    if (colon == token)
        return refuse(where, token, "missing name in %s", e);
    return refuse_number(where, colon + 1, "value", e);
}

int svmlight_refuse_sum(const struct svmlight_token *where, struct error *e) {
    return error_at(
        e, where->file, where->number, where->token - where->line + 1,
        "the values of a feature that comes twice have a sum that is too large for a double");
}

int svmlight_refuse_comment(const struct svmlight_token *where, struct error *e) {
    return error_at(e, where->file, where->number, where->token - where->line + 1,
                    "%s in a comment", *where->token == '\0' ? "a NUL byte" : "a carriage return");
}

int svmlight_refuse_weight(const struct svmlight_token *where, struct error *e) {
    double weight = 0;
    const char *end = number_scan(where->token, &weight);
    if (refuse_bytes(where, e))
        return -1;
    if (end != NULL && *end != '\n' && isfinite(weight) && weight >= 0 && svmlight_ends_token(end))
        return refuse(where, where->token, "more than one weight in the line of %s", e);
    return refuse_number(where, where->token, "weight", e);
}
