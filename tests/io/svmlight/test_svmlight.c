/* test_svmlight.c - loading: every way of reading a file gives the same dataset and the same error.
 */
#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_line.h"
#include "io/svmlight/svmlight_pieces.h"
#include "io/svmlight/svmlight_stream.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#define BAD_INPUT "tests/bad-input/svmlight"

enum { PATH_SIZE = 512, ROWS = 20000 };

static const struct svmlight_options one_thread = {.threads = 1};

/* A file that exists only as a descriptor, and the path to it. */
struct file {
    int descriptor;
    char path[64];
};

static struct file file_of(const void *bytes, size_t count) {
    struct file file;
    file.descriptor = memfd_create("data", 0);
    assert_int_equal(write(file.descriptor, bytes, count), count);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

static void assert_same_array(const void *a, const void *b, int64_t count, size_t size) {
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL)
        assert_memory_equal(a, b, (size_t)count * size);
}

static void assert_same(const struct dataset *a, const struct dataset *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->nonzeros, b->nonzeros);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->groups, b->groups);
    assert_same_array(a->start, b->start, a->rows + 1, sizeof *a->start);
    assert_same_array(a->column, b->column, a->nonzeros, sizeof *a->column);
    assert_same_array(a->value, b->value, a->nonzeros, sizeof *a->value);
    assert_same_array(a->label, b->label, a->rows, sizeof *a->label);
    assert_same_array(a->weight, b->weight, a->rows, sizeof *a->weight);
    assert_same_array(a->group_start, b->group_start, a->groups + 1, sizeof *a->group_start);
    assert_same_array(a->group_id, b->group_id, a->groups, sizeof *a->group_id);
}

static int load_pieces(const char *path, int threads, int64_t piece, struct dataset *out,
                       struct error *e) {
    struct svmlight_options options = {.threads = threads};
    struct source *source = source_open(path, e);
    *out = (struct dataset){0};
    if (source == NULL)
        return -1;
    int status = source_size(source) > 0 ? svmlight_pieces_load(source, &options, piece, out, e)
                                         : svmlight_stream_load(source, &options, piece, out, e);
    source_close(source);
    return status;
}

/* --- refusals --- */

static void read_text(const char *folder, const char *name, char *text, size_t size) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, BAD_INPUT "/%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
}

/* The message as it is printed, without the file name and what parts it from the rest. */
static void message_of(const struct error *e, const char *path, char *text, size_t size) {
    assert_int_equal(e->kind, ERROR_FAILURE);
    assert_string_equal(e->file, path);
    FILE *stream = fmemopen(text, size, "w");
    error_print(e, "test", stream);
    fclose(stream);
    size_t skip = strlen(path) + 1;
    skip += text[skip] == ' ';
    memmove(text, text + skip, strlen(text + skip) + 1);
}

static void check_message(const struct error *e, const char *path, const char *expected) {
    char text[2048];
    message_of(e, path, text, sizeof text);
    assert_string_equal(text, expected);
}

static void check_refusal(const char *folder) {
    char path[PATH_SIZE], expected[2048];
    snprintf(path, sizeof path, BAD_INPUT "/%s/input", folder);
    read_text(folder, "message", expected, sizeof expected);
    for (int threads = 1; threads <= 2; threads++) {
        struct svmlight_options options = {.threads = threads};
        struct dataset data;
        struct error e = {0};
        assert_int_equal(dataset_load(path, &options, &data, &e), -1);
        assert_null(data.start);
        check_message(&e, path, expected);
    }
    for (int64_t piece = 1; piece < 40; piece += 6) {
        struct dataset data;
        struct error e = {0};
        assert_int_equal(load_pieces(path, 3, piece, &data, &e), -1);
        check_message(&e, path, expected);
    }
    struct error e = {0};
    struct dataset block = {0};
    struct svmlight_reader *reader = svmlight_open(path, &one_thread, &e);
    int status = 1;
    while (reader != NULL && status == 1)
        status = svmlight_read(reader, &block, &e);
    check_message(&e, path, expected);
    dataset_free(&block);
    svmlight_close(reader);
}

static void refusals(void **state) {
    (void)state;
    DIR *folder = opendir(BAD_INPUT);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            check_refusal(entry->d_name);
            count++;
        }
    closedir(folder);
    assert_true(count > 70);
}

