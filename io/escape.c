/* escape.c - prints untrusted text, such as file names, on a terminal. */
#include "io/escape.h"

#include <stdbool.h>
#include <string.h>

int escape_utf8(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    int length = s[0] < 0x80   ? 1
                 : s[0] < 0xc2 ? 0
                 : s[0] < 0xe0 ? 2
                 : s[0] < 0xf0 ? 3
                 : s[0] < 0xf5 ? 4
                               : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
        return 0; /* overlong, a surrogate, or past the last code point */
    return length;
}

/* Control characters: ASCII below the blank, DEL, and U+0080 to U+009F, which some terminals execute too. */
static bool is_control(const unsigned char *s, int length) {
    return length == 1 ? s[0] < 0x20 || s[0] == 0x7f : s[0] == 0xc2 && s[1] < 0xa0;
}

static void print_byte(unsigned char byte, FILE *stream) {
    const char *short_form = byte == '\n'   ? "\\n"
                             : byte == '\r' ? "\\r"
                             : byte == '\t' ? "\\t"
                                            : NULL;
    if (short_form != NULL)
        fputs(short_form, stream);
    else
        fprintf(stream, "\\x%02x", byte);
}

void escape_print(const char *text, FILE *stream) {
    while (*text != '\0') {
        const unsigned char *s = (const unsigned char *)text;
        int length = escape_utf8(text);
        if (length > 0 && !is_control(s, length)) {
            fwrite(text, 1, (size_t)length, stream);
        } else {
            length = length == 0 ? 1 : length;
            for (int i = 0; i < length; i++)
                print_byte(s[i], stream);
        }
        text += length;
    }
}
