/* gamma_text.c - the text of --gamma-kernel. */
#include "training/request/gamma_text.h"

#include <math.h>
#include <string.h>

/* The next of the values, LENGTH bytes of TEXT. */
static int read_one(struct kernel_settings *s, const char *text, size_t length, struct error *e) {
    const char *all = s->gamma_text;
    char one[64];
    double gamma;
    snprintf(one, sizeof one, "%.*s", (int)length, text);
    if (length >= sizeof one || text_to_real(one, &gamma) != 0)
        return error_usage(e, "--gamma-kernel %.80s: %.40s is not a number", all,
                           length == 0 ? "an empty value" : one);
    if (!(gamma > 0))
        return error_usage(e, "--gamma-kernel %.80s: out of range: a gamma is above 0", all);
    for (int64_t i = 0; i < s->gammas; i++)
        if (s->each_gamma[i] == gamma)
            return error_usage(e, "--gamma-kernel %.80s: %.40s is there twice", all, one);
    if (s->gammas == GAMMAS_MOST)
        return error_usage(e, "--gamma-kernel %.80s: at most %d values", all, GAMMAS_MOST);
    s->each_gamma[s->gammas++] = gamma;
    return 0;
}

int gamma_text_read(struct kernel_settings *s, struct error *e) {
    s->gammas = 0;
    for (const char *text = s->gamma_text; text != NULL;) {
        size_t length = strcspn(text, ",");
        if (read_one(s, text, length, e) != 0)
            return -1;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    s->gamma = s->each_gamma[0];
    return 0;
}