static void check_open(const char *path, const char *expected) {
    struct dataset data;
    struct error e = {0};
    assert_int_equal(dataset_load(path, &one_thread, &data, &e), -1);
    check_message(&e, path, expected);
    e = (struct error){0};
    assert_null(svmlight_open(path, &one_thread, &e));
    check_message(&e, path, expected);
    assert_int_equal(dataset_load(path, &one_thread, &data, NULL), -1);
}

static void files_that_do_not_open(void **state) {
    (void)state;
    check_open("tests", "Is a directory\n");
    check_open("tests/no-such-file", "No such file or directory\n");
}

/* --- forms that are fine --- */

static struct dataset load_text(const char *text, const struct svmlight_options *options) {
    struct file file = file_of(text, strlen(text));
    struct dataset data;
    struct error e = {0};
    if (dataset_load(file.path, options, &data, &e) != 0)
        fail_msg("%s: %s", text, e.words);
    close(file.descriptor);
    return data;
}

static void lenient_forms(void **state) {
    (void)state;
    struct dataset data = load_text("\xef\xbb\xbf# head\n\n \t\r\n+1 1:0.5\t3:-1e-320 \r\n"
                                    "-1 \n2.5 2147483646:1#tail: 1:2\n0 007:1 00000000008:1.",
                                    &one_thread);
    const double labels[] = {1, -1, 2.5, 0};
    const int64_t start[] = {0, 2, 2, 3, 5};
    const int32_t columns[] = {0, 2, 2147483645, 6, 7};
    const double values[] = {0.5, -1e-320, 1, 1, 1};
    assert_int_equal(data.rows, 4);
    assert_int_equal(data.features, 2147483646);
    assert_memory_equal(data.label, labels, sizeof labels);
    assert_memory_equal(data.start, start, sizeof start);
    assert_memory_equal(data.column, columns, sizeof columns);
    assert_memory_equal(data.value, values, sizeof values);
    assert_null(data.weight);
    assert_null(data.group_start);
    dataset_free(&data);
}

static void options_of_a_reader(void **state) {
    (void)state;
    struct svmlight_options options = {.zero_based = true, .unlabeled = true, .threads = 1};
    struct dataset data = load_text("? 0:1 2147483646:1\n-3 1:1.0\n", &options);
    assert_true(isnan(data.label[0]) && data.label[1] == -3);
    assert_int_equal(data.column[0], 0);
    assert_int_equal(data.features, INT32_MAX);
    assert_null(data.value);
    dataset_free(&data);
}

static void costs_and_groups(void **state) {
    (void)state;
    struct dataset data =
        load_text("1 qid:7 1:1\n2 cost:0.5 qid:7\n3 qid:9223372036854775807 cost:1"
                  " 2:1\n4 qid:-9223372036854775807 cost:0\n",
                  &one_thread);
    const double weights[] = {1, 0.5, 1, 0};
    const int64_t start[] = {0, 2, 3, 4}, id[] = {7, INT64_MAX, -INT64_MAX};
    assert_memory_equal(data.weight, weights, sizeof weights);
    assert_int_equal(data.groups, 3);
    assert_memory_equal(data.group_start, start, sizeof start);
    assert_memory_equal(data.group_id, id, sizeof id);
    dataset_free(&data);
}

/* --- a large file, and all ways to read it --- */

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

