/* setting_names.c - options of the command line within a message, and what they are called in rrm.h. */
#include "training/request/setting_names.h"

#include "training/request/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Options of the command line that rrm.h has as something else than a setting. */
static const struct {
    const char *option, *name;
} others[] = {{"-i", "start"}, {"--weights", "weight"}, {"--zero-based", "zero_based"}};

/* Programs that a message may name with options of theirs. */
static const char *const programs[] = {"librrm-train ", "unzip "};

/* The length of the option that begins here, "-l" or "--lambda"; 0: none does. */
static size_t option_length(const char *text) {
    size_t dashes = strspn(text, "-"), length = dashes;
    while (isalnum((unsigned char)text[length]) || (dashes == 2 && text[length] == '-'))
        length++;
    bool is_short = dashes == 1 && length == 2 && isalpha((unsigned char)text[1]);
    return is_short || (dashes == 2 && length > 3) ? length : 0;
}

/* Whether a word of MESSAGE begins at AT, and no program's name stands before it. */
static bool may_begin(const char *message, const char *at) {
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        size_t length = strlen(programs[i]);
        if ((size_t)(at - message) >= length && memcmp(at - length, programs[i], length) == 0)
            return false;
    }
    return at == message || strchr(" (", at[-1]) != NULL;
}

/* What rrm.h calls the option, *length bytes of what is returned. An unknown letter stays. */
static const char *name_of(const char *option, size_t *length) {
    int count;
    const struct option_row *rows = train_settings_rows(&count);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i].option) == *length && memcmp(option, others[i].option, *length) == 0) {
            *length = strlen(others[i].name);
            return others[i].name;
        }
    for (int i = 0; *length == 2 && i < count; i++)
        if (rows[i].letter == option[1]) {
            *length = strlen(rows[i].name);
            return rows[i].name;
        }
    size_t dashes = *length > 2 ? 2 : 0;
    *length -= dashes;
    return option + dashes;
}

void setting_names(const char *message, char *text, size_t size) {
    size_t used = 0;
    for (const char *at = message; *at != '\0' && used + 1 < size;) {
        size_t taken = may_begin(message, at) ? option_length(at) : 0, length = taken;
        const char *name = taken > 0 ? name_of(at, &length) : at;
        if (taken == 0)
            taken = length = 1;
        if (length > size - 1 - used)
            length = size - 1 - used;
        memcpy(text + used, name, length);
        used += length;
        at += taken;
    }
    text[used] = '\0';
}
