/* option_value.c - from the words of an argument to a field of the settings.
 *
 * Numbers are read strictly: the whole text, decimal, finite. */
#include "cli/option_value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int text_to_real(const char *text, double *value) {
    char *end;
    double number;

    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0') {
        return -1; /* also hexadecimal, "inf", "nan" and leading blanks, which strtod would take */
    }
    number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number)) {
        return -1;
    }
    *value = number;
    return 0;
}

int text_to_integer(const char *text, int64_t *value) {
    char *end;
    long long number;

    if (text[0] == '\0' || text[strspn(text, "0123456789+-")] != '\0') {
        return -1;
    }
    errno = 0;
    number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0) {
        return -1;
    }
    *value = number;
    return 0;
}

static bool in_range(const struct option_row *row, double x) {
    if (row->low == row->high) {
        return true;
    }
    return (row->open ? x > row->low : x >= row->low) &&
           (row->open_high ? x < row->high : x <= row->high);
}

/* "more than 0", "at least 1", "from 1 to 1024", "more than 0 and less than 1". */
static int range_error(const struct option_row *row, const char *shown, const char *text,
                       struct error *e) {
    const char *low = row->open ? "more than" : "at least";
    const char *high = row->open_high ? "less than" : "at most";

    if (isinf(row->high)) {
        return error_usage(e, "%s %.80s: out of range: %s %.10g", shown, text, low, row->low);
    }
    if (isinf(row->low)) {
        return error_usage(e, "%s %.80s: out of range: %s %.10g", shown, text, high, row->high);
    }
    if (!row->open && !row->open_high) {
        return error_usage(e, "%s %.80s: out of range: from %.10g to %.10g", shown, text, row->low,
                           row->high);
    }
    return error_usage(e, "%s %.80s: out of range: %s %g and %s %.10g", shown, text, low, row->low,
                       high, row->high);
}

static int store_real(const struct option_row *row, double *field, const char *shown,
                      const char *text, struct error *e) {
    double value;

    if (text_to_real(text, &value) != 0) {
        return error_usage(e, "%s %.80s: not a finite number", shown, text);
    }
    if (!in_range(row, value)) {
        return range_error(row, shown, text, e);
    }
    *field = value;
    return 0;
}

static int store_integer(const struct option_row *row, int64_t *field, const char *shown,
                         const char *text, struct error *e) {
    int64_t value;

    if (text_to_integer(text, &value) != 0) {
        return error_usage(e, "%s %.80s: not a whole number", shown, text);
    }
    if (!in_range(row, (double)value)) {
        return range_error(row, shown, text, e);
    }
    *field = value;
    return 0;
}

static int store_natural(uint64_t *field, const char *shown, const char *text, struct error *e) {
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || errno != 0) {
        return error_usage(e, "%s %.80s: not a whole number from 0 to 2^64 - 1", shown, text);
    }
    *field = value;
    return 0;
}

static int store_switch(bool *field, const char *shown, const char *text, struct error *e) {
    bool on = strcmp(text, "on") == 0;

    if (!on && strcmp(text, "off") != 0) {
        return error_usage(e, "%s %.80s: on or off is expected", shown, text);
    }
    *field = on;
    return 0;
}

static int choice_error(const struct option_row *row, const char *shown, const char *text,
                        struct error *e) {
    const char *near = nearest_name(text, row->choices);
    char list[256];

    if (near != NULL) {
        return error_usage(e, "%s %.80s: unknown; did you mean %s?", shown, text, near);
    }
    join_names(row->choices, list, sizeof list);
    return error_usage(e, "%s %.80s: unknown; one of %s is expected", shown, text, list);
}

static int store_choice(const struct option_row *row, int *field, const char *shown,
                        const char *text, struct error *e) {
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(text, row->choices[i]) == 0) {
            *field = i;
            return 0;
        }
    }
    return choice_error(row, shown, text, e);
}

int option_store(const struct option_row *row, void *settings, const char *shown, const char *text,
                 struct error *e) {
    void *field = (char *)settings + row->offset;

    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    case OPTION_SWITCH:
        return store_switch(field, shown, text, e);
    case OPTION_INTEGER:
        return store_integer(row, field, shown, text, e);
    case OPTION_NATURAL:
        return store_natural(field, shown, text, e);
    case OPTION_REAL:
        return store_real(row, field, shown, text, e);
    case OPTION_TEXT:
        *(const char **)field = text;
        return text[0] != '\0' ? 0 : error_usage(e, "%s: its argument is empty", shown);
    case OPTION_CHOICE:
        return store_choice(row, field, shown, text, e);
    case OPTION_CALL:
        return row->take(settings, text, e);
    }
    return error_usage(e, "%s: an option of no kind", shown);
}

int option_store_normal(const struct option_row *row, void *settings, struct error *e) {
    void *field = (char *)settings + row->offset;

    if (row->default_text != NULL && row->kind != OPTION_FLAG) {
        return option_store(row, settings, row->name != NULL ? row->name : "default",
                            row->default_text, e);
    }
    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_SWITCH:
        *(bool *)field = false;
        break;
    case OPTION_INTEGER:
        *(int64_t *)field = 0;
        break;
    case OPTION_NATURAL:
        *(uint64_t *)field = 0;
        break;
    case OPTION_REAL:
        *(double *)field = 0;
        break;
    case OPTION_TEXT:
        *(const char **)field = NULL;
        break;
    case OPTION_CHOICE:
        *(int *)field = 0;
        break;
    case OPTION_CALL:
        break;
    }
    return 0;
}