/* A file and, apart from the parser, the dataset that it stands for. */
static void generate(int kind, struct text *text, struct dataset *data) {
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

static void check_load(const char *path, int threads, int64_t piece,
                       const struct dataset *expected) {
    struct svmlight_options options = {.threads = threads};
    struct dataset data;
    struct error e = {0};
    int status = piece == 0 ? dataset_load(path, &options, &data, &e)
                            : load_pieces(path, threads, piece, &data, &e);
    if (status != 0)
        fail_msg("%d threads, pieces of %d: %s", threads, (int)piece, e.words);
    assert_same(&data, expected);
    dataset_free(&data);
}

static void all_threads_agree(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct text text;
        struct dataset expected;
        generate(kind, &text, &expected);
        struct file file = file_of(text.bytes, text.length);
        for (int threads = 1; threads <= 8; threads++)
            check_load(file.path, threads, 0, &expected);
        static const int64_t pieces[] = {100, 1000, 4096, 100000, 1 << 30};
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
            check_load(file.path, 1 + (int)i, pieces[i], &expected);
        close(file.descriptor);
        free(text.bytes);
        dataset_free(&expected);
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
    struct text text;
    struct dataset expected;
    generate(ALL_FORMS, &text, &expected);
    struct file plain = file_of(text.bytes, text.length);
    struct file packed = gzip_of(&text, 3);
    check_standard_input(&plain, &expected);
    check_standard_input(&packed, &expected);
    for (int threads = 1; threads <= 4; threads++)
        check_load(packed.path, threads, 0, &expected);
    close(plain.descriptor);
    close(packed.descriptor);
    free(text.bytes);
    dataset_free(&expected);
}

/* Whether rows FROM.. of the whole are those of the block. */
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

/* REUSE: the arrays of a block serve the next; otherwise the caller frees each. */
static void check_reader(int kind, bool reuse) {
    struct text text;
    struct dataset whole, block = {0};
    struct error e = {0};
    generate(kind, &text, &whole);
    struct file file = file_of(text.bytes, text.length);
    struct svmlight_reader *reader = svmlight_open(file.path, &one_thread, &e);
    int64_t rows = 0, groups = 0, blocks = 0;
    int status;
    while ((status = svmlight_read(reader, &block, &e)) == 1) {
        check_block(&block, &whole, rows);
        for (int64_t g = 0; g < block.groups; g++, groups++) {
            assert_int_equal(block.group_id[g], whole.group_id[groups]);
            assert_int_equal(block.group_start[g] + rows, whole.group_start[groups]);
            assert_int_equal(block.group_start[g + 1] + rows, whole.group_start[groups + 1]);
        }
        rows += block.rows;
        blocks++;
        if (!reuse)
            dataset_free(&block);
    }
    assert_int_equal(status, 0);
    assert_int_equal(svmlight_read(reader, &block, &e), 0);
    assert_int_equal(rows, whole.rows);
    assert_int_equal(groups, whole.groups);
    assert_true(blocks > 1);
    svmlight_close(reader);
    dataset_free(&block);
    dataset_free(&whole);
    free(text.bytes);
    close(file.descriptor);
}

static void blocks_make_the_whole(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int reuse = 0; reuse < 2; reuse++)
            check_reader(kind, reuse);
}

/* A group larger than a block comes in parts, each with its id. */
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

/* --- selection and weights --- */

static void select_rows(void **state) {
    (void)state;
    struct text text;
    struct dataset whole, part;
    struct error e = {0};
    generate(ALL_FORMS, &text, &whole);
    int64_t rows[ROWS], count = 0;
    for (int64_t i = 0; i < ROWS; i += 1 + i % 13)
        rows[count++] = i;
    assert_int_equal(dataset_select(&whole, rows, count, &part, &e), 0);
    assert_int_equal(part.rows, count);
    assert_int_equal(part.features, whole.features);
    int64_t group = -1, from = -1;
    for (int64_t i = 0; i < count; i++) {
        struct dataset row = {.rows = 1, .nonzeros = part.start[i + 1] - part.start[i]};
        assert_int_equal(row.nonzeros, whole.start[rows[i] + 1] - whole.start[rows[i]]);
        assert_memory_equal(part.value + part.start[i], whole.value + whole.start[rows[i]],
                            (size_t)row.nonzeros * sizeof(double));
        assert_true(part.label[i] == whole.label[rows[i]]);
        assert_true(part.weight[i] == whole.weight[rows[i]]);
        while (from + 1 < whole.groups && whole.group_start[from + 1] <= rows[i])
            from++;
        if (group + 1 < part.groups && part.group_start[group + 1] == i)
            group++;
        assert_int_equal(part.group_id[group], whole.group_id[from]);
    }
    assert_int_equal(group, part.groups - 1);
    assert_int_equal(part.group_start[part.groups], count);
    dataset_free(&part);
    assert_int_equal(dataset_select(&whole, rows, 0, &part, &e), 0);
    assert_int_equal(part.groups, 0);
    dataset_free(&part);
    dataset_free(&whole);
    free(text.bytes);
}

static void check_weights(const char *text, const char *expected) {
    struct file file = file_of(text, strlen(text));
    struct error e = {0};
    double *weights = weights_load(file.path, 3, &e);
    if (expected != NULL) {
        assert_null(weights);
        check_message(&e, file.path, expected);
    } else {
        assert_non_null(weights);
        assert_true(weights[0] == 1 && weights[1] == 0 && weights[2] == 2.5);
        free(weights);
    }
    close(file.descriptor);
}

