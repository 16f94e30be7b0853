/* test_setting_names.c - messages with the names of settings in place of options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "training/request/setting_names.h"
#include "training/request/settings.h"

static void check(const char *message, const char *expected) {
    char text[256];
    setting_names(message, text, sizeof text);
    assert_string_equal(text, expected);
}

static void options_become_names(void **state) {
    (void)state;
    check("the limit of 5 s (-t) came; raise -t",
          "the limit of 5 s (time-limit) came; raise time-limit");
    check("-l and -c exclude each other", "lambda and cost exclude each other");
    check("use -s bundle, or -s ocas (hinge)", "use solver bundle, or solver ocas (hinge)");
    check("--mu and --form dual cannot take -L boost", "mu and form dual cannot take loss boost");
    check("-B 1 works in place of --intercept", "bias 1 works in place of intercept");
    check("drop -i, --weights and --zero-based", "drop start, weight and zero_based");
}

static void other_words_stay(void **state) {
    static const char *const messages[] = {
        "",
        "label -1 and -1e-5, x - y, a -- b, non-negative, -lx, -Z",
        "unknown loss x; librrm-train -L help lists them",
        "compressed by zip; unpack it first: unzip -p FILE >OTHER_FILE",
    };
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        check(messages[i], messages[i]);
}

/* Every letter of the table. */
static void every_letter_has_its_name(void **state) {
    int count;
    const struct option_row *rows = train_settings_rows(&count);
    (void)state;
    for (int i = 0; i < count; i++)
        if (rows[i].letter != 0)
            check((char[]){'-', rows[i].letter, '\0'}, rows[i].name);
}

static void long_messages_are_cut(void **state) {
    char text[8];
    (void)state;
    setting_names("raise -t", text, sizeof text);
    assert_string_equal(text, "raise t");
    setting_names("0123456789", text, sizeof text);
    assert_string_equal(text, "0123456");
    setting_names("-t", text, 1);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_become_names),
        cmocka_unit_test(other_words_stay),
        cmocka_unit_test(every_letter_has_its_name),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
