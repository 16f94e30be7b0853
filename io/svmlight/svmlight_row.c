/* svmlight_row.c - rows of svmlight text into arrays.
 *
 *     line    = [ label { cost | qid } { feature } ] [ "#" comment ] ( LF | CR LF )
 *     feature = index ":" value     (svmlight_names.c: those with names)
 *
 * with blanks or tabs between tokens. Loading spends most of its time here. So the parser checks no bounds (every
 * line ends with a newline, which is part of no token; the arrays are large enough), reads eight bytes at a time,
 * and for a malformed token passes only its position to svmlight_refuse.c, which finds the reason. */
#include "io/svmlight/svmlight_row.h"

#include "io/lines.h"
#include "io/number.h"
#include "io/svmlight/svmlight_names.h"
#include "io/svmlight/svmlight_refuse.h"

#include <math.h>
#include <string.h>

enum { BYTES_PER_COUNT = 192 };

/* Counts short pieces (below 256 bytes), so that the compiler keeps their counts in bytes of a vector register. */
void svmlight_count(const struct svmlight_options *options, const char *text, int64_t length,
                    int64_t *rows, int64_t *nonzeros) {
    const char mark = options->hash_bits > 0 ? ' ' : ':',
               other = options->hash_bits > 0 ? '\t' : ':';
    int64_t newlines = 0, marks = 0;
    while (length > 0) {
        int step = length < BYTES_PER_COUNT ? (int)length : BYTES_PER_COUNT;
        unsigned char newline = 0, marked = 0;
        for (int i = 0; i < step; i++) {
            newline += text[i] == '\n';
            marked += (text[i] == mark) | (text[i] == other);
        }
        newlines += newline;
        marks += marked;
        text += step;
        length -= step;
    }
    *rows = newlines;
    *nonzeros = marks;
}

static struct svmlight_token token_at(const struct svmlight_rows *rows, const char *line,
                                      const char *token) {
    return (struct svmlight_token){
        .file = rows->file, .number = rows->line, .line = line, .token = token};
}

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* From a line end or a comment to the next line; NULL if a comment has a NUL byte or a carriage return. */
static const char *skip_line_end(struct svmlight_rows *rows, const char *line, const char *p) {
    if (*p == '\n')
        return p + 1;
    if (*p == '\r')
        return p + 2;
    for (; *p != '\n'; p++)
        if (*p == '\0' || (*p == '\r' && p[1] != '\n')) {
            struct svmlight_token where = token_at(rows, line, p);
            svmlight_refuse_comment(&where, rows->e);
            return NULL;
        }
    return p + 1;
}

/* Reads a token that is a finite number. Returns its end, or NULL if it is something else. */
static const char *scan_token(const char *p, double *value) {
    p = number_scan(p, value);
    return p != NULL && isfinite(*value) && svmlight_ends_token(p) ? p : NULL;
}

static const char *parse_label(struct svmlight_rows *rows, const char *line, const char *p) {
    double *label = &rows->label[rows->row];
    const char *end = scan_token(p, label);
    if (end == NULL && *p == '?' && rows->options->unlabeled && svmlight_ends_token(p + 1)) {
        *label = NAN;
        end = p + 1;
    }
    if (end == NULL) {
        struct svmlight_token where = token_at(rows, line, p);
        svmlight_refuse_label(&where, rows->e);
    }
    return end;
}

/* The tokens "cost:" and "qid:" before the features, in either order, each at most once. */
struct row_prefix {
    double cost; /* -1: none */
    int64_t id;  /* GROUP_NONE: none */
    const char *id_token;
};

static const char *parse_option(const char *p, struct row_prefix *row, bool *repeated) {
    bool is_cost = *p == 'c';
    *repeated = is_cost ? row->cost >= 0 : row->id != GROUP_NONE;
    if (*repeated)
        return NULL;
    if (is_cost) {
        p = scan_token(p + strlen("cost:"), &row->cost);
        return p != NULL && row->cost >= 0 ? p : NULL;
    }
    row->id_token = p;
    p += strlen("qid:");
    bool negative = *p == '-';
    p = number_scan_integer(p + negative, &row->id);
    if (p == NULL || row->id == NUMBER_TOO_LARGE || !svmlight_ends_token(p))
        return NULL;
    row->id = negative ? -row->id : row->id;
    return p;
}

static const char *parse_options(struct svmlight_rows *rows, const char *line, const char *p,
                                 struct row_prefix *row) {
    while (strncmp(p, "cost:", 5) == 0 || strncmp(p, "qid:", 4) == 0) {
        bool repeated;
        const char *end = parse_option(p, row, &repeated);
        if (end == NULL) {
            struct svmlight_token where = token_at(rows, line, p);
            svmlight_refuse_option(&where, repeated, rows->e);
            return NULL;
        }
        p = skip_blanks(end);
    }
    return p;
}

/* An index of nine digits or more, which number_load's eight bytes do not hold. Returns its end, or NULL if it
 * is too large. */
static const char *parse_long_index(const char *p, int64_t *index) {
    p = number_scan_integer(p, index);
    return p != NULL && *index != NUMBER_TOO_LARGE && *index < INT32_MAX ? p : NULL;
}

/* A value: by the fast scan for short decimals, else by the general one. */
static const char *parse_value(const char *p, double *value) {
    const char *end = number_scan_short(p, value);
    if (end != NULL && (*end == ' ' || *end == '\n'))
        return end;
    return scan_token(p, value);
}

