/* load.c - MB/s of dataset_load.
 *
 *     load FILE...                 best of several runs of each file, with 1 and 2 threads
 *     load --once THREADS FILE     one load, for timing the whole process; prints its peak memory
 */
#include "io/clock.h"
#include "io/dataset.h"
#include "io/svmlight/svmlight.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { RUNS = 9 };

/* Seconds of one load, or -1 with the reason printed. */
static double load(const char *path, int threads, struct dataset *data) {
    struct svmlight_options options = {.threads = threads};
    struct error e = {0};
    double begin = clock_seconds();
    if (dataset_load(path, &options, data, &e) != 0) {
        error_print(&e, "load", stderr);
        return -1;
    }
    return clock_seconds() - begin;
}

static double best_of(const char *path, int threads) {
    double best = -1;
    for (int i = 0; i < RUNS; i++) {
        struct dataset data;
        double time = load(path, threads, &data);
        if (time < 0)
            return -1;
        dataset_free(&data);
        if (best < 0 || time < best)
            best = time;
    }
    return best;
}

static int once(const char *path, int threads) {
    struct dataset data;
    struct rusage usage;
    if (load(path, threads, &data) < 0)
        return 1;
    getrusage(RUSAGE_SELF, &usage);
    double bytes = 1024.0 * (double)usage.ru_maxrss;
    double per_nonzero = data.value != NULL ? 12 : 4;
    double bound = per_nonzero * (double)data.nonzeros + 64 * (double)data.rows + (32 << 20);
    printf("%s: threads %d, rows %lld, nonzeros %lld, peak %.1f MB, bound %.1f MB%s\n", path,
           threads, (long long)data.rows, (long long)data.nonzeros, 1e-6 * bytes, 1e-6 * bound,
           bytes > bound ? " EXCEEDED" : "");
    dataset_free(&data);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--once") == 0)
        return once(argv[3], atoi(argv[2]));
    printf("%-40s %10s %12s %12s\n", "file", "MB", "MB/s, 1", "MB/s, 2");
    for (int i = 1; i < argc; i++) {
        struct stat status;
        double one = best_of(argv[i], 1);
        double two = best_of(argv[i], 2);
        if (one < 0 || two < 0 || stat(argv[i], &status) != 0)
            return 1;
        const char *slash = strrchr(argv[i], '/');
        double megabytes = 1e-6 * (double)status.st_size;
        printf("%-40s %10.2f %12.0f %12.0f\n", slash != NULL ? slash + 1 : argv[i], megabytes,
               megabytes / one, megabytes / two);
    }
    return 0;
}
