/* test_svmlight_sources.c - a large file, and all ways to read it: by any number of threads, in pieces, from a pipe,
 * packed, block by block; and rows of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <zlib.h>

#include <cmocka.h>

#include "io/dataset_select.h"
#include "tests/io/svmlight/svmlight_fixture.h"
#include "tests/same_dataset.h"
#include "tests/size.h"

enum { ROWS = 20000 };

static const struct svmlight_options one_thread = {.threads = 1};

struct text {
    char *bytes;
    size_t length;
};

static uint32_t random_number(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Room for what generate_rows makes. */
static struct dataset new_dataset(void) {
    return (struct dataset){.rows = ROWS,
                            .start = calloc(ROWS + 1, sizeof(int64_t)),
                            .label = calloc(ROWS, sizeof(double)),
                            .column = calloc(ROWS * 20, sizeof(int32_t)),
                            .value = calloc(ROWS * 20, sizeof(double)),
                            .weight = calloc(ROWS, sizeof(double)),
                            .group_start = calloc(ROWS + 1, sizeof(int64_t)),
                            .group_id = calloc(ROWS, sizeof(int64_t))};
}

/* KIND: all forms at once; all values 1; the same, with another value near the end; long groups. */
enum { ALL_FORMS, ONES, ONES_BUT_ONE, LONG_GROUPS, KINDS };

static void generate_options(int kind, FILE *stream, uint64_t *seed, int64_t i,
                             struct dataset *data) {
    if (random_number(seed) % 3 == 0) {
        data->weight[i] = random_number(seed) / 1024.0;
        fprintf(stream, " cost:%.17g", data->weight[i]);
    }
    if (i == 0 || random_number(seed) % (kind == LONG_GROUPS ? 500 : 7) == 0) {
        data->group_start[data->groups] = i;
        data->group_id[data->groups] = (data->groups * 7919) % ROWS;
        data->groups++;
    }
    fprintf(stream, "\tqid:%lld", (long long)data->group_id[data->groups - 1]);
}

static void generate_features(int kind, FILE *stream, uint64_t *seed, int64_t i,
                              struct dataset *data) {
    int32_t column = -1;
    for (int j = (int)(random_number(seed) % 20); j > 0; j--) {
        column += 1 + (int32_t)(random_number(seed) % (j == 1 ? 20000000 : 90));
        double value = 1;
        if (kind == ONES_BUT_ONE ? i == ROWS - 3 : kind != ONES && random_number(seed) % 3)
            value = ldexp(random_number(seed), -20 - (int)(random_number(seed) % 30));
        fprintf(stream, random_number(seed) % 2 ? " %d:%.17g" : "  %d:%.17e", column + 1, value);
        data->column[data->nonzeros] = column;
        data->value[data->nonzeros++] = value;
        if (column >= data->features)
            data->features = column + 1;
    }
}

static void generate_rows(int kind, FILE *stream, struct dataset *data) {
    uint64_t seed = (uint64_t)kind;
    bool plain = kind == ONES || kind == ONES_BUT_ONE;
    for (int64_t i = 0; i < ROWS; i++) {
        if (!plain && random_number(&seed) % 10 == 0)
            fputs(random_number(&seed) % 2 ? "# a comment: 1:2 qid:3\n" : " \t\r\n", stream);
        data->label[i] = (double)(int)(random_number(&seed) % 5) - 2;
        data->weight[i] = 1;
        data->start[i] = data->nonzeros;
        fprintf(stream, "%g", data->label[i]);
        if (!plain)
            generate_options(kind, stream, &seed, i, data);
        generate_features(kind, stream, &seed, i, data);
        if (!plain && random_number(&seed) % 5 == 0)
            fputs(" # tail", stream);
        fputs(i == ROWS - 1 ? "" : random_number(&seed) % 4 ? "\n" : "\r\n", stream);
    }
    data->start[ROWS] = data->nonzeros;
    data->group_start[data->groups] = ROWS;
}

static void drop(void *array) {
    void **pointer = array;
    free(*pointer);
    *pointer = NULL;
}

/* Of each kind a file and, apart from the parser, the dataset that it stands for: to print the numbers takes longer
 * than to read them. */
static struct text texts[KINDS];
static struct dataset wholes[KINDS];

