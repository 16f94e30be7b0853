/* kernel_lists.c - the texts of --gamma-kernel and --landmarks. */
#include "training/request/kernel_lists.h"

#include "kernel/map.h"

#include <math.h>
#include <string.h>

/* An option of a list. */
struct kind {
    const char *option, *numbers, *range;
    int (*read)(const char *text, double *value);
    double above, most; /* the range: above < value <= most */
};

static int read_whole(const char *text, double *value) {
    int64_t number;
    if (text_to_integer(text, &number) != 0)
        return -1;
    *value = (double)number;
    return 0;
}

_Static_assert(MAP_SIZE_MOST == 1048576, "the range of --landmarks");

static const struct kind of_gamma = {"--gamma-kernel", "a number", "a gamma is above 0",
                                     text_to_real,     0,          INFINITY};
static const struct kind of_landmarks = {
    "--landmarks", "a whole number", "from 1 to 1048576", read_whole, 0, MAP_SIZE_MOST};

/* The next of the values, LENGTH bytes of TEXT. */
static int read_one(const struct kind *kind, struct kernel_list *list, const char *text,
                    size_t length, struct error *e) {
    char one[64];
    double value;
    snprintf(one, sizeof one, "%.*s", (int)length, text);
    if (length >= sizeof one || kind->read(one, &value) != 0)
        return error_usage(e, "%s %.80s: %.40s is not %s", kind->option, list->text,
                           length == 0 ? "an empty value" : one, kind->numbers);
    if (!(value > kind->above && value <= kind->most))
        return error_usage(e, "%s %.80s: out of range: %s", kind->option, list->text, kind->range);
    for (int64_t i = 0; i < list->count; i++)
        if (list->value[i] == value)
            return error_usage(e, "%s %.80s: %.40s is there twice", kind->option, list->text, one);
    if (list->count == KERNEL_LIST_MOST)
        return error_usage(e, "%s %.80s: at most %d values", kind->option, list->text,
                           KERNEL_LIST_MOST);
    list->value[list->count++] = value;
    return 0;
}

static int read_list(const struct kind *kind, struct kernel_list *list, struct error *e) {
    list->count = 0;
    for (const char *text = list->text; text != NULL;) {
        size_t length = strcspn(text, ",");
        if (read_one(kind, list, text, length, e) != 0)
            return -1;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return 0;
}

int kernel_lists_read(struct kernel_settings *s, struct error *e) {
    if (read_list(&of_gamma, &s->gammas, e) != 0 ||
        read_list(&of_landmarks, &s->landmark_counts, e) != 0)
        return -1;
    kernel_lists_take(s, 0);
    return 0;
}

const char *kernel_lists_several(const struct kernel_settings *s, const struct kernel_list **list) {
    bool several_gammas = s->gammas.count > 1;
    *list = several_gammas ? &s->gammas : &s->landmark_counts;
    return (*list)->count <= 1 ? NULL : several_gammas ? of_gamma.option : of_landmarks.option;
}

/* An option that was not given has one value, the default. */
static int64_t values_of(const struct kernel_list *list) {
    return list->count > 1 ? list->count : 1;
}

int64_t kernel_lists_pairs(const struct kernel_settings *s) {
    return values_of(&s->gammas) * values_of(&s->landmark_counts);
}

void kernel_lists_take(struct kernel_settings *s, int64_t i) {
    int64_t counts = values_of(&s->landmark_counts);
    if (s->gammas.count > 0)
        s->gamma = s->gammas.value[i / counts];
    s->landmarks = s->landmark_counts.count > 0 ? (int64_t)s->landmark_counts.value[i % counts] : 0;
    s->pair = i;
}
