/* kernel.c - how many rows of kernel values and of feature maps one thread computes in a second.
 *
 *     kernel GAMMA FILE SIZE...
 *
 * SIZE: landmarks of the Gaussian kernel, or Fourier features. Times are CPU time, the best of several
 * runs over the first rows of the file; MB are those of the computed rows. */
#include "io/svmlight/svmlight.h"
#include "kernel/map.h"
#include "kernel/points.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 7, MAX_ROWS = 4096, BLOCK = 64 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The arguments of a measured function, which writes a block of rows to `out`. */
struct task {
    const struct dataset *data;
    const struct points *points;
    const struct kernel *kernel;
    const struct map *map;
    double *square, *out, *work;
};

typedef void step(const struct task *task, int64_t from, int64_t to);

static void products(const struct task *task, int64_t from, int64_t to) {
    points_products(task->points, task->data, from, to, task->out);
}

static void values(const struct task *task, int64_t from, int64_t to) {
    points_kernel(task->points, task->kernel, task->data, from, to, task->square + from, task->out);
}

static void mapping(const struct task *task, int64_t from, int64_t to) {
    map_rows(task->map, task->data, from, to, task->out, task->work);
}

static void measure(const char *name, const struct task *task, step *run_block, int64_t columns) {
    int64_t rows = task->data->rows < MAX_ROWS ? task->data->rows : MAX_ROWS;
    double best = -1;
    for (int run = 0; run < RUNS; run++) {
        double begin = seconds();
        for (int64_t from = 0; from < rows; from += BLOCK)
            run_block(task, from, from + BLOCK < rows ? from + BLOCK : rows);
        double time = seconds() - begin;
        best = best < 0 || time < best ? time : best;
    }
    printf("    %-10s %6lld columns %10.0f rows/s %8.0f MB/s %8.2f us/row\n", name,
           (long long)columns, (double)rows / best, 8e-6 * (double)(rows * columns) / best,
           1e6 * best / (double)rows);
}

static int measure_map(const struct map_settings *settings, struct task *task, struct error *e) {
    struct map *map = map_new(settings, task->data, e);
    int status = map == NULL ? -1 : map_prepare(map, task->data->features, e);
    if (status == 0) {
        task->map = map;
        task->work = malloc(sizeof(double) * (size_t)map_work_size(map, BLOCK));
        const struct dataset *landmarks = map_landmarks(map);
        struct points points;
        if (landmarks != NULL && points_init(&points, landmarks, NULL, landmarks->rows, e) == 0) {
            task->points = &points;
            measure("products", task, products, points.count);
            measure("kernel", task, values, points.count);
            points_free(&points);
        }
        measure(map_names[settings->kind], task, mapping, map_dimension(map));
        free(task->work);
    }
    map_free(map);
    return status;
}

static int measure_size(const struct dataset *data, double gamma, int64_t size, struct error *e) {
    struct map_settings settings = {.kernel = {.kind = KERNEL_GAUSSIAN, .gamma = gamma},
                                    .size = size,
                                    .threshold = 1e-12,
                                    .seed = 1};
    struct task task = {.data = data, .kernel = &settings.kernel};
    int status = 0;
    task.square = malloc(sizeof(double) * (size_t)data->rows);
    task.out = malloc(sizeof(double) * (size_t)(BLOCK * size));
    points_squares(data, 0, data->rows, task.square);
    for (settings.kind = MAP_NYSTROM; status == 0 && settings.kind <= MAP_FOURIER; settings.kind++)
        status = measure_map(&settings, &task, e);
    free(task.square);
    free(task.out);
    return status;
}

int main(int argc, char **argv) {
    struct svmlight_options options = {.threads = 1};
    struct dataset data;
    struct error e = {0};
    if (argc < 4) {
        fprintf(stderr, "usage: kernel GAMMA FILE SIZE...\n");
        return 2;
    }
    int status = dataset_load(argv[2], &options, &data, &e);
    const char *slash = strrchr(argv[2], '/');
    if (status == 0)
        printf("%s: %d features, %.1f nonzeros a row\n", slash != NULL ? slash + 1 : argv[2],
               data.features, (double)data.nonzeros / (double)data.rows);
    for (int k = 3; status == 0 && k < argc; k++)
        status = measure_size(&data, atof(argv[1]), atoll(argv[k]), &e);
    if (status != 0)
        error_print(&e, "kernel", stderr);
    else
        dataset_free(&data);
    return status != 0;
}
