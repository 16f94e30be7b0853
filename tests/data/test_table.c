/* test_table.c - tables: quotes, separators, line ends, blanks; what is no table is refused. */
#include "data/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/temporary.h"

static struct table *open_text(const char *text, char separator) {
    struct error e = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    struct table *table = table_open(path, separator, false, &e);
    assert_non_null(table);
    return table;
}

/* The records of TEXT are the COUNT rows of fields, each row's between "|". */
static void check(const char *text, char separator, const char *const *rows, int count) {
    struct error e = {0};
    struct table *table = open_text(text, separator);
    struct record record;
    for (int i = 0; i < count; i++) {
        char fields[200] = "";
        if (table_next(table, &record, &e) != 1)
            fail_msg("%s: %s", text, e.words);
        for (int64_t j = 0; j < record.count; j++) {
            assert_int_equal(strlen(record.field[j].text), record.field[j].length);
            strcat(strcat(fields, j > 0 ? "|" : ""), record.field[j].text);
        }
        assert_string_equal(fields, rows[i]);
    }
    assert_int_equal(table_next(table, &record, &e), 0);
    table_close(table);
}

static void fields_stand_between_separators(void **state) {
    (void)state;
    const char *rows[] = {"a|b c|", "1||3"};
    check("a,b c,\n1,,3\n", 0, rows, 2);
    check("\xef\xbb\xbf\n a ; b c;\r\n\r\n1;;3", 0, rows, 2);
    check("a\tb c\t\n1\t\t 3 \n", 0, rows, 2);
    check("a|b c|\n1||3\n", '|', rows, 2);
    const char *commas[] = {"a,b|c;d", "1|2,3"};
    check("a,b;\"c;d\"\n1;2,3\n", ';', commas, 2);
}

static void quotes_hold_separators_line_ends_and_quotes(void **state) {
    (void)state;
    const char *rows[] = {"a,\"b\"|c\nd|", "x|y|z"};
    check("\"a,\"\"b\"\"\", \"c\nd\" ,\"\"\nx,y,\"z\"\n", 0, rows, 2);
    const char *blanks[] = {" a |b\"c"};
    check("\" a \",b\"c\n", 0, blanks, 1);
}

static void the_record_and_its_line_are_kept(void **state) {
    (void)state;
    struct error e = {0};
    struct record record;
    struct table *table = open_text("\na,\"b\nc\"\n\n 1 ,2\t\n", ',');
    assert_int_equal(table_next(table, &record, &e), 1);
    assert_int_equal(record.line, 2);
    assert_int_equal(record.raw.length, 7);
    assert_memory_equal(record.raw.text, "a,\"b\nc\"", 7);
    assert_int_equal(table_next(table, &record, &e), 1);
    assert_int_equal(record.line, 5);
    assert_memory_equal(record.raw.text, " 1 ,2\t", 6);
    table_close(table);
}

static void a_record_can_be_read_ahead(void **state) {
    (void)state;
    struct error e = {0};
    struct record first, second;
    struct table *table = open_text("a,b\n1,\"2\n3\"\n4,5\n", 0);
    assert_int_equal(table_next(table, &first, &e), 1);
    assert_int_equal(table_peek(table, &second, &e), 1);
    assert_string_equal(first.field[1].text, "b");
    assert_string_equal(second.field[1].text, "2\n3");
    assert_int_equal(table_next(table, &second, &e), 1);
    assert_string_equal(second.field[1].text, "2\n3");
    assert_int_equal(second.line, 2);
    assert_int_equal(table_next(table, &second, &e), 1);
    assert_string_equal(second.field[0].text, "4");
    assert_int_equal(table_peek(table, &first, &e), 0);
    assert_int_equal(table_next(table, &first, &e), 0);
    table_close(table);
}

static void other_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
        int line;
    } files[] = {
        {"a,b\n1\n", "1 fields, where the first line has 2", 2},
        {"a,b\n1,2,3\n", "3 fields, where the first line has 2", 2},
        {"a,b\n\n1,\"2\n3\n", "a quote that begins here does not end", 3},
        {"a,b\n1,\"2\"3\n", "field 2 has text behind its quotes", 2},
        {"a,b\n1,\r2\n", "a carriage return within the line", 2},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct error e = {0};
        struct record record;
        struct table *table = open_text(files[i].text, 0);
        assert_int_equal(table_next(table, &record, &e), 1);
        assert_int_equal(table_next(table, &record, &e), -1);
        if (strstr(e.words, files[i].words) == NULL)
            fail_msg("%s: %s", files[i].text, e.words);
        assert_int_equal(e.line, files[i].line);
        table_close(table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_stand_between_separators),
        cmocka_unit_test(quotes_hold_separators_line_ends_and_quotes),
        cmocka_unit_test(the_record_and_its_line_are_kept),
        cmocka_unit_test(a_record_can_be_read_ahead),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
