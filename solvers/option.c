/* option.c - from the words of an argument to a field of the settings.
 *
 * Numbers are read strictly: the whole text, decimal, finite. */
#include "solvers/option.h"

#include "io/nearest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OWNERS = 64 };

int text_to_real(const char *text, double *value) {
    char *end;
    double number;
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return -1; /* also hexadecimal, "inf", "nan" and leading blanks, which strtod would take */
    number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number))
        return -1;
    *value = number;
    return 0;
}

int text_to_integer(const char *text, int64_t *value) {
    char *end;
    long long number;
    if (text[0] == '\0' || text[strspn(text, "0123456789+-")] != '\0')
        return -1;
    errno = 0;
    number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0)
        return -1;
    *value = number;
    return 0;
}

static bool in_range(const struct option_row *row, double x) {
    if (row->low == row->high)
        return true;
    return (row->open ? x > row->low : x >= row->low) &&
           (row->open_high ? x < row->high : x <= row->high);
}

/* "more than 0", "at least 1", "from 1 to 1024", "more than 0 and less than 1". */
static int range_error(const struct option_row *row, const char *shown, const char *text,
                       struct error *e) {
    const char *low = row->open ? "more than" : "at least";
    const char *high = row->open_high ? "less than" : "at most";
    if (isinf(row->high))
        return error_usage(e, "%s %.80s: out of range: %s %.10g", shown, text, low, row->low);
    if (isinf(row->low))
        return error_usage(e, "%s %.80s: out of range: %s %.10g", shown, text, high, row->high);
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
    if (text_to_real(text, &value) != 0)
        return error_usage(e, "%s %.80s: not a finite number", shown, text);
    if (!in_range(row, value))
        return range_error(row, shown, text, e);
    *field = value;
    return 0;
}

static int store_integer(const struct option_row *row, int64_t *field, const char *shown,
                         const char *text, struct error *e) {
    int64_t value;
    if (text_to_integer(text, &value) != 0)
        return error_usage(e, "%s %.80s: not a whole number", shown, text);
    if (!in_range(row, (double)value))
        return range_error(row, shown, text, e);
    *field = value;
    return 0;
}

static int store_natural(uint64_t *field, const char *shown, const char *text, struct error *e) {
    char *end;
    unsigned long long value;
    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || errno != 0)
        return error_usage(e, "%s %.80s: not a whole number from 0 to 2^64 - 1", shown, text);
    *field = value;
    return 0;
}

static int store_switch(bool *field, const char *shown, const char *text, struct error *e) {
    bool on = strcmp(text, "on") == 0;
    if (!on && strcmp(text, "off") != 0)
        return error_usage(e, "%s %.80s: on or off is expected", shown, text);
    *field = on;
    return 0;
}

static int choice_error(const struct option_row *row, const char *shown, const char *text,
                        struct error *e) {
    const char *near = nearest_name(text, row->choices);
    char list[256];
    if (near != NULL)
        return error_usage(e, "%s %.80s: unknown; did you mean %s?", shown, text, near);
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

static int store(const struct option_row *row, void *settings, const char *shown, const char *text,
                 struct error *e) {
    void *field = (char *)settings + row->offset;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    case OPTION_LEVEL:
        ++*(int64_t *)field;
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
        return row->take(settings, shown, text, e);
    }
    return error_usage(e, "%s: an option of no kind", shown);
}

