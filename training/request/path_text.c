/* path_text.c - the text of --path. */
#include "training/request/path_text.h"

#include <math.h>
#include <string.h>

static const char certified[] = "certified=";

/* One of the ends, FROM or TO, of LENGTH bytes. */
static int read_end(const char *all, const char *text, size_t length, double *end,
                    struct error *e) {
    char one[64];
    snprintf(one, sizeof one, "%.*s", (int)length, text);
    if (length >= sizeof one || text_to_real(one, end) != 0)
        return error_usage(e, "--path %.80s: %.40s is not a number", all, one);
    return *end >= LAMBDA_LEAST && *end <= 1e300
               ? 0
               : error_usage(e, "--path %.80s: %.40s is out of range: from %g to 1e+300", all, one,
                             LAMBDA_LEAST);
}

static int read_ends(struct train_settings *s, const char *comma, struct error *e) {
    const char *all = s->path_text, *second = strchr(comma + 1, ',');
    if (second == NULL)
        return error_usage(e, "--path %.80s: both ends are expected, FROM,TO, such as 1,1e-6", all);
    if (read_end(all, comma + 1, (size_t)(second - comma - 1), &s->path_from, e) != 0 ||
        read_end(all, second + 1, strlen(second + 1), &s->path_to, e) != 0)
        return -1;
    return s->path_to < s->path_from
               ? 0
               : error_usage(e, "--path %.80s: the path descends: FROM is above TO", all);
}

/* GAP or N, in TEXT. */
static int read_size(struct train_settings *s, const char *text, struct error *e) {
    size_t prefix = sizeof certified - 1;
    if (strncmp(text, certified, prefix) == 0) {
        s->path = CERTIFIED_PATH_MOST;
        return text_to_real(text + prefix, &s->path_gap) == 0 && s->path_gap > 0 && s->path_gap < 1
                   ? 0
                   : error_usage(
                         e, "--path %.80s: out of range: the relative gap is above 0 and below 1",
                         s->path_text);
    }
    if (text_to_integer(text, &s->path) != 0)
        return error_usage(e, "--path %.80s: N[,FROM,TO] or certified=GAP[,FROM,TO] is expected",
                           s->path_text);
    return s->path >= 2 && s->path <= PATH_MOST
               ? 0
               : error_usage(e, "--path %.80s: out of range: from 2 to %d values", s->path_text,
                             PATH_MOST);
}

int path_text_read(struct train_settings *s, struct error *e) {
    char size[64];
    const char *text = s->path_text, *comma;
    s->path = 0;
    s->path_gap = s->path_from = s->path_to = 0;
    if (text == NULL)
        return 0;
    comma = strchr(text, ',');
    snprintf(size, sizeof size, "%.*s", comma != NULL ? (int)(comma - text) : (int)sizeof size,
             text);
    if (read_size(s, size, e) != 0)
        return -1;
    return comma == NULL ? 0 : read_ends(s, comma, e);
}