static void weight_files(void **state) {
    (void)state;
    check_weights("1\n0\n2.5\n", NULL);
    check_weights(" +1 \r\n0\t\n2.5", NULL);
    check_weights("\xef\xbb\xbf 1\n0\n2.5\n", NULL);
    check_weights("1\n0\n", "2 weights for 3 rows\n");
    check_weights("", "0 weights for 3 rows\n");
    check_weights("1\n0\n2\n3\n", "4:1: more weights than the 3 rows of the data\n");
    check_weights("1\n-2\n3\n", "2:1: weight is negative in \"-2\"\n");
    check_weights("1\n\n3\n", "2:1: missing weight in \"\"\n");
    check_weights("1\n x\n3\n", "2:2: malformed weight in \"x\"\n");
    check_weights("1 2\n", "1:1: more than one weight in the line of \"1\"\n");
    check_weights("nan\n", "1:1: weight is not finite in \"nan\"\n");
}

/* The runtime of OpenMP under clang keeps its threads' records to the end. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libomp";
}

/* --- lines without end --- */

/* The refusal of a file, by all ways to read it. */
static void check_limit(const char *path, int64_t limit, const char *expected) {
    for (int threads = 1; threads <= 4; threads++) {
        struct svmlight_options options = {.threads = threads, .line_limit = limit};
        struct dataset data;
        struct error e = {0};
        int status = dataset_load(path, &options, &data, &e);
        assert_int_equal(status, expected == NULL ? 0 : -1);
        if (expected != NULL)
            check_message(&e, path, expected);
        dataset_free(&data);
    }
    struct svmlight_options options = {.threads = 1, .line_limit = limit};
    struct error e = {0};
    struct dataset block = {0};
    struct svmlight_reader *reader = svmlight_open(path, &options, &e);
    int status = 1;
    while (status == 1)
        status = svmlight_read(reader, &block, &e);
    assert_int_equal(status, expected == NULL ? 0 : -1);
    if (expected != NULL)
        check_message(&e, path, expected);
    dataset_free(&block);
    svmlight_close(reader);
}

static void long_lines(void **state) {
    (void)state;
    enum { LENGTH = 3000000, BEFORE = 100000 };
    char *text = malloc(BEFORE * 6 + LENGTH + 1), *p = text;
    for (int i = 0; i < BEFORE; i++)
        p = stpcpy(p, "1 2:3\n");
    memset(p, ' ', LENGTH);
    memcpy(p, "1 2:3", 5);
    p[LENGTH] = '\n';
    for (int newline = 0; newline < 2; newline++) {
        struct file file = file_of(text, BEFORE * 6 + LENGTH + (size_t)newline);
        check_limit(file.path, 2000000,
                    "100001: the line is longer than 2 MB; --line-limit allows more\n");
        check_limit(file.path, LENGTH - 1,
                    "100001: the line is longer than 2.999999 MB; --line-limit allows more\n");
        check_limit(file.path, LENGTH, NULL);
        check_limit(file.path, 0, NULL);
        close(file.descriptor);
    }
    free(text);
}

/* Rows are found behind a byte-order mark, a comment and an empty line. */
static void lines_of_rows(void **state) {
    static const char text[] = "\xef\xbb\xbf# head\n1 1:1\n\n-1 2:1\n";
    struct file file = file_of(text, sizeof text - 1);
    (void)state;
    assert_int_equal(svmlight_line(file.path, 0), 2);
    assert_int_equal(svmlight_line(file.path, 1), 4);
    assert_int_equal(svmlight_line(file.path, 2), 0);
    close(file.descriptor);
}

/* Zeros as far as one reads, within seconds and a few MB. */
static void zeros_without_end(void **state) {
    (void)state;
    struct error e = {0};
    char expected[400] = "1:1: a NUL byte in \"";
    for (int i = 0; i < 40; i++)
        strcat(expected, "\\x00");
    strcat(expected, "...\": is this a text file?\n");
    check_limit("/dev/zero", 0, expected);
    struct file file = file_of("", 0);
    assert_int_equal(ftruncate(file.descriptor, INT64_C(1) << 34), 0);
    check_limit(file.path, 0, expected);
    close(file.descriptor);
    assert_null(weights_load("/dev/zero", 3, &e));
    check_message(&e, "/dev/zero", expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(zeros_without_end),
        cmocka_unit_test(lines_of_rows),
        cmocka_unit_test(files_that_do_not_open),
        cmocka_unit_test(lenient_forms),
        cmocka_unit_test(options_of_a_reader),
        cmocka_unit_test(costs_and_groups),
        cmocka_unit_test(all_threads_agree),
        cmocka_unit_test(all_sources_agree),
        cmocka_unit_test(blocks_make_the_whole),
        cmocka_unit_test(group_larger_than_a_block),
        cmocka_unit_test(select_rows),
        cmocka_unit_test(weight_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
