/* svmlight_refuse.c - why a token is refused, in words; see svmlight_refuse.h. */
#include "io/svmlight/svmlight_refuse.h"

#include "io/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { SHOWN_BYTES = 40, SHOWN_SIZE = 4 * SHOWN_BYTES + 8, LARGEST_INDEX = INT32_MAX - 1 };

struct shown {
    char text[SHOWN_SIZE];
};

static const char *token_end(const char *p) {
    while (!svmlight_ends_token(p))
        p++;
    return p;
}

/* The token in quotes, cut at SHOWN_BYTES, with unprintable bytes as \xHH. */
static struct shown show(const char *token) {
    struct shown shown;
    const char *end = token_end(token);
    char *out = shown.text;
    *out++ = '"';
    for (const char *p = token; p < end && p < token + SHOWN_BYTES; p++) {
        unsigned char byte = (unsigned char)*p;
        if (byte == '"' || byte == '\\')
            out += sprintf(out, "\\%c", byte);
        else if (byte >= 0x20 && byte < 0x7f)
            *out++ = (char)byte;
        else
            out += sprintf(out, "\\x%02x", byte);
    }
    strcpy(out, end - token > SHOWN_BYTES ? "...\"" : "\"");
    return shown;
}

static int refuse(const struct svmlight_place *place, const char *at, const char *words,
                  struct error *e) {
    return error_at(e, place->file, place->number, at - place->line + 1, words,
                    show(place->token).text);
}

/* Bytes that no text file has; true when there was one. */
static bool refuse_bytes(const struct svmlight_place *place, struct error *e) {
    const char *end = token_end(place->token);
    for (const char *p = place->token; p < end; p++) {
        const char *words = NULL;
        if (*p == '\r')
            words = "a carriage return inside the line, in %s";
        else if (*p == '\0')
            words = "a NUL byte in %s: is this a text file?";
        else if ((unsigned char)*p < 0x20 || *p == 0x7f)
            words = "a control character in %s: is this a text file?";
        if (words != NULL) {
            refuse(place, p, words, e);
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

/* Why the text is not a finite number, for a message that begins with WHAT. */
static int refuse_number(const struct svmlight_place *place, const char *text, const char *what,
                         struct error *e) {
    const char *words;
    double value = 0;
    const char *end = number_scan(text, &value);
    if (svmlight_ends_token(text))
        words = "missing %s in %s";
    else if (names_no_number(text))
        words = "%s is not finite in %s";
    else if (has_decimal_comma(text))
        words = "%s with a decimal comma in %s: write a point";
    else if (end == NULL || !svmlight_ends_token(end))
        words = "malformed %s in %s";
    else if (!isfinite(value))
        words = "%s is too large for a double in %s";
    else
        words = "%s is negative in %s";
    struct shown shown = show(place->token);
    error_at(e, place->file, place->number, text - place->line + 1, words, what, shown.text);
    return -1;
}

int svmlight_refuse_label(const struct svmlight_place *place, struct error *e) {
    const char *token = place->token;
    if (refuse_bytes(place, e))
        return -1;
    if (*token == '?' && svmlight_ends_token(token + 1))
        return refuse(place, token, "label %s is for data to predict, not to train on", e);
    if (memchr(token, ':', (size_t)(token_end(token) - token)) != NULL)
        return refuse(place, token, "missing label before %s", e);
    if (has_decimal_comma(token))
        return refuse(place, token,
                      "label with a comma in %s: several labels a row (multi-label data) are not "
                      "supported, and a decimal has a point",
                      e);
    return refuse_number(place, token, "label", e);
}

int svmlight_refuse_option(const struct svmlight_place *place, bool twice, struct error *e) {
    const char *token = place->token;
    bool cost = *token == 'c';
    if (refuse_bytes(place, e))
        return -1;
    if (twice)
        return refuse(place, token, cost ? "a second cost: %s" : "a second qid: %s", e);
    if (cost)
        return refuse_number(place, token + strlen("cost:"), "cost", e);
    const char *text = token + strlen("qid:");
    int64_t id;
    const char *end = number_scan_integer(text + (*text == '-'), &id);
    if (svmlight_ends_token(text))
        return refuse(place, text, "missing qid in %s", e);
    if (end != NULL && svmlight_ends_token(end))
        return refuse(place, text,
                      "qid out of range in %s: from -9223372036854775807 to "
                      "9223372036854775807",
                      e);
    return refuse(place, text, "malformed qid in %s: it must be a whole number", e);
}

/* The part before the colon. True when that is where the fault lies. */
static bool refuse_index(const struct svmlight_place *place, int64_t last, bool zero_based,
                         struct error *e) {
    const char *token = place->token;
    int64_t index = 0;
    const char *end = number_scan_integer(token, &index);
    if (end == NULL || *end != ':')
        return refuse(place, token, *token == ':' ? "missing index in %s" : "malformed index in %s",
                      e) != 0;
    if (index == NUMBER_TOO_LARGE || index > LARGEST_INDEX)
        return refuse(place, token, "index is too large in %s: the largest is 2147483646", e) != 0;
    if (index == 0 && !zero_based)
        return refuse(place, token, "index 0 in %s: indices begin at 1, or use --zero-based", e) !=
               0;
    if (index == last)
        return refuse(place, token, "index comes twice in %s", e) != 0;
    if (index < last)
        return refuse(place, token, "index does not ascend in %s", e) != 0;
    return false;
}

int svmlight_refuse_feature(const struct svmlight_place *place, int64_t last, bool zero_based,
                            struct error *e) {
    const char *token = place->token;
    if (refuse_bytes(place, e))
        return -1;
    const char *colon = memchr(token, ':', (size_t)(token_end(token) - token));
    if (colon == NULL)
        return refuse(place, token, "no colon in %s: a feature is INDEX:VALUE", e);
    if (strncmp(token, "qid:", 4) == 0 || strncmp(token, "cost:", 5) == 0)
        return refuse(place, token, "%s must come before the features", e);
    if (refuse_index(place, last, zero_based, e))
        return -1;
    return refuse_number(place, colon + 1, "value", e);
}

int svmlight_refuse_comment(const struct svmlight_place *place, struct error *e) {
    return error_at(e, place->file, place->number, place->token - place->line + 1,
                    "%s in a comment", *place->token == '\0' ? "a NUL byte" : "a carriage return");
}

int svmlight_refuse_weight(const struct svmlight_place *place, struct error *e) {
    double weight = 0;
    const char *end = number_scan(place->token, &weight);
    if (refuse_bytes(place, e))
        return -1;
    if (end != NULL && *end != '\n' && isfinite(weight) && weight >= 0 && svmlight_ends_token(end))
        return refuse(place, place->token, "more than one weight in the line of %s", e);
    return refuse_number(place, place->token, "weight", e);
}
