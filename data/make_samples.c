/* make_samples.c - writes the sample data that ships in data/, the same bytes on every machine.
 *
 *     make_samples FOLDER
 *
 * blobs  two classes, sparse: features lean to one class or the other; 5 % of the labels are wrong.
 * line   regression: a linear function of ten features plus an offset and noise; in the training
 *        file one target in twelve is far too high: the squared loss follows such outliers, the
 *        absolute loss hardly does.
 * three  three classes around three centers in eight dimensions.
 * chunks sentences of a small grammar, in columns: word, part of speech, chunk.
 * helices  sequences of RNA with one or two hairpins, in the bpseq format.
 *
 * All values are multiples of 1/1000 and all arithmetic is on integers, so rounding cannot differ. */
#include "data/sample_chunks.h"
#include "data/sample_helices.h"
#include "math/random/random.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOBS_FEATURES = 60, LINE_FEATURES = 10, THREE_FEATURES = 8, CLASSES = 3 };

/* The means from which the rows of the samples are drawn, in thousandths. */
struct truth {
    int line[LINE_FEATURES];
    int blobs[BLOBS_FEATURES];
    int three[CLASSES][THREE_FEATURES];
};

typedef void row_writer(struct random *random, const struct truth *truth, bool training,
                        FILE *file);

/* Uniform in low .. high. */
static int uniform(struct random *random, int low, int high) {
    return low + (int)random_below(random, (uint64_t)(high - low + 1));
}

/* Nearly normal with mean 0 and this deviation: twelve uniform numbers have variance 1. */
static int normal(struct random *random, int deviation) {
    int64_t sum = 0;
    for (int i = 0; i < 12; i++)
        sum += uniform(random, -500, 500);
    return (int)(sum * deviation / 1000);
}

static void write_thousandths(FILE *file, int64_t value) {
    int64_t size = value < 0 ? -value : value;
    int fraction = (int)(size % 1000);
    fprintf(file, "%s%lld", value < 0 ? "-" : "", (long long)(size / 1000));
    if (fraction % 100 == 0 && fraction > 0)
        fprintf(file, ".%d", fraction / 100);
    else if (fraction % 10 == 0 && fraction > 0)
        fprintf(file, ".%02d", fraction / 10);
    else if (fraction > 0)
        fprintf(file, ".%03d", fraction);
}

static void write_feature(FILE *file, int column, int value) {
    if (value == 0)
        return;
    fprintf(file, " %d:", column + 1);
    write_thousandths(file, value);
}

/* Feature j is present with probability 1 / (3 + j / 3), from 1/3 to 1/22; its mean is label * truth->blobs[j]. */
static void write_blob(struct random *random, const struct truth *truth, bool training,
                       FILE *file) {
    (void)training;
    int label = random_below(random, 5) < 2 ? 1 : -1;
    fprintf(file, "%d", random_below(random, 20) == 0 ? -label : label);
    for (int j = 0; j < BLOBS_FEATURES; j++)
        if (random_below(random, (uint64_t)(3 + j / 3)) == 0)
            write_feature(file, j, label * truth->blobs[j] + normal(random, 500));
    fputc('\n', file);
}

static void write_line(struct random *random, const struct truth *truth, bool training,
                       FILE *file) {
    int x[LINE_FEATURES];
    int64_t y = 3000000 + 1000 * (int64_t)normal(random, 100);
    for (int j = 0; j < LINE_FEATURES; j++) {
        x[j] = uniform(random, -1000, 1000);
        y += (int64_t)x[j] * truth->line[j];
    }
    if (training && random_below(random, 12) == 0)
        y += 1000 * (int64_t)uniform(random, 10000, 20000);
    write_thousandths(file, y / 1000);
    for (int j = 0; j < LINE_FEATURES; j++)
        write_feature(file, j, x[j]);
    fputc('\n', file);
}

static void write_three(struct random *random, const struct truth *truth, bool training,
                        FILE *file) {
    (void)training;
    int class = (int)random_below(random, CLASSES);
    fprintf(file, "%d", class + 1);
    for (int j = 0; j < THREE_FEATURES; j++)
        write_feature(file, j, truth->three[class][j] + normal(random, 600));
    fputc('\n', file);
}

static void write_sentence(struct random *random, const struct truth *truth, bool training,
                           FILE *file) {
    (void)truth;
    (void)training;
    sample_chunks_write(random, file);
}

static void write_helices(struct random *random, const struct truth *truth, bool training,
                          FILE *file) {
    (void)truth;
    (void)training;
    sample_helices_write(random, file);
}

static void draw_truth(struct random *random, struct truth *truth) {
    for (int j = 0; j < LINE_FEATURES; j++)
        truth->line[j] = uniform(random, -2000, 2000);
    for (int j = 0; j < BLOBS_FEATURES; j++)
        truth->blobs[j] = uniform(random, -700, 700);
    for (int k = 0; k < CLASSES; k++)
        for (int j = 0; j < THREE_FEATURES; j++)
            truth->three[k][j] = uniform(random, -1000, 1000);
}

static void write_file(const char *folder, const char *name, bool training, int rows,
                       row_writer *write_row, struct random *random, const struct truth *truth) {
    char path[4096];
    const char *ending = training ? "train" : "test";
    int length = snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *file = length < (int)sizeof path ? fopen(path, "w") : NULL;
    for (int i = 0; file != NULL && i < rows; i++)
        write_row(random, truth, training, file);
    if (file == NULL || ferror(file) || fclose(file) != 0) {
        fprintf(stderr, "make_samples: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int training_rows, test_rows;
        row_writer *write_row;
    } samples[] = {
        {"blobs", 1000, 500, write_blob},   {"line", 600, 300, write_line},
        {"three", 600, 300, write_three},   {"chunks", 300, 150, write_sentence},
        {"helices", 60, 30, write_helices},
    };
    if (argc != 2) {
        fprintf(stderr, "usage: make_samples FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct random random;
        struct truth truth;
        random_seed(&random, 2024, i);
        draw_truth(&random, &truth);
        write_file(argv[1], samples[i].name, true, samples[i].training_rows, samples[i].write_row,
                   &random, &truth);
        write_file(argv[1], samples[i].name, false, samples[i].test_rows, samples[i].write_row,
                   &random, &truth);
    }
    return 0;
}
