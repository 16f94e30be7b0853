/* convert_field.c - what a field of a table is: a missing value, a number, a number with commas. */
#include "data/convert.h"

#include "io/number.h"

#include <string.h>

bool field_missing(struct word field) {
    static const char *const words[] = {"NA", "N/A", "NaN", "nan", "null", "NULL", "?"};
    bool missing = field.length == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        missing = missing || word_is(field, words[i]);
    return missing;
}

bool field_number(struct word field, bool decimal_comma, double *value) {
    char text[64 + NUMBER_PADDING] = "";
    if (!decimal_comma)
        return word_real(field, value);
    if (field.length > 64 || memchr(field.text, '.', (size_t)field.length) != NULL)
        return false;
    memcpy(text, field.text, (size_t)field.length);
    char *comma = memchr(text, ',', (size_t)field.length);
    if (comma != NULL)
        *comma = '.';
    return word_real((struct word){text, field.length}, value);
}

/* The end of the digits at P. */
static const char *skip_digits(const char *p) {
    while (*p >= '0' && *p <= '9')
        p++;
    return p;
}

/* Whether the field is like 1,500 or -12,750,000.5. "0,500" is none: a first group is not 0. */
static bool has_groups(const char *p) {
    p += *p == '+' || *p == '-';
    const char *end = skip_digits(p);
    if (end == p || end > p + 3 || *p == '0' || *end != ',')
        return false;
    while (*end == ',') {
        p = end + 1;
        end = skip_digits(p);
        if (end != p + 3)
            return false;
    }
    return *(*end == '.' ? skip_digits(end + 1) : end) == '\0';
}

enum field_comma field_comma(struct word field) {
    double value;
    if (memchr(field.text, ',', (size_t)field.length) == NULL)
        return COMMA_NONE;
    if (has_groups(field.text))
        return COMMA_GROUPS;
    return field_number(field, true, &value) ? COMMA_DECIMAL : COMMA_NONE;
}