static void generate(int kind) {
    struct text *text = &texts[kind];
    struct dataset *data = &wholes[kind];
    FILE *stream = open_memstream(&text->bytes, &text->length);
    *data = new_dataset();
    generate_rows(kind, stream, data);
    fclose(stream);
    if (kind == ONES)
        drop(&data->value);
    if (data->groups == 0) {
        drop(&data->weight);
        drop(&data->group_start);
        drop(&data->group_id);
    }
}

static int generate_all(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        generate(kind);
    return 0;
}

static int free_all(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        free(texts[kind].bytes);
        dataset_free(&wholes[kind]);
    }
    return 0;
}

static void check_load(const char *path, int threads, int64_t piece,
                       const struct dataset *expected) {
    struct svmlight_options options = {.threads = threads};
    struct dataset data;
    struct error e = {0};
    int status = piece == 0 ? dataset_load(path, &options, &data, &e)
                            : load_pieces(path, threads, piece, &data, &e);
    if (status != 0)
        fail_msg("%d threads, pieces of %d: %s", threads, (int)piece, e.words);
    assert_true(same_dataset(&data, expected));
    dataset_free(&data);
}

static void all_threads_agree(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct file file = file_of(texts[kind].bytes, texts[kind].length);
        for (int threads = 1; threads <= 8; threads += PART(threads < 3 ? 2 : 5, 7))
            check_load(file.path, threads, 0, &wholes[kind]);
        static const int64_t pieces[] = {100, 1000, 4096, 100000, 1 << 30};
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i += 2)
            check_load(file.path, 1 + (int)i, pieces[i], &wholes[kind]);
        close(file.descriptor);
    }
}

/* Several gzip members, as "cat a.gz b.gz" makes them. */
static struct file gzip_of(const struct text *text, int members) {
    struct file file = file_of("", 0);
    for (int i = 0; i < members; i++) {
        size_t begin = text->length * (size_t)i / (size_t)members;
        size_t end = text->length * (size_t)(i + 1) / (size_t)members;
        gzFile stream = gzdopen(dup(file.descriptor), "wb1");
        assert_int_equal(gzwrite(stream, text->bytes + begin, (unsigned)(end - begin)),
                         end - begin);
        gzclose(stream);
    }
    return file;
}

