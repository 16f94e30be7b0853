/* processes_mpi.c - the program train-mpi: the processes that mpirun or another launcher of MPI starts; see
 * cli/processes.h. Started by itself, or with one process, it is the same program as train. */
#include "cli/processes.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "io/workers.h"
#include "mpi/mpi_communicator.h"

#include <omp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

const struct processes_texts processes_texts = {
    .program = "train-mpi",
    .synopsis = "mpirun -n PROCESSES @train-mpi [options] TRAINING_FILE... [MODEL_FILE]",
    .summary = "train a linear model over several processes, by MPI",
    .about = "Each process reads a part of the data, plain or gzip files that all of them see, and "
             "trains with it; sums go between them over MPI. Of several names the last is "
             "MODEL_FILE. Several TRAINING_FILEs may be given as \"@\" and the name of a file that "
             "lists them, one a line. The model is that of @train up to rounding, and process 0 "
             "writes it. The "
             "solvers ipm, ocas, mcpa, cpa, lps, dcd, bundle, bundle-ls, proximal-bundle, lbfgs, "
             "agm and agm1 do this, for losses of one score, classes trained together, rankings "
             "and sequences, without -v and kernel machines. With one process this is @train, with "
             "one TRAINING_FILE.",
    .several = true,
};

enum { LONGEST_WAIT = 2000 }; /* milliseconds, for the errors of other processes */

static struct {
    MPI_Comm errors; /* where processes with an error meet */
    bool alone;      /* this process has an error that others do not have */
} state;

#ifdef CPU_SET
/* The processes of this machine that may run on the same processors as this one. */
static int count_neighbours(void) {
    cpu_set_t own, other;
    MPI_Comm machine;
    int size, count = 0;
    CPU_ZERO(&own);
    sched_getaffinity(0, sizeof own, &own);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &size);
    for (int rank = 0; rank < size; rank++) {
        other = own;
        MPI_Bcast(&other, sizeof other, MPI_BYTE, rank, machine);
        count += CPU_EQUAL(&own, &other) != 0;
    }
    MPI_Comm_free(&machine);
    return count;
}

#else /* each has one thread */
static int count_neighbours(void) {
    return 1;
}
#endif

/* Unless the user says how many, the processes of a machine divide its processors. */
static void divide_processors(void) {
    int threads = omp_get_num_procs() / count_neighbours();
    if (getenv("OMP_NUM_THREADS") == NULL)
        omp_set_num_threads(threads > 0 ? threads : 1);
}

/* Process 0 gets the processors and the threads of all processes of its machine. */
static void lend_processors(struct communicator *c) {
    (void)c; /* where processors are not told apart */
#ifdef CPU_SET
    cpu_set_t own, all;
    MPI_Comm machine;
    int threads = omp_get_max_threads(), sum = 0;
    CPU_ZERO(&own);
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof own, &own);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Reduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, 0, machine);
    MPI_Reduce(&threads, &sum, 1, MPI_INT, MPI_SUM, 0, machine);
    MPI_Comm_free(&machine);
    if (c->rank == 0 && sched_setaffinity(0, sizeof all, &all) == 0)
        omp_set_num_threads(workers_possible(sum < CPU_COUNT(&all) ? sum : CPU_COUNT(&all)));
#endif
}

struct communicator *processes_begin(int argc, char **argv) {
    int size, level;
    threads_sleep_when_idle(argv); /* before MPI begins, which cannot begin twice */
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        exit(EXIT_FAILURE);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1)
        return NULL;
    divide_processors();
    MPI_Comm_dup(MPI_COMM_WORLD, &state.errors);
    struct communicator *communicator = mpi_communicator_new();
    if (communicator == NULL) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return NULL;
    }
    communicator->interrupted_here = signals_came;
    communicator->lend_processors = lend_processors;
    return communicator;
}

bool processes_print_error(const struct communicator *communicator, const struct error *e) {
    if (communicator == NULL)
        return true;
    state.alone = !e->known_to_all && !mpi_all_come(state.errors, LONGEST_WAIT);
    return communicator->rank == 0 || state.alone;
}

void processes_end(struct communicator *communicator) {
    if (state.alone)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    mpi_communicator_free(communicator);
    MPI_Finalize();
}
