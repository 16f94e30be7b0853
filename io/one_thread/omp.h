/* omp.h - the functions of OpenMP that librrm calls, for one thread: what `make OPENMP=no` includes in place of the
 * compiler's. */
#ifndef RRM_OMP_H
#define RRM_OMP_H

static inline int omp_get_max_threads(void) {
    return 1;
}

static inline int omp_get_num_threads(void) {
    return 1;
}

static inline int omp_get_num_procs(void) {
    return 1;
}

static inline int omp_get_thread_num(void) {
    return 0;
}

static inline void omp_set_num_threads(int threads) {
    (void)threads;
}

#endif