/* Whether the next bytes are ":1 ", as for every feature in 0/1 data. */
static bool is_colon_one_blank(const char *p) {
    return p[0] == ':' && p[1] == '1' && p[2] == ' ';
}

/* Parses the features of a row. Returns the line end or comment behind them, or NULL on error. */
static const char *parse_features(struct svmlight_rows *rows, const char *line, const char *p) {
    const int64_t base = rows->options->zero_based ? 0 : 1;
    int64_t last = -1;
    int64_t k = rows->nonzero;
    int digits = 1;
    for (;;) {
        uint64_t word = number_load(p);
        /* Of two guesses that the processor goes on with while they are checked: as many digits as before, and below
         * one blank. */
        if (!number_are_digits(word, digits) || p[digits] != ':')
            digits = number_digits(word);
        if (__builtin_expect(digits == 0, 0)) {
            digits = 1;
            const char *token = skip_blanks(p);
            if (svmlight_ends_token(token)) {
                p = token;
                break;
            }
            if (token == p)
                goto refused;
            p = token;
            continue;
        }
        int64_t index = number_join(word, digits);
        const char *colon = p + digits;
        if (__builtin_expect(*colon != ':', 0)) {
            colon = parse_long_index(p, &index);
            if (colon == NULL || *colon != ':')
                goto refused;
        }
        int64_t column = index - base;
        if (__builtin_expect(column <= last, 0))
            goto refused;
        double value = 1;
        const char *end = colon + 2;
        if (!is_colon_one_blank(colon)) {
            end = parse_value(colon + 1, &value);
            if (__builtin_expect(end == NULL, 0))
                goto refused;
        }
        rows->nonzero = k;
        if (value != 1 && !rows->has_values)
            svmlight_fill_values(rows);
        if (rows->has_values)
            rows->value[k] = value;
        rows->column[k++] = (int32_t)column;
        last = column;
        p = end + 1;
        if (__builtin_expect(*end != ' ', 0)) {
            p = skip_blanks(end);
            if (svmlight_ends_token(p))
                break;
        }
    }
    rows->nonzero = k;
    if (last >= rows->features)
        rows->features = (int32_t)(last + 1);
    return p;
refused:;
    struct svmlight_token where = token_at(rows, line, p);
    svmlight_refuse_feature(&where, last + base, rows->options->zero_based, rows->e);
    return NULL;
}

static int finish_row(struct svmlight_rows *rows, const char *line, const char *label,
                      const struct row_prefix *row) {
    if (row->cost >= 0 && row->cost != 1 && !rows->has_weights)
        svmlight_fill_weights(rows);
    if (rows->has_weights)
        rows->weight[rows->row] = row->cost >= 0 ? row->cost : 1;
    const char *token = row->id == GROUP_NONE ? label : row->id_token;
    struct group_run run = {.id = row->id,
                            .row = (int32_t)(rows->row - rows->group_row),
                            .line = (int32_t)(rows->line - rows->group_line),
                            .column = (int32_t)(token - line + 1)};
    rows->row++;
    return group_runs_add(&rows->runs, run, rows->e);
}

/* Parses the line that begins at LINE; its text begins at P. Returns the next line, or NULL on error. */
static const char *parse_line(struct svmlight_rows *rows, const char *line, const char *p) {
    p = skip_blanks(p);
    if (svmlight_ends_token(p))
        return skip_line_end(rows, line, p);
    const char *label = p;
    struct row_prefix row = {.cost = -1, .id = GROUP_NONE};
    int64_t start = rows->nonzero;
    p = parse_label(rows, line, p);
    if (p == NULL)
        return NULL;
    p = skip_blanks(p);
    if (*p == 'c' || *p == 'q') {
        p = parse_options(rows, line, p, &row);
        if (p == NULL)
            return NULL;
    }
    p = rows->options->hash_bits > 0 ? svmlight_parse_names(rows, line, skip_blanks(p))
                                     : parse_features(rows, line, p);
    if (p == NULL)
        return NULL;
    p = skip_line_end(rows, line, p);
    if (p == NULL || finish_row(rows, line, label, &row) != 0)
        return NULL;
    rows->start[rows->row - 1] = start;
    return p;
}

int svmlight_parse(struct svmlight_rows *rows, const char *text, int64_t length) {
    const char *end = text + length;
    const char *p = text;
    if (rows->line == 1 && !rows->options->later && length > 0 && lines_mark(text) > 0) {
        p = parse_line(rows, text, text + lines_mark(text));
        rows->line++;
    }
    while (p != NULL && p < end) {
        p = parse_line(rows, p, p);
        rows->line++;
    }
    return p == NULL ? -1 : 0;
}

bool svmlight_row_group(const char *line, int64_t *group) {
    struct row_prefix row = {.cost = -1, .id = GROUP_NONE};
    bool repeated;
    const char *p = skip_blanks(line);
    *group = GROUP_NONE;
    if (svmlight_ends_token(p))
        return false;
    while (!svmlight_ends_token(p))
        p++;
    p = skip_blanks(p);
    while (p != NULL && (strncmp(p, "cost:", 5) == 0 || strncmp(p, "qid:", 4) == 0)) {
        p = parse_option(p, &row, &repeated);
        p = p == NULL ? NULL : skip_blanks(p);
    }
    *group = p == NULL ? GROUP_NONE : row.id;
    return true;
}