static void check_standard_input(const struct file *file, const struct dataset *expected) {
    int saved = dup(STDIN_FILENO);
    for (int threads = 1; threads <= 2; threads++) {
        lseek(file->descriptor, 0, SEEK_SET);
        dup2(file->descriptor, STDIN_FILENO);
        check_load("-", threads, 0, expected);
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void all_sources_agree(void **state) {
    (void)state;
    const struct text *text = &texts[ALL_FORMS];
    const struct dataset *expected = &wholes[ALL_FORMS];
    struct file plain = file_of(text->bytes, text->length);
    struct file packed = gzip_of(text, 3);
    check_standard_input(&plain, expected);
    check_standard_input(&packed, expected);
    for (int threads = 1; threads <= 4; threads += 3)
        check_load(packed.path, threads, 0, expected);
    close(plain.descriptor);
    close(packed.descriptor);
}

/* Checks that the block has the rows from FROM on of the full data. */
static void check_block(const struct dataset *block, const struct dataset *whole, int64_t from) {
    int64_t features = 0;
    for (int64_t i = 0; i < block->rows; i++) {
        int64_t k = block->start[i], at = whole->start[from + i];
        int64_t length = block->start[i + 1] - k;
        assert_int_equal(length, whole->start[from + i + 1] - at);
        assert_memory_equal(block->column + k, whole->column + at, (size_t)length * 4);
        for (int64_t j = 0; j < length; j++) {
            double value = block->value != NULL ? block->value[k + j] : 1;
            assert_true(value == (whole->value != NULL ? whole->value[at + j] : 1));
            if (block->column[k + j] >= features)
                features = block->column[k + j] + 1;
        }
        assert_true(block->label[i] == whole->label[from + i]);
        double weight = block->weight != NULL ? block->weight[i] : 1;
        assert_true(weight == (whole->weight != NULL ? whole->weight[from + i] : 1));
    }
    assert_int_equal(block->features, features);
    assert_int_equal(block->start[block->rows], block->nonzeros);
}

/* REUSE: the next block reuses the arrays; otherwise the caller frees each block. */
static void check_reader(int kind, bool reuse) {
    const struct dataset *whole = &wholes[kind];
    struct dataset block = {0};
    struct error e = {0};
    struct file file = file_of(texts[kind].bytes, texts[kind].length);
    struct svmlight_reader *reader = svmlight_open(file.path, &one_thread, &e);
    int64_t rows = 0, groups = 0, blocks = 0;
    double share = 0;
    int status;
    while ((status = svmlight_read(reader, &block, &e)) == 1) {
        double now = svmlight_share_read(reader);
        assert_true(now >= share && now <= 1 && (now < 1 || rows + block.rows > whole->rows / 2));
        share = now;
        check_block(&block, whole, rows);
        for (int64_t g = 0; g < block.groups; g++, groups++) {
            assert_int_equal(block.group_id[g], whole->group_id[groups]);
            assert_int_equal(block.group_start[g] + rows, whole->group_start[groups]);
            assert_int_equal(block.group_start[g + 1] + rows, whole->group_start[groups + 1]);
        }
        rows += block.rows;
        blocks++;
        if (!reuse)
            dataset_free(&block);
    }
    assert_int_equal(status, 0);
    assert_true(share == 1);
    assert_int_equal(svmlight_read(reader, &block, &e), 0);
    assert_int_equal(rows, whole->rows);
    assert_int_equal(groups, whole->groups);
    assert_true(blocks > 1);
    svmlight_close(reader);
    dataset_free(&block);
    close(file.descriptor);
}

static void blocks_make_the_whole(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int reuse = 0; reuse < 2; reuse++)
            check_reader(kind, reuse);
}

/* A group larger than a block is read in parts, each with its id. */
static void group_larger_than_a_block(void **state) {
    (void)state;
    char *bytes;
    size_t length;
    FILE *stream = open_memstream(&bytes, &length);
    for (int i = 0; i < 300000; i++)
        fprintf(stream, "1 qid:%d 1:1\n", i < 299990 ? 5 : 3);
    fclose(stream);
    struct file file = file_of(bytes, length);
    struct dataset block = {0};
    struct error e = {0};
    struct svmlight_reader *reader = svmlight_open(file.path, &one_thread, &e);
    int64_t rows = 0;
    while (svmlight_read(reader, &block, &e) == 1) {
        assert_true(block.groups >= 1 && block.group_start[0] == 0);
        assert_int_equal(block.group_start[block.groups], block.rows);
        assert_int_equal(block.group_id[0], rows < 299990 ? 5 : 3);
        rows += block.rows;
    }
    assert_int_equal(e.kind, ERROR_NONE);
    assert_int_equal(rows, 300000);
    svmlight_close(reader);
    dataset_free(&block);
    free(bytes);
    close(file.descriptor);
}

/* --- selection --- */

static void select_rows(void **state) {
    (void)state;
    const struct dataset *whole = &wholes[ALL_FORMS];
    struct dataset part;
    struct error e = {0};
    int64_t rows[ROWS], count = 0;
    for (int64_t i = 0; i < ROWS; i += 1 + i % 13)
        rows[count++] = i;
    assert_int_equal(dataset_select(whole, rows, count, &part, &e), 0);
    assert_int_equal(part.rows, count);
    assert_int_equal(part.features, whole->features);
    int64_t group = -1, from = -1;
    for (int64_t i = 0; i < count; i++) {
        struct dataset row = {.rows = 1, .nonzeros = part.start[i + 1] - part.start[i]};
        assert_int_equal(row.nonzeros, whole->start[rows[i] + 1] - whole->start[rows[i]]);
        assert_memory_equal(part.value + part.start[i], whole->value + whole->start[rows[i]],
                            (size_t)row.nonzeros * sizeof(double));
        assert_true(part.label[i] == whole->label[rows[i]]);
        assert_true(part.weight[i] == whole->weight[rows[i]]);
        while (from + 1 < whole->groups && whole->group_start[from + 1] <= rows[i])
            from++;
        if (group + 1 < part.groups && part.group_start[group + 1] == i)
            group++;
        assert_int_equal(part.group_id[group], whole->group_id[from]);
    }
    assert_int_equal(group, part.groups - 1);
    assert_int_equal(part.group_start[part.groups], count);
    dataset_free(&part);
    assert_int_equal(dataset_select(whole, rows, 0, &part, &e), 0);
    assert_int_equal(part.groups, 0);
    dataset_free(&part);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_agree),     cmocka_unit_test(all_sources_agree),
        cmocka_unit_test(blocks_make_the_whole), cmocka_unit_test(group_larger_than_a_block),
        cmocka_unit_test(select_rows),
    };
    return cmocka_run_group_tests(tests, generate_all, free_all);
}