/* The row's default, or zero where there is none. */
static int store_default(const struct option_row *row, void *settings, struct error *e) {
    void *field = (char *)settings + row->offset;
    if (row->default_text != NULL && row->kind != OPTION_FLAG) {
        return store(row, settings, row->name != NULL ? row->name : "default", row->default_text,
                     e);
    }
    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_SWITCH:
        *(bool *)field = false;
        break;
    case OPTION_LEVEL:
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

int options_default(struct option_group *groups, int group_count, struct error *e) {
    for (int g = 0; g < group_count; g++) {
        struct option_group *group = &groups[g];
        group->refused = (struct error){0};
        for (int i = 0; i < group->count; i++) {
            if (group->given != NULL)
                group->given[i] = false;
            if (store_default(&group->rows[i], group->settings, e) != 0)
                return -1;
        }
    }
    return 0;
}

bool option_same(const struct option_row *a, const struct option_row *b) {
    if (a->name == NULL || b->name == NULL)
        return a->name == b->name && a->letter == b->letter;
    return strcmp(a->name, b->name) == 0;
}

/* Into one group: 1, or 0 when it has no such option, or -1 with the error set. */
static int store_in(struct option_group *group, const struct option_row *row, const char *shown,
                    const char *text, struct error *e) {
    for (int i = 0; i < group->count; i++) {
        if (!option_same(&group->rows[i], row))
            continue;
        if (group->given != NULL)
            group->given[i] = true;
        return store(&group->rows[i], group->settings, shown, text, e) == 0 ? 1 : -1;
    }
    return 0;
}

int options_set(struct option_group *groups, int group_count, const struct option_row *row,
                const char *shown, const char *text, struct error *e) {
    struct error first = {0};
    bool taken = false;
    int owners = 0;
    for (int g = 0; g < group_count; g++) {
        struct error one = {0};
        int status = store_in(&groups[g], row, shown, text, &one);
        taken |= status > 0;
        owners += status != 0;
        if (status < 0 && groups[g].refused.kind == ERROR_NONE)
            groups[g].refused = one;
        if (status < 0 && first.kind == ERROR_NONE)
            first = one;
    }
    if (taken || owners > 1)
        return 0;
    if (e != NULL)
        *e = first;
    return -1;
}

const struct option_row *options_find(const struct option_group *groups, int group_count,
                                      const char *name) {
    for (int g = 0; g < group_count; g++) {
        for (int i = 0; i < groups[g].count; i++) {
            const struct option_row *row = &groups[g].rows[i];
            if (row->name != NULL && strcmp(row->name, name) == 0)
                return row;
        }
    }
    return NULL;
}

/* Whether OWNER has an option like `row`. */
static bool owner_has(const struct option_group *groups, int group_count, const char *owner,
                      const struct option_row *row) {
    for (int g = 0; g < group_count; g++) {
        if (groups[g].owner == NULL || strcmp(groups[g].owner, owner) != 0)
            continue;
        for (int i = 0; i < groups[g].count; i++)
            if (option_same(&groups[g].rows[i], row))
                return true;
    }
    return false;
}

/* An option of some owners was given, but none of them chosen, or another. */
static int refuse_owner(const struct option_group *groups, int group_count, const char *owner,
                        const struct option_row *row, struct error *e) {
    const char *owners[MAX_OWNERS + 1] = {NULL};
    char list[288]; /* the message has 512 */
    int count = 0;
    for (int g = 0; g < group_count && count < MAX_OWNERS; g++)
        if (groups[g].owner != NULL && owner_has(groups, group_count, groups[g].owner, row))
            owners[count++] = groups[g].owner;
    join_names(owners, list, sizeof list);
    if (owner != NULL)
        return error_usage(e, "--%s is an option of %s, not of %s", row->name, list, owner);
    return error_usage(e, "--%s needs -s: it is an option of %s", row->name, list);
}

/* What the owner, or the program itself, could not take, though another could. */
static int check_refused(const struct option_group *groups, int group_count, const char *owner,
                         struct error *e) {
    for (int g = 0; g < group_count; g++) {
        bool concerned =
            groups[g].owner == NULL || (owner != NULL && strcmp(groups[g].owner, owner) == 0);
        if (concerned && groups[g].refused.kind != ERROR_NONE)
            return error_usage(e, "%s", groups[g].refused.words);
    }
    return 0;
}

/* The option was given; does it go with OWNER? */
static int check_option(const struct option_group *groups, int group_count, const char *owner,
                        const struct option_row *row, struct error *e) {
    return owner != NULL && owner_has(groups, group_count, owner, row)
               ? 0
               : refuse_owner(groups, group_count, owner, row, e);
}

/* Whether a group without an owner has the option, too. */
static bool is_shared(const struct option_group *groups, int group_count, const char *name) {
    for (int g = 0; g < group_count; g++) {
        for (int i = 0; groups[g].owner == NULL && name != NULL && i < groups[g].count; i++)
            if (groups[g].rows[i].name != NULL && strcmp(groups[g].rows[i].name, name) == 0)
                return true;
    }
    return false;
}

int options_check_owner(const struct option_group *groups, int group_count, const char *owner,
                        struct error *e) {
    for (int g = 0; g < group_count; g++) {
        const struct option_group *group = &groups[g];
        for (int i = 0; group->owner != NULL && group->given != NULL && i < group->count; i++)
            if (group->given[i] && !is_shared(groups, group_count, group->rows[i].name) &&
                check_option(groups, group_count, owner, &group->rows[i], e) != 0)
                return -1;
    }
    return check_refused(groups, group_count, owner, e);
}

bool option_given(const struct option_group *group, const char *name) {
    for (int i = 0; i < group->count; i++)
        if (group->rows[i].name != NULL && strcmp(group->rows[i].name, name) == 0)
            return group->given[i];
    return false;
}

double option_real(const struct option_group *group, const char *name) {
    for (int i = 0; i < group->count; i++) {
        const struct option_row *row = &group->rows[i];
        if (row->kind == OPTION_REAL && row->name != NULL && strcmp(row->name, name) == 0)
            return *(const double *)((const char *)group->settings + row->offset);
    }
    return NAN;
}
