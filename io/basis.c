/* basis.c - lists of basis functions as text. */
#include "io/basis.h"

#include "io/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads one digit or more at *text and moves *text past them. -1: no digit, or a number above LIMIT. */
static int64_t take_number(const char **text, int64_t limit) {
    int64_t n = 0;
    if (**text < '0' || **text > '9')
        return -1;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        n = 10 * n + (**text - '0');
        if (n > limit)
            return -1;
    }
    return n;
}

/* "INDEX" or "INDEX^POWER" at *text; the constant is "1" where it is allowed. */
static int take_function(const char **text, bool constant, bool zero_based,
                         struct basis_function *function, struct error *e) {
    const char *token = *text;
    int64_t index = take_number(text, (int64_t)INT32_MAX - 2 + !zero_based), power = 1;
    bool raised = index >= 0 && **text == '^';
    if (raised) {
        ++*text;
        power = take_number(text, BASIS_MAX_POWER);
    }
    int length = (int)strcspn(token, ",");
    if (index < !zero_based || power < 1 || (**text != ',' && **text != '\0'))
        return error_usage(e,
                           "%.*s: a basis function is 1 (the constant), a feature's index or "
                           "INDEX^POWER, with a power of at most %d",
                           length == 0   ? 9
                           : length < 40 ? length
                                         : 40,
                           length == 0 ? "(nothing)" : token, BASIS_MAX_POWER);
    *function = (struct basis_function){(int32_t)(index - !zero_based), (int32_t)power};
    if (constant && !raised && index == 1)
        function->column = -1;
    return 0;
}

static bool is_there(const struct basis *basis, const struct basis_function *function) {
    for (int64_t j = 0; j < basis->count; j++)
        if (basis->function[j].column == function->column &&
            basis->function[j].power == function->power)
            return true;
    return false;
}

static int take_list(const char *list, bool constant, bool zero_based, struct basis *basis,
                     struct error *e) {
    if (list == NULL || strcmp(list, "none") == 0)
        return 0;
    for (const char *at = list;; at++) {
        struct basis_function function;
        const char *token = at;
        if (take_function(&at, constant, zero_based, &function, e) != 0)
            return -1;
        if (is_there(basis, &function))
            return error_usage(e, "%.*s: this basis function is repeated", (int)(at - token),
                               token);
        if (basis->count == BASIS_MAX_FUNCTIONS)
            return error_usage(e, "more than %d basis functions", BASIS_MAX_FUNCTIONS);
        if (memory_resize((void **)&basis->function, basis->count + 1, sizeof function,
                          "basis functions", e) != 0)
            return -1;
        basis->function[basis->count++] = function;
        if (*at == '\0')
            return 0;
    }
}

int basis_parse(const char *shared, const char *only, bool zero_based, struct basis *basis,
                struct error *e) {
    *basis = (struct basis){0};
    if (take_list(shared, true, zero_based, basis, e) != 0)
        return -1;
    basis->shared = basis->count;
    return take_list(only, false, zero_based, basis, e);
}

void basis_free(struct basis *basis) {
    free(basis->function);
    *basis = (struct basis){0};
}

int basis_copy(const struct basis *from, struct basis *to, struct error *e) {
    struct basis_function *function =
        memory_new(from->count, sizeof *function, "basis functions", e);
    *to = (struct basis){0};
    if (function == NULL)
        return -1;
    for (int64_t j = 0; j < from->count; j++)
        function[j] = from->function[j];
    *to = (struct basis){from->count, from->shared, function};
    return 0;
}

bool basis_hides(const struct basis *basis, int32_t column) {
    for (int64_t j = basis->shared; j < basis->count; j++)
        if (basis->function[j].column == column)
            return true;
    return false;
}

enum { FUNCTION_BYTES = 24 }; /* of a function as text, at most */

/* Writes a function as text. */
static int print_function(const struct basis_function *function, bool zero_based, char *text) {
    int64_t index = (int64_t)function->column + !zero_based;
    if (function->column < 0)
        return snprintf(text, FUNCTION_BYTES, "1");
    if (function->power == 1 && index != 1)
        return snprintf(text, FUNCTION_BYTES, "%" PRId64, index);
    return snprintf(text, FUNCTION_BYTES, "%" PRId64 "^%d", index, (int)function->power);
}

char *basis_text(const struct basis *basis, int64_t from, int64_t to, bool zero_based,
                 struct error *e) {
    char *text = memory_new((to - from + 1) * FUNCTION_BYTES, 1, "basis functions", e);
    char *at = text;
    if (text == NULL)
        return NULL;
    if (from == to)
        strcpy(text, "none");
    for (int64_t j = from; j < to; j++) {
        if (j > from)
            *at++ = ',';
        at += print_function(&basis->function[j], zero_based, at);
    }
    return text;
}
